"""Printed rows of a page: the words of one visual line, whatever column they stand in. Tables are asked row by row."""

from collections.abc import Sequence

from pipkie_cli.nouns import Word

LEAST_OVERLAP = 0.5  # of the lower of two neighbours' heights, for them to stand on one line
REACH = 6  # open rows that a word is compared with: rows are found from top to bottom


def printed_rows(words: Sequence[Word]) -> tuple[tuple[int, ...], ...]:
    """Indices of the words of every row, ascending; rows from top to bottom. Every word is in exactly one.

    A word joins the row whose nearest word (in x) it overlaps most: rows of a photograph may climb across the page.
    """
    rows: list[list[int]] = []
    for index in sorted(range(len(words)), key=lambda i: (words[i].box.top + words[i].box.bottom, words[i].box.left)):
        shares = [(_shared_height(words, index, row), -number) for number, row in enumerate(rows[-REACH:])]
        best = max(shares, default=(0.0, 0))
        if best[0] >= LEAST_OVERLAP:
            rows[-REACH:][-best[1]].append(index)
        else:
            rows.append([index])
    return tuple(tuple(sorted(row)) for row in rows)


def _shared_height(words: Sequence[Word], index: int, row: Sequence[int]) -> float:
    box = words[index].box
    middle = (box.left + box.right) / 2
    near = min((words[i].box for i in row), key=lambda other: abs((other.left + other.right) / 2 - middle))
    shared = min(box.bottom, near.bottom) - max(box.top, near.top)
    return shared / max(min(box.height, near.height), 1e-9)
