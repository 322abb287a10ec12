"""One pass against the five ways to write word by word, on the same weights, pages and keys: for `pipkie bench pip`.

Every value has `slots` tokens with its end: as many slots in the one pass, as many steps word by word; the JSON answer
has the values and its own marks. Pictures are arrays already in all of them (their preparation costs the same), and
everything from there to tokens with their scores is within.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm.dialogue import encode_question, json_question_ids
from pipkie_cli.models.mllm.forward import best_tokens, collate, slot_states
from pipkie_cli.models.mllm.json_answer import json_answer
from pipkie_cli.models.mllm.load import Checkpoint, needed_libraries
from pipkie_cli.models.mllm.prompt import encode_keys, text_ids
from pipkie_cli.models.mllm.ways import WAYS, Task
from pipkie_cli.nouns import Key

ONE_PASS: Final = "one_pass"
PEAK_FLOPS: Final = {  # bfloat16 without sparsity, of the makers' data sheets; the first name that fits counts
    "H200": 989e12, "H100 PCIe": 756e12, "H100": 989e12, "A100": 312e12, "A10G": 70e12, "A10": 125e12, "L40S": 362e12,
    "L4": 121e12, "4090": 165e12, "3090": 71e12,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """What runs, each a function without arguments that gives what it wrote, and what it has to do."""

    runs: Mapping[str, Callable[[], Any]]
    tokens: int  # of one document's row in the one pass
    image_tokens: int
    slots: int  # of one document
    json_steps: int
    json_tokens: int  # of one document's JSON prompt


def make_race(
    checkpoint: Checkpoint, page: npt.NDArray[np.uint8], n_documents: int, keys: Sequence[Key], slots: int
) -> Race:
    """All ways over so many documents at once: copies of one page (H, W, 3)."""
    images = checkpoint.family.image_inputs([page], checkpoint.trained.max_pixels)
    frame = json_answer([key.name for key in keys], [""] * len(keys))
    json_steps = len(text_ids(checkpoint, frame)) + (slots - 1) * len(keys) + 1
    documents, limits = (images,) * n_documents, (slots,) * len(keys)
    task = Task(checkpoint, documents, tuple(keys), limits, json_steps, ends=frozenset())
    row = encode_keys(checkpoint, images, keys, limits)
    runs = {ONE_PASS: partial(_one_pass, checkpoint, [row] * n_documents)}
    runs |= {name: partial(_quietly, way, task) for name, way in WAYS.items()}
    asked = encode_question(checkpoint, images, json_question_ids(checkpoint, images, keys))
    return Race(runs, row.n_tokens, sum(images.n_tokens), slots * len(keys), json_steps, asked.n_tokens)


def one_thread() -> None:
    """From here on torch computes on one thread: CPU seconds then compare. Raises ModelError without torch."""
    with needed_libraries():
        import torch

    torch.set_num_threads(1)


def count_flops(run: Callable[[], Any]) -> int:
    """Floating point operations of matrices and convolutions, a multiplication and an addition being two."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        run()
    return int(counter.get_total_flops())


def peak_flops(device: str) -> float | None:
    """Of a GPU that is known, a second."""
    if device == "cpu":
        return None
    name = gpu_name(device)
    return next((flops for part, flops in PEAK_FLOPS.items() if part in name), None)


def gpu_name(device: str) -> str:
    import torch

    return torch.cuda.get_device_name(device)


def n_parameters(checkpoint: Checkpoint) -> int:
    return sum(one.numel() for one in checkpoint.model.parameters())


def _one_pass(checkpoint: Checkpoint, rows: Sequence[Any]) -> Any:
    import torch

    with torch.no_grad():
        tokens, scores = best_tokens(checkpoint, slot_states(checkpoint, collate(rows, checkpoint.pad_id)))
    return tokens.tolist(), scores.tolist()


def _quietly(way: Callable[[Task], Any], task: Task) -> Any:
    import torch

    with torch.no_grad():
        return way(task)
