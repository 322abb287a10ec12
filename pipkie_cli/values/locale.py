"""What one document says about its decimal mark, date order and currency, and the template where it says nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pipkie_cli.nouns import Locale
from pipkie_cli.values.currencies import currencies_of
from pipkie_cli.values.folding import WIDE_SPACE, canonical
from pipkie_cli.values.hints import counts_other_eras, may_put_year_first, page_language, page_order
from pipkie_cli.values.numerals import Mark, decimal_mark, readings
from pipkie_cli.values.numeric_dates import Order, dates_in
from pipkie_cli.values.signed import peel

Reason = Literal["values", "page", "template", "nothing"]

MAX_PAGE_CHARS = 100_000  # of the page text: 30 full pages say what there is to say
MAJORITY = 3  # times as many as the other: a misread comma must not outvote a page
_NUMERIC_TYPES: Final = frozenset(("amount", "number", "integer", "percent"))
# Amounts in running text: two decimals or full groups, apart from dates, times, versions and longer numbers.
_PAGE_AMOUNT: Final = re.compile(r"(?<![\d.,:/-])\d{1,3}(?:[.,']\d{3})*[.,]\d{2}(?![\d:/]|[.,-]\d)")
# Signs beside digits, and codes anywhere that are no word (ALL, TOP, CUP are).
_SIGN: Final = r"(?<![^\W_])RM|[^\W\d_]{0,3}\$|[€£₹₺₽₴₩₫฿₱₪¥]|zł|Kč|kr|Fr"
_PAGE_SIGN: Final = re.compile(rf"({_SIGN})\.? ?\d|\d ?({_SIGN})(?![^\W_])")
_PAGE_CODE_LIST: Final = """
    USD CAD AUD NZD SGD HKD TWD SEK NOK DKK ISK JPY CNY INR PKR LKR EUR GBP CHF MYR PLN CZK HUF RON BRL MXN ZAR AED
