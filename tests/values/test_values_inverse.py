"""Formatting by CLDR (babel) and reading it again: the same value, or null with a flag; never another value."""

from datetime import date, datetime
from decimal import Decimal

import pytest
from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, format_decimal, format_percent, get_decimal_symbol
from hypothesis import given, settings
from hypothesis import strategies as st

from pipkie_cli.nouns import Locale
from pipkie_cli.values import ValueContext, parse_value, value_context
from pipkie_cli.values.months import LANGUAGES

_COUNTRIES = """
    en_US en_GB en_IN en_ZA de_DE de_AT de_CH fr_FR fr_CH es_ES es_MX it_IT it_CH nl_NL pt_PT pt_BR pl_PL cs_CZ sk_SK
    sl_SI hr_HR da_DK nb_NO sv_SE fi_FI et_EE lv_LV lt_LT hu_HU ro_RO tr_TR ca_ES ja_JP zh_CN ko_KR ms_MY id_ID ar_EG
"""
COUNTRIES = _COUNTRIES.split()
FEW = settings(deadline=None, max_examples=15)  # per country: together they are thousands
DAY_FIRST = ("en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "pl_PL", "cs_CZ", "da_DK", "fi_FI", "tr_TR")

amounts = st.decimals(min_value=-(10**9), max_value=10**9, places=2, allow_nan=False, allow_infinity=False)
days = st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31))
currencies = st.sampled_from(("EUR", "USD", "CHF", "GBP", "PLN", "SEK", "INR", "MYR"))


@pytest.mark.parametrize("country", COUNTRIES)
@FEW
@given(number=amounts, currency=currencies)
def test_amounts_come_back_or_are_flagged(country: str, number: Decimal, currency: str) -> None:
    """An amount printed in any country's form is read as itself, with or without knowing the decimal mark."""
    printed = format_currency(number, currency, locale=country)
    mark = get_decimal_symbol(country)
    known = ValueContext(decimal="," if mark == "," else ".")
    allowed = {float(number), None} if country.endswith("_CH") else {float(number)}  # babel: 1234567'890.50
    assert parse_value("amount", printed, known).value in allowed
    assert parse_value("amount", printed, ValueContext()).value in allowed  # two decimals decide by themselves


