"""Printed signs made comparable: spaces, dashes, apostrophes, digits of other scripts, accents."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

WIDE_SPACE: Final = "\u00a0"  # stands for every space that a typesetter chose: it never parts two numbers
_TYPESET_SPACES = "\u00a0\u202f\u2007\u2008\u2009\u200a\u2002\u2003\u2004\u2005\u2006\u205f"
_DASHES = "\u2212\u2010\u2011\u2012\u2013\u2014\u2015\ufe58\ufe63\uff0d"
_APOSTROPHES = "\u2019\u2018\u02bc\u00b4`\u2032\u201b\uff07"
_SIGNS: Final = {
    **dict.fromkeys(map(ord, _TYPESET_SPACES), WIDE_SPACE),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
    ord("\u066b"): ".",  # Arabic decimal and thousands marks
    ord("\u066c"): "'",
    ord("\u060c"): ",",
}
_LETTERS_WITHOUT_PARTS: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "œ": "oe", "ħ": "h"}
)
_UNUSUAL: Final = re.compile(r"[^!-_a-~ ]")  # all but printable ASCII; the grave accent serves as an apostrophe


def _sign(char: str) -> str:
    code = ord(char)
    if code in _SIGNS:
        return _SIGNS[code]
    if char.isspace():
        return " "
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    if 0xFF01 <= code <= 0xFF5E:  # full-width ASCII
        return chr(code - 0xFEE0)
    return "" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


def canonical(text: str) -> str:
    """The text with one sign for each of: space, typeset space, dash, apostrophe, digit. Invisible signs are gone."""
    return _UNUSUAL.sub(lambda match: _sign(match[0]), text)


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case without accents, for comparing names: `März` -> `marz`, `Łódź` -> `lodz`."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS_WITHOUT_PARTS)
    bare = "".join(char for char in parts if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)  # Hangul syllables were taken apart as well


def one_line(text: str) -> str:
    """The text as a reader sees it: one space where there was white space, nothing where there was nothing to see."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(
            " " if char.isspace() else char
            for char in unicodedata.normalize("NFC", text)
            if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
        )
    return " ".join(text.split())
