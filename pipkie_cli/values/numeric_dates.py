"""Dates in digits: where they stand in a text, and every calendar day that they can mean."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from typing import Final, Literal, NamedTuple

from pipkie_cli.values.misread_dates import lost_before, lost_behind

Order = Literal["dmy", "mdy", "ymd"]

# Two-digit years: 00 to 39 are 2000 to 2039, 70 to 99 are 1970 to 1999; between them stand births of the one century
# and terms of the other, so both are readings. Fixed: no clock is asked.
NEW_UNTIL, OLD_FROM = 39, 70
FIRST_YEAR, LAST_YEAR = 1800, 2199  # outside: another calendar, or misread

_NOT_INSIDE: Final = r"(?<!\d)(?<!\d[./-])"
_ENDS: Final = r"(?!\d)(?![./-]\d)"
_SEPARATOR: Final = r" ?([./-]) ?"
_YEAR_FIRST: Final = re.compile(rf"{_NOT_INSIDE}(\d{{4}}){_SEPARATOR}(\d{{1,2}}) ?\2 ?(\d{{1,2}}){_ENDS}")
_YEAR_LAST: Final = re.compile(rf"{_NOT_INSIDE}(\d{{1,2}}){_SEPARATOR}(\d{{1,2}}) ?\2 ?(\d{{4}}|'?\d{{1,2}}){_ENDS}")
_CENTURY_BEFORE: Final = re.compile(r"(?<!\d)(?:18|19|20|21) $")  # `20 01-01-02`: a year torn apart
_SPACED: Final = re.compile(r"(\d{1,4}) (\d{1,2}) (\d{4}|\d{1,2})")
_EAST_ASIAN: Final = re.compile(r"(?<!\d)(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]")
_COMPACT: Final = re.compile(r"\d{8}|\d{6}|\d{14}")


class NumericDate(NamedTuple):
    """A date in digits: the days that each possible order gives (impossible ones left out), and its place."""

    days: dict[Order, tuple[date, ...]]
    separator: str
    two_digit_year: bool
    start: int
    end: int


def full_years(digits: str) -> tuple[int, ...]:
    """The years that four or two printed digits can mean; () if it is no year of ours."""
    year = int(digits)
    if len(digits) == 2:
        return (
            (2000 + year,) if year <= NEW_UNTIL else (1900 + year,) if year >= OLD_FROM else (1900 + year, 2000 + year)
        )
    return (year,) if len(digits) == 4 and FIRST_YEAR <= year <= LAST_YEAR else ()


def days_of(year: str, month: int, day: int) -> tuple[date, ...]:
    """The calendar days of a printed year, a month and a day; () where there is no such day."""
    found: list[date] = []
    for full in full_years(year):
        with suppress(ValueError):
            found.append(date(full, month, day))
    return tuple(found)


def _last_year(a: str, b: str, c: str) -> dict[Order, tuple[date, ...]]:
    """Readings of a-b-c with the year last; where it has two digits also with the year first, for callers to judge."""
    tries: list[tuple[Order, tuple[date, ...]]] = [
        ("dmy", days_of(c, int(b), int(a))),
        ("mdy", days_of(c, int(a), int(b))),
    ]
    if len(a) == 2 and len(c) <= 2:
        tries.append(("ymd", days_of(a, int(b), int(c))))
    return {order: days for order, days in tries if days}


def _first_year(y: str, m: str, d: str) -> dict[Order, tuple[date, ...]]:
    days = days_of(y, int(m), int(d))
    return {"ymd": days} if days else {}


def dates_in(text: str) -> Iterator[NumericDate]:
    """Every date in digits that stands apart in the text. A date-shaped text that is no day comes with no reading."""
    for match in _EAST_ASIAN.finditer(text):
        yield NumericDate(_first_year(*match.groups()), "年", False, *match.span())
    for match in _YEAR_FIRST.finditer(text):
        y, separator, m, d = match.groups()
        lost = lost_before(text, match.start(), y) or lost_behind(text, match.end(), d)
        yield NumericDate({} if lost else _first_year(y, m, d), separator, False, *match.span())
    for match in _YEAR_LAST.finditer(text):
        a, separator, b, c = match.groups()
        c = c.lstrip("'")
        lost = lost_before(text, match.start(), a) or lost_behind(text, match.end(), c)
        lost = lost or (len(c) < 4 and _CENTURY_BEFORE.search(text, 0, match.start()) is not None)
        yield NumericDate({} if lost else _last_year(a, b, c), separator, len(c) < 4, *match.span())


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
