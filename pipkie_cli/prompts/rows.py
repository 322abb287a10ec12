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
    tops: list[float] = []  # of all words of the row, as `bottoms`: a row out of reach is not looked through
    bottoms: list[float] = []
    for index in sorted(range(len(words)), key=lambda i: (words[i].box.top + words[i].box.bottom, words[i].box.left)):
        top, bottom = words[index].box.top, words[index].box.bottom
        best, joined = 0.0, -1
        for number in range(max(0, len(rows) - REACH), len(rows)):
            if tops[number] < bottom and bottoms[number] > top:
                share = _shared_height(words, index, rows[number])
                if share > best:
                    best, joined = share, number
        if best >= LEAST_OVERLAP:
            rows[joined].append(index)
            tops[joined], bottoms[joined] = min(tops[joined], top), max(bottoms[joined], bottom)
        else:
            rows.append([index])
            tops.append(top)
            bottoms.append(bottom)
    return tuple(tuple(sorted(row)) for row in rows)


def _shared_height(words: Sequence[Word], index: int, row: Sequence[int]) -> float:
    box = words[index].box
    middle = (box.left + box.right) / 2
    near = min((words[i].box for i in row), key=lambda other: abs((other.left + other.right) / 2 - middle))
    shared = min(box.bottom, near.bottom) - max(box.top, near.top)
    return shared / max(min(box.height, near.height), 1e-9)
