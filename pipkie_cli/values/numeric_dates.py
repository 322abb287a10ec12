"""Dates in digits: where they stand in a text, and every calendar day that they can mean."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, Literal, NamedTuple

Order = Literal["dmy", "mdy", "ymd"]

# Two-digit years: 00 to 49 are 2000 to 2049, 50 to 99 are 1950 to 1999. A fixed pivot: no clock is asked.
PIVOT = 50
FIRST_YEAR, LAST_YEAR = 1800, 2199  # outside: another calendar, or misread

_NOT_INSIDE: Final = r"(?<!\d)(?<!\d[./-])"
_ENDS: Final = r"(?!\d)(?![./-]\d)"
_SEPARATOR: Final = r" ?([./-]) ?"
_YEAR_FIRST: Final = re.compile(rf"{_NOT_INSIDE}(\d{{4}}){_SEPARATOR}(\d{{1,2}}) ?\2 ?(\d{{1,2}}){_ENDS}")
_YEAR_LAST: Final = re.compile(rf"{_NOT_INSIDE}(\d{{1,2}}){_SEPARATOR}(\d{{1,2}}) ?\2 ?(\d{{4}}|'?\d{{1,2}}){_ENDS}")
_SPACED: Final = re.compile(r"(\d{1,4}) (\d{1,2}) (\d{4}|\d{1,2})")
_EAST_ASIAN: Final = re.compile(r"(?<!\d)(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_COMPACT: Final = re.compile(r"\d{8}|\d{6}|\d{14}")


class NumericDate(NamedTuple):
    """A date in digits: the day that each possible order gives (impossible ones left out), and its place."""

    days: dict[Order, date]
    separator: str
    two_digit_year: bool
    start: int
    end: int


def full_year(digits: str) -> int | None:
    """The year that four or two printed digits mean; None if it is no year of ours."""
    year = int(digits)
    if len(digits) == 2:
        return year + (2000 if year < PIVOT else 1900)
    return year if len(digits) == 4 and FIRST_YEAR <= year <= LAST_YEAR else None


def day_of(year: int | None, month: int, day: int) -> date | None:
    """The calendar day, or None where there is no such day."""
    try:
        return None if year is None else date(year, month, day)
    except ValueError:
        return None


def _last_year(a: str, b: str, c: str) -> dict[Order, date]:
    """Readings of a-b-c with the year last; where it has two digits also with the year first, for callers to judge."""
    tries: list[tuple[Order, date | None]] = [
        ("dmy", day_of(full_year(c), int(b), int(a))),
        ("mdy", day_of(full_year(c), int(a), int(b))),
    ]
    if len(a) == 2 and len(c) <= 2:
        tries.append(("ymd", day_of(full_year(a), int(b), int(c))))
    return {order: day for order, day in tries if day is not None}


def _first_year(y: str, m: str, d: str) -> dict[Order, date]:
    day = day_of(full_year(y), int(m), int(d))
    return {} if day is None else {"ymd": day}


def dates_in(text: str) -> Iterator[NumericDate]:
    """Every date in digits that stands apart in the text. A date-shaped text that is no day comes with no reading."""
    for match in _EAST_ASIAN.finditer(text):
        yield NumericDate(_first_year(*match.groups()), "年", False, *match.span())
    for match in _YEAR_FIRST.finditer(text):
        y, separator, m, d = match.groups()
        yield NumericDate(_first_year(y, m, d), separator, False, *match.span())
    for match in _YEAR_LAST.finditer(text):
        a, separator, b, c = match.groups()
        c = c.lstrip("'")
        yield NumericDate(_last_year(a, b, c), separator, len(c) < 4, *match.span())


def whole_date(text: str) -> NumericDate | None:
    """A text that is all digits and spaces, as a date: `20180304`, `05 03 2024`."""
    if match := _SPACED.fullmatch(text):
        a, b, c = match.groups()
        if len(a) == 4 and len(c) <= 2:
            return NumericDate(_first_year(a, b, c), " ", False, *match.span())
        if len(a) <= 2 and len(c) in (2, 4):
            return NumericDate(_last_year(a, b, c), " ", len(c) == 2, *match.span())
        return None
    if not _COMPACT.fullmatch(text):
        return None
    if len(text) == 6:
        return NumericDate(_last_year(text[:2], text[2:4], text[4:]), "", True, 0, 6)
    if len(text) == 14 and not (int(text[8:10]) < 24 and int(text[10:12]) < 60 and int(text[12:]) < 60):
        return None
    days = _first_year(text[:4], text[4:6], text[6:8])
    if not days and len(text) == 8:
        days = _last_year(text[:2], text[2:4], text[4:])
    return NumericDate(days, "", False, 0, len(text))
