"""Where a key's printed labels stand, and what stands to the right of them and below: where values are, mostly.

A label is a run of words that says the key's prompt or one of its aliases. A part of a longer label counts half:
"Order no." in "Alt order no." is another number's. On a page read by OCR one letter may be misread. The rest of its
line, up to the next wide gap, is `beside`; the nearest print under it is `below`. For a cell of a table, `below` are
the words of its row that stand under the column's header.
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
PART = 0.5  # weight of a phrase that is only a part of the printed label
MISREAD = 0.7  # weight of a phrase of which one letter is printed otherwise
LEAST_FOR_MISREAD, MOST_FOR_MISREAD = 6, 24  # folded letters of such a phrase
MAX_REST = 3  # words between a phrase and the colon that ends a longer label


class Cues(NamedTuple):
    """(K, N) float32 each, 0 to 1: how surely a word is part of a label of the key, beside one, below one."""

    matches: Array
    beside: Array
    below: Array


def label_cues(window: Window) -> Cues:
    """The cues of all that a window asks."""
    words, asked = window.words, window.asked
    printed = _Printed(words)
    rows = printed_rows(words)
    row_of = {index: number for number, row in enumerate(rows) for index in row}
    cues = Cues(*(np.zeros((len(asked), len(words)), np.float32) for _ in range(3)))
    by_key: dict[Key, tuple[list[_Label], tuple[Array, Array, Array]]] = {}
    cells = (None,) * len(window.keys) + window.cells
    for at, (key, cell) in enumerate(zip(asked, cells, strict=True)):
        if key not in by_key:
            found = printed.labels(key, heads=cell is not None)
            by_key[key] = found, _around(words, found, rows, row_of)
        labels, (cues.matches[at], cues.beside[at], cues.below[at]) = by_key[key]
        if cell is not None:
            cues.beside[at], cues.below[at] = 0, _under_header(words, labels, cell.row)
    return cues


_Label = tuple[int, int, float]  # first word, last word, weight


class _Printed:
    """The phrases that a window prints, with their places."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.exact: dict[str, list[tuple[int, int]]] = {}
        self.cut: dict[str, list[tuple[int, int]]] = {}  # without one letter, where OCR read the page
        for folded, span in _printed_phrases(words):
            self.exact.setdefault(folded, []).append(span)
            if words[span[0]].source == "ocr" and LEAST_FOR_MISREAD <= len(folded) <= MOST_FOR_MISREAD:
                for short in _without_one(folded):
                    self.cut.setdefault(short, []).append(span)

    def labels(self, key: Key, heads: bool) -> list[_Label]:
        """Where the key's phrases stand; longer ones count more, parts of a label and misread ones less.

        With `heads` it is a column, and the heads of columns may follow each other without a gap: no part of a label.
        """
        found: dict[tuple[int, int], float] = {}
        for phrase, shorter in _phrases(key):
            weight = 0.5 + 0.5 * min(1.0, len(phrase) / 12)
            spans = self.exact.get(phrase, ())
            misread = self._misread(phrase, shorter) if self.cut and not spans else ()
            for share, places in ((1.0, spans), (MISREAD, misread)):
                for span in places:
                    part = PART if not heads and _is_part(self.words, *span) else 1.0
                    found[span] = max(found.get(span, 0.0), weight * share * part)
        return [(first, last, weight) for (first, last), weight in found.items()]

    def _misread(self, phrase: str, shorter: Sequence[str]) -> set[tuple[int, int]]:
        """Where the phrase stands with one letter more, one less, or another one."""
        places = [
            self.cut.get(phrase, ()),
            *(found.get(one, ()) for one in shorter for found in (self.cut, self.exact)),
        ]
        return {span for spans in places for span in spans} if shorter else set()


def _without_one(folded: str) -> set[str]:
    """The text without one of its letters: two texts that share one differ by one letter, or two."""
    return {folded[:at] + folded[at + 1 :] for at in range(len(folded))}


def _is_part(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether the printed label begins before the phrase, or goes on behind it up to a colon."""
    segment = words[first].segment
    if first and words[first - 1].segment == segment and words[first - 1].text[-1:].isalpha():
        return True
    if words[last].text.endswith(":"):
        return False
    for index in range(last + 1, min(last + 2 + MAX_REST, len(words))):
        text = words[index].text
        if words[index].segment != segment or not any(map(str.isalpha, text)):
            return False
        if ":" in text:
            return True
    return False


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
def _phrases(key: Key) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The key's phrases, each with what it is without one of its letters, where one may be misread."""
    return tuple(
        (phrase, tuple(_without_one(phrase)) if LEAST_FOR_MISREAD <= len(phrase) <= MOST_FOR_MISREAD else ())
        for phrase in label_phrases(key)
    )


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
