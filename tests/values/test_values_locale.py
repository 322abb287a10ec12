"""What a document says about its marks, and what the template adds where it says nothing."""

from typing import Any

import pytest

from pipkie_cli.nouns import Locale
from pipkie_cli.values import ValueContext, parse_value, value_context
from pipkie_cli.values.hints import page_language, page_order

NOTHING = Locale()


def amounts(*raws: str) -> list[tuple[str, str]]:
    return [("amount", raw) for raw in raws]


def dates(*raws: str) -> list[tuple[str, str]]:
    return [("date", raw) for raw in raws]


DECIMALS: list[Any] = [
    (amounts("1.234,56"), NOTHING, "", ",", "values"),
    (amounts("12.50", "1,234"), NOTHING, "", ".", "values"),
    (amounts("1,234,567"), NOTHING, "", ".", "values"),
    (amounts("1.234"), NOTHING, "", None, "nothing"),
    (amounts("1 234"), NOTHING, "", None, "nothing"),
    (amounts("$ 12.50 CR"), NOTHING, "", ".", "values"),
    ([("number", "2,5")], NOTHING, "", ",", "values"),
    ([("text", "2,5"), ("date", "05.03.2024")], NOTHING, "", None, "nothing"),
    (amounts("1.234"), NOTHING, "Summe 12,50 und 3,80", ",", "page"),
    (amounts("1.234"), NOTHING, "Version 1.2, am 05.03.2024 um 12:30", None, "nothing"),
    (amounts("1.234"), NOTHING, "tel. 12.34.56.78", None, "nothing"),
    (amounts("1.234"), Locale(decimal=","), "", ",", "template"),
    (amounts("1.234"), Locale(decimal=","), "total 12.50", ".", "page"),
    (amounts("1.234", "5,10"), Locale(decimal="."), "total 12.50", ",", "values"),
    (amounts("1,00", "2,00", "3,00", "4.00"), NOTHING, "", ",", "values"),  # three to one
    (amounts("1,00", "2,00", "4.00"), NOTHING, "", None, "nothing"),  # two to one is no majority
    (amounts("1,00", "2,00", "4.00"), Locale(decimal="."), "", ".", "template"),
    (amounts("1,00", "4.00"), NOTHING, "2,00 3,00 5,00", ",", "page"),
]


@pytest.mark.parametrize(("raws", "locale", "page", "mark", "source"), DECIMALS)
def test_decimal_mark(raws: list[tuple[str, str]], locale: Locale, page: str, mark: str | None, source: str) -> None:
    """The mark comes from the shapes of the answers, then of the page's amounts, then from the template."""
    context = value_context(raws, locale, page)
    assert (context.decimal, context.decimal_from) == (mark, source)


ORDERS: list[Any] = [
    (dates("25/12/2018"), NOTHING, "", "dmy", "values"),
    (dates("12/25/2018"), NOTHING, "", "mdy", "values"),
    (dates("03/04/2024"), NOTHING, "", None, "nothing"),
    (dates("03/04/2024", "25/04/2024"), NOTHING, "", "dmy", "values"),
    (dates("05/05/2024", "2024-03-05"), NOTHING, "", None, "nothing"),
    (dates("25/12/2018", "12/25/2018"), NOTHING, "", None, "nothing"),  # the document contradicts itself
    (dates("25/12/2018", "12/25/2018"), Locale(dates="mdy"), "", "mdy", "template"),
    (dates("03/04/2024"), NOTHING, "from 13/04/2024 to 20/04/2024", "dmy", "page"),
    (dates("03/04/2024"), Locale(dates="mdy"), "from 13/04/2024", "dmy", "page"),  # the document comes first
    (dates("03/04/2024"), Locale(dates="mdy"), "", "mdy", "template"),
    (dates("03/04/2024"), Locale(dates="mdy"), "Rechnung Betrag Kunde GmbH", "mdy", "template"),
    (dates("03/04/2024"), Locale(languages=("de",)), "", "dmy", "page"),
    (dates("03/04/2024"), Locale(languages=("de", "en")), "", None, "nothing"),
    (dates("04.03.2025"), Locale(languages=("de",)), "Datum:", "dmy", "page"),
    (dates("04.03.2025"), NOTHING, "", None, "nothing"),
    (dates("04.03.2025"), NOTHING, "Rechnung", "dmy", "page"),  # full stops and one German word
    (dates("03/04/2024"), NOTHING, "Rechnung", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "Rechnung Betrag Kunde", "dmy", "page"),
    (dates("03/04/2024"), NOTHING, "BIG STORE SDN BHD", "dmy", "page"),
    (dates("03/04/2024"), NOTHING, "AMOUNT (RM)", "dmy", "page"),
    (dates("03/04/2024"), NOTHING, "GST ID : 001661886464", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "GST Reg No 20-0301619-D Singapore", "dmy", "page"),
    (dates("03/04/2024"), NOTHING, "£ 5.00 VAT No 163 3639 07", "dmy", "page"),
    (dates("03/04/2024"), NOTHING, "€ 5.00", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "Dallas, TX 75225", "mdy", "page"),
    (dates("03/04/2024"), NOTHING, "Sales Tax 1.20 Phone (212) 972-1001", "mdy", "page"),
    (dates("03/04/2024"), NOTHING, "Made in USA", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "CUSTOMER ID 12345", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "DE 10115 Berlin", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "Toronto, Ontario, Canada Phone 416-555-0199 Sales tax", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "Dallas, TX 75225, invoice in EUR: Rechnung Betrag Kunde", None, "nothing"),
    (dates("03/04/2024"), NOTHING, "Date Total Invoice Client Amount Tax per item data", None, "nothing"),
    (dates("03/04/2024"), Locale(dates="ymd"), "", "ymd", "template"),
]


