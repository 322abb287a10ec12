"""Is a record what its contract says? Messages name places and rules, and of a broken rule the two sides of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import jsonschema_rs

from pipkie_cli.nouns import Problem, Template
from pipkie_cli.records.schema import RECORD_SCHEMA
from pipkie_cli.rules import check_rule, parsed_rules
from pipkie_cli.templates import values_schema

MOST_BREAKS = 100  # of one rule that are named, row by row
BREACHES = frozenset(  # codes of problems that say: this record breaks the schema or a rule of its template
    {"schema_invalid", "record_invalid", "required_missing", "pattern_mismatch", "not_a_choice", "rule_broken"}
)


def check_form(record: Any) -> list[str]:
    """What is wrong with the form of a record whose template is not at hand, one sentence each; [] for a right one."""
    return [_sentence("record", path, message) for path, message in _faults(_record_validator(), record)]


def check_record(record: Mapping[str, Any], template: Template | None) -> list[str]:
    """What is wrong with a record, one sentence each; [] for a right one.

    `template` is the one that was chosen, None where none was; a failed record has no values of it.
    """
    faults = check_form(record)
    if faults:
        return faults
    if list(record) != list(RECORD_SCHEMA["properties"]):
        faults.append("record: keys are not in the order of the contract")
    if template is None or record["status"] == "failed":
        if record["values"] or record["fields"] or record["template"] is not None:
            faults.append("record: values without a template")
        return faults
    if record["template"] != template.label:
        faults.append(f"record.template: is not {template.label}")
    faults += [problem.message for problem in check_values(record["values"], template)]
    names = [key.name for key in template.keys]
    faults += [
        f"record.{part}: keys are not those of the template"
        for part in ("values", "fields")
        if list(record[part]) != names
    ]
    if not faults:
        faults += _table_faults(record, template)
    if not faults and record["status"] == "ok":
        faults += [
            f"record.status: is ok, but the required key {key.name} is null"
            for key in template.keys
            if key.required and record["values"][key.name] in (None, [])
        ]
        faults += [f"record.status: is ok, but {broken.message}" for broken in check_rules(record["values"], template)]
    return faults


def _table_faults(record: Mapping[str, Any], template: Template) -> list[str]:
    """Rows of `values` and `fields` are the same ones, each with the template's columns in its order."""
    faults = [
        f"record.fields.{key.name}: has rows, but is no table"
        for key in template.keys
        if not key.columns and isinstance(record["fields"][key.name], list)
    ]
    for table in (key for key in template.keys if key.columns):
        rows = {part: record[part][table.name] for part in ("values", "fields")}
        columns = [column.name for column in table.columns]
        if not isinstance(rows["fields"], list) or len(rows["values"]) != len(rows["fields"]):
            faults.append(f"record.fields.{table.name}: has other rows than record.values.{table.name}")
            continue
        faults += [
            f"record.{part}.{table.name}.{at}: columns are not those of the template"
            for part, found in rows.items()
            for at, row in enumerate(found)
            if list(row) != columns
        ]
    return faults


def check_values(values: Mapping[str, Any], template: Template) -> list[Problem]:
    """What breaks the schema that the template yields for `values`: one `schema_invalid` a fault, with its key."""
    return [
        Problem("schema_invalid", _sentence("values", path, message), (_name(path),) if path else ())
        for path, message in _faults(_values_validator(template), values)
    ]


def check_rules(values: Mapping[str, Any], template: Template) -> list[Problem]:
    """Every place where a rule of the template does not hold: one `rule_broken` each, with the keys in it.

    A rule with a null in it is not checked, which is no problem. Of a rule that breaks in every row of a long table the
    first MOST_BREAKS are named, and the others counted.
    """
    problems: list[Problem] = []
    for rule in parsed_rules(template):
        breaks = check_rule(rule, values).breaks
        problems += [Problem("rule_broken", broken.message, broken.keys) for broken in breaks[:MOST_BREAKS]]
        if len(breaks) > MOST_BREAKS:
            message = f"the rule {rule.text} does not hold in {len(breaks) - MOST_BREAKS} more rows"
            problems.append(Problem("rule_broken", message))
    return problems


def is_invalid(record: Mapping[str, Any]) -> bool:
    """Whether a record that was read breaks the schema or a rule of its template, not merely a person's trust."""
    return any(problem["code"] in BREACHES for problem in record["problems"])


def _name(path: Sequence[str | int]) -> str:
    """The key or cell that a path leads to: `line_items[3].amount`."""
    head, *rest = path
    return str(head) + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in rest)


@lru_cache(maxsize=1)
def _record_validator() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(RECORD_SCHEMA, mask="this", validate_formats=True)


@lru_cache(maxsize=256)
def _values_validator(template: Template) -> jsonschema_rs.Draft202012Validator:
    """Compiled once per template: a hundred times the price of one check. Patterns run in linear time."""
    return jsonschema_rs.Draft202012Validator(
        values_schema(template), mask="this", validate_formats=True, pattern_options=jsonschema_rs.RegexOptions()
    )


def _faults(validator: jsonschema_rs.Draft202012Validator, instance: Any) -> list[tuple[list[str | int], str]]:
    """Path and message of every fault, in the order of their sentences."""
    if validator.is_valid(instance):
        return []
    faults = [(error.instance_path, error.message) for error in validator.iter_errors(instance)]
    return sorted(faults, key=lambda fault: _sentence("", *fault))


def _sentence(root: str, path: Sequence[str | int], message: str) -> str:
    return f"{'.'.join([root, *map(str, path)])}: {message}"
