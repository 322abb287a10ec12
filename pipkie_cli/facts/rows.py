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
    best = [[0] * (n_printed + 1) for _ in range(n_rows + 1)]  # cells that agree in the rows from here on
    for i in range(n_rows - 1, -1, -1):
        for j in range(n_printed - 1, -1, -1):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] else 0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs: dict[int, int] = {}
    i = j = 0
    while i < n_rows and j < n_printed:
        if alike[i][j] and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
