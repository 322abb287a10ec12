"""The lines of a region that is read row by row: cells of several lines, segments. Lengths are in line heights."""

import itertools
from bisect import bisect
from typing import NamedTuple

from pipkie_cli.words.gutters import Gutter
from pipkie_cli.words.lines import Row, gaps_below, split_rows

CELL_JUMP = 0.25  # lines of one cell are nearer than cells by at least this, or overlap by it
CELL_LEADING = 0.45  # white space between the lines of a cell whose row stands alone
CELL_ROWS = 4  # lines of such a row
CELL_COLUMNS = 3  # fewer are an item of several lines and its price: the price stays on its line
COLUMN_ROWS = 3  # a gutter through as many rows parts segments, however narrow


class Line(NamedTuple):
    """Pieces of one printed line inside its block, and before which of them a segment begins."""

    pieces: Row
    starts: tuple[bool, ...]


def read_lines(rows: list[Row], gutters: list[Gutter], wide_gap: float) -> list[Line]:
    """Rows as they are read, with segments; cells of several lines one after the other."""
    lines = []
    first = 0
    for group in _cell_groups(rows):
        last = first + len(group) - 1
        through = [gutter for gutter in gutters if gutter.first <= first and gutter.last >= last]
        columns = [gutter for gutter in through if gutter.last - gutter.first + 1 >= COLUMN_ROWS]
        for row in _by_cell(group, through):
            lines.append(Line(row, _starts(row, columns, wide_gap)))
        first = last + 1
    return lines


def _cell_groups(rows: list[Row]) -> list[list[Row]]:
    """Rows that are nearer to each other than to the rest: the lines of one row of cells, if rows come in two gaps."""
    gaps = gaps_below(rows)
    steps = sorted(gaps)
    jumps = (low + CELL_JUMP / 2 for low, high in itertools.pairwise(steps) if high - low >= CELL_JUMP)
    alone = bool(steps) and steps[-1] <= CELL_LEADING and len(rows) <= CELL_ROWS
    border = CELL_LEADING if alone else next(jumps, -CELL_JUMP)  # one distance only: rows that overlap
    return split_rows(rows, [gap > border for gap in gaps])


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
    if not _is_row_of_cells(rows, used, counts):
        return rows
    read: list[Row] = []
    single = -1  # the row of the cell before, where both are the only ones of their columns
    for column in used:
        if len(column) == 1 and column[0][0] == single:
            read[-1] = read[-1] + column[0][1]
        else:
            read.extend(cell for _, cell in column)
        single = column[0][0] if len(column) == 1 else -1
    return read if list(itertools.chain(*read)) != list(itertools.chain(*rows)) else rows


def _is_row_of_cells(rows: list[Row], columns: list[list[tuple[int, Row]]], counts: list[int]) -> bool:
    """One cell of several lines, and next to it cells of one (or two): not rows of a table, not items and prices."""
    *_, lines, longest = [0, *sorted(map(len, columns))]
    if longest < 2 or lines > 2:
        return False
    others = sorted(counts)[:-1]  # without the row that has the other cells
    if min(gaps_below(rows)) < -CELL_JUMP:
        return max(others) <= min(2, len(columns) - 1)
    return max(others) == 1 < len(columns) and (len(columns) >= CELL_COLUMNS or len(columns[0]) == 1)


def _starts(row: Row, gutters: list[Gutter], wide_gap: float) -> tuple[bool, ...]:
    starts = [True]
    for piece, following in itertools.pairwise(row):
        gap = following.left - piece.right
        wide = gap > wide_gap * max(piece.height, following.height)
        starts.append(wide or any(piece.right <= gutter.left and gutter.right <= following.left for gutter in gutters))
    return tuple(starts)
