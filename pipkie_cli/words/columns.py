"""From rows to reading order: blocks that stand side by side are read one after the other, table rows stay rows.

A recursive cut. A gutter (a strip without print through neighbouring rows) is cut only where it parts two real blocks,
see `blocks`; the gutter between labels and values, or between the columns of a table, is left alone. Lengths are in
line heights, see `lines`.
"""

import itertools
from collections.abc import Callable
from statistics import median

from pipkie_cli.words.blocks import COLUMN_ROWS, COLUMN_WORDS, Side, are_blocks, are_running_text, trimmed_sides
from pipkie_cli.words.cells import Line, read_lines
from pipkie_cli.words.gutters import Gutter, find_gutters
from pipkie_cli.words.lines import SAME_EDGE, Piece, Row, gaps_below, sorted_rows, split_rows

BAND_GAP = 0.9  # white space over the whole width that parts two bands, beyond...
BAND_GAP_MORE = 0.7  # ...the usual distance of rows plus this
FREE_LINE = 2.5  # times that white space: a free line inside blocks that go on below it is no higher
MANY_ROWS = 4  # more rows make a gutter no better
MANY_PIECES = 12  # looked at in a row for edges
HUGE = 8.0  # no line of the page is as high
UPRIGHT = 2.5  # line heights, and times its width: a word as high runs upwards


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
            lines.extend(read_lines(region, gutters, wide_gap))
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
        cut = _best_cut(rows, gutters, are_running_text)
        if cut:
            return cut, []
    bands = _bands(rows)
    if len(bands) > 1:
        return bands, []
    if gutters is None:
        gutters = find_gutters(rows)
    return _best_cut(rows, gutters, are_blocks), gutters


def _bands(rows: list[Row]) -> list[list[Row]]:
    """Rows parted where white space over the whole width is taller than usual."""
    gaps = gaps_below(rows)
    tall = max(BAND_GAP, median(gaps) + BAND_GAP_MORE)
    return split_rows(
        rows,
        [
            gap > tall and not (gap <= FREE_LINE * tall and _go_on(row, following))
            for gap, (row, following) in zip(gaps, itertools.pairwise(rows), strict=True)
        ],
    )


def _go_on(row: Row, following: Row) -> bool:
    """Two pieces of one row begin where two of the other begin: addresses side by side with a free line in them."""
    places = [piece.left for piece in following[:MANY_PIECES]]
    return sum(any(abs(piece.left - place) < SAME_EDGE for place in places) for piece in row[:MANY_PIECES]) >= 2


Judge = Callable[[Side, Side, float], bool]


def _best_cut(rows: list[Row], gutters: list[Gutter], judge: Judge) -> list[list[Row]]:
    """The parts above, left, right and below of the best gutter that `judge` lets cut; none if there is none."""
    best: tuple[float, int, int, Side, Side] | None = None
    bounded = [
        (min(gutter.last - gutter.first + 1, MANY_ROWS) * (gutter.right - gutter.left), gutter) for gutter in gutters
    ]
    for bound, gutter in sorted(bounded, reverse=True):
        if best is not None and bound <= best[0]:
            break
        if gutter.last - gutter.first < 2:
            continue
        trimmed = trimmed_sides(rows, gutter)
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
