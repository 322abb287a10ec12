"""Dates: digits or month names, with times, weekdays and fillers around them -> ISO 8601.

A leading four-digit year is always year-month-day. Day and month are told apart by what is possible, then by the
document; if neither decides, the value is null and both readings are kept.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import (
    AMBIGUOUS_DATE,
    EXTRA_TEXT,
    MAX_CHARS,
    NOT_READ,
    REPAIRED_MONTH,
    UNPARSABLE,
    UNSUPPORTED_ERA,
)
from pipkie_cli.values.folding import WIDE_SPACE, canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.months import MonthName, find_month, is_month, is_weekday
from pipkie_cli.values.numeric_dates import NumericDate, dates_in, day_of, full_year, whole_date

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "format": "date"}

_ERA: Final = re.compile(
    r"[令昭平大明][和成正治]|民[國国]|พ\.?\s?ศ|(?<![a-z])(?:b\.? ?e\.?|a\.?h\.?|heisei|showa|reiwa)(?![a-z])"
    r"|(?<![a-z])[rhs] ?\d{1,2}[./-]\d{1,2}[./-]\d{1,2}|(?<!\d)2[4-6]\d\d(?!\d)"
)
_HOUR: Final = r"(?:[01]?\d|2[0-3])"
_TIME: Final = re.compile(
    rf"t?(?<!\d){_HOUR}(?::\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]\.? ?m\b\.?)?(?: ?z\b| ?[+-]\d\d:?\d\d\b)?|h[0-5]\d"
    rf"|[.:][0-5]\d(?:[.:][0-5]\d)?(?= ?(?:uhr|h\b|hrs?\b|[ap]\.? ?m\b))|(?= ?[ap]\.?m\b))"
    r"(?: ?(?:uhr|hrs?|h|[ap]\.?m)\b\.?)?"
)
# OCR glues the time to the year (`Sep1.20173:05:24pm`); only a four-digit year can be told from it.
_GLUED_TIME: Final = re.compile(rf"(?<=\D(?:19|20)\d\d){_HOUR}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b)?")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|ere|eme|ste|de|e|o|a|°|\.?º)(?![a-z])")
_ROMAN: Final = re.compile(r"(?<!\d)(\d{1,2})[./ -] ?(i{1,3}|i?v|vi{1,3}|i?x|xi{1,2})[./ -] ?(\d{4})(?!\d)")
_ROMANS: Final = dict(i=1, ii=2, iii=3, iv=4, v=5, vi=6, vii=7, viii=8, ix=9, x=10, xi=11, xii=12)
_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_FILLER_WORDS: Final = """
    of the de del du le la el den dne am vom on at um dated date datum fecha data di do al kl uhr hrs h a az om il lo
    dia d o utc gmt cet cest z y i any year an mes dato dat dag issued rechnungsdatum
"""
_FILLERS: Final = frozenset(_FILLER_WORDS.split())


class _Found(NamedTuple):
    """The days that a stretch of text can mean; none: it has the form of a date and is no day."""

    days: tuple[date, ...]
    repaired: bool = False


def parse(raw: str, context: ValueContext) -> Value:
    """A calendar day as ISO 8601. Months alone, days without a year, other eras: null, never filled up."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = " ".join(fold(canonical(raw).replace(WIDE_SPACE, " ")).split())
    if _ERA.search(text):
        return Value(None, (UNPARSABLE, UNSUPPORTED_ERA))
    text = _without_time(text)
    found, rest = _in_digits(text, context)
    if not found:
        found, rest = _in_names(text, context)
    days = tuple(dict.fromkeys(day for one in found for day in one.days))
    if not days or any(not one.days for one in found):
        return NOT_READ
    flags = (REPAIRED_MONTH,) if any(one.repaired for one in found) else ()
    if len(days) > 1:
        return Value(None, (AMBIGUOUS_DATE, *flags), tuple(day.isoformat() for day in days))
    return Value(days[0].isoformat(), (*flags, EXTRA_TEXT) if _has_strangers(rest) else flags)


def _without_time(text: str) -> str:
    text = _GLUED_TIME.sub(" ", text)
    return _TIME.sub(" ", text).strip(" ,;()[]-")


def _has_strangers(rest: str) -> bool:
    """Whether something is left beside the date that is neither filler nor weekday."""
    return any(not (word in _FILLERS or is_weekday(word)) for word in _TOKEN.findall(rest))


