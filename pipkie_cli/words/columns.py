"""From rows to reading order: blocks that stand side by side are read one after the other, table rows stay rows.

A recursive cut. A gutter is a strip without print through neighbouring rows. It is cut only where it parts two real
blocks (an address and another address, an address and a box of invoice data, two columns of text); the gutter between
labels and values, or between the columns of a table, is left alone. Lengths are in line heights, see `lines`.
"""

import itertools
from bisect import bisect, bisect_left
from collections.abc import Callable
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from pipkie_cli.words.lines import Piece, Row, sorted_rows

MIN_GUTTER = 1.0  # a narrower strip is a space between words
BAND_GAP = 0.9  # white space over the whole width that parts two bands, beyond...
BAND_GAP_MORE = 0.7  # ...the usual distance of rows plus this
SAME_EDGE = 0.3  # left edges nearer than this are one edge
TIGHT = 0.8  # rows of one block are nearer than this
CELL_JUMP = 0.25  # lines of one cell are nearer than cells by at least this
BLOCK_WORDS = 1.6  # mean words per row of a block of text; labels, values and table cells have fewer
BLOCK_WIDTH = 4.0  # median width of its rows
NUMBER_WIDTH = 4.0  # median width of cells that hold numbers
WIDE_BLOCK = 8.0  # median width of rows that are more than labels
NEAR_GAP, WIDE_GAP = 3.0, 6.0  # median gap between two blocks on the same baselines, where they are wide, and else
LEADING = 0.45  # white space between the rows of such blocks, in their own line heights
COLUMN_WORDS, COLUMN_ROWS = 4.0, 6  # mean words per row, and rows, of a column of running text
MANY_ROWS = 4  # more rows make a gutter no better
HUGE = 8.0  # line heights: no line of the page is as high
UPRIGHT = 2.5  # line heights, and times its width: a word as high runs upwards


class Gutter(NamedTuple):
    """A strip without print, `left` to `right`, through rows `first` to `last` (inclusive)."""

    first: int
    last: int
    left: float
    right: float


class Line(NamedTuple):
    """Pieces of one printed line inside its block, and before which of them a segment begins."""

    pieces: Row
    starts: tuple[bool, ...]


def read_rows(rows: list[Row], wide_gap: float) -> list[Line]:
    """The lines of a page in reading order; a gap above `wide_gap` or a table's gutter begins a segment."""
    lines: list[Line] = []
    plain = [[piece for piece in row if not _is_aside(piece)] for row in rows]
    todo: list[list[Row]] = [[row for row in plain if row]]  # a stack, not recursion: no page is too deep
    while todo:
        region = todo.pop()
        if not region:
            continue
        parts, gutters = _parts(region)
        if parts:
            todo.extend(reversed(parts))
        else:
            lines.extend(_lines(region, gutters, wide_gap))
    return lines + [Line([piece], (True,)) for row in rows for piece in row if _is_aside(piece)]


def _is_aside(piece: Piece) -> bool:
    """A watermark, or print that runs up the margin: read last."""
    return piece.height > HUGE or (piece.height > UPRIGHT and piece.height > UPRIGHT * (piece.right - piece.left))


def _parts(rows: list[Row]) -> tuple[list[list[Row]], list[Gutter]]:
    """The parts of a region in reading order, none where it is read row by row; and the gutters of such a region."""
    if len(rows) < 2:
        return [], []
    long_pieces = sum(len(piece.indices) >= COLUMN_WORDS for row in rows for piece in row)
    gutters: list[Gutter] | None = None
    if long_pieces >= COLUMN_ROWS:
        gutters = find_gutters(rows)
        cut = _best_cut(rows, gutters, _is_running_text)
        if cut:
            return cut, []
    bands = _bands(rows)
    if len(bands) > 1:
        return bands, []
    if gutters is None:
        gutters = find_gutters(rows)
    return _best_cut(rows, gutters, _are_blocks), gutters


