"""Records -> tables: what every format keeps, and of which type a column is."""

from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from bills import TEMPLATE as BILL
from bills import build
from exports import Export, lines, read, record

from pipkie_cli.errors import InputError, PipkieError, UsageError
from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.records import failed_record
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


# ----------------------------------------------------------------------------------------------------- types of columns


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


# -------------------------------------------------------------------------------------------------------------- formats


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
