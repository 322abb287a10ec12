"""Records -> tables: what every format keeps, and what each one does with it."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from bills import TEMPLATE as BILL
from bills import build
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from pipkie_cli.batch import WholeFiles
from pipkie_cli.errors import InputError, OutputError, PipkieError, UsageError
from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.records import Exported, Where, export_records, failed_record
from pipkie_cli.records.formats.csv import defused
from pipkie_cli.records.formats.registry import FORMATS, load_format
from pipkie_cli.records.kinds import KINDS
from pipkie_cli.values.registry import TYPES

TYPED = {  # a key of every type, as records have its values, and what a table must give back
    "text": ("00042", "00042"),
    "date": ("2024-03-05", date(2024, 3, 5)),
    "time": ("09:30", time(9, 30)),
    "datetime": ("2024-03-05T09:30:15", datetime(2024, 3, 5, 9, 30, 15)),
    "amount": (-1234.5, Decimal("-1234.5")),
    "number": (0.125, Decimal("0.125")),
    "integer": (17, 17),
    "percent": (19.0, Decimal(19)),
    "currency": ("EUR", "EUR"),
    "email": ("a@b.example", "a@b.example"),
    "phone": ("+49301234", "+49301234"),
    "url": ("https://b.example", "https://b.example"),
    "iban": ("DE21720500000000123456", "DE21720500000000123456"),
    "bic": ("BELADEBE", "BELADEBE"),
    "tax_id": ("123456789012345678", "123456789012345678"),
    "country": ("DE", "DE"),
    "choice": ("1E5", "1E5"),
    "boolean": (True, True),
    "barcode": ("4006381333931", "4006381333931"),
}
KEYS = tuple(Key(f"a_{name}", name, name) for name in TYPED)
EVERYTHING = Template(
    "everything", "Everything", (*KEYS, Key("rows", "table", "", columns=KEYS)), Locale(), (), (), "e" * 12, ""
)


def record(values: Mapping[str, Any], template: str = "thing@" + "a" * 12, **more: Any) -> dict[str, Any]:
    """A record with these values, whatever its fields."""
    made = build() | {"document_type": template.partition("@")[0], "template": template, "values": dict(values)}
    return made | {"fields": {}} | more


def lines(*records: Mapping[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


Export = Callable[..., Exported]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    """Write records as `out.FORMAT` in the temporary folder."""

    def run(to: str, data: bytes, templates: tuple[Template, ...] = (), **options: Any) -> Exported:
        with WholeFiles() as files:

            def open_file(table: str | None) -> Any:
                return files.open(tmp_path / (f"out.{table}.{to}" if table else f"out.{to}"))

            return export_records(io.BytesIO(data), "r.jsonl", to, open_file, templates, **options)

    return run


def read_csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(file, strict=True)]


def read_xlsx(path: Path, sheet: str) -> list[dict[str, Any]]:
    head, *rows = openpyxl.load_workbook(path)[sheet].iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def read(folder: Path, to: str, template: str, table: str | None = None) -> list[dict[str, Any]]:
    """The rows of a sheet, as an independent reader has them."""
    if to == "xlsx":
        return read_xlsx(folder / "out.xlsx", f"{template} {table}" if table else template)
    path = folder / (f"out.{table}.{to}" if table else f"out.{to}")
    return parquet.read_table(path).to_pylist() if to == "parquet" else read_csv(path)


def test_every_type_is_tried() -> None:
    """A new type comes with its value here; kinds name no type that is none."""
    assert TYPED.keys() == TYPES.keys()
    assert KINDS.keys() < TYPES.keys()


@pytest.mark.parametrize("to", FORMATS)
def test_every_type_arrives(to: str, export: Export, tmp_path: Path) -> None:
    """In the record's row and in a table's: identifiers as text, decimals exactly, dates as dates; null is nothing."""
    values = {key.name: TYPED[key.type][0] for key in KEYS}
    nothing = dict.fromkeys(values)
    data = lines(
        record(values | {"rows": [values, nothing]}, EVERYTHING.label), record(nothing | {"rows": []}, EVERYTHING.label)
    )
    told = export(to, data, (EVERYTHING,))
    assert (told.n_records, told.n_rows, told.unknown_templates) == (2, 2, {})
    for table, n_own in ((None, 5), ("rows", 3)):
        full, empty = read(tmp_path, to, "everything", table)
        assert len(full) == n_own + len(KEYS)
        assert {value for name, value in empty.items() if name.startswith("a_")} == {None}
        for name, (_, wanted) in TYPED.items():
            got = full[f"a_{name}"]
            if to == "csv":
                text = {"datetime": "2024-03-05T09:30:15", "time": "09:30:00", "boolean": "true"}
                assert got == text.get(name, str(wanted))
            elif to == "xlsx":
                shown = datetime(2024, 3, 5) if name == "date" else wanted  # Excel knows days with a time only
                assert got == (float(wanted) if isinstance(wanted, Decimal) else shown)
                assert isinstance(got, str) == isinstance(wanted, str)
            else:
                assert (type(got), got) == (type(wanted), wanted)


@pytest.mark.parametrize("to", FORMATS)
def test_a_row_says_what_record_it_is_of(to: str, export: Export, tmp_path: Path) -> None:
    """Path, part, type, status and the codes of problems; rows of tables are counted from 1."""
    part = record({"n": "1", "rows": [{"x": "a"}, {"x": "b"}]})
    part["document"] = part["document"] | {"part": 2}
    codes = [{"code": code, "message": "m", "keys": []} for code in ("rule_broken", "low_confidence", "rule_broken")]
    export(to, lines(part | {"status": "review", "problems": codes}))
    (row,) = read(tmp_path, to, "thing")
    two = "2" if to == "csv" else 2
    assert row == {
        "document": "in/a.pdf",
        "part": two,
        "document_type": "thing",
        "status": "review",
        "problems": "rule_broken, low_confidence",
        "n": "1",
    }
    rows = read(tmp_path, to, "thing", "rows")
    assert [(row["document"], row["part"], str(row["row"]), row["x"]) for row in rows] == [
        ("in/a.pdf", two, "1", "a"),
        ("in/a.pdf", two, "2", "b"),
    ]


@pytest.mark.parametrize("to", FORMATS)
def test_no_record_is_lost(to: str, export: Export, tmp_path: Path) -> None:
    """Also of a document that failed or that no template fits; xlsx has a sheet for them, after the others."""
    failed = failed_record("in/broken.pdf", PipkieError("torn"))
    told = export(to, lines(failed, record({"n": "1"}), record({"m": 5, "n": "2"}, "other@" + "b" * 12)))
    assert told.n_records == 3
    if to == "xlsx":
        book = openpyxl.load_workbook(tmp_path / "out.xlsx")
        assert book.sheetnames == ["other", "thing", "no template"]
        assert [sheet.max_row for sheet in book] == [2, 2, 2]
    else:
        rows = read(tmp_path, to, "")
        assert [row["document"] for row in rows] == ["in/broken.pdf", "in/a.pdf", "in/a.pdf"]
        assert [row["n"] for row in rows] == [None, "1", "2"]


@pytest.mark.parametrize("to", FORMATS)
def test_nothing_to_write_gives_a_table_without_rows(to: str, export: Export, tmp_path: Path) -> None:
    """An empty file of records is not an error."""
    assert export(to, b"").n_records == 0
    assert read(tmp_path, to, "no template") == []


@pytest.mark.parametrize("to", FORMATS)
def test_the_same_records_give_the_same_bytes(to: str, export: Export, tmp_path: Path) -> None:
    """No date of writing, no random name."""
    data = lines(record({"n": "1", "rows": [{"x": 1.5}]}))
    written = []
    for _ in range(2):
        export(to, data)
        written.append({path.name: path.read_bytes() for path in tmp_path.iterdir()})
    assert written[0] == written[1]


# --------------------------------------------------------------------------------------------------- types of columns


def test_without_the_template_text_stays_text(export: Export, tmp_path: Path) -> None:
    """Nothing is guessed from what a text looks like; numbers and booleans show themselves. It is said."""
    told = export("parquet", lines(record({"day": "2024-03-05", "n": 5, "sure": True})))
    assert read(tmp_path, "parquet", "")[0]["day"] == "2024-03-05"
    assert read(tmp_path, "parquet", "")[0]["n"] == Decimal(5)
    assert read(tmp_path, "parquet", "")[0]["sure"] is True
    assert ["is not known here" in note for note in told.notes()] == [True]


def test_a_template_that_changed_serves_where_values_fit(export: Export, tmp_path: Path) -> None:
    """A key that had another type then goes by its values, also those that came before the first misfit."""
    keys = (Key("day", "date", "day"), Key("code", "integer", "code"))
    now = Template("thing", "Thing", keys, Locale(), (), (), "f" * 12, "")
    told = export(
        "parquet", lines(record({"day": "2024-03-05", "code": 7}), record({"day": None, "code": "X7"})), (now,)
    )
    assert [(row["day"], row["code"]) for row in read(tmp_path, "parquet", "")] == [
        (date(2024, 3, 5), "7"),
        (None, "X7"),
    ]
    assert ["as it is now" in note for note in told.notes()] == [True]


def test_a_value_that_its_own_template_forbids_is_an_error(export: Export, tmp_path: Path) -> None:
    """With line and key, without the value, and nothing is written: no column of numbers becomes text unasked."""
    wrong = build() | {"values": {"number": "R-17", "day": "2024-03-05", "total": "secret"}}
    with pytest.raises(InputError, match=r"r\.jsonl, line 2: values\.total: no amount") as caught:
        export("csv", lines(build(), wrong), (BILL,))
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_keys_of_the_same_name_share_a_column(export: Export, tmp_path: Path) -> None:
    """In csv and parquet: numbers stay numbers, unlike kinds become text."""
    first = record({"n": 1.5, "m": "x"})
    export("parquet", lines(first, record({"n": 2, "m": 3.0}, "other@" + "b" * 12)))
    rows = read(tmp_path, "parquet", "")
    assert [(row["n"], row["m"]) for row in rows] == [(Decimal("1.5"), "x"), (Decimal(2), "3")]


def test_keys_called_like_pipkies_own_columns_stay_apart(export: Export, tmp_path: Path) -> None:
    """They are told by their place in the record."""
    export("csv", lines(record({"status": "paid", "rows": [{"row": "A"}]})))
    row = read(tmp_path, "csv", "")[0]
    assert (row["status"], row["values.status"]) == ("ok", "paid")
    assert read(tmp_path, "csv", "", "rows")[0]["values.row"] == "A"


def test_confidences_stand_behind_their_values(export: Export, tmp_path: Path) -> None:
    """On request, as numbers."""
    export("csv", lines(build()), (BILL,), confidences=True)
    (row,) = read(tmp_path, "csv", "")
    assert list(row)[5:] == ["number", "number.confidence", "day", "day.confidence", "total", "total.confidence"]
    assert row["total.confidence"] == "0.9712"


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


# ------------------------------------------------------------------------------------------------------------ formulas

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


# ------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"schema": "pipkie/1", "secret', "no whole JSON object"),
        (b"[]", "no record of pipkie"),
        (b'{"a": 1e999}', "no whole JSON object"),
        (lines(build() | {"values": {"../../secret": 1}}), "a name that no key"),
        (lines(build() | {"values": {"n": {"a": 1}}}), "neither a value nor rows"),
        (lines(build() | {"values": {"n": [1]}}), "neither a value nor rows"),
        (lines(build() | {"values": {"n": [{"a": []}]}}), "neither a value nor rows"),
        (lines(build() | {"status": "fine"}), "record.problems"),
    ],
)
def test_a_line_that_is_no_record(line: bytes, message: str, export: Export, tmp_path: Path) -> None:
    """An error with its number, which quotes nothing of it, and nothing is written. Empty lines do not count."""
    with pytest.raises(InputError, match=f"r.jsonl, line 3: .*{message}") as caught:
        export("csv", lines(build()) + b"\n" + line)
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_lines_is_not_read_whole(export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    """A video, say, named by mistake."""
    monkeypatch.setattr("pipkie_cli.records.read.MAX_LINE_BYTES", 1000)
    with pytest.raises(InputError, match="line 1: longer than any record"):
        export("csv", b"x" * 1001)


def test_a_file_that_changes_between_the_walks(tmp_path: Path) -> None:
    """Is noticed at the line that is another."""
    file = io.BytesIO(lines(build()))

    def open_file(table: str | None) -> Any:
        file.getbuffer()[40] ^= 1
        return io.BytesIO()

    with pytest.raises(InputError, match="line 1: changed while it was read"):
        export_records(file, "r.jsonl", "csv", open_file)


def test_too_many_columns_are_refused(export: Export) -> None:
    """Lines that someone made up must not eat the memory."""
    with pytest.raises(InputError, match=r"line 21: .*more keys than records have"):
        export("csv", lines(*(record({f"k{n}_{m}": 1 for m in range(500)}) for n in range(21))))
    with pytest.raises(InputError, match="more keys than records have"):
        export("csv", lines(*(record({f"t{n}": [{"x": 1}]}) for n in range(102))))


# --------------------------------------------------------------------------------------------------------------- where


@pytest.mark.parametrize(
    ("conditions", "wanted"),
    [
        (["status=review"], "b"),
        (["status=review", "status=failed"], "bc"),
        (["status=review", "currency=USD"], ""),
        (["document_type=thing"], "ab"),
        (["document_type="], "c"),
        (["problems=rule_broken"], "b"),
        (["problems="], "a"),
        (["total=12.5"], "a"),
        (["currency="], "bc"),
        (["values.currency=EUR", "document=a"], "a"),
    ],
)
def test_where(conditions: list[str], wanted: str, export: Export, tmp_path: Path) -> None:
    """Any value of one name, all names; an empty value means none."""

    def named(name: str, made: dict[str, Any]) -> dict[str, Any]:
        return made | {"document": made["document"] | {"path": name}}

    doubt = [{"code": "rule_broken", "message": "m", "keys": []}]
    data = lines(
        named("a", record({"currency": "EUR", "total": 12.5})),
        named("b", record({"currency": None, "total": None}, status="review", problems=doubt)),
        named("c", failed_record("c", PipkieError("torn"))),
    )
    told = export("csv", data, where=Where(conditions))
    assert "".join(row["document"] for row in read(tmp_path, "csv", "")) == wanted
    assert (told.n_records, told.n_left_out) == (len(wanted), 3 - len(wanted))


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("status", "no condition"),
        ("=x", "no condition"),
        ("status=reviw", "no record has the status"),
        ("totl=1", '"total"'),
    ],
)
def test_conditions_that_are_none(condition: str, message: str, export: Export) -> None:
    """A slip of the pen is not an empty table."""
    with pytest.raises(UsageError, match=message):
        export("csv", lines(record({"total": 1})), where=Where([condition]))


# ------------------------------------------------------------------------------------------------------------- formats


@pytest.mark.parametrize("to", FORMATS)
def test_formats_load(to: str) -> None:
    """Every line of the registry names a module that keeps the contract."""
    output = load_format(to)
    assert isinstance(output.BY_TEMPLATE, bool)
    assert callable(output.open_writer)


def test_a_missing_library_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for every extra."""
    monkeypatch.setattr("pipkie_cli.records.formats.registry.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="parquet needs pyarrow") as caught:
        load_format("parquet")
    assert caught.value.hint == 'pip install "pipkie[parquet]"'
    with pytest.raises(UsageError, match="use csv, xlsx, parquet"):
        load_format("xls")
