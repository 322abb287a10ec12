"""A picture is read once at every start: numbers of a checkpoint's files that fit each other badly show here.

config.json and preprocessor_config.json have dozens of numbers that no weight depends on (bases of positions, windows,
layers that are taken out): the libraries take most of them as they are, and fail, or go on with what is no number, at
the first page.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from pipkie_cli.errors import ModelError

if TYPE_CHECKING:
    from pipkie_cli.models.mllm.load import Checkpoint

SIDE = 64  # pixels: a token or four of Qwen, one tile of InternVL


def check_pictures(checkpoint: "Checkpoint") -> None:
    """Raises ModelError where what comes out of a small picture is no number; and whatever the libraries raise."""
    import torch

    family, model = checkpoint.family, checkpoint.model
    shades = np.linspace(0, 255, SIDE * SIDE * 3, dtype=np.uint8).reshape(SIDE, SIDE, 3)
    images = family.image_inputs([shades], family.max_pixels)
    ids = torch.tensor([family.image_ids(checkpoint.tokenizer, images.n_tokens[0])])
    batch: dict[str, Any] = {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "token_types": (ids == family.image_id).long(),
        "pixel_values": torch.from_numpy(images.pixel_values),
    }
    if images.grid is not None:
        batch["grid"] = torch.from_numpy(images.grid)
    inputs = family.forward_inputs({name: tensor.to(model.device) for name, tensor in batch.items()})
    with torch.inference_mode():
        states = model.model(**inputs, use_cache=False).last_hidden_state
        whole = bool(states.isfinite().all() and model.lm_head(states[:, -1]).isfinite().all())
    if not whole:
        raise ModelError(
            f"what {checkpoint.folder} makes of a picture is no number: its weights, config.json or"
            " preprocessor_config.json are damaged",
            hint="fetch the checkpoint again, or pipkie models verify",
        )
