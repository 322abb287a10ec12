"""Attention to tokens of pictures -> heat over pages -> a place. NumPy only.

The tokens of a picture cut its page into rows and columns of equal cells: what the picture was shrunk or stretched to
does not matter, for cells are fractions of the page as displayed. A cell is all that attention tells: 28 or 32 pixels
of the picture that the model saw, some 7 mm of an A4 page at 1,280 tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm.families import Family, ImageInputs
from pipkie_cli.nouns import Box, Place

Floats = npt.NDArray[np.float32]
WARM = 0.5  # of the hottest cell: cells that join it
MOST_OF_PAGE = 1 / 3  # of its area: a larger box says nothing


@dataclass(frozen=True, slots=True, eq=False)
class KeyHeat:
    """Where the slots of one key look: per picture (slots, rows, columns); a slot's cells of all pictures sum to 1."""

    pictures: tuple[Floats, ...]

    def place(self, page_indices: Sequence[int]) -> Place | None:
        """Where they look most together: the hottest cell with the warm ones that touch it, as one box.

        No box where that is most of the page: then they look nowhere. None without slots: a value that was not written
        stands nowhere.
        """
        if not len(self.pictures[0]):
            return None
        warm = [picture.mean(0) for picture in self.pictures]  # (rows, columns) each
        page = int(np.argmax([one.max() for one in warm]))
        box = _box(warm[page])
        return Place(page_indices[page] + 1, (box,) if box.width * box.height <= MOST_OF_PAGE else ())


def over_pages(family: Family, weights: Floats, images: ImageInputs) -> KeyHeat:
    """`weights` (slots, tokens of all pictures) as heat over each page."""
    weights = weights / np.maximum(weights.sum(1, keepdims=True), np.finfo(np.float32).tiny)
    ends = np.cumsum(images.n_tokens)[:-1]
    parts = np.split(weights, ends, axis=1)
    return KeyHeat(tuple(family.over_page(part, cells) for part, cells in zip(parts, images.cells, strict=True)))


def _box(heat: Floats) -> Box:
    """The bounding box, in fractions of the page, of the hottest cell and the warm cells that hang on it."""
    rows, columns = heat.shape
    warm = heat >= WARM * heat.max()
    joined = np.zeros_like(warm)
    joined[np.unravel_index(int(heat.argmax()), heat.shape)] = True
    while True:  # grows by a ring of neighbours, corners too, until nothing is added
        grown = np.pad(joined, 1)
        grown = np.logical_or.reduce(
            [grown[down : down + rows, right : right + columns] for down in range(3) for right in range(3)]
        )
        grown &= warm
        if (grown == joined).all():
            break
        joined = grown
    down, right = np.flatnonzero(joined.any(1)), np.flatnonzero(joined.any(0))
    return Box(right[0] / columns, down[0] / rows, (right[-1] + 1) / columns, (down[-1] + 1) / rows)
