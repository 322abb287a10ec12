"""Qwen2-VL, Qwen2.5-VL and Qwen3-VL: pictures of any size as a grid of patches, four of them a token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from pipkie_cli.models.mllm.families import ImageInputs, colours, whole_number

MAX_ASPECT = 190  # the library refuses pictures more than 200 times as long as they are wide
MOST_PIXELS = 2**25  # of one picture, as in a sidecar
TOKENS_PER_PICTURE = 1280  # the default cap: an A4 page at some 110 dpi


@dataclass(frozen=True, slots=True)
class Qwen:
    name: str
    patch: int  # pixels a side
    merge: int  # patches a side that make one token
    temporal: int  # frames per patch: a still picture is repeated
    mean: tuple[float, ...]
    std: tuple[float, ...]
    min_pixels: int
    image_id: int
    start_id: int
    end_id: int

    @property
    def max_pixels(self) -> int:
        return TOKENS_PER_PICTURE * (self.patch * self.merge) ** 2

    def image_inputs(self, pictures: Sequence[npt.NDArray[np.uint8]], max_pixels: int) -> ImageInputs:
        processor = _processor(self, max_pixels)
        images = [Image.fromarray(_bounded(picture)) for picture in pictures]
        made = processor(images=images, return_tensors="np")
        grid = np.asarray(made["image_grid_thw"], np.int64)
        cells = tuple((int(rows) // self.merge, int(columns) // self.merge) for _, rows, columns in grid)
        pixels = np.ascontiguousarray(made["pixel_values"], np.float32)
        return ImageInputs(pixels, grid, tuple(rows * columns for rows, columns in cells), cells)

    def image_ids(self, tokenizer: Any, n: int) -> list[int]:
        return [self.start_id, *[self.image_id] * n, self.end_id]

    def forward_inputs(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        names = {
            "input_ids": "input_ids",
            "attention_mask": "attention_mask",
            "pixel_values": "pixel_values",
            "grid": "image_grid_thw",
            "token_types": "mm_token_type_ids",
        }
        return {theirs: batch[ours] for ours, theirs in names.items()}

    def over_page(self, weights: npt.NDArray[np.float32], cells: tuple[int, int]) -> npt.NDArray[np.float32]:
        return weights.reshape(-1, *cells)  # tokens go row by row; patches do not, they lie together by token

    def language_layers(self, model: Any) -> Any:
        return model.model.language_model.layers


def load(config: Any, pictures: Mapping[str, Any]) -> Qwen:
    """`config` of transformers, `pictures`: the preprocessor_config.json. Raises TypeError or ValueError.

    The sizes come from the weights' own config; of the other file count the colours and the smallest size, which its
    publishers write in two ways.
    """
    vision = config.vision_config
    sides = dict(pictures.get("size") or {})
    smallest, largest = (
        pictures.get(name) if pictures.get(name) is not None else sides.get(side)
        for name, side in (("min_pixels", "shortest_edge"), ("max_pixels", "longest_edge"))
    )
    smallest = whole_number("min_pixels", 56 * 56 if smallest is None else smallest, 1, MOST_PIXELS)
    if largest is not None:  # not used: a cap is the sidecar's or the user's
        whole_number("max_pixels", largest, smallest, 2**53)
    mean, std = colours(pictures)
    return Qwen(
        name=str(config.model_type),
        patch=whole_number("patch_size", vision.patch_size, 1, 128),
        merge=whole_number("spatial_merge_size", vision.spatial_merge_size, 1, 8),
        temporal=whole_number("temporal_patch_size", vision.temporal_patch_size, 1, 8),
        mean=mean,
        std=std,
        min_pixels=smallest,
        image_id=int(config.image_token_id),
        start_id=int(config.vision_start_token_id),
        end_id=int(config.vision_end_token_id),
    )


def _bounded(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A strip of paper stretched to an aspect ratio that the library takes; cells still cut the whole page evenly."""
    height, width = picture.shape[:2]
    least = -(-max(height, width) // MAX_ASPECT)
    if min(height, width) >= least:
        return picture
    size = (max(width, least), max(height, least))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BICUBIC))


@lru_cache(maxsize=16)
def _processor(family: Qwen, max_pixels: int) -> Any:
    """The library's own, built with every number said: its loader ignores some of them."""
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    smallest = min(family.min_pixels, max_pixels)
    return Qwen2VLImageProcessorPil(
        patch_size=family.patch,
        merge_size=family.merge,
        temporal_patch_size=family.temporal,
        image_mean=list(family.mean),
        image_std=list(family.std),
        size={"shortest_edge": smallest, "longest_edge": max_pixels},
    )
