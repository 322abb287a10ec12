"""Tables in a record: a list of rows, each cell with value and field, each doubt under the cell's own name."""

from copy import deepcopy
from typing import Any

import jsonschema
import pytest
from bills import TABLE, absent, build_table, found

from pipkie_cli.nouns import Value
from pipkie_cli.records import RECORD_SCHEMA, check_record
from pipkie_cli.templates import values_schema

NAILS = (found("description", "Nails"), found("amount", "4,50"))
BOLTS = (found("description", "Bolts"), absent("amount", 0.8))
VALUES = {
    "line_items[0].description": Value("Nails"),
    "line_items[0].amount": Value(4.5),
    "line_items[1].description": Value("Bolts"),
}


def problems(record: dict[str, Any]) -> list[tuple[str, list[str], str]]:
    return [(one["code"], one["keys"], one["message"]) for one in record["problems"]]


def test_rows_stand_in_values_and_fields_with_every_column() -> None:
    """The same rows in the same order; a cell that is ABSENT is null with its confidence and no doubt."""
    record = build_table(NAILS, BOLTS, values=VALUES)
    assert record["status"] == "ok"
    assert list(record["values"]) == ["number", "day", "total", "line_items"]
    assert record["values"]["line_items"] == [
        {"description": "Nails", "amount": 4.5},
        {"description": "Bolts", "amount": None},
    ]
    rows = record["fields"]["line_items"]
    assert rows[0]["amount"] == {
        "raw": "4,50", "confidence": 0.9712, "page": 1, "boxes": [[0.12346, 0.2, 0.3, 0.4]], "source": "text",
        "flags": [],
    }  # fmt: skip
    assert rows[1]["amount"] == {
        "raw": None, "confidence": 0.8, "page": None, "boxes": [], "source": None, "flags": [],
    }  # fmt: skip
    jsonschema.validate(record, RECORD_SCHEMA)
    jsonschema.validate(record["values"], values_schema(TABLE))


def test_columns_stand_in_the_templates_order_whatever_the_answers_order() -> None:
    """As keys do."""
    record = build_table(NAILS[::-1], values=VALUES)
    assert list(record["values"]["line_items"][0]) == ["description", "amount"]
    assert list(record["fields"]["line_items"][0]) == ["description", "amount"]


def test_a_table_that_is_not_there_is_an_empty_list() -> None:
    """Not null; it is a doubt only if the template requires it."""
    record = build_table()
    assert (record["values"]["line_items"], record["fields"]["line_items"], record["status"]) == ([], [], "ok")
    record = build_table(required=True)
    assert record["status"] == "review"
    assert problems(record) == [
        ("required_missing", ["line_items"], "line_items: required, but not found in the document")
    ]


def test_a_cell_is_doubted_under_its_own_name() -> None:
    """Low confidence, missing or not of its type: flagged at the cell, told with table, row and column."""
    rows = (
        NAILS,
        (absent("description"), found("amount", "x", 0.4)),
        (found("description", "y"), absent("amount", 0.3)),
    )
    record = build_table(*rows, values=VALUES | {"line_items[1].amount": Value(None, ("unparsable",))})
    assert record["status"] == "review"
    assert [(code, keys) for code, keys, _ in problems(record)] == [
        ("required_missing", ["line_items[1].description"]),
        ("unparsable", ["line_items[1].amount"]),
        ("low_confidence", ["line_items[1].amount"]),
        ("unparsable", ["line_items[2].description"]),
        ("low_confidence", ["line_items[2].amount"]),
    ]
    assert problems(record)[0][2] == "line_items[1].description: required, but not found in its row"
    assert problems(record)[1][2] == "line_items[1].amount: the printed text is no amount; the value is null"
    flags = [[field["flags"] for field in row.values()] for row in record["fields"]["line_items"]]
    assert flags == [
        [[], []],
        [["required_missing"], ["unparsable", "low_confidence"]],
        [["unparsable"], ["low_confidence"]],
    ]


def test_the_floor_holds_for_cells() -> None:
    """A floor above the confidence of a cell makes the record `review`."""
    assert build_table(NAILS, values=VALUES, confidence_floor=0.97)["status"] == "ok"
    assert build_table(NAILS, values=VALUES, confidence_floor=0.98)["status"] == "review"


def test_a_typed_cell_that_breaks_its_schema_is_a_problem_at_the_cell() -> None:
    """As with keys: the value stays to be seen."""
    record = build_table(NAILS, values=VALUES | {"line_items[0].amount": Value("secret")})
    ((code, keys, message),) = problems(record)
    assert (code, keys) == ("schema_invalid", ["line_items[0].amount"])
    assert message.startswith("values.line_items.0.amount: ")
    assert "secret" not in message


def _drop_row(record: dict[str, Any]) -> None:
    del record["fields"]["line_items"][1]


def _swap_columns(record: dict[str, Any]) -> None:
    row = record["fields"]["line_items"][1]
    record["fields"]["line_items"][1] = {"amount": row["amount"], "description": row["description"]}


def _rows_at_a_key(record: dict[str, Any]) -> None:
    record["fields"]["day"] = []


def _field_at_a_table(record: dict[str, Any]) -> None:
    record["fields"]["line_items"] = record["fields"]["day"]


def _bad_field(record: dict[str, Any]) -> None:
    record["fields"]["line_items"][1]["amount"]["page"] = 0


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_drop_row, "record.fields.line_items: has other rows than record.values.line_items"),
        (_swap_columns, "record.fields.line_items.1: columns are not those of the template"),
        (_rows_at_a_key, "record.fields.day: has rows, but is no table"),
        (_field_at_a_table, "record.fields.line_items: has other rows than record.values.line_items"),
        (_bad_field, "record.fields.line_items.1.amount.page: "),
    ],
)
def test_a_record_with_broken_rows_is_told(spoil: Any, said: str) -> None:
    """Values and fields never drift apart unseen."""
    record = deepcopy(build_table(NAILS, BOLTS, values=VALUES))
    spoil(record)
    assert any(fault.startswith(said) for fault in check_record(record, TABLE))