def _bands(rows: list[Row]) -> list[list[Row]]:
    """Rows parted where white space over the whole width is taller than usual."""
    gaps = _gaps(rows)
    tall = max(BAND_GAP, median(gaps) + BAND_GAP_MORE)
    return _split(
        rows,
        [
            gap > tall and not (gap <= 2.5 * tall and _go_on(row, following))
            for gap, (row, following) in zip(gaps, itertools.pairwise(rows), strict=True)
        ],
    )


def _go_on(row: Row, following: Row) -> bool:
    """Two pieces of one row begin where two of the other begin: addresses side by side with a free line in them."""
    places = [piece.left for piece in following]
    return sum(any(abs(piece.left - place) < SAME_EDGE for place in places) for piece in row) >= 2


def _gaps(rows: list[Row]) -> list[float]:
    """White space below each row but the last; negative where rows overlap."""
    gaps = []
    reach = max(piece.centre + piece.height / 2 for piece in rows[0])
    for row in rows[1:]:
        gaps.append(min(piece.centre - piece.height / 2 for piece in row) - reach)
        reach = max(reach, max(piece.centre + piece.height / 2 for piece in row))
    return gaps


def _split(rows: list[Row], borders: list[bool]) -> list[list[Row]]:
    """Rows parted below every row that has a border."""
    parts = [[rows[0]]]
    for row, border in zip(rows[1:], borders, strict=True):
        if border:
            parts.append([])
        parts[-1].append(row)
    return parts


def find_gutters(rows: list[Row]) -> list[Gutter]:
    """Every gutter that parts two pieces of a row or two rows that follow each other, grown as far as it runs."""
    covering: list[list[Gutter]] = [[] for _ in rows]
    found: list[Gutter] = []
    for number, row in enumerate(rows):
        seeds = []
        reach = row[0].right
        for piece in row[1:]:
            if piece.left - reach >= MIN_GUTTER:
                seeds.append((reach, piece.left))
            reach = max(reach, piece.right)
        if number:  # blocks with different line pitch may never share a row
            above = rows[number - 1]
            if row[0].left - above[-1].right >= MIN_GUTTER:
                seeds.append((above[-1].right, row[0].left))
            elif above[0].left - reach >= MIN_GUTTER:
                seeds.append((reach, above[0].left))
        for left, right in seeds:
            if _is_seen(left, right, covering[number]):
                continue
            gutter = _grown(rows, number, left, right)
            found.append(gutter)
            for covered in range(gutter.first, gutter.last + 1):
                covering[covered].append(gutter)
    return found


def _is_seen(left: float, right: float, gutters: list[Gutter]) -> bool:
    for _, _, other_left, other_right in gutters:
        if (right if right < other_right else other_right) - (left if left > other_left else other_left) >= MIN_GUTTER:
            return True
    return False


def _grown(rows: list[Row], seed: int, left: float, right: float) -> Gutter:
    """The strip carried down, then up, shrinking where a row reaches into it, ending where one crosses it."""
    ends = []
    for step, stop in ((1, len(rows)), (-1, -1)):
        number = seed + step
        while number != stop:
            low, high = left, right
            for piece in rows[number]:
                if piece.left >= high:
                    break
                if piece.right > low:
                    if piece.left - low >= high - piece.right:
                        high = piece.left
                    else:
                        low = piece.right
                    if high - low < MIN_GUTTER:
                        break
            if high - low < MIN_GUTTER:
                break
            left, right = low, high
            number += step
        ends.append(number - step)
    return Gutter(ends[1], ends[0], left, right)


_left = attrgetter("left")


class _Side(NamedTuple):
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
    def is_tight(self) -> bool:
        return median(itertools.starmap(_distance, itertools.pairwise(self.rows))) <= LEADING


Judge = Callable[[_Side, _Side, float], bool]


