"""Digits of dates that OCR read as letters, and signs beside a date that say that a digit of it was lost.

A day of which a part is unreadable is no day: `S5/03/2024` may be the 15th or the 25th, `05/03/20Z4` no year at all.
"""

import re
from typing import Final

_LOOK_ALIKES: Final = str.maketrans("OolI", "0011")
_RUN: Final = re.compile(r"(?<![^\W_])[\dOolI]+")
_LENGTHS: Final = (1, 2, 4, 6, 8)  # digits of a day, a year, a compact date
_LOST: Final = "?*|□�"  # what stands where a digit could not be read, or where a border may have been a 1
_BLANKS: Final = "_?*□�…"  # `05/03/20__`: a year to be filled in
_OWN_LETTERS: Final = "rgz"  # behind a year: Polish `r.`, `g.` of other Slavic languages, ISO's zone


def mend_digits(text: str) -> str:
    """`l5/O3/2O24` as 15/03/2024: look-alikes in runs that have digits too. `1o de maio` keeps its ordinal."""
    return _RUN.sub(_mended, text)


def _mended(match: re.Match[str]) -> str:
    run, following = match[0], match.string[match.end() : match.end() + 1]
    kept = ""
    if following.isalpha() or (run[:-1].isdigit() and run.endswith("o")):  # `5Oct`, `12lug`, `1o`
        run = match[0].rstrip("OolI")
        kept = match[0][len(run) :]
    digits = run.translate(_LOOK_ALIKES)
    if run.isdigit() or not any(map(str.isdigit, run)) or len(digits) not in _LENGTHS:
        return match[0]
    return digits + kept


def lost_before(text: str, start: int, n_digits: int) -> bool:
    """Whether what stands before a number of `n_digits` at `start` of a folded text may have been a digit of it."""
    before = text[max(0, start - 2) : start]
    if _is_letter(before[-1:]) and not before[:-1].isalpha():  # `s5`, `2z24`; of `fri23` the word is whole
        return True
    if n_digits != 1:
        return False
    return before[-1:] in tuple(_LOST) or (
        before[:1] in tuple("0123") and before[1:] == " " and _alone(text, start - 2)
    )


def lost_behind(text: str, end: int, n_digits: int) -> bool:
    """Whether what stands behind a number that ends at `end` may have been a digit of it."""
    behind = text[end : end + 2]
    if _is_letter(behind[:1]) and behind[1:].isdigit():
        return True
    if n_digits > 2:
        return False
    letter = _is_letter(behind[:1]) and behind[0] not in _OWN_LETTERS and not behind[1:].isalpha()
    return letter or behind[:1] in tuple(_BLANKS)


def _alone(text: str, at: int) -> bool:
    """Whether the digit at `at` has no other beside it: `3 1/12/2024` may be the 31st."""
    return not text[at - 1 : at].isdigit() if at > 0 else True


def _is_letter(char: str) -> bool:
    """Of the Latin alphabet: what Chinese or Thai prints before a date is a word of its own."""
    return char.isascii() and char.isalpha()
