"""InternVL in the library's own layout: a page stretched over square tiles, a thumbnail of the whole behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from pipkie_cli.models.mllm.families import ImageInputs, colours, whole_number

MOST_TILES = 40  # the library looks at every way to lay so many


@dataclass(frozen=True, slots=True)
class InternVL:
    name: str
    side: int  # pixels of a tile
    cells_per_side: int  # tokens along a tile
    max_tiles: int  # without the thumbnail
    mean: tuple[float, ...]
    std: tuple[float, ...]
    image_id: int

    @property
    def max_pixels(self) -> int:
        return self.max_tiles * self.side**2

    def image_inputs(self, pictures: Sequence[npt.NDArray[np.uint8]], max_pixels: int) -> ImageInputs:
        tiles = max(1, min(self.max_tiles, max_pixels // self.side**2))
        made = _processor(self, tiles)(images=[Image.fromarray(one) for one in pictures], return_tensors="np")
        grids = [self.tile_grid(picture.shape[0], picture.shape[1], tiles) for picture in pictures]
        shown = [rows * columns + (rows * columns > 1) for rows, columns in grids]  # the thumbnail beside several
        pixels = np.ascontiguousarray(made["pixel_values"], np.float32)
        if sum(shown) != len(pixels):
            raise ValueError(f"{len(pixels)} tiles where {shown} were expected")
        n = self.cells_per_side
        cells = tuple((rows * n, columns * n) for rows, columns in grids)
        return ImageInputs(pixels, None, tuple(count * n * n for count in shown), cells)

    def tile_grid(self, height: int, width: int, max_tiles: int) -> tuple[int, int]:
        """Rows and columns of tiles that a picture is stretched over."""
        if max_tiles == 1:
            return 1, 1
        from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import get_optimal_tiled_canvas

        columns, rows = get_optimal_tiled_canvas((height, width), (self.side, self.side), 1, max_tiles)
        return rows, columns

    def image_ids(self, tokenizer: Any, n: int) -> list[int]:
        start, end = tokenizer.convert_tokens_to_ids(["<img>", "</img>"])
        return [start, *[self.image_id] * n, end]

    def forward_inputs(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        return {name: batch[name] for name in ("input_ids", "attention_mask", "pixel_values")}

    def over_page(self, weights: npt.NDArray[np.float32], cells: tuple[int, int]) -> npt.NDArray[np.float32]:
        """Tile after tile, each row by row; a cell of the thumbnail is spread over the tiles' cells that it covers."""
        n, (rows, columns) = self.cells_per_side, cells
        down, right = rows // n, columns // n  # tiles
        tiles = weights[:, : rows * columns].reshape(-1, down, right, n, n)
        page: npt.NDArray[np.float32] = tiles.transpose(0, 1, 3, 2, 4).reshape(-1, rows, columns)
        if down * right > 1:
            thumbnail = weights[:, rows * columns :].reshape(-1, n, n) / np.float32(down * right)
            page = page + thumbnail.repeat(down, 1).repeat(right, 2)
        return page

    def language_layers(self, model: Any) -> Any:
        return model.model.language_model.layers


def load(config: Any, pictures: Mapping[str, Any]) -> InternVL:
    """`config` of transformers, `pictures`: the preprocessor_config.json. Raises TypeError or ValueError."""
    side = _one_of("image_size", config.vision_config.image_size, 2048)
    patch = _one_of("patch_size", config.vision_config.patch_size, side)
    cells = round(side / patch * float(config.downsample_ratio))
    if cells**2 != config.image_seq_length:
        raise ValueError("image_seq_length must be what image_size, patch_size and downsample_ratio make")
    mean, std = colours(pictures)
    return InternVL(
        name=str(config.model_type),
        side=side,
        cells_per_side=cells,
        max_tiles=min(MOST_TILES, whole_number("max_patches", pictures.get("max_patches", 12), 1, 2**53)),
        mean=mean,
        std=std,
        image_id=int(config.image_token_id),
    )


def _one_of(name: str, size: Any, most: int) -> int:
    """A side in pixels, written as one number or as two equal ones."""
    sides = size if isinstance(size, (list, tuple)) and size else [size]
    if any(side != sides[0] for side in sides):
        raise ValueError(f"{name} must be the same both ways")
    return whole_number(name, sides[0], 1, most)


@lru_cache(maxsize=16)
def _processor(family: InternVL, max_tiles: int) -> Any:
    """The library's own, tiling turned on: published files leave that to a class that needs torchvision."""
    from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import GotOcr2ImageProcessorPil

    return GotOcr2ImageProcessorPil(
        size={"height": family.side, "width": family.side},
        crop_to_patches=True,
        min_patches=1,
        max_patches=max_tiles,
        image_mean=list(family.mean),
        image_std=list(family.std),
    )
