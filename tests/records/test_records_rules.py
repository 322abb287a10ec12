"""What rules, patterns and choices say of a record's values stands in its problems; values always fit the schema."""

from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from bills import ANSWERS, DOCUMENT, TABLE, TEMPLATE, VALUES, absent, found

from pipkie_cli.nouns import Choice, Key, RunOptions, TableAnswer, Template, TypeChoice, Value
from pipkie_cli.records import build_record, check_record, is_invalid
from pipkie_cli.templates import values_schema

RULED = replace(TABLE, rules=("sum(line_items.amount) == total", "day >= 2000-01-01", "line_items.amount > 0"))


def record_of(template: Template, values: dict[str, Value], *rows: tuple[Any, Any]) -> dict[str, Any]:
    """The record of the right bill with these values, and rows of (description, amount)."""
    cells = [(found("description", str(text)), found("amount", str(amount))) for text, amount in rows]
    typed = {
        f"line_items[{row}].{column}": Value(value)
        for row, pair in enumerate(rows)
        for column, value in zip(("description", "amount"), pair, strict=True)
    }
    record = build_record(
        DOCUMENT,
        [1, 2],
        TypeChoice(template, 1.0),
        template,
        [answer if name in values or name in VALUES else absent(name) for name, answer in ANSWERS.items()],
        VALUES | typed | values,
        (),
        "mini@1.0+ab12",
        RunOptions((template,)),
        [TableAnswer("line_items", tuple(cells))] if template.keys[-1].columns else [],
    )
    assert check_record(record, template) == []
    jsonschema.Draft202012Validator(values_schema(template)).validate(record["values"])
    return record


def test_rules_that_hold_leave_no_trace() -> None:
    """An ok record."""
    record = record_of(RULED, {}, ("Nails", 100.0), ("Screws", 19.0))
    assert (record["status"], record["problems"]) == ("ok", [])
    assert not is_invalid(record)


def test_a_broken_rule_makes_the_record_review_and_changes_no_value() -> None:
    """The problem names the rule, the difference, and the keys that a person has to look at."""
    record = record_of(RULED, {}, ("Nails", 100.0), ("Screws", -1.0))
    assert record["status"] == "review"
    assert record["problems"] == [
        {
            "code": "rule_broken",
            "message": "the rule sum(line_items.amount) == total does not hold, by 20 (99 == 119)",
            "keys": ["line_items", "total"],
        },
        {
            "code": "rule_broken",
            "message": "the rule line_items.amount > 0 does not hold in row 2, by 1 (-1 > 0)",
            "keys": ["line_items[1].amount"],
        },
    ]
    assert record["values"]["total"] == 119.0
    assert is_invalid(record)


def test_a_rule_that_breaks_in_every_row_fills_no_record() -> None:
    """The first hundred rows are named, the others counted: a hostile invoice has ten thousand."""
    record = record_of(replace(RULED, rules=("line_items.amount > 0",)), {}, *[("Nails", -1.0)] * 250)
    assert len(record["problems"]) == 101
    assert record["problems"][-1]["message"] == "the rule line_items.amount > 0 does not hold in 150 more rows"
    assert is_invalid(record)


def test_a_rule_with_a_null_in_it_is_no_problem() -> None:
    """Neither a value that is absent nor one that could not be typed."""
    record = record_of(RULED, {"day": Value(None, flags=("unparsable",))})
    assert [problem["code"] for problem in record["problems"]] == ["unparsable"]
    assert not is_invalid(record)


def test_an_ok_record_with_a_broken_rule_breaks_its_contract() -> None:
    """Whoever checks a record finds it."""
    record = record_of(RULED, {}, ("Nails", 119.0))
    record["values"]["total"] = 118.0
    assert check_record(record, RULED) == [
        "record.status: is ok, but the rule sum(line_items.amount) == total does not hold, by 1 (119 == 118)"
    ]


@pytest.mark.parametrize(("text", "fits"), [("R-17", True), ("R-", False), ("xR-17", False), ("R-17\n", False)])
def test_a_pattern_holds_for_the_whole_value(text: str, fits: bool) -> None:
    """What does not match is null in values, keeps its raw and has a flag; the record is for review."""
    number, *others = TEMPLATE.keys
    template = replace(TEMPLATE, keys=(replace(number, pattern=r"R-\d+"), *others))
    record = record_of(template, {"number": Value(text)})
    field = record["fields"]["number"]
    assert field["raw"] == "R-17"
    if fits:
        assert (record["values"]["number"], field["flags"], record["status"]) == (text, [], "ok")
        return
    assert (record["values"]["number"], field["flags"], record["status"]) == (None, ["pattern_mismatch"], "review")
    assert record["problems"][0]["message"] == "number: the text does not match the key's pattern; the value is null"
    assert is_invalid(record)


def test_a_pattern_meets_a_lone_surrogate() -> None:
    """It is compared as the record has it, with U+FFFD in its place."""
    number, *others = TEMPLATE.keys
    template = replace(TEMPLATE, keys=(replace(number, pattern="R-.7"), *others))
    assert record_of(template, {"number": Value("R-\ud8007")})["values"]["number"] == "R-\ufffd7"


def test_no_pattern_takes_more_than_linear_time() -> None:
    """(a+)+ against a row of a and a b: 2 to the power of 5000 steps elsewhere."""
    number, *others = TEMPLATE.keys
    template = replace(TEMPLATE, keys=(replace(number, pattern="(a+)+"), *others))
    assert record_of(template, {"number": Value("a" * 5000 + "b")})["values"]["number"] is None


def test_the_schema_says_choices_patterns_terms_and_rules() -> None:
    """For programs that validate, and for people who read it."""
    keys = (
        Key("status", "text", "status", choices=(Choice("paid", ("bezahlt",)), Choice("open"))),
        Key("number", "text", "number", pattern="R|S", term="BT-1"),
    )
    schema = values_schema(replace(TEMPLATE, keys=keys, rules=("number != 'R'",)))
    assert schema["properties"]["status"]["enum"] == ["paid", "open", None]
    assert (schema["properties"]["number"]["pattern"], schema["properties"]["number"]["x-term"]) == (
        "^(?:R|S)$",
        "BT-1",
    )
    assert schema["x-rules"] == ["number != 'R'"]
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"status": "open", "number": "S"})
    assert validator.is_valid({"status": None, "number": None})
    assert not validator.is_valid({"status": "bezahlt", "number": "S"})
    assert not validator.is_valid({"status": "paid", "number": "RS"})


def test_what_is_none_of_the_choices_says_so() -> None:
    """The flag of the type becomes one that names the reason; strict runs count it."""
    number, *others = TEMPLATE.keys
    choice = replace(number, type="choice", choices=(Choice("R-17"), Choice("R-18")))
    template = replace(TEMPLATE, keys=(choice, *others))
    record = record_of(template, {"number": Value(None, flags=("unparsable",))})
    assert record["fields"]["number"]["flags"] == ["not_a_choice"]
    assert record["problems"][0]["message"].startswith("number: the printed text is none of the key's choices")
    assert is_invalid(record)
    assert record_of(template, {"number": Value("R-18")})["status"] == "ok"