@pytest.mark.parametrize("country", COUNTRIES)
@FEW
@given(number=st.decimals(min_value=0, max_value=10**7, places=3, allow_nan=False, allow_infinity=False))
def test_numbers_come_back_or_are_flagged(country: str, number: Decimal) -> None:
    """A number with any count of decimals is itself where the mark is known; where it is not, itself or null."""
    printed = format_decimal(number, locale=country)
    mark = get_decimal_symbol(country)
    known = parse_value("number", printed, ValueContext(decimal="," if mark == "," else "."))
    assert known.value == float(number) or (country.endswith("_CH") and known.flags == ("unparsable",))
    unknown = parse_value("number", printed, ValueContext())
    assert unknown.value in (float(number), None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", ["full", "long"])
@FEW
@given(day=days)
def test_dates_with_names_come_back(language: str, width: str, day: date) -> None:
    """A date with its month's name in any supported language is read, also in capitals and without accents."""
    printed = format_date(day, width, locale=language)
    context = ValueContext(languages=(language,))
    for form in (printed, printed.upper()):
        assert parse_value("date", form, context).value == day.isoformat()


@pytest.mark.parametrize("country", COUNTRIES)
@pytest.mark.parametrize("width", ["short", "medium", "long", "full"])
@FEW
@given(day=days)
def test_no_date_becomes_another(country: str, width: str, day: date) -> None:
    """A date in any country's form, on a page in its language, is itself or null."""
    printed = format_date(day, width, locale=country)
    context = value_context([("date", printed)], Locale(languages=(country[:2],)), "")
    assert parse_value("date", printed, context).value in (day.isoformat(), None)


@pytest.mark.parametrize("country", DAY_FIRST)
@FEW
@given(day=st.dates(min_value=date(1970, 1, 1), max_value=date(2039, 12, 31)))
def test_short_dates_come_back_in_day_first_countries(country: str, day: date) -> None:
    """Where the template names a day-first language, a date in digits is read, if its century is sure."""
    printed = format_date(day, "short", locale=country)
    locale = Locale(dates="dmy") if country == "en_GB" else Locale(languages=(country[:2],))
    assert parse_value("date", printed, value_context([("date", printed)], locale, "")).value == day.isoformat()


@settings(deadline=None)  # the first date may load the month names
@given(day=days, separator=st.sampled_from("./-"), year=st.sampled_from(("%Y", "%y")))
def test_order_unknown_is_itself_or_flagged(day: date, separator: str, year: str) -> None:
    """Without any context a date in digits is read only if one reading exists; else its true reading is kept."""
    for form in ("%d-%m-", "%m-%d-"):
        printed = day.strftime(form + year).replace("-", separator)
        value = parse_value("date", printed, ValueContext())
        assert value.value == day.isoformat() or (value.value is None and day.isoformat() in value.readings)


@given(number=amounts)
def test_value_has_the_printed_digits(number: Decimal) -> None:
    """The float of an amount prints as the decimal that stood on the page."""
    value = parse_value("amount", f"{number:f}", ValueContext()).value
    assert value is not None
    assert Decimal(repr(value)) == number


@pytest.mark.parametrize("country", COUNTRIES)
@FEW
@given(rate=st.decimals(min_value=0, max_value=200, places=1, allow_nan=False, allow_infinity=False))
def test_rates_come_back_or_are_flagged(country: str, rate: Decimal) -> None:
    """A rate in any country's form, its sign before or behind, is the number of per cent as printed."""
    printed = format_percent(rate.scaleb(-2), locale=country, decimal_quantization=False)
    assert parse_value("percent", printed, ValueContext()).value == float(rate), printed


@pytest.mark.parametrize("country", COUNTRIES)
@FEW
@given(moment=st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2039, 12, 31)))
def test_no_moment_becomes_another(country: str, moment: datetime) -> None:
    """Day and time in any country's form, on a page in its language, are themselves or null."""
    for width in ("short", "medium"):
        printed = format_datetime(moment, width, locale=country)
        context = value_context([("datetime", printed)], Locale(languages=(country[:2],)), "")
        value = parse_value("datetime", printed, context)
        assert value.value is None or moment.isoformat().startswith(str(value.value)), printed


# What OCR makes of a digit: a letter that looks like it, or a sign that says nothing.
MISREAD = {
    "0": "OoQ",
    "1": "lI|!",
    "2": "Z?",
    "3": "?*",
    "4": "A?",
    "5": "S?",
    "6": "Gb",
    "7": "?~",
    "8": "B_",
    "9": "g?",
}


@settings(deadline=None, max_examples=300)
@given(
    day=days,
    form=st.sampled_from(("%d/%m/%Y", "%d.%m.%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%d%b%Y")),
    at=st.integers(0, 20),
    pick=st.integers(0, 3),
)
def test_a_misread_digit_never_makes_another_day(day: date, form: str, at: int, pick: int) -> None:
    """One digit of a date as another sign: the day itself, or null; an unreadable 1? is not the first."""
    printed = day.strftime(form)
    places = [place for place, char in enumerate(printed) if char.isdigit()]
    place = places[at % len(places)]
    signs = MISREAD[printed[place]]
    misread = printed[:place] + signs[pick % len(signs)] + printed[place + 1 :]
    context = ValueContext(dates="dmy", languages=("en",))
    assert parse_value("date", misread, context).value in (day.isoformat(), None), misread
    torn = f"{printed[:place]} {printed[place:]}"
    assert parse_value("date", torn, context).value in (day.isoformat(), None), torn
