"""A record that breaks its contract is told, in words, without what stands on the page."""

import copy
from typing import Any

import jsonschema
import pytest
from bills import TEMPLATE, build

from pipkie_cli.errors import DocumentError
from pipkie_cli.records import RECORD_SCHEMA, check_record, failed_record

SECRET = "Erika Mustermann"

# Each case: where, what is put there, a part of what is said.
FAULTS: dict[str, tuple[tuple[str | int, ...], Any, str]] = {
    "other schema": (("schema",), "pipkie/2", "record.schema: "),
    "status": (("status",), SECRET, "record.status: "),
    "ok without type": (("document_type",), None, "record.document_type: "),
    "score": (("type_score",), 1.5, "record.type_score: "),
    "template label": (("template",), SECRET, "record.template: "),
    "other template": (("template",), "bill@000000000000", "record.template: is not bill@0123456789ab"),
    "document path": (("document", "path"), "", "record.document.path: "),
    "hash": (("document", "sha256"), SECRET, "record.document.sha256: "),
    "page 0": (("document", "pages"), [0], "record.document.pages.0: "),
    "page twice": (("document", "pages"), [1, 1], "record.document.pages: "),
    "page count": (("document", "page_count"), -1, "record.document.page_count: "),
    "value of another type": (("values", "total"), SECRET, "values.total: "),
    "value not ISO": (("values", "day"), SECRET, "values.day: "),
    "stray value": (("values", "stray"), SECRET, "values: "),
    "stray field": (("fields", "stray"), None, "record.fields.stray: "),
    "raw": (("fields", "day", "raw"), 5, "record.fields.day.raw: "),
    "confidence": (("fields", "day", "confidence"), 1.01, "record.fields.day.confidence: "),
    "page": (("fields", "day", "page"), 0, "record.fields.day.page: "),
    "box of three": (("fields", "day", "boxes"), [[0, 0, 1]], "record.fields.day.boxes.0: "),
    "box outside": (("fields", "day", "boxes"), [[0, 0, 1, 1.2]], "record.fields.day.boxes.0.3: "),
    "source": (("fields", "day", "source"), SECRET, "record.fields.day.source: "),
    "flag": (("fields", "day", "flags"), [SECRET], "record.fields.day.flags.0: "),
    "flag twice": (("fields", "day", "flags"), ["a", "a"], "record.fields.day.flags: "),
    "problem": (("problems",), [{"code": "x", "message": ""}], "record.problems.0"),
    "stray key": (("extra",), SECRET, "record: "),
    "required null": (("values", "number"), None, "record.status: is ok, but the required key number is null"),
}


@pytest.mark.parametrize(("where", "what", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_every_breach_is_told_with_its_place(where: tuple[str, ...], what: Any, said: str) -> None:
    """A right record is right; with one thing changed the message names the place, and never the value."""
    record = build()
    part: Any = record
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = what
    faults = check_record(record, TEMPLATE)
    assert any(fault.startswith(said) for fault in faults), faults
    assert SECRET not in " ".join(faults)


@pytest.mark.parametrize("key", list(build()))
def test_no_key_of_a_record_may_be_missing(key: str) -> None:
    """No field is ever left out."""
    record = build()
    del record[key]
    assert any(key in fault for fault in check_record(record, TEMPLATE))


@pytest.mark.parametrize("part", ["document", "values", "fields"])
def test_no_key_of_a_part_may_be_missing(part: str) -> None:
    """Nor of its parts."""
    record = build()
    key = next(iter(record[part]))
    del record[part][key]
    assert check_record(record, TEMPLATE)


def test_the_order_of_keys_is_part_of_the_contract() -> None:
    """Of the record, of values and of fields."""
    record = build()
    assert check_record(dict(reversed(record.items())), TEMPLATE) == [
        "record: keys are not in the order of the contract"
    ]
    for part in ("values", "fields"):
        turned = record | {part: dict(reversed(record[part].items()))}
        assert check_record(turned, TEMPLATE) == [f"record.{part}: keys are not those of the template"]


@pytest.mark.parametrize("status", ["review", "failed"])
def test_a_record_that_is_not_ok_says_why(status: str) -> None:
    """review and failed have at least one problem."""
    assert any(fault.startswith("record.problems: ") for fault in check_record(build() | {"status": status}, TEMPLATE))


def test_values_need_a_template() -> None:
    """A record without a template has no values; the check does not take them unseen."""
    assert check_record(build(), None) == ["record: values without a template"]
    failed = failed_record("a.pdf", DocumentError("x"))
    assert check_record(failed, None) == check_record(failed, TEMPLATE) == []
    assert check_record(failed | {"values": {"day": None}}, TEMPLATE) == ["record: values without a template"]


def test_the_schema_is_json_schema_2020_12_and_both_libraries_agree() -> None:
    """Users validate with whatever they have."""
    jsonschema.Draft202012Validator.check_schema(RECORD_SCHEMA)
    validator = jsonschema.Draft202012Validator(RECORD_SCHEMA)
    record = build()
    assert validator.is_valid(record)
    broken = copy.deepcopy(record)
    broken["fields"]["day"]["boxes"] = [[0, 0, 1, 1.2]]
    assert not validator.is_valid(broken)
