"""Reading order: which printed line and segment each word box belongs to, and in which order they are read.

Comes in: boxes in fractions of the upright page. Goes out: their indices in reading order with line and segment
numbers. Never looks at text, reads no file, and gives the same answer whatever the order of the boxes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pipkie_cli.nouns import Box

SAME_LINE = 0.5  # of the lower height: centres nearer than this are on one line
WIDE_GAP = 2.0  # of the line height: a wider gap ends a segment


class Placed(NamedTuple):
    """One box in reading order: its index in the input, its printed line, its segment; both counted from 0."""

    index: int  # type: ignore[assignment]  # shadows tuple.index, which nobody calls here
    line: int
    segment: int


def arrange(boxes: Sequence[Box], width: float, height: float) -> tuple[Placed, ...]:
    """The boxes in reading order, with line and segment. `width` and `height` of the page: only the ratio is used."""
    aspect = height / width if width > 0 and height > 0 else 1.0
    placed: list[Placed] = []
    segment = -1
    for number, line in enumerate(_lines(boxes)):
        tallest = max(boxes[index].height for index in line) * aspect
        right: float | None = None
        for index in line:
            box = boxes[index]
            if right is None or box.left - right > WIDE_GAP * tallest:
                segment += 1
            right = box.right if right is None else max(right, box.right)
            placed.append(Placed(index, number, segment))
    return tuple(placed)


def _lines(boxes: Sequence[Box]) -> list[list[int]]:
    """Indices per printed line, top to bottom, left to right."""

    def centre(index: int) -> float:
        return (boxes[index].top + boxes[index].bottom) / 2

    def place(index: int) -> tuple[float, ...]:
        box = boxes[index]
        return (centre(index), box.left, box.right, box.top, box.bottom)

    lines: list[list[int]] = []
    for index in sorted(range(len(boxes)), key=place):
        last = lines[-1][-1] if lines else None
        if last is not None and centre(index) - centre(last) <= SAME_LINE * min(
            boxes[index].height, boxes[last].height
        ):
            lines[-1].append(index)
        else:
            lines.append([index])
    for line in lines:
        line.sort(key=lambda index: (boxes[index].left, boxes[index].right, boxes[index].top, boxes[index].bottom))
    return lines
