"""Rows of the XML against rows of the page: pairs in order, with the most cells that agree."""

from collections.abc import Callable, Sequence
from typing import TypeVar

MAX_PAIRS = 250_000  # of rows compared: beyond, a table of thousands of lines is taken without its places
DRIFT = 30  # places that a row may stand off its own for rows missed and doubled; rows further apart are not compared

T = TypeVar("T")


def align(rows: Sequence[T], printed: Sequence[object], likeness: Callable[[T, int], int]) -> dict[int, int]:
    """Row -> printed row, for the pairs that agree in a cell at least; the order of both is kept."""
    n_rows, n_printed = len(rows), len(printed)
    if not n_printed or n_rows * n_printed > MAX_PAIRS:
        return {}
    apart = DRIFT + abs(n_rows - n_printed)  # 500 rows against 500 take 1.5 s with it, 8 s without
    alike = [
        [likeness(row, at) if abs(number - at) <= apart else 0 for at in range(n_printed)]
        for number, row in enumerate(rows)
    ]
    return in_order(alike)


def in_order(scores: Sequence[Sequence[float]]) -> dict[int, int]:
    """Item -> row, each taken once, the order of both kept: the pairs with the highest scores (above 0) in sum, of
    equals the first rows. `scores[item][row]`."""
    n_items, n_rows = len(scores), len(scores[0]) if scores else 0
    best = [[0.0] * (n_rows + 1) for _ in range(n_items + 1)]  # sums of the scores from here on
    for item in range(n_items - 1, -1, -1):
        for row in range(n_rows - 1, -1, -1):
            score = scores[item][row]
            taken = score + best[item + 1][row + 1] if score > 0 else 0.0
            best[item][row] = max(taken, best[item + 1][row], best[item][row + 1])
    pairs: dict[int, int] = {}
    item = row = 0
    while item < n_items and row < n_rows:
        if scores[item][row] > 0 and best[item][row] == scores[item][row] + best[item + 1][row + 1]:
            pairs[item] = row
            item, row = item + 1, row + 1
        elif best[item][row] == best[item + 1][row]:
            item += 1
        else:
            row += 1
    return pairs
