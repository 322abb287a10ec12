"""Reading order: which printed line and segment each word box belongs to, and in which order they are read.

Comes in: boxes in fractions of the upright page. Goes out: their indices in reading order with line and segment
numbers. Never looks at text, reads no file, and gives the same answer whatever the order of the boxes.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from pipkie_cli.nouns import Box
from pipkie_cli.words.columns import read_rows
from pipkie_cli.words.lines import find_rows

WIDE_GAP = 2.0  # of the line height: a wider gap ends a segment


_edges = attrgetter("left", "top", "right", "bottom")


class Placed(NamedTuple):
    """One box in reading order: its index in the input, its printed line, its segment; both counted from 0."""

    index: int  # type: ignore[assignment]  # shadows tuple.index, which nobody calls here
    line: int
    segment: int


def arrange(boxes: Sequence[Box], width: float, height: float) -> tuple[Placed, ...]:
    """The boxes in reading order, with line and segment. `width` and `height` of the page: only the ratio is used.

    Blocks that stand side by side are read one after the other, so a value of several lines is one run of words; a
    line ends where its block ends.
    """
    if not boxes:
        return ()
    # ties are broken by place in this list, so the order of the input shows only among equal boxes
    ranked = sorted(range(len(boxes)), key=lambda index: _edges(boxes[index]))
    aspect = height / width if width > 0 and height > 0 else 1.0
    placed: list[Placed] = []
    segment = -1
    for number, line in enumerate(read_rows(find_rows([boxes[index] for index in ranked], aspect), WIDE_GAP)):
        for piece, starts in zip(line.pieces, line.starts, strict=True):
            segment += starts
            placed.extend(Placed(ranked[rank], number, segment) for rank in piece.indices)
    return tuple(placed)