def _best_cut(rows: list[Row], gutters: list[Gutter], judge: Judge) -> list[list[Row]]:
    """The parts above, left, right and below of the best gutter that `judge` lets cut; none if there is none."""
    best: tuple[float, int, int, _Side, _Side] | None = None
    bounded = [
        (min(gutter.last - gutter.first + 1, MANY_ROWS) * (gutter.right - gutter.left), gutter) for gutter in gutters
    ]
    for bound, gutter in sorted(bounded, reverse=True):
        if best is not None and bound <= best[0]:
            break
        if gutter.last - gutter.first < 2:
            continue
        trimmed = _trimmed(*_sides(rows, gutter))
        if trimmed is None:
            continue
        first, last, left, right = trimmed
        width = gutter.right - gutter.left
        score = width * min(len(left.rows), len(right.rows), MANY_ROWS)
        if (best is None or score > best[0]) and judge(left, right, width):
            best = (score, first, last, left, right)
    if best is None:
        return []
    _, first, last, left, right = best
    return [rows[:first], sorted_rows(left.rows), sorted_rows(right.rows), rows[last + 1 :]]


def _sides(rows: list[Row], gutter: Gutter) -> tuple[_Side, _Side]:
    left, right = _Side([], []), _Side([], [])
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


def _trimmed(left: _Side, right: _Side) -> tuple[int, int, _Side, _Side] | None:
    """First and last row worth a cut: rows at the ends stay only while they are tight to a block that needs them.

    Above, rows of the left side alone are read in the same order without a cut; below, those of the right side.
    """
    if not left.rows or not right.rows:
        return None
    first, last = left.numbers[0], right.numbers[-1]
    first = _tight_end(right, first, -1) if right.numbers[0] < first else right.numbers[0]
    last = _tight_end(left, last, 1) if left.numbers[-1] > last else left.numbers[-1]
    if last < first:
        return None
    left, right = _within(left, first, last), _within(right, first, last)
    return (first, last, left, right) if left.rows and right.rows else None


def _within(side: _Side, first: int, last: int) -> _Side:
    low, high = bisect_left(side.numbers, first), bisect(side.numbers, last)
    return _Side(side.numbers[low:high], side.rows[low:high])


def _tight_end(side: _Side, border: int, step: int) -> int:
    """How far a side goes on beyond row `border`, while its rows are tight."""
    order = range(len(side.rows)) if step > 0 else range(len(side.rows) - 1, -1, -1)
    end, previous = border, None
    for place in order:
        row = side.rows[place]
        if previous is not None and (side.numbers[place] - border) * step > 0:
            edge = abs(previous[0].left - row[0].left) < SAME_EDGE
            if _distance(previous, row) > (2.5 * TIGHT if edge else TIGHT):
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


def _is_running_text(left: _Side, right: _Side, width: float) -> bool:
    """Two columns of running text."""
    return width >= 1.5 and all(
        len(side.rows) >= COLUMN_ROWS and side.pieces == 1 and side.words >= COLUMN_WORDS for side in (left, right)
    )


def _are_blocks(left: _Side, right: _Side, width: float) -> bool:
    """Two blocks that are not the columns of a table and not labels with their values."""
    most, least = max(len(left.rows), len(right.rows)), min(len(left.rows), len(right.rows))
    if most < 2:
        return False
    texts = _is_text(left) + _is_text(right)
    if not texts:
        return False
    gaps = _pair_gaps(left, right)
    pairs = len(gaps)
    if _is_numbers(left) or _is_numbers(right):
        return False
    if least - pairs >= 2 and pairs <= 0.7 * least:
        return True
    if texts < 2:
        return False
    if most - pairs >= 3 and least > pairs and pairs <= 0.7 * least:
        return True
    if least < 3 and pairs == least:
        return False
    single = [side for side in (left, right) if side.pieces == 1]  # has no columns of its own
    if not single:
        return False
    gap = median(gaps) if gaps else width
    if gap < (NEAR_GAP if min(side.width for side in single) >= WIDE_BLOCK else WIDE_GAP):
        return False
    return all(side.is_tight for side in single)  # labels, values and table rows stand looser


