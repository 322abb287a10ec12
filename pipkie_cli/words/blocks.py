"""What stands on either side of a gutter, and whether it is two blocks. Lengths are in line heights, see `lines`."""

import itertools
from bisect import bisect, bisect_left
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from pipkie_cli.words.gutters import Gutter
from pipkie_cli.words.lines import SAME_EDGE, Row

TIGHT = 0.8  # rows of one block are nearer than this...
TIGHT_EDGE = 2.0  # ...or than this where they begin at one edge
BLOCK_WORDS = 1.6  # mean words per row of a block of text; labels, values and table cells have fewer
BLOCK_WIDTH = 4.0  # median width of its rows
WIDE_BLOCK = 8.0  # median width of rows that are more than labels
NEAR_GAP, WIDE_GAP = 3.0, 6.0  # median gap between two blocks on the same baselines, where they are wide, and else
LEADING = 0.45  # white space between the rows of such blocks, in their own line heights
LOOSE = 1.2  # white space that rows of a block stay below in any case
PAIR_OFF = 0.25  # of the height: rows on one baseline differ by less
FEW_PAIRS = 0.7  # share of rows on one baseline that two blocks of their own line pitch stay below
NUMBER_WIDTH = 4.0  # median width of cells that hold numbers
COLUMN_WORDS, COLUMN_ROWS = 4, 6  # mean words per row, and rows, of a column of running text
COLUMN_GUTTER = 1.5  # least width of the gutter between two of them

_left = attrgetter("left")


class Side(NamedTuple):
    """What stands on one side of a gutter: pieces per row, rows without any left out."""

    numbers: list[int]
    rows: list[Row]

    @property
    def pieces(self) -> float:
        return median(map(len, self.rows))

    @property
    def words(self) -> float:
        return sum(len(piece.indices) for row in self.rows for piece in row) / len(self.rows)

    @property
    def width(self) -> float:
        """Median width of the rows in their own line heights."""
        return median((row[-1].right - row[0].left) / row[0].height for row in self.rows)

    @property
    def leading(self) -> float:
        """Median white space between its rows in their own line heights."""
        distances = list(itertools.starmap(_distance, itertools.pairwise(self.rows)))
        return median(distances) if distances else 0.0

    @property
    def is_text(self) -> bool:
        return self.words >= BLOCK_WORDS and self.width >= BLOCK_WIDTH

    @property
    def is_numbers(self) -> bool:
        """Its first column is narrow, or right-aligned and ragged on its left."""
        cells = [row[0] for row in self.rows]
        if median(cell.right - cell.left for cell in cells) < NUMBER_WIDTH:
            return True
        if sum(len(cell.indices) for cell in cells) > 1.5 * len(cells):
            return False
        return _spread([cell.right for cell in cells]) < 0.5 and _spread([cell.left for cell in cells]) > 0.7


def _sides(rows: list[Row], gutter: Gutter) -> tuple[Side, Side]:
    left, right = Side([], []), Side([], [])
    middle = (gutter.left + gutter.right) / 2
    for number in range(gutter.first, gutter.last + 1):
        row = rows[number]
        border = bisect(row, middle, key=_left)
        if border:
            left.numbers.append(number)
            left.rows.append(row[:border])
        if border < len(row):
            right.numbers.append(number)
            right.rows.append(row[border:])
    return left, right


def trimmed_sides(rows: list[Row], gutter: Gutter) -> tuple[int, int, Side, Side] | None:
    """First and last row worth a cut, and the sides between them; None if nothing is left.

    Rows at the ends stay only while they are tight to a block that needs them. Above, rows of the left side alone are
    read in the same order without a cut; below, those of the right side.
    """
    left, right = _sides(rows, gutter)
    if not left.rows or not right.rows:
        return None
    first, last = left.numbers[0], right.numbers[-1]
    first = _tight_end(right, first, -1) if right.numbers[0] < first else right.numbers[0]
    last = _tight_end(left, last, 1) if left.numbers[-1] > last else left.numbers[-1]
    if last < first:
        return None
    left, right = _within(left, first, last), _within(right, first, last)
    return (first, last, left, right) if left.rows and right.rows else None


def _within(side: Side, first: int, last: int) -> Side:
    low, high = bisect_left(side.numbers, first), bisect(side.numbers, last)
    return Side(side.numbers[low:high], side.rows[low:high])


def _tight_end(side: Side, border: int, step: int) -> int:
    """How far a side goes on beyond row `border`, while its rows are tight."""
    order = range(len(side.rows)) if step > 0 else range(len(side.rows) - 1, -1, -1)
    end, previous = border, None
    for place in order:
        row = side.rows[place]
        if previous is not None and (side.numbers[place] - border) * step > 0:
            edge = abs(previous[0].left - row[0].left) < SAME_EDGE
            if _distance(previous, row) > (TIGHT_EDGE if edge else TIGHT):
                break
            end = side.numbers[place]
        previous = row
    return end


def _distance(row: Row, other: Row) -> float:
    """White space between two rows of one side, in either order, in their own line heights."""
    upper, lower = (row, other) if row[0].centre <= other[0].centre else (other, row)
    bottom = max(piece.centre + piece.height / 2 for piece in upper)
    white = min(piece.centre - piece.height / 2 for piece in lower) - bottom
    return white / max(row[0].height, other[0].height)


def are_running_text(left: Side, right: Side, width: float) -> bool:
    """Two columns of running text."""
    return width >= COLUMN_GUTTER and all(
        len(side.rows) >= COLUMN_ROWS and side.pieces == 1 and side.words >= COLUMN_WORDS for side in (left, right)
    )


def are_blocks(left: Side, right: Side, width: float) -> bool:
    """Two blocks that are not the columns of a table and not labels with their values."""
    texts = left.is_text + right.is_text
    if not texts or left.is_numbers or right.is_numbers:
        return False
    most, least = max(len(left.rows), len(right.rows)), min(len(left.rows), len(right.rows))
    gaps = _pair_gaps(left, right)
    pairs = len(gaps)
    if pairs <= FEW_PAIRS * least and (least - pairs >= 2 or (texts == 2 and most - pairs >= 3 and least > pairs)):
        # labels and cells stand on the baselines of their neighbours, but for typed values on the lines of a form
        return min(left.leading, right.leading) <= LOOSE
    if texts < 2 or most < 2 or (least < 3 and pairs == least):
        return False
    single = [side for side in (left, right) if side.pieces == 1]  # has no columns of its own
    if not single:
        return False
    near = min(side.width for side in single) >= WIDE_BLOCK
    if (median(gaps) if gaps else width) < (NEAR_GAP if near else WIDE_GAP):
        return False
    return all(side.leading <= LEADING for side in single)  # labels, values and table rows stand looser


def _pair_gaps(left: Side, right: Side) -> list[float]:
    """White space between the sides where a row of one stands on one baseline with a row of the other."""
    there = dict(zip(right.numbers, right.rows, strict=True))
    gaps = []
    for number, row in zip(left.numbers, left.rows, strict=True):
        other = there.get(number)
        if other and abs(row[-1].last_y - other[0].first_y) <= PAIR_OFF * max(row[-1].height, other[0].height):
            gaps.append(other[0].left - row[-1].right)
    return gaps


def _spread(values: list[float]) -> float:
    middle = median(values)
    return median(abs(value - middle) for value in values)