def _decide(numeric: NumericDate, context: ValueContext) -> tuple[date, ...]:
    """The days that the document leaves possible, day first before month first."""
    days = dict(numeric.days)
    year_first = not numeric.separator or numeric.separator in context.year_first or context.dates == "ymd"
    if numeric.two_digit_year and not year_first:
        days.pop("ymd", None)
    settled = context.dates is not None and context.dates in days
    if settled and not ("ymd" in days and context.dates != "ymd"):
        return (days[context.dates],)  # type: ignore[index]
    return tuple(dict.fromkeys(days.values()))


def _in_digits(text: str, context: ValueContext) -> tuple[list[_Found], str]:
    found: list[_Found] = []
    rest = text
    for numeric in dates_in(text):
        found.append(_Found(_decide(numeric, context)))
        rest = rest[: numeric.start] + " " * (numeric.end - numeric.start) + rest[numeric.end :]
    if not found and (numeric_whole := whole_date(text)):
        return [_Found(_decide(numeric_whole, context))], ""
    if not found and (roman := _ROMAN.search(text)):
        day = day_of(full_year(roman[3]), _ROMANS[roman[2]], int(roman[1]))
        return [_Found(() if day is None else (day,))], text[: roman.start()] + " " + text[roman.end() :]
    return found, rest


def _mend_digits_in_words(text: str) -> str:
    """`0ctober` and `Apri1` as the month names they are; digits elsewhere stay digits (`Jul1` is the first of July)."""

    def lead(match: re.Match[str]) -> str:
        return "o" + match[1] if is_month("o" + match[1]) and not is_month(match[1]) else match[0]

    def tail(match: re.Match[str]) -> str:
        return match[1] + "l" if is_month(match[1] + "l") and not is_month(match[1]) else match[0]

    text = re.sub(r"(?<![\da-z])0([a-z]{2,})", lead, text)
    text = re.sub(r"(?<=[a-z])1(?=[a-z])", "l", text)
    return re.sub(r"(?<![a-z])([a-z]{2,})1(?!\d)", tail, text)


def _split_glued(word: str) -> Iterable[str]:
    """`thuaug` -> thu, aug; any other word as it is."""
    if is_month(word) or is_weekday(word) or word in _FILLERS:
        return (word,)
    for cut in range(2, len(word) - 2):
        if is_weekday(word[:cut]) and is_month(word[cut:]):
            return word[:cut], word[cut:]
    return (word,)


def _segments(text: str, context: ValueContext) -> Iterator[list[str | MonthName]]:
    """Runs of numbers and month names between words that are neither; weekdays and fillers do not part them."""
    run: list[str | MonthName] = []
    words = [part for token in _TOKEN.findall(text) for part in (_split_glued(token) if token.isalpha() else (token,))]
    exact = sum(is_month(word) and not is_weekday(word) for word in words)
    for word in words:
        if not word.isalpha():
            run.append(word)
        elif word in _FILLERS or (is_weekday(word) and (not is_month(word) or exact)):
            continue
        elif (month := find_month(word, context.languages)).months:
            run.append(month)
        else:
            yield run
            run = []
    yield run


def _in_names(text: str, context: ValueContext) -> tuple[list[_Found], str]:
    mended = _mend_digits_in_words(_ORDINAL.sub(" ", text))
    found: list[_Found] = []
    rest: list[str] = []
    for run in _segments(mended, context):
        if any(isinstance(item, MonthName) for item in run):
            found.append(_from_run(run, context))
        else:
            rest.extend(item for item in run if isinstance(item, str))
    strangers = [w for t in _TOKEN.findall(mended) if t.isalpha() for w in _split_glued(t) if not find_month(w).months]
    if mended != _ORDINAL.sub(" ", text):
        found = [one._replace(repaired=True) for one in found]
    return found, " ".join(rest + strangers)


def _from_run(run: list[str | MonthName], context: ValueContext) -> _Found:
    """Day, month name and year in one of the orders that are printed; anything more or less is no date."""
    if len(run) != 3 or sum(isinstance(item, MonthName) for item in run) != 1:
        return _Found(())
    at = next(i for i, item in enumerate(run) if isinstance(item, MonthName))
    month = run[at]
    assert isinstance(month, MonthName)
    a, b = (item for item in run if isinstance(item, str))
    pairs: list[tuple[str, str]] = []  # (year, day)
    if at < 2 and len(b) in (2, 4) and len(a) <= 2:
        pairs.append((b, a))
    if at > 0 and len(a) == 4 and len(b) <= 2:
        pairs.append((a, b))
    if at == 1 and len(a) == len(b) == 2 and (context.dates == "ymd" or "-" in context.year_first):
        pairs.append((a, b))
    tries = (day_of(full_year(year), number, int(day)) for year, day in pairs for number in month.months)
    return _Found(tuple(dict.fromkeys(day for day in tries if day is not None)), month.repaired)
