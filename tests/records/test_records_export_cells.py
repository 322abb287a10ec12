"""What a table's cell can hold: exact numbers, texts that are no formulas, the limits of a format."""

import csv
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from bills import TEMPLATE as BILL
from bills import build
from exports import Export, lines, read, record
from hypothesis import given
from hypothesis import strategies as st

from pipkie_cli.errors import OutputError
from pipkie_cli.records.formats.csv import defused

# ------------------------------------------------------------------------------------------------------------- numbers


@given(st.floats(-1e15, 1e15).map(lambda number: float(f"{number:.15g}")))
def test_decimals_are_exact(number: float) -> None:
    """What csv writes means the very number of the record's JSON, without an exponent."""
    from pipkie_cli.records.kinds import plain

    assert Decimal(plain(number)) == Decimal(repr(number))
    assert set(plain(number)) <= set("-.0123456789")


@pytest.mark.parametrize("number", [1e-12, 123456.123456789012, 1e22, 1e22 + 1e-3, -1e-30, 1e40])
def test_parquet_widens_a_column_for_long_numbers(number: float, export: Export, tmp_path: Path) -> None:
    """No digit is rounded away, and a short number beside it still fits."""
    export("parquet", lines(record({"n": number}), record({"n": 12345678.0})))
    assert [row["n"] for row in read(tmp_path, "parquet", "")] == [Decimal(repr(number)), Decimal(12345678)]


def test_parquet_refuses_what_no_decimal_holds(export: Export, tmp_path: Path) -> None:
    """An error, and no file."""
    with pytest.raises(OutputError, match="n: numbers of"):
        export("parquet", lines(record({"n": 1e300})))
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------------------------------------- formulas

RUN = [
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "\t=1",
    "＝1+1",
    " =1",
    "-A1",
    "+1E5*A1",
]
STAY = [
    "-12.50",
    "-1,234.50",
    "+49301234",
    "+49 30/1234-56",
    "+49301234 ext 12",
    "-5",
    "a=b",
    "5-3",
    "R-17",
    "a@b.example",
]


@pytest.mark.parametrize("text", RUN)
def test_formulas_are_defused(text: str, export: Export, tmp_path: Path) -> None:
    """csv: an apostrophe before it. xlsx: a text cell that holds it unchanged."""
    assert defused(text) == "'" + text
    export("csv", lines(record({"n": text})))
    assert read(tmp_path, "csv", "")[0]["n"] == "'" + text
    export("xlsx", lines(record({"n": text})))
    (cell,) = openpyxl.load_workbook(tmp_path / "out.xlsx")["thing"]["F2:F2"][0]
    assert (cell.data_type, cell.number_format) == ("s", "@")


@pytest.mark.parametrize("text", STAY)
def test_what_is_no_formula_stays(text: str) -> None:
    """Negative numbers, phone numbers and signs within."""
    assert defused(text) == text


def test_formulas_behind_a_semicolon_or_line_end_are_defused() -> None:
    """A spreadsheet that separates by semicolons does not heed the quotes of our cells."""
    assert defused("a;=1+1") == "a;'=1+1"
    assert defused('a\r\n"=1') == "a\r\n'\"=1"
    assert defused("\r=1") == "'\r'=1"


def test_markup_of_the_xlsx_library_is_text(export: Export, tmp_path: Path) -> None:
    """xlsxwriter copies a text between <r> and </r> as it stands, and with it any cell and formula."""
    evil = '<r><t>x</t></r></is></c><c r="G2"><f>1+1</f></c><c><is><r></r>'
    export("xlsx", lines(record({"n": evil, "m": "m"})))
    (row,) = read(tmp_path, "xlsx", "thing")
    assert (row["n"].strip(), row["m"]) == (evil, "m")


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12))
def test_any_text_comes_back(text: str) -> None:
    """Out of csv, but for the apostrophe of a formula."""
    from pipkie_cli.records.formats.csv import _text

    (row,) = csv.reader([_text(text) + "\r\n"], strict=True)
    assert row == [defused(text.replace("\ufffe", "�").replace("\uffff", "�"))]


def test_signs_that_tables_cannot_hold(export: Export, tmp_path: Path) -> None:
    """Control characters become U+FFFD, a text that looks like an escape of Excel's stays itself."""
    export("xlsx", lines(record({"n": "a\x00b\x1b\uffff", "m": "_x0041_"})))
    (row,) = read(tmp_path, "xlsx", "thing")
    assert row["n"] == "a�b��"
    assert row["m"] == "_x005F_x0041_"  # openpyxl shows Excel's escape of an underscore


def test_excels_limits_are_errors(export: Export, tmp_path: Path) -> None:
    """No text is cut: the message says where it stands, and nothing is written."""
    with pytest.raises(OutputError, match='worksheet "thing", row 2'):
        export("xlsx", lines(record({"n": "x" * 32_768})))
    assert list(tmp_path.iterdir()) == []


def test_names_of_worksheets(export: Export, tmp_path: Path) -> None:
    """At most 31 letters, none twice, and not the one that Excel keeps for itself."""
    long = "a_template_with_a_name_that_is_very_long"
    labels = [f"{name}@{'a' * 12}" for name in (long, long + "_too", "history")]
    export("xlsx", lines(*(record({"n": "1"}, label) for label in labels)))
    names = openpyxl.load_workbook(tmp_path / "out.xlsx").sheetnames
    assert names == ["a_template_with_a_name_that~2", "a_template_with_a_name_that~3", "history~2"]


def test_dates_before_excels_calendar_are_text(export: Export, tmp_path: Path) -> None:
    """A birthday of 1899 stays what it is."""
    export("xlsx", lines(build() | {"values": {"number": "1", "day": "1899-12-31", "total": 1}}), (BILL,))
    assert read(tmp_path, "xlsx", "bill")[0]["day"] == "1899-12-31"
