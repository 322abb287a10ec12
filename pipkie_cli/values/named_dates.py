"""Dates with a month's name: `5. März 2024`, `MAR-15-2019`, `Jul03'12`, `ThuAug09,2012`."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from pipkie_cli.values.misread_dates import lost_before, lost_behind
from pipkie_cli.values.months import MonthName, find_month, is_month, weekdays_of
from pipkie_cli.values.numeric_dates import days_of

WORD: Final = re.compile(r"\d+|[^\W\d_]+")
_ORDINAL: Final = re.compile(
    r"(?<=\d)(?:st|nd|rd|th|er|ere|eme|ste|de|e|o|a|°|\.?º|:[ea]|-(?:go|ego|an|en|i|ei))(?![a-z])"
)
_ROMAN: Final = re.compile(r"(?<!\d)(\d{1,2})[./ -] ?(i{1,3}|i?v|vi{1,3}|i?x|xi{1,2})[./ -] ?(\d{4})(?!\d)")
_ROMANS: Final = dict(i=1, ii=2, iii=3, iv=4, v=5, vi=6, vii=7, viii=8, ix=9, x=10, xi=11, xii=12)
_FILLER_WORDS: Final = """
    of the de del du le la el den dne am vom on at um dated date datum fecha data di do al kl uhr hrs h a az om il lo
    dia d o utc gmt cet cest z y i year an mes dato dag dags day jour giorno paivana issued feira
    rechnungsdatum m r g gada
"""
FILLERS: Final = frozenset(_FILLER_WORDS.split())  # they say nothing about which day it is

LOST: Final = "?"  # a number of which a digit could not be read

_Run = list["str | MonthName"]  # numbers and month names that stand together


class NamedDate(NamedTuple):
    """The days that a stretch of text can mean; none: it names a month and is no date."""

    days: tuple[date, ...]
    repaired: bool = False


def named_dates(text: str, languages: tuple[str, ...], year_first: bool) -> tuple[list[NamedDate], str]:
    """Every date with a month's name in a folded text, and the words that belong to none.

    year_first: a two-digit year may come first here, so `05 MAY 18` has two readings.
    """
    if roman := _ROMAN.search(text):
        lost = lost_before(text, roman.start(), roman[1])
        days = () if lost else days_of(roman[3], _ROMANS[roman[2]], int(roman[1]))
        return [NamedDate(days)], f"{text[: roman.start()]} {text[roman.end() :]}"
    text = _ORDINAL.sub(" ", text)
    mended = _letters_of_names(text)
    found: list[NamedDate] = []
    rest: list[str] = []
    for run in _runs(mended, languages, rest):
        if any(isinstance(item, MonthName) for item in run):
            one = _date_of(run, year_first)
            found.append(one._replace(repaired=one.repaired or mended != text))
        else:
            rest.extend(item for item in run if isinstance(item, str))
    return found, " ".join(rest)


def _letters_of_names(text: str) -> str:
    """`0ctober` and `Apri1` as the names they are; digits that may be digits stay (`Jul1` is the first of July)."""

    def name_or_as_is(name: str, without: str, printed: str) -> str:
        return name if is_month(name) and not is_month(without) else printed

    text = re.sub(r"(?<![\da-z])0([a-z]{2,})", lambda m: name_or_as_is("o" + m[1], m[1], m[0]), text)
    text = re.sub(r"(?<![a-z\d])([a-z]+)1([a-z]+)", lambda m: name_or_as_is(f"{m[1]}l{m[2]}", m[1], m[0]), text)
    return re.sub(r"(?<![a-z])([a-z]{2,})1(?!\d)", lambda m: name_or_as_is(m[1] + "l", m[1], m[0]), text)


def _words(text: str) -> Iterator[str]:
    """Numbers and words; a weekday glued to a month (`thuaug`) is two words."""
    for match in WORD.finditer(text):
        word = match[0]
        if word.isdigit() and (lost_before(text, match.start(), word) or lost_behind(text, match.end(), word)):
            yield LOST
        elif word.isalpha() and not is_month(word) and not weekdays_of(word) and word not in FILLERS:
            for cut in range(2, len(word) - 2):
                if weekdays_of(word[:cut]) and is_month(word[cut:]):
                    yield from (word[:cut], word[cut:])
                    break
            else:
                yield word
        else:
            yield word


def _runs(text: str, languages: tuple[str, ...], strangers: list[str]) -> Iterator[_Run]:
    """Numbers and month names between words that are neither, which go to `strangers`.

    Fillers and weekdays part nothing. A word that is both (`mar.`: mardi, March) is a weekday where another word
    is surely the month.
    """
    words = list(_words(text))
    sure = any(is_month(word) and not weekdays_of(word) for word in words)
    run: _Run = []
    for word in words:
        if not word.isalpha():
            run.append(word)
        elif is_month(word) and not (sure and weekdays_of(word)):
            run.append(find_month(word, languages))
        elif word in FILLERS or weekdays_of(word):
            continue
        elif (month := find_month(word, languages)).months:
            run.append(month)
        else:
            strangers.append(word)
            yield run
            run = []
    yield run


def _date_of(run: _Run, year_first: bool) -> NamedDate:
    """Day, month name and year in one of the orders that are printed; anything more or less is no date."""
    names = [(at, item) for at, item in enumerate(run) if isinstance(item, MonthName)]
    numbers = [item for item in run if isinstance(item, str)]
    if len(names) != 1 or len(numbers) != 2 or LOST in numbers:
        return NamedDate(())
    (at, month), (a, b) = names[0], numbers
    year_and_day: list[tuple[str, str]] = []
    if at < 2 and len(b) in (2, 4) and len(a) <= 2:  # 5 March 2024, March 5 2024
        year_and_day.append((b, a))
    if len(a) == 4 and at > 0 and len(b) <= 2:  # 2024 March 5, 2024 5 March
        year_and_day.append((a, b))
    if at == 1 and year_first and len(a) == len(b) == 2:
        year_and_day.append((a, b))
    tries = (days_of(year, number, int(day)) for year, day in year_and_day for number in month.months)
    return NamedDate(tuple(dict.fromkeys(day for days in tries for day in days)), month.repaired)
