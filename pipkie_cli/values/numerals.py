"""Digits with marks -> every decimal number that they can mean. No sign, no currency, no context of its own.

All readings of the grammar are tried; the caller's marks choose among them, and two that remain are an ambiguity:
`1.234` is 1.234 and 1234, while `1.234,56`, `0.500`, `1234.567` and `12.50` have one reading each.
"""

import re
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from pipkie_cli.values.folding import WIDE_SPACE

Mark = Literal[".", ","]

_LOOK_ALIKES: Final = str.maketrans("OolI|", "00111")
_LETTER_DIGITS: Final = re.compile(r"[OolI|]")
_DIGIT: Final = re.compile(r"[0-9]")
_PRICE: Final = re.compile(r"[0-9]{1,3}(?:[.,' \u00a0]?[0-9]{3})*[.,][0-9]{2}")
# A group never starts with 0 (`0.500` is no five hundred). Indian groups: two digits each, three at the end.
_INTEGER: Final = r"(?P<whole>[0-9]+|[1-9][0-9]{{0,2}}(?P<mark>[{marks}])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*{indian})"
_INDIAN: Final = r"|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
_GRAMMAR: Final[dict[Mark, re.Pattern[str]]] = {
    ".": re.compile(_INTEGER.format(marks=",' \u00a0", indian=_INDIAN) + r"?(?:[.](?P<fraction>[0-9]+))?"),
    ",": re.compile(_INTEGER.format(marks=".' \u00a0", indian="") + r"?(?:,(?P<fraction>[0-9]+))?"),
}
# OCR sets a space beside a mark. Before the mark nobody means it; after the mark only where two digits follow that
# are no number of their own (`9. 00`), since `5, 10` may be two numbers.
_SPACE_BEFORE_MARK: Final = re.compile(r"(?<=[0-9]) ([.,]) ?(?=[0-9]{2}(?![0-9]))")
_SPACE_AFTER_MARK: Final = re.compile(r"(?<=[0-9])([.,]) (?=0[0-9](?![0-9]))")


class Reading(NamedTuple):
    """One number that the digits can mean, and the marks that this takes."""

    number: Decimal
    decimal: Mark | None
    grouping: str | None  # "." "," "'" " " or the typeset space
    fraction_digits: int


class Numeral(NamedTuple):
    """What digits can mean. No reading: not a number. Several: the marks given do not decide."""

    readings: tuple[Reading, ...]
    repaired: bool = False


def readings(core: str) -> tuple[Reading, ...]:
    """Every reading of the grammar, whatever the document prints elsewhere; at most one per decimal mark."""
    found: list[Reading] = []
    for mark, grammar in _GRAMMAR.items():
        match = grammar.fullmatch(core)
        if match is None or not (match["whole"] or match["fraction"]):
            continue
        whole, fraction = match["whole"] or "0", match["fraction"] or ""
        grouping = match["mark"] or ("," if "," in whole else None)
        digits = "".join(_DIGIT.findall(whole))
        number = Decimal(f"{digits}.{fraction}" if fraction else digits)
        reading = Reading(number, mark if fraction else None, grouping, len(fraction))
        if reading not in found:
            found.append(reading)
    return tuple(found)


def _repair(core: str) -> str | None:
    """Letters as the digits they look like, where the rest is clearly a number; else None.

    Clearly: twice as many digits as such letters, or the whole has the form of a price with two decimals.
    """
    letters, digits = len(_LETTER_DIGITS.findall(core)), len(_DIGIT.findall(core))
    if not letters or not digits:
        return None
    repaired = core.translate(_LOOK_ALIKES)
    clear = digits >= 2 * letters or (letters <= 2 and _PRICE.fullmatch(repaired) is not None)
    return repaired if clear else None


def read_numeral(core: str, decimal: Mark | None = None, grouping: str | None = None) -> Numeral:
    """The readings of `core` that fit the document's marks; its own shape comes first.

    decimal: the document's decimal mark if known. grouping: its thousands mark if known; where that is no space,
    an ordinary space between digits may part two numbers (`1 234.50`: one piece at 234.50), so both are readings.
    """
    repaired = False
    if _LETTER_DIGITS.search(core):
        mended = _repair(core)
        if mended is None:
            return Numeral(())
        core, repaired = mended, True
    if len(core) > 1 and core[-1] in ".,":  # the full stop of a sentence
        core = core[:-1]
    found = readings(core)
    if not found and " " in core:
        core = _SPACE_AFTER_MARK.sub(r"\1", _SPACE_BEFORE_MARK.sub(r"\1", core))
        found = readings(core)
    if len(found) > 1 and decimal is not None:
        found = tuple(r for r in found if r.decimal in (None, decimal) and r.grouping != decimal) or found
    if len(found) == 1 and found[0].grouping == " " and grouping not in (None, " ", WIDE_SPACE):
        found += readings(core.rsplit(" ", 1)[1])[:1]
    return Numeral(found, repaired)


def decimal_mark(core: str) -> Mark | None:
    """The decimal mark that the shape alone proves, if any: `.` for `1,234,567` and `12.50`, None for `1.234`."""
    found = readings(core)
    if len(found) != 1:
        return None
    if found[0].decimal is not None:
        return found[0].decimal
    other: dict[str, Mark] = {".": ",", ",": "."}
    return other.get(found[0].grouping or "")
