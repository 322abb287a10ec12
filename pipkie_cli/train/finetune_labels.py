"""What an analyst labelled: a folder with labels.jsonl, or pipkie's own records as a person corrected them.

Comes in: a folder or a JSONL file. Goes out: labelled documents, and the rules by which their labels are read. Reads
labels, never a document.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate import Labelled, Row, SetRules, judge, read_folder, rules_of
from pipkie_cli.nouns import Key, Locale, Template

T = TypeVar("T")
NOT_TYPED = frozenset({"unparsable", "ambiguous_number", "ambiguous_date", "ambiguous_currency", "too_many_digits"})


@dataclass(frozen=True, slots=True)
class Labels:
    """Labelled documents; `held_out` are those that a part of split.json keeps back, else ()."""

    documents: tuple[Labelled, ...]
    held_out: tuple[Labelled, ...]
    rules: SetRules


def read_labels(data: Path, part: str | None, held_out: str | None, template: Template) -> Labels:
    """Labels of a folder in folder form, of a folder with one JSONL of records, or of such a file.

    `part` and `held_out` are parts of split.json. Raises InputError, UsageError.
    """
    if (data / "labels.jsonl").is_file():
        rules = rules_of(data)
        kept_back = read_folder(data, held_out) if held_out else ()
        names = {one.shown for one in kept_back}
        documents = tuple(one for one in read_folder(data, part) if one.shown not in names)
    elif part or held_out:
        raise UsageError(f"{data} has no split.json for its records", hint="leave --split and --held-out out")
    else:
        rules = SetRules(data.name, normalised=True)
        documents, kept_back = _read_records(_records_file(data), template, replace(rules, locale=template.locale)), ()
    if rules.locale == Locale():
        rules = replace(rules, locale=template.locale)
    return Labels(_usable(documents, rules, template), _usable(kept_back, rules, template), rules)


def _usable(documents: Sequence[Labelled], rules: SetRules, template: Template) -> tuple[Labelled, ...]:
    """Documents with a label of a key or table that the template asks; labels under the template's names, no others."""
    plain = {key.name for key in template.keys if not key.columns}
    tables = {key.name: {column.name for column in key.columns} for key in template.keys if key.columns}
    lists = {
        name
        for name, at in rules.columns.items()
        if at in {f"{table}.{one}" for table in tables for one in tables[table]}
    }
    kept = []
    for one in documents:
        values, printed = (_renamed(texts, rules, plain) for texts in (one.values, one.printed))
        values |= {name: given for name, given in one.values.items() if name in lists}
        values |= {name: () for name, given in _renamed(one.values, rules, tables.keys()).items() if not given}
        rows = {
            name: _columns(given, tables[name]) for name, given in _renamed(one.tables, rules, tables.keys()).items()
        }
        if values or rows:
            kept.append(replace(one, values=values, printed=printed, tables=rows))
    return tuple(kept)


def _renamed(labels: Mapping[str, T], rules: SetRules, names: Collection[str]) -> dict[str, T]:
    return {name: given for key, given in labels.items() if (name := rules.template_key(key)) in names}


def _columns(rows: Sequence[Row], names: Collection[str]) -> tuple[Row, ...]:
    """The rows with the columns that are asked."""
    return tuple({name: cell for name, cell in row.items() if name in names} for row in rows)


def _records_file(data: Path) -> Path:
    if data.is_file():
        return data
    if not data.is_dir():
        raise InputError(
            f"{data} is not there", hint="name a folder with labels.jsonl, or a JSONL of corrected records"
        )
    found = sorted(data.glob("*.jsonl"))
    if len(found) == 1:
        return found[0]
    what = "no labels.jsonl" if not found else f"several files of records ({', '.join(one.name for one in found)})"
    raise InputError(f"{data} has {what}", hint="put labels.jsonl there, or name one JSONL of corrected records")


def _read_records(file: Path, template: Template, rules: SetRules) -> tuple[Labelled, ...]:
    """Every record that was not a failure; its file's path is relative to the folder of the records."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")  # splitlines cuts inside values, at U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read", hint="it should be records as `pipkie extract` writes them"
        ) from error
    records = [_record(line, f"{file}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    keys = {key.name: key for key in template.keys}
    found = [_labelled(file.parent, record, keys, rules) for record in records if record["status"] != "failed"]
    return tuple(sorted(found, key=lambda one: one.shown))


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record: dict[str, Any] = dict(json.loads(line))
        dict(record["values"])
        str(record["status"])
        str(record["document"]["path"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{where} is no record", hint="it should be a line as `pipkie extract` writes it") from error
    return record


def _labelled(folder: Path, record: Mapping[str, Any], keys: Mapping[str, Key], rules: SetRules) -> Labelled:
    """A record as a label: what stands in `values` is right, null is absent unless the printed text was not typed.

    The printed text counts where it still means the value: a person may have corrected the value alone. Of a table it
    is not used: a row that was put in moves the fields away from their rows.
    """
    shown = str(record["document"]["path"])
    values: dict[str, tuple[str, ...]] = {}
    printed: dict[str, tuple[str, ...]] = {}
    tables: dict[str, tuple[Row, ...]] = {}
    fields = record.get("fields") or {}
    for name, value in record["values"].items():
        key, field = keys.get(name), fields.get(name)
        if key is None:
            continue
        if key.columns and isinstance(value, list) and all(isinstance(row, dict) for row in value):
            tables[name] = _rows(value, field if isinstance(field, list) else [])
        elif value is None or isinstance(value, str | int | float):
            values[name], printed[name] = _answer(key, value, field if isinstance(field, dict) else {}, rules)
    return Labelled(folder / shown, shown, str(record.get("document_type") or ""), values, printed, tables)


def _answer(
    key: Key, value: str | float | None, field: Mapping[str, Any], rules: SetRules
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The right texts of a key, and those as printed."""
    raw = field.get("raw")
    raws = (raw,) if isinstance(raw, str) else ()
    if value is not None:
        values = (_text(value),)
        return values, tuple(one for one in raws if judge(key, values, (), one, None, rules).exact)
    if raws and NOT_TYPED.intersection(field.get("flags") or ()):
        return raws, raws
    return (), ()


def _rows(rows: Sequence[Mapping[str, Any]], fields: Sequence[Any]) -> tuple[Row, ...]:
    """The rows of a table; a cell that could not be typed has its printed text while no row was put in or taken out."""
    untouched = len(fields) == len(rows) and all(isinstance(one, dict) for one in fields)
    return tuple(
        {name: _cell(cell, fields[number].get(name) if untouched else None) for name, cell in row.items()}
        for number, row in enumerate(rows)
    )


def _cell(value: Any, field: Any) -> str | None:
    if value is None and isinstance(field, dict) and NOT_TYPED.intersection(field.get("flags") or ()):
        raw = field.get("raw")
        return raw if isinstance(raw, str) else None
    return _text(value) if isinstance(value, str | int | float) else None


def _text(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def learnt_keys(template: Template, documents: Sequence[Labelled], rules: SetRules) -> Template:
    """The template without tables that no document labels: what is learnt here."""
    from pipkie_cli.train.finetune_tables import has_table  # with what `plan_finetuning` checks is there

    return replace(
        template,
        keys=tuple(
            key for key in template.keys if not key.columns or any(has_table(one, key, rules) for one in documents)
        ),
    )
