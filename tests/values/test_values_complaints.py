"""What users of other tools complained about, as this room must do it (dates, signs, marks, environment)."""

import csv
import os
import re
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path

import pytest

from pipkie_cli.nouns import Choice, Locale
from pipkie_cli.values import TYPES, ValueContext, parse_value, value_context

NO_HINTS = Locale()
GERMAN = Locale(languages=("de",))


def read(type_name: str, raw: str, *others: str, locale: Locale = NO_HINTS, page: str = "") -> object:
    raws = [(type_name, text) for text in (raw, *others)]
    return parse_value(type_name, raw, value_context(raws, locale, page)).value


def test_iso_dates_are_never_year_day_month() -> None:
    """C01: a German template and an ISO date; a day-first date on the same template means the same day."""
    assert read("date", "2025-03-04", locale=GERMAN, page="Datum: 2025-03-04") == "2025-03-04"
    assert read("date", "04.03.2025", locale=GERMAN, page="Datum: 04.03.2025") == "2025-03-04"


def test_short_years_stand_last_and_neighbours_stay_out() -> None:
    """C02: dd.mm.yy is no yy.mm.dd, and a longer pattern does not eat the numbers beside a date."""
    assert read("date", "18.11.17", page="Rechnungsdatum 18.11.17") == "2017-11-18"
    assert read("date", "7 02.10.2020 15", locale=GERMAN) == "2020-10-02"


def test_one_supplier_prints_both_marks() -> None:
    """C04: one template, two documents with different marks, and a third that does not say which."""
    assert read("amount", "1.234,56", locale=GERMAN) == 1234.56
    assert read("amount", "1,234.56", locale=GERMAN) == 1234.56
    lone = parse_value("amount", "1.234 EUR", value_context([("amount", "1.234 EUR")], GERMAN, ""))
    assert lone.value is None
    assert lone.flags == ("ambiguous_number",)
    assert lone.readings == ("1.234", "1234")
    assert read("amount", "1.234 EUR", "19,90 EUR", locale=GERMAN) == 1234.0
    assert read("amount", "1.234 EUR", "19.90 EUR", locale=GERMAN) == 1.234


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u2009"])
@pytest.mark.parametrize("apostrophe", ["'", "\u2019"])
def test_spaces_and_apostrophes_group(space: str, apostrophe: str) -> None:
    """C06: thousands by any space and any apostrophe."""
    assert read("amount", f"1{space}234,50") == 1234.5
    assert read("amount", f"1{apostrophe}234.50") == 1234.5


@pytest.mark.parametrize("raw", ["108.43 cr", "(108.43)", "108.43-", "-108.43", "\u2212108.43"])
def test_credits_are_negative(raw: str) -> None:
    """C07: every printed form of a credit is a negative amount."""
    assert read("amount", raw) == -108.43


@pytest.mark.parametrize("raw", ["100,00", "100.00", "100", "100,- €", "EUR 100.00", "1OO,00"])
def test_one_canonical_form(raw: str) -> None:
    """C08: whatever form is printed, the value is the same number, and prints as a plain decimal."""
    value = read("amount", raw)
    assert value == 100.0
    assert re.fullmatch(r"-?\d+(\.\d+)?", repr(value))


PROGRAM = """
import decimal, locale, sys, time
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass  # not installed here: the variables themselves are still set
if hasattr(time, "tzset"):
    time.tzset()
decimal.getcontext().prec = int(sys.argv[1])
from pipkie_cli.nouns import Choice, Locale
from pipkie_cli.values import TYPES, ValueContext, parse_value, value_context
raws = [("amount", "27,80"), ("amount", "1.234"), ("amount", "12,34,567.89"), ("number", "1'234.5"),
        ("date", "2024-03-05T23:59:59-11:00"), ("date", "5. M\\u00e4rz 2024"), ("date", "01/02/49"), ("currency", "$"),
        ("amount", "123456789012.345"), ("time", "2:30 pm"), ("datetime", "5. M\\u00e4rz 2024 14:30"),
        ("percent", "19 %"), ("integer", "1.234"), ("phone", "+49 30 123456"), ("country", "T\\u00fcrkiye"),
        ("boolean", "JA"), ("iban", "DE89 3704 0044 0532 0130 00"), ("tax_id", "DE 136 695 976"),
        ("email", "INFO@EXAMPLE.ORG")]
context = value_context(raws, Locale(), "Rechnung 05.03.2024")
print(ascii(context))
for type_name, raw in raws:
    print(ascii(parse_value(type_name, raw, context)))
"""


def test_the_process_changes_nothing() -> None:
    """C05: locale, time zone, hash seed and decimal precision of the process leave every value as it is."""
    outputs = set()
    for lang, zone, seed, precision in (
        ("C", "UTC", "0", "28"),
        ("en_US.UTF-8", "America/Los_Angeles", "1", "5"),
        ("de_DE.UTF-8", "Pacific/Kiritimati", "2", "3"),
        ("tr_TR.UTF-8", "Asia/Tokyo", "3", "50"),
    ):
        env = {**os.environ, "LC_ALL": lang, "LANG": lang, "TZ": zone, "PYTHONHASHSEED": seed, "LANGUAGE": lang[:2]}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, precision], env=env, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert "27.8" in outputs.pop()


def test_importing_reads_no_names() -> None:
    """The room's import loads no CLDR data: help and templates stay quick."""
    program = "import sys, pipkie_cli.values; sys.exit('babel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def mixed_fields() -> list[tuple[str, str]]:
    """Every case of every grid: what is read and what is refused."""
    cases = Path(__file__).parent / "cases"
    return [
        (path.stem, row["raw"])
        for path in sorted(cases.glob("*.csv"))
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    ]


def test_ten_thousand_fields_are_typed_in_seconds() -> None:
    """Of all types alike, names of months and countries loaded: about a second of CPU; four are allowed here."""
    fields = mixed_fields()
    context = ValueContext(dates="dmy", decimal=",")
    for type_name, raw in fields:
        parse_value(type_name, raw, context)
    begin = time.process_time()
    for type_name, raw in islice(cycle(fields), 10_000):
        parse_value(type_name, raw, context)
    assert time.process_time() - begin < 4


HOSTILE = (
    "a", "1 ", "1,", "(", "a.", "a@", "DE1", "1:1", "+49 1", "[x] ", "5%", "www.", "AAAA DE ", "1/", "1 Jan ", "0O",
    "年1", "cr",
)  # fmt: skip


@pytest.mark.parametrize("type_name", TYPES)
def test_hostile_text_costs_little(type_name: str) -> None:
    """No pattern of any type runs away on a long text of repeated pieces: 200 to 5,000 signs."""
    parse_value(type_name, "5 March 2024 Germany", ValueContext())  # loads names
    for piece in HOSTILE:
        for size in (200, 400, 1000, 5000):
            begin = time.process_time()
            parse_value(type_name, (piece * size)[:size], ValueContext(), (Choice("a"), Choice("b", ("c d",))))
            assert time.process_time() - begin < 0.5, (piece, size)
