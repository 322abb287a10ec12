"""Where a key's printed labels stand, and what stands to the right of them and below: where values are, mostly.

A label is a run of words that says the key's prompt or one of its aliases. The rest of its line, up to the next wide
gap, is `beside`; the nearest print under it is `below`. For a cell of a table, `below` are the words of its row that
stand under the column's header.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipkie_cli.nouns import Box, Key, Window, Word
from pipkie_cli.prompts import fold, label_phrases, printed_rows

Array = npt.NDArray[Any]

MAX_LABEL_WORDS = 8  # longest printed label that is compared with a key's phrases
REST = 0.4  # of the first word's weight, for the words that follow it in its segment
ROWS_BELOW = 3  # printed rows under a label that are looked at
MAX_DROP = 3.0  # heights of the label, from it down to the print that belongs to it
NO_VALUE = frozenset(":.-=#")  # words of these marks alone stand between label and value


class Cues(NamedTuple):
    """(K, N) float32 each, 0 to 1: how surely a word is part of a label of the key, beside one, below one."""

    matches: Array
    beside: Array
    below: Array


def label_cues(window: Window) -> Cues:
    """The cues of all that a window asks."""
    words, asked = window.words, window.asked
    printed: dict[str, list[tuple[int, int]]] = {}
    for folded, span in _printed_phrases(words):
        printed.setdefault(folded, []).append(span)
    rows = printed_rows(words)
    row_of = {index: number for number, row in enumerate(rows) for index in row}
    cues = Cues(*(np.zeros((len(asked), len(words)), np.float32) for _ in range(3)))
    by_key: dict[Key, tuple[Array, Array, Array]] = {}
    cells = (None,) * len(window.keys) + window.cells
    for at, (key, cell) in enumerate(zip(asked, cells, strict=True)):
        labels = _labels(key, printed)
        if key not in by_key:
            by_key[key] = _around(words, labels, rows, row_of)
        cues.matches[at], cues.beside[at], cues.below[at] = by_key[key]
        if cell is not None:
            cues.beside[at], cues.below[at] = 0, _under_header(words, labels, cell.row)
    return cues


_Label = tuple[int, int, float]  # first word, last word, weight


def _labels(key: Key, printed: dict[str, list[tuple[int, int]]]) -> list[_Label]:
    """Longer labels count more."""
    return [
        (first, last, 0.5 + 0.5 * min(1.0, len(phrase) / 12))
        for phrase in _phrases(key)
        for first, last in printed.get(phrase, ())
    ]


def _around(
    words: Sequence[Word], labels: Sequence[_Label], rows: Sequence[tuple[int, ...]], row_of: dict[int, int]
) -> tuple[Array, Array, Array]:
    matches, beside, below = (np.zeros(len(words), np.float32) for _ in range(3))
    for first, last, weight in labels:
        matches[first : last + 1] = np.maximum(matches[first : last + 1], weight)
        box = words[first].box.union(words[last].box)
        row = rows[row_of[last]]
        after = [i for i in row if i > last or words[i].box.left >= box.right]
        after = [i for i in after if not NO_VALUE.issuperset(words[i].text)]
        if after:
            nearest = min(after, key=lambda i: (words[i].box.left < box.right, words[i].box.left))
            _mark(beside, words, nearest, weight)
        for index in _under(words, box, rows[row_of[last] + 1 : row_of[last] + 1 + ROWS_BELOW]):
            _mark(below, words, index, weight)
            break
    return matches, beside, below


def _under(words: Sequence[Word], box: Box, rows: Sequence[tuple[int, ...]]) -> Iterator[int]:
    """Words of the rows below that stand under the label, from top to bottom, of a row the nearest to its left edge."""
    reach = max(box.height, 1e-6) * MAX_DROP
    for row in rows:
        near = [
            index
            for index in row
            if words[index].box.left < box.right
            and words[index].box.right > box.left
            and 0 <= words[index].box.top - box.bottom + box.height / 2 <= reach
        ]
        yield from sorted(near, key=lambda index: abs(words[index].box.left - box.left))


def _mark(cue: Array, words: Sequence[Word], first: int, weight: float) -> None:
    """A word with its weight, and the rest of its segment with less."""
    cue[first] = max(cue[first], weight)
    for index in range(first + 1, len(words)):
        if words[index].segment != words[first].segment:
            return
        cue[index] = max(cue[index], REST * weight)


def _under_header(words: Sequence[Word], labels: Sequence[_Label], row: Sequence[int]) -> Array:
    """The words of a row that stand under, or over the width of, the nearest header above it."""
    below = np.zeros(len(words), np.float32)
    top = min(words[index].box.top for index in row)
    above = [
        (words[last].box.bottom, first, last, weight) for first, last, weight in labels if words[last].box.top < top
    ]
    if not above:
        return below
    lowest = max(bottom for bottom, *_ in above)
    for bottom, first, last, weight in above:
        box = words[first].box.union(words[last].box)
        if lowest - bottom > MAX_DROP * box.height:
            continue
        for index in row:
            if words[index].box.left < box.right and words[index].box.right > box.left:
                below[index] = max(below[index], weight)
    return below


@lru_cache(maxsize=20_000)
def _phrases(key: Key) -> tuple[str, ...]:
    return label_phrases(key)


def _printed_phrases(words: Sequence[Word]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every run of up to MAX_LABEL_WORDS words of a segment, folded; and what stands before a colon inside a word."""
    folded = [fold(word.text) for word in words]
    for first, word in enumerate(words):
        head, colon, tail = word.text.partition(":")
        if colon and tail:
            yield fold(head), (first, first)
        joined = ""
        for last in range(first, min(first + MAX_LABEL_WORDS, len(words))):
            if words[last].segment != word.segment:
                break
            joined += folded[last]
            if joined:
                yield joined, (first, last)