"""
_PAGE_CODES: Final = frozenset(_PAGE_CODE_LIST.split())
_CAPITALS: Final = re.compile(r"(?<![^\W_])[A-Z]{3}(?![^\W\d_])")
MIN_SEEN = 2  # times that a page must print its currency: `SEK` once may be part of an address


@dataclass(frozen=True, slots=True)
class ValueContext:
    """The marks of one document. None: nothing decides, so what needs it is flagged."""

    decimal: Mark | None = None
    grouping: str | None = None  # thousands mark seen in the document; tells `1 234.50` from two numbers
    dates: Order | None = None
    year_first: str = ""  # separators with which a two-digit year may come first (`24-03-05`)
    currency: str | None = None
    other_eras: bool = False  # years may be counted in another era: those of two digits say nothing
    languages: tuple[str, ...] = ()  # the page's if known, else the template's: tell month names apart
    decimal_from: Reason = "nothing"  # for `explain`
    dates_from: Reason = "nothing"
    currency_from: Reason = "nothing"


def _majority(votes: Iterable[str]) -> str | None:
    """What was voted for MAJORITY times as often as anything else; None without votes or without such a majority."""
    ranked = Counter(votes).most_common(2)
    if not ranked:
        return None
    return ranked[0][0] if len(ranked) == 1 or ranked[0][1] >= MAJORITY * ranked[1][1] else None


def _decimal(cores: Sequence[str], page: Sequence[str], locale: Locale) -> tuple[Mark | None, Reason]:
    steps: tuple[tuple[Reason, Sequence[str]], ...] = (("values", cores), ("page", [*cores, *page]))
    for reason, texts in steps:
        mark = _majority(mark for text in texts if (mark := decimal_mark(text)))
        if mark is not None:
            return ("." if mark == "." else ","), reason
    return locale.decimal, "template" if locale.decimal else "nothing"


def _grouping(cores: Iterable[str]) -> str | None:
    shapes = (readings(core) for core in cores)
    mark = _majority(found[0].grouping for found in shapes if len(found) == 1 and found[0].grouping)
    return " " if mark == WIDE_SPACE else mark


def _vote(text: str) -> Iterable[Order]:
    """The order of day and month that each date in the text proves: exactly one of the two is a day of the calendar."""
    for numeric in dates_in(text):
        possible = [order for order in ("dmy", "mdy") if order in numeric.days]
        if len(possible) == 1:
            yield "dmy" if possible[0] == "dmy" else "mdy"


def _dates(raws: Sequence[str], page_text: str, locale: Locale) -> tuple[Order | None, Reason]:
    own = [vote for raw in raws for vote in _vote(raw)]
    steps: tuple[tuple[Reason, list[Order]], ...] = (("values", own), ("page", [*own, *_vote(page_text)]))
    for reason, votes in steps:
        order = _majority(votes)
        if order is not None:
            return ("dmy" if order == "dmy" else "mdy"), reason
    if locale.dates is not None:
        return locale.dates, "template"
    hinted = page_order(" ".join((*raws, page_text)), locale.languages)
    return hinted, "page" if hinted else "nothing"


def _year_first(texts: Sequence[str], spoken: str | None, languages: tuple[str, ...]) -> str:
    if may_put_year_first(" ".join(texts), spoken, languages):
        return "./-"
    found = {n.separator for text in texts for n in dates_in(text) if "ymd" in n.days and not n.two_digit_year}
    return "".join(sorted(found & set("./-")))


def _currency(amounts: Iterable[str], page_text: str, locale: Locale) -> tuple[str | None, Reason]:
    in_values = {codes[0] for raw in amounts for codes in peel(raw).currencies if len(codes) == 1}
    signs = [a or b for a, b in _PAGE_SIGN.findall(page_text)]
    codes_or_signs = (word for word in [*signs, *_CAPITALS.findall(page_text)] if word in _PAGE_CODES or word in signs)
    seen = Counter(codes[0] for word in codes_or_signs if len(codes := currencies_of(word)) == 1)
    on_page = set(seen) if max(seen.values(), default=0) >= MIN_SEEN else set()
    steps: tuple[tuple[Reason, set[str]], ...] = (("values", in_values), ("page", on_page))
    for reason, codes_found in steps:
        if len(codes_found) == 1:
            return codes_found.pop(), reason
    return locale.currency, "template" if locale.currency else "nothing"


def value_context(raws: Sequence[tuple[str, str]], locale: Locale, page_text: str) -> ValueContext:
    """What the document says. raws: (type name, printed text) of all its answers; page_text: the words of its pages.

    Decimal mark: from the shapes of its numbers, then from the amounts of the page, then from the template's
    `decimal` (its languages decide no mark: German is written in Zurich, too). Date order: from its unambiguous
    dates, then the template's `dates`, then language and country if strong (hints.py). Currency: from what is printed
    beside its amounts, then on the page, if that is one; then the template's.
    """
    page = canonical(page_text[:MAX_PAGE_CHARS])
    numbers = [peel(raw.replace("%", "")).core for type_name, raw in raws if type_name in _NUMERIC_TYPES]
    amounts = [raw for type_name, raw in raws if type_name in ("amount", "currency")]
    dates = [canonical(raw) for type_name, raw in raws if type_name in ("date", "datetime")]
    page_amounts = _PAGE_AMOUNT.findall(page)
    decimal, decimal_from = _decimal(numbers, page_amounts, locale)
    order, dates_from = _dates(dates, page, locale)
    spoken = page_language(page)
    currency, currency_from = _currency(amounts, page, locale)
    return ValueContext(
        decimal=decimal,
        grouping=_grouping([*numbers, *page_amounts]),
        dates=order,
        year_first=_year_first([*dates, page], spoken, locale.languages),
        currency=currency,
        other_eras=counts_other_eras(" ".join((*dates, page))),
        languages=(spoken,) if spoken else locale.languages,
        decimal_from=decimal_from,
        dates_from=dates_from,
        currency_from=currency_from,
    )
