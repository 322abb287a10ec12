"""The grids of tests/values/cases: printed text and document -> value, flags, readings, each worked by hand.

Cells: `\\uXXXX` stands for the sign; flags and languages are parted by spaces, readings and choices by `|`. An empty
value is null.
"""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.nouns import Choice, Value
from pipkie_cli.values import TYPES, ValueContext, parse_value

CASES = Path(__file__).parent / "cases"
AS_JSON = ("amount", "number", "integer", "percent", "boolean")


def grid(type_name: str) -> Iterator[dict[str, str]]:
    with (CASES / f"{type_name}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            assert None not in row, f"a comma too many: {row}"
            yield {k: re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), v) for k, v in row.items()}


def all_cases() -> list[Any]:
    return [
        pytest.param(name, row, id=f"{name}-{number}-{row['raw']!a}")
        for name in sorted(TYPES)
        if (CASES / f"{name}.csv").exists()
        for number, row in enumerate(grid(name), start=2)
    ]


def context_of(row: dict[str, str]) -> ValueContext:
    names = ("decimal", "grouping", "dates", "currency")
    given: dict[str, Any] = {name: row[name] for name in names if row.get(name)}
    return ValueContext(
        **given, year_first=row.get("year_first", ""), languages=tuple(row.get("languages", "").split())
    )


def choices_of(row: dict[str, str]) -> tuple[Choice, ...]:
    """`new=neu/nouveau | used` is two choices, the first with two more prints."""
    named = (part.strip().partition("=") for part in row.get("choices", "").split("|") if part.strip())
    return tuple(Choice(value, tuple(filter(None, printed.split("/")))) for value, _, printed in named)


def expected(type_name: str, row: dict[str, str]) -> Value:
    value: Any = row["value"] or None
    if value is not None and type_name in AS_JSON:
        value = json.loads(value)
    readings = tuple(row["readings"].split("|")) if row["readings"] else ()
    return Value(value, tuple(row["flags"].split()), readings)


@pytest.mark.parametrize(("type_name", "row"), all_cases())
def test_case(type_name: str, row: dict[str, str]) -> None:
    """The text is read as worked by hand: value and its JSON type, flags, readings."""
    value = parse_value(type_name, row["raw"], context_of(row), choices_of(row))
    assert value == expected(type_name, row), row["why"]
    assert type(value.value) is type(expected(type_name, row).value), row["why"]


def test_the_grids_are_large_and_say_why() -> None:
    """At least 400 cases, each with its reason, none twice."""
    cases = [
        (name, tuple(v for k, v in row.items() if k != "why"), row["why"])
        for name in TYPES
        if (CASES / f"{name}.csv").exists()
        for row in grid(name)
    ]
    assert len(cases) >= 400
    assert all(why for _, _, why in cases)
    assert len({case[:2] for case in cases}) == len(cases)
