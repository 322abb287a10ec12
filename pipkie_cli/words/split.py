"""Where a printed word holds two things: "Date:25/12/2018", "RM12.50", "TOTAL9.00", "25/12/201812:30",
"05/08/20-05/12/20".

A value is a run of words, so what is glued together must be cut before the model sees it. Nothing is lost: the second
part says that it was glued (`Word.glued`), and a text is joined again without a blank.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from pipkie_cli.nouns import Word

_DATE = r"\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})"
_CURRENCY = r"(?:RM|EUR|USD|CHF|GBP|MYR|SGD|PLN|AUD|CAD|zł|€|\$|£|¥)"
_CUTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<=[^\W\d])[.)]?\s?:(?!//)(?=[^:\s])",  # label:value, but neither 12:30 nor https://
        rf"^\(?{_CURRENCY}(?=-?\d)",  # RM12.50
        rf"\d(?={_CURRENCY}\)?$)",  # 12,50€
        r"^(?:no|nr|inv|tel|fax)\.(?=\d{2})",  # No.12345
        r"^[^\W\d]{3,}(?=\d{1,6}[.,]\d{2}$)",  # TOTAL9.00
        r"\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)\d{2}(?=\d{1,2}:\d{2})",  # 25/12/201812:30
        rf"(?<!\d){_DATE}(?=[-–]{_DATE}(?!\d))",  # 05/08/20-05/12/20 before the dash
        rf"(?<!\d){_DATE}[-–](?={_DATE}(?!\d))",  # and behind it
    )
)


_CURRENCY_WORD = re.compile(rf"\(?{_CURRENCY}\)?", re.IGNORECASE)


def is_currency_word(text: str) -> bool:
    """Whether a word is nothing but a currency's sign or code."""
    return bool(_CURRENCY_WORD.fullmatch(text))


@lru_cache(maxsize=100_000)
def cut_points(text: str) -> tuple[int, ...]:
    """Positions in `text` where it is cut, ascending; () for most words."""
    if len(text) < 3:
        return ()
    points = {match.end() for pattern in _CUTS for match in pattern.finditer(text)}
    return tuple(sorted(point for point in points if 0 < point < len(text)))


def split_words(words: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[int, ...]]:
    """The words with every cut made, and for each word given (and the end) the index of its first part.

    Boxes are divided by the number of characters. A split page splits no further.
    """
    parts: list[Word] = []
    starts: list[int] = []
    for word in words:
        starts.append(len(parts))
        bounds = (0, *cut_points(word.text), len(word.text))
        pieces = [(a, b) for a, b in itertools.pairwise(bounds) if word.text[a:b].strip()]
        if len(pieces) < 2:
            parts.append(word)
            continue
        share = word.box.width / len(word.text)
        for number, (a, b) in enumerate(pieces):
            box = replace(word.box, left=word.box.left + a * share, right=word.box.left + b * share)
            parts.append(replace(word, text=word.text[a:b].strip(), box=box, glued=word.glued if number == 0 else True))
    return tuple(parts), (*starts, len(parts))


def join_words(words: Iterable[Word]) -> str:
    """The text of a run of words as printed: a blank between words, none where one was cut."""
    text = ""
    for word in words:
        text += word.text if word.glued or not text else f" {word.text}"
    return text
