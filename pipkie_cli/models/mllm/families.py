"""What differs between model families: how a picture becomes pixels and tokens, and what the model's call takes.

One module per family, named by the `model_type` of its config.json; each offers `load(config, pictures) -> Family`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

FAMILIES = {  # model_type of config.json -> module
    "qwen2_vl": "pipkie_cli.models.mllm.qwen",
    "qwen2_5_vl": "pipkie_cli.models.mllm.qwen",
    "qwen3_vl": "pipkie_cli.models.mllm.qwen",
    "internvl": "pipkie_cli.models.mllm.internvl",
}


@dataclass(frozen=True, slots=True, eq=False)
class ImageInputs:
    """The pictures of one document as its model takes them, and the tokens that stand for them."""

    pixel_values: npt.NDArray[np.float32]  # Qwen: (P, C * 2 * patch^2); InternVL: (tiles, 3, side, side)
    grid: npt.NDArray[np.int64] | None  # (n pictures, 3): time, rows, columns of patches; None: the model needs none
    n_tokens: tuple[int, ...]  # per picture
    cells: tuple[tuple[int, int], ...]  # per picture: rows and columns that its tokens cut the page into


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """A number of a checkpoint's files. Raises ValueError that names one out of these bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}")
    return value


def colours(pictures: Mapping[str, Any]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and deviation of the three colours, by a preprocessor_config.json. Raises ValueError."""
    means, deviations = (pictures.get(name) for name in ("image_mean", "image_std"))
    for name, given, least, most in (("image_mean", means, 0, 1), ("image_std", deviations, 0.001, 1000)):
        if not (
            isinstance(given, list)
            and len(given) == 3
            and all(isinstance(one, (int, float)) and least <= one <= most for one in given)
        ):
            raise ValueError(f"{name} must be three numbers from {least} to {most}")
    return tuple(map(float, means)), tuple(map(float, deviations))  # type: ignore[arg-type]


class Family(Protocol):
    """One family with the sizes of one checkpoint. Picklable; holds no weights."""

    @property
    def name(self) -> str:
        """The `model_type` of config.json."""
        ...

    @property
    def image_id(self) -> int:
        """The token that stands for a piece of a picture."""
        ...

    @property
    def max_pixels(self) -> int:
        """Of one picture, where neither sidecar nor caller says another number."""
        ...

    def image_inputs(self, pictures: Sequence[npt.NDArray[np.uint8]], max_pixels: int) -> ImageInputs:
        """`pictures` (H, W, 3) RGB, each shrunk to at most `max_pixels`."""
        ...

    def image_ids(self, tokenizer: Any, n: int) -> list[int]:
        """The tokens of one picture: `n` image tokens and what stands around them."""
        ...

    def forward_inputs(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """What the model's call takes of a collated batch."""
        ...

    def over_page(self, weights: npt.NDArray[np.float32], cells: tuple[int, int]) -> npt.NDArray[np.float32]:
        """Weights (n, tokens of one picture) on the page as it lies: (n, rows, columns), sums kept."""
        ...

    def language_layers(self, model: Any) -> Any:
        """The decoder layers, from the input on; their `self_attn` are what places are read from."""
        ...
