"""Which words a value is made of, and where it stands on the page as displayed."""

from collections.abc import Sequence

from pipkie_cli.nouns import Box, Place, Window, Word
from pipkie_cli.words import join_words


def trim(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without those at either end that hold neither letter, digit nor sign of a currency: a lone colon."""
    first, last = 0, len(words)
    while first < last and not _says_something(words[first].text):
        first += 1
    while last > first and not _says_something(words[last - 1].text):
        last -= 1
    return words[first:last]


def _says_something(text: str) -> bool:
    return any(char.isalnum() or char in "$€£¥%" for char in text)


def text_of(words: Sequence[Word]) -> str:
    """The value as printed, without the line it is written on (OCR reads `_27`) and the colon of a label before it."""
    text = join_words(words)
    return text.lstrip(":_ ").rstrip("_ ") or text


def place_of(window: Window, words: tuple[Word, ...]) -> Place:
    """Page and one box per printed line."""
    lines: dict[int, Box] = {}
    for word in words:
        lines[word.line] = lines[word.line].union(word.box) if word.line in lines else word.box
    return Place(window.page_index + 1, tuple(box.as_displayed(window.turn) for box in lines.values()))
