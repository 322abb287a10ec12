"""Digits of dates that OCR read as letters, and signs beside a date that say that a digit of it was lost.

A day of which a part is unreadable is no day: `S5/03/2024` may be the 15th or the 25th, `05/03/20Z4` no year at all.
"""

import re
from typing import Final

_LOOK_ALIKES: Final = str.maketrans("OolI", "0011")
_RUN: Final = re.compile(r"(?<![^\W_])[\dOolI]+")
_LENGTHS: Final = (1, 2, 4, 6, 8)  # digits of a day, a year, a compact date
_LOST: Final = "?*|!~'_□�"  # what stands where a digit could not be read, or where a border may have been a 1
_BLANKS: Final = "?*|!~_□�…"  # the same behind a number: `2|`, and `20__`, a year to be filled in
_ONE_AND_A_LETTER: Final = re.compile(
    r"(?<![^\W_])(\d)(?:[A-GI-Z]|o(?! de\b))(?![^\W_])"
)  # `1A okt` is no ordinal, `1o` only in Portuguese
_HALF_A_YEAR: Final = re.compile(r" \d\d(?![\d:.,/-])")
_HALF_A_DAY: Final = re.compile(r" \d(?![\d:.,/-])")
_BEGINS_A_YEAR: Final = ("18", "19", "20", "21")


def mend_digits(text: str) -> str:
    """`l5/O3/2O24` as 15/03/2024: look-alikes in runs that have digits too. `1o de maio` keeps its ordinal."""
    return _ONE_AND_A_LETTER.sub(r"\1?", _RUN.sub(_mended, text))


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


def lost_before(text: str, start: int, digits: str) -> bool:
    """Whether what stands before the number at `start` of a folded text may have been a digit of it.

    Of a day with two digits none is lost, so only what parts it from another digit counts (`2z24`).
    """
    before = text[max(0, start - 2) : start]
    if _is_letter(before[-1:]) and not before[:-1].isalpha() and (len(digits) == 1 or before[:-1].isdigit()):
        return True
    if len(digits) != 1:
        return False
    if before[-1:] in tuple(_LOST):
        return before != "__"  # a line to write on
    return before[:1].isdigit() and before[1:] == " "  # `3 1/12/2024`: the 31st torn apart


def lost_behind(text: str, end: int, digits: str) -> bool:
    """Whether what stands behind the number that ends at `end` may have been a digit of it: of a day with one digit,
    or of a year of which the first two are left (`20?4`, `20 24`)."""
    behind = text[end : end + 2]
    if _is_letter(behind[:1]) and behind[1:].isdigit():
        return True
    if len(digits) > 2 or (len(digits) == 2 and digits not in _BEGINS_A_YEAR):
        return False
    if behind[:1] in tuple(_BLANKS):
        return True
    if behind[:1] == "'":  # `Jul20'12` goes on with the year, `20'2` has lost a digit
        return not behind[1:].isdigit() or text[end - len(digits) - 1 : end - len(digits)] in tuple("./-")
    if _is_letter(behind[:1]) and not behind[1:].isalpha():
        return behind not in ("r", "r.")  # Polish: `24r.`
    return (_HALF_A_YEAR if len(digits) == 2 else _HALF_A_DAY).match(text, end) is not None


def _is_letter(char: str) -> bool:
    """Of the Latin alphabet: what Chinese or Thai prints before a date is a word of its own."""
    return char.isascii() and char.isalpha()