def _pair_gaps(left: _Side, right: _Side) -> list[float]:
    """White space between the sides where a row of one stands on one baseline with a row of the other."""
    there = dict(zip(right.numbers, right.rows, strict=True))
    gaps = []
    for number, row in zip(left.numbers, left.rows, strict=True):
        other = there.get(number)
        if other and abs(row[-1].last_y - other[0].first_y) <= 0.25 * max(row[-1].height, other[0].height):
            gaps.append(other[0].left - row[-1].right)
    return gaps


def _is_text(side: _Side) -> bool:
    return side.words >= BLOCK_WORDS and side.width >= BLOCK_WIDTH


def _is_numbers(side: _Side) -> bool:
    """The column beside the gutter is narrow, or right-aligned and ragged on its left."""
    cells = [row[0] for row in side.rows]
    if median(cell.right - cell.left for cell in cells) < NUMBER_WIDTH:
        return True
    if sum(len(cell.indices) for cell in cells) > 1.5 * len(cells):
        return False
    return _spread([cell.right for cell in cells]) < 0.5 and _spread([cell.left for cell in cells]) > 0.7


def _spread(values: list[float]) -> float:
    middle = median(values)
    return median(abs(value - middle) for value in values)


def _lines(rows: list[Row], gutters: list[Gutter], wide_gap: float) -> list[Line]:
    """Rows as they are read, with segments; cells of several lines one after the other."""
    lines = []
    first = 0
    for group in _cell_groups(rows):
        last = first + len(group) - 1
        through = [gutter for gutter in gutters if gutter.first <= first and gutter.last >= last]
        columns = [gutter for gutter in through if gutter.last - gutter.first >= 2]
        for row in _by_cell(group, through):
            lines.append(Line(row, _starts(row, columns, wide_gap)))
        first = last + 1
    return lines


def _cell_groups(rows: list[Row]) -> list[list[Row]]:
    """Rows that are nearer to each other than to the rest: the lines of one row of cells, if rows come in two gaps."""
    gaps = _gaps(rows)
    steps = sorted(gaps)
    jump, border = max(((high - low, (low + high) / 2) for low, high in itertools.pairwise(steps)), default=(0.0, 0.0))
    if jump < CELL_JUMP:
        border = -CELL_JUMP  # only rows that overlap
    return _split(rows, [gap > border for gap in gaps])


def _by_cell(rows: list[Row], gutters: list[Gutter]) -> list[Row]:
    """Rows of cells read cell by cell where one cell goes on in rows that lack the others; else row by row."""
    if len(rows) < 2 or not gutters:
        return rows
    borders = sorted((gutter.left + gutter.right) / 2 for gutter in gutters)
    columns: list[list[tuple[int, Row]]] = [[] for _ in range(len(borders) + 1)]
    counts = []
    for number, row in enumerate(rows):
        cells = [(place, list(cell)) for place, cell in itertools.groupby(row, lambda p: bisect(borders, p.left))]
        counts.append(len(cells))
        for place, cell in cells:
            columns[place].append((number, cell))
    used = [column for column in columns if column]
    lengths = sorted(map(len, used))
    counts.remove(max(counts))  # the row that has the other cells
    most = min(2 if min(_gaps(rows)) < -CELL_JUMP else 1, len(used) - 1)
    if max(counts) > most or lengths[-1] < 2 or (len(lengths) > 1 and lengths[-2] > 2):
        return rows
    read: list[Row] = []
    single = -1  # the row of the cell before, where both are the only ones of their columns
    for column in used:
        if len(column) == 1 and column[0][0] == single:
            read[-1] = read[-1] + column[0][1]
        else:
            read.extend(cell for _, cell in column)
        single = column[0][0] if len(column) == 1 else -1
    return read


def _starts(row: Row, gutters: list[Gutter], wide_gap: float) -> tuple[bool, ...]:
    starts = [True]
    for piece, following in itertools.pairwise(row):
        gap = following.left - piece.right
        wide = gap > wide_gap * max(piece.height, following.height)
        starts.append(wide or any(piece.right <= gutter.left and gutter.right <= following.left for gutter in gutters))
    return tuple(starts)