@pytest.mark.parametrize(("raws", "locale", "page", "order", "source"), ORDERS)
def test_date_order(raws: list[tuple[str, str]], locale: Locale, page: str, order: str | None, source: str) -> None:
    """The order comes from dates that can be one thing only, then from the template, then from strong hints."""
    context = value_context(raws, locale, page)
    assert (context.dates, context.dates_from) == (order, source)


CURRENCIES: list[Any] = [
    (amounts("119,00 €"), NOTHING, "", "EUR", "values"),
    ([("currency", "USD")], NOTHING, "", "USD", "values"),
    (amounts("$5"), NOTHING, "", None, "nothing"),
    (amounts("$5"), Locale(currency="CAD"), "", "CAD", "template"),
    (amounts("$5"), NOTHING, "Total USD 5.00, all prices in USD", "USD", "page"),
    (amounts("$5"), NOTHING, "SEK, U3 5 Shah Alam", None, "nothing"),  # once may be part of an address
    (amounts("€5", "£5"), NOTHING, "", None, "nothing"),
    (amounts("€5", "£5"), Locale(currency="EUR"), "", "EUR", "template"),
    (amounts("€5"), Locale(currency="USD"), "", "EUR", "values"),
    (amounts("5"), NOTHING, "€ 5.00 € 6.00", "EUR", "page"),
    (amounts("5"), NOTHING, "€ 5.00 £ 6.00", None, "nothing"),
    (amounts("5"), NOTHING, "TOP 5 ALL 5 TOP 6", None, "nothing"),
    (amounts("5"), NOTHING, "RM 5.00 RM6.00", "MYR", "page"),
]


@pytest.mark.parametrize(("raws", "locale", "page", "currency", "source"), CURRENCIES)
def test_currency(raws: list[tuple[str, str]], locale: Locale, page: str, currency: str | None, source: str) -> None:
    """The currency is one that is printed, else the template's; never one that was inferred."""
    context = value_context(raws, locale, page)
    assert (context.currency, context.currency_from) == (currency, source)


def test_year_first_is_seen_with_its_separator() -> None:
    """A document that prints ISO dates may print short years first, with that separator only."""
    context = value_context(dates("2024-03-05", "24-04-06", "06.04.24"), NOTHING, "")
    assert context.year_first == "-"
    assert parse_value("date", "24-04-06", context).readings == ("2006-04-24", "2024-04-06")
    assert parse_value("date", "24.04.06", context).value == "2006-04-24"


@pytest.mark.parametrize("page", ["領収書 合計 1,000", "영수증 총액 1,000", "Számla kelte fizetendő"])
def test_countries_of_years_first(page: str) -> None:
    """Text of a country that may put the year first opens that reading for two-digit years."""
    assert value_context([], NOTHING, page).year_first == "./-"


def test_page_language_needs_three_words_and_no_rival() -> None:
    """One or two words of a language say nothing; words that neighbours share neither."""
    assert page_language("Faktura kwota razem zapłaty") == "pl"
    assert page_language("Faktura kwota") is None
    assert page_language("faktura dato kunde") is None  # Danish or Norwegian
    assert page_language("Invoice date total amount due client data per item") is None


def test_page_language_tells_months_apart() -> None:
    """Listopad is November on a Polish page, October on a Croatian one, unknown on any other."""
    polish = value_context([], NOTHING, "Faktura kwota sprzedawca nabywca")
    croatian = value_context([], NOTHING, "račun iznos kupac ukupno")
    assert parse_value("date", "5 listopada 2024", polish).value == "2024-11-05"
    assert parse_value("date", "5. listopada 2024", croatian).value == "2024-10-05"
    assert parse_value("date", "5 listopada 2024", ValueContext()).value is None


def test_english_alone_has_no_order() -> None:
    """A long English page without a country decides nothing."""
    page = "Invoice to the customer for services rendered, payable within 30 days. Total due: 119.00. Thank you. " * 50
    assert page_order(page, ()) is None
    assert page_order(page, ("en",)) is None


def test_only_the_start_of_a_long_text_counts() -> None:
    """Hundreds of pages do not slow the context down; what stands on the first thirty says enough."""
    assert value_context([], NOTHING, "x " * 100_000 + "25/12/2018").dates is None


def test_a_stain_is_no_east_asian_page() -> None:
    """One or two signs that OCR saw in a stain do not make short years stand first."""
    assert value_context([], NOTHING, "Summe 12,50 日 一").year_first == ""


def test_template_languages_open_short_years_only_together() -> None:
    """A template for many countries does not make every short date ambiguous because Hungary is one of them."""
    assert value_context([], Locale(languages=("de", "en", "hu", "sv")), "").year_first == ""
    assert value_context([], Locale(languages=("hu", "sv")), "").year_first == "./-"


@pytest.mark.parametrize("page", ["ใบเสร็จรับเงิน", "วันที่ 5", "令和6年3月5日", "民國113年", "Date 05/03/2567"])
def test_pages_of_other_eras_have_no_short_years(page: str) -> None:
    """Where years are counted from another beginning, `05/03/67` is not 1967; a whole year of ours is still read."""
    context = value_context([], Locale(dates="dmy"), page)
    refused = parse_value("date", "05/03/24", context)
    assert (refused.value, refused.flags) == (None, ("unparsable", "unsupported_era"))
    assert parse_value("date", "05/03/2024", context).value == "2024-03-05"
    assert parse_value("date", "20240305", context).value == "2024-03-05"


def test_years_that_are_numbers_are_no_other_era() -> None:
    """An article number or a postal code does not make a page Buddhist."""
    assert not value_context([], NOTHING, "Art. 2567, 2550 Biel, Tel. 25/30/2512x").other_eras
