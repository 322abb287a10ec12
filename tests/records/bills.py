"""A right document and its record, for the tests of this room to break in one place each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipkie_cli.nouns import (
    Answer,
    Box,
    DocumentId,
    Key,
    Locale,
    Place,
    Problem,
    RunOptions,
    TableAnswer,
    Template,
    TypeChoice,
    Value,
)
from pipkie_cli.records import build_record, check_record

TEMPLATE = Template(
    name="bill",
    title="Bill",
    keys=(
        Key("number", "text", "number", required=True),
        Key("day", "date", "day"),
        Key("total", "amount", "total", required=True),
    ),
    locale=Locale(),
    detect_words=(),
    detect_not=(),
    digest="0123456789ab",
    origin="bill.yaml",
)
DOCUMENT = DocumentId("in/a.pdf", "0" * 64, 2)
BOX = Box(0.1234567, 0.2, 0.3, 0.4)


def found(key: str, text: str, confidence: float = 0.97123456, **more: Any) -> Answer:
    return Answer(key, text, confidence, Place(1, (BOX,)), "text", **more)


def absent(key: str, confidence: float = 0.9) -> Answer:
    return Answer(key, None, confidence, None, None)


ANSWERS = {"number": found("number", "R-17"), "day": found("day", "5.3.24"), "total": found("total", "119,00 €")}
VALUES = {"number": Value("R-17"), "day": Value("2024-03-05"), "total": Value(119.0)}


def build(
    answers: Mapping[str, Answer] = {},
    values: Mapping[str, Value] = {},
    problems: tuple[Problem, ...] = (),
    score: float = 0.987654,
    **options: Any,
) -> dict[str, Any]:
    """The record of a right document with these answers and values changed; it is checked as every record is."""
    record = build_record(
        DOCUMENT,
        [1, 2],
        TypeChoice(TEMPLATE, score, {"bill": score}),
        TEMPLATE,
        list((ANSWERS | dict(answers)).values()),
        VALUES | dict(values),
        problems,
        "mini@1.0+ab12",
        RunOptions((TEMPLATE,), **options),
    )
    assert check_record(record, TEMPLATE) == []
    return record


COLUMNS = (Key("description", "text", "description", required=True), Key("amount", "amount", "amount"))
TABLE = replace(TEMPLATE, keys=(*TEMPLATE.keys, Key("line_items", "table", "line items", columns=COLUMNS)))
Row = tuple[Answer, Answer]


def build_table(*rows: Row, values: Mapping[str, Value] = {}, required: bool = False, **options: Any) -> dict[str, Any]:
    """The record of a right document with these rows of a table."""
    keys = tuple(replace(key, required=key.required or required) for key in TABLE.keys)
    template = replace(TABLE, keys=keys)
    record = build_record(
        DOCUMENT,
        [1, 2],
        TypeChoice(template, 0.99),
        template,
        list(ANSWERS.values()),
        VALUES | dict(values),
        (),
        "mini@1.0+ab12",
        RunOptions((template,), **options),
        [TableAnswer("line_items", rows)],
    )
    told = [problem["message"] for problem in record["problems"] if problem["code"] == "schema_invalid"]
    assert check_record(record, template) == told
    return record
