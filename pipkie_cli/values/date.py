"""Dates: digits or month names, with times, weekdays and fillers around them -> ISO 8601.

A leading four-digit year is always year-month-day. Day and month are told apart by what is possible, by a weekday
printed beside them, then by the document; if nothing decides, the value is null and every reading is kept.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import (
    AMBIGUOUS_DATE,
    EXTRA_TEXT,
    MAX_CHARS,
    NOT_READ,
    REPAIRED_DIGITS,
    REPAIRED_MONTH,
    UNPARSABLE,
    UNSUPPORTED_ERA,
)
from pipkie_cli.values.folding import WIDE_SPACE, canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.misread_dates import mend_digits
from pipkie_cli.values.months import weekdays_of
from pipkie_cli.values.named_dates import FILLERS, WORD, named_dates
from pipkie_cli.values.numeric_dates import NumericDate, dates_in, whole_date

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "format": "date"}

# Japanese eras by sign, name or letter; the Chinese republic; Buddhist and Islamic years that say so.
_ERA: Final = re.compile(
    r"令和|平成|昭和|大正|明治|民[國国]|พ\. ?ศ|(?<![a-z])(?:b\. ?e\.|a\. ?h\.|heisei|showa|reiwa)(?![a-z])"
    r"|(?<![a-z])[mtshr]\d{1,2} ?[./年-] ?\d{1,2} ?[./月-] ?\d{1,2}(?!\d)|\d ?ah\b"
)
_BUDDHIST_YEAR: Final = re.compile(r"(?<!\d)2[4-6]\d\d(?!\d)")
_OUR_YEAR: Final = re.compile(r"(?<!\d)(?:1[89]|2[01])\d\d(?:\d{4}|\d{10})?(?!\d)")
_HOUR: Final = r"(?:[01]?\d|2[0-3])"
_CLOCK: Final = r"(?:uhr|hrs?|h|[ap]\. ?m\.?|[ap]m)(?![a-z])"
_TIME: Final = re.compile(
    rf"(?:(?<=\d)t|(?<!\d)){_HOUR}"
    rf"(?::\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?z\b| ?[+-]\d\d:?\d\d\b)?(?: ?{_CLOCK})?"  # 8:13:39 pm, 10:20:30.5+01:00
    rf"|h[0-5]\d(?:min)?(?![a-z\d])"  # 14h30
    rf"|(?:[.][0-5]\d(?:[.][0-5]\d)?)? ?{_CLOCK})"  # 14.30 uhr, 2 pm
)
# OCR glues the time to the year (`Sep1.20173:05:24pm`); only a four-digit year can be told from it.
_GLUED_TIME: Final = re.compile(rf"(?<=\D(?:19|20)\d\d){_HOUR}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b)?")


def parse(raw: str, context: ValueContext) -> Value:
    """A calendar day as ISO 8601. Months alone, days without a year, other eras: null, never filled up."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    plain = canonical(raw).replace(WIDE_SPACE, " ")
    mended = mend_digits(plain)
    text = " ".join(fold(mended).split())
    if _ERA.search(text) or (context.other_eras and not _OUR_YEAR.search(text)):
        return Value(None, (UNPARSABLE, UNSUPPORTED_ERA))
    value = _read(_without_time(text), context)
    if mended != plain and value != NOT_READ:
        value = Value(value.value, (*value.flags, REPAIRED_DIGITS), value.readings)
    if value == NOT_READ and _BUDDHIST_YEAR.search(text):
        return Value(None, (UNPARSABLE, UNSUPPORTED_ERA))
    return value


def _read(text: str, context: ValueContext) -> Value:
    repaired = False
    found, rest = _in_digits(text, context)
    if not found:
        every_year_first = context.dates == "ymd" or context.year_first == "./-"
        named, rest = named_dates(text, context.languages, every_year_first)
        found = [one.days for one in named]
        repaired = any(one.repaired for one in named)
    if not all(found):  # something has the form of a date and is no day
        return NOT_READ
    days = tuple(dict.fromkeys(day for one in found for day in one))
    if not days:
        return NOT_READ
    flags = (REPAIRED_MONTH,) if repaired else ()
    if len(days) > 1 and len(found) == 1:
        days = _on_weekday(days, text)
    if len(days) > 1:
        return Value(None, (AMBIGUOUS_DATE, *flags), tuple(day.isoformat() for day in days))
    return Value(days[0].isoformat(), (*flags, EXTRA_TEXT) if _has_strangers(rest) else flags)


def _without_time(text: str) -> str:
    return _TIME.sub(" ", _GLUED_TIME.sub(" ", text)).strip(" ,;()[]-")


def _has_strangers(rest: str) -> bool:
    """Whether something is left beside the date that is neither filler nor weekday."""
    return any(not (word in FILLERS or weekdays_of(word)) for word in WORD.findall(rest))


def _on_weekday(days: tuple[date, ...], text: str) -> tuple[date, ...]:
    """The days that fall on the weekday printed beside them, if there is one and it leaves any."""
    named = {day for word in WORD.findall(text) if word not in FILLERS for day in weekdays_of(word)}
    return tuple(day for day in days if day.weekday() in named) or days


def _decide(numeric: NumericDate, context: ValueContext) -> tuple[date, ...]:
    """The days that the document leaves possible, day first before month first."""
    days = dict(numeric.days)
    # No separator (`240305`): what a document does with separators says nothing about it.
    year_first = not numeric.separator or numeric.separator in context.year_first or context.dates == "ymd"
    if numeric.two_digit_year and not year_first:
        days.pop("ymd", None)
    if context.dates in days:  # where the year may come first, that stays a second reading
        days = {order: day for order, day in days.items() if order in (context.dates, "ymd")}
    return tuple(dict.fromkeys(day for one in days.values() for day in one))


def _in_digits(text: str, context: ValueContext) -> tuple[list[tuple[date, ...]], str]:
    """The dates in digits, each as the days that it can mean, and the text without them."""
    found: list[tuple[date, ...]] = []
    rest = text
    for numeric in dates_in(text):
        found.append(_decide(numeric, context))
        rest = rest[: numeric.start] + " " * (numeric.end - numeric.start) + rest[numeric.end :]
    if not found and (whole := whole_date(text)):
        return [_decide(whole, context)], ""
    return found, rest
