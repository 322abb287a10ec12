"""Whether, and where, the pages print a text or a number, whoever was asked for it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from pipkie_cli.nouns import Box, Page, Place, Word

LEAST_WORDS = 2  # of a text that cannot stand there by chance: a number of one thing may be the number of another
LEAST_LETTERS = 6

_NOT_SAID = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2,4}(?![\d.,])")


@dataclass(frozen=True, slots=True)
class _Line:
    """The letters and digits of one page in reading order, and where each word of it begins and ends."""

    page: Page
    letters: str
    starts: dict[int, int]  # offset -> index of the word that begins there
    ends: dict[int, int]  # offset -> index of the word that ends there


class Printed:
    """The print of all pages of one document."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._lines = [_line(page) for page in pages]
        texts = [word.text for page in pages for word in page.words]
        self._numbers = frozenset(_decimal(found) for text in texts for found in _NUMBER.findall(text))

    def places(self, text: str) -> list[Place]:
        """Where a text of several words stands, word for word, whatever its case and marks; [] for a shorter one."""
        if len(text.split()) < LEAST_WORDS:
            return []
        wanted = _letters(text)
        return (
            [place for line in self._lines for place in _places(line, wanted)] if len(wanted) >= LEAST_LETTERS else []
        )

    def has_number(self, number: float) -> bool:
        """Whether a number is printed somewhere, with two decimals or more."""
        return Decimal(str(number)) in self._numbers


def _letters(text: str) -> str:
    return _NOT_SAID.sub("", text.casefold())


def _line(page: Page) -> _Line:
    pieces = [_letters(word.text) for word in page.words]
    ends = list(accumulate(map(len, pieces)))
    said = [index for index, piece in enumerate(pieces) if piece]
    return _Line(
        page,
        "".join(pieces),
        starts={ends[index] - len(pieces[index]): index for index in said},
        ends={ends[index]: index for index in said},
    )


def _places(line: _Line, wanted: str) -> Iterator[Place]:
    at = line.letters.find(wanted)
    while at >= 0:
        first, last = line.starts.get(at), line.ends.get(at + len(wanted))
        if first is not None and last is not None:
            yield _place(line.page, line.page.words[first : last + 1])
        at = line.letters.find(wanted, at + 1)


def _place(page: Page, words: Sequence[Word]) -> Place:
    lines: dict[int, Box] = {}
    for word in words:
        lines[word.line] = lines[word.line].union(word.box) if word.line in lines else word.box
    return Place(page.page_index + 1, tuple(box.as_displayed(page.turn) for box in lines.values()))


def _decimal(text: str) -> Decimal:
    """What stands behind the last mark are the decimals."""
    mark = max(text.rfind("."), text.rfind(","))
    digits = "".join(filter(str.isdigit, text[:mark])) or "0"
    return Decimal(f"{digits}.{text[mark + 1 :]}")
