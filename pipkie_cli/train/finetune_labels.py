"""What an analyst labelled: a folder with labels.jsonl, or pipkie's own records as a person corrected them.

Comes in: a folder or a JSONL file. Goes out: labelled documents, and the rules by which their labels are read. Reads
labels, never a document.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate import Labelled, SetRules, judge, read_folder, rules_of
from pipkie_cli.nouns import Key, Locale, Template

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
    """Documents with a label of a key that the template asks; labels under the template's names, no others."""
    names = {key.name for key in template.keys if not key.columns}
    kept = []
    for one in documents:
        values, printed = (_renamed(texts, rules, names) for texts in (one.values, one.printed))
        if values:
            kept.append(replace(one, values=values, printed=printed))
    return tuple(kept)


def _renamed(texts: Mapping[str, tuple[str, ...]], rules: SetRules, names: set[str]) -> dict[str, tuple[str, ...]]:
    return {name: given for key, given in texts.items() if (name := rules.template_key(key)) in names}


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
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read", hint="it should be records as `pipkie extract` writes them"
        ) from error
    records = [_record(line, f"{file}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    keys = {key.name: key for key in template.keys if not key.columns}
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

    The printed text counts where it still means the value: a person may have corrected the value alone.
    """
    shown = str(record["document"]["path"])
    values: dict[str, tuple[str, ...]] = {}
    printed: dict[str, tuple[str, ...]] = {}
    fields = record.get("fields") or {}
    for name, value in record["values"].items():
        key = keys.get(name)
        if key is None:
            continue
        field = fields.get(name)
        field = field if isinstance(field, dict) else {}  # of a table it is a list, which is not learnt from here
        raw = field.get("raw")
        raws = (raw,) if isinstance(raw, str) else ()
        if isinstance(value, str | int | float):
            values[name] = (_text(value),)
            printed[name] = tuple(one for one in raws if judge(key, values[name], (), one, None, rules).exact)
        elif value is None and raws and NOT_TYPED.intersection(field.get("flags") or ()):
            values[name] = printed[name] = raws
        elif value is None:
            values[name] = ()
    return Labelled(folder / shown, shown, str(record.get("document_type") or ""), values, printed)


def _text(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain_keys(template: Template) -> Template:
    """The template without its tables: what is learnt here."""
    return replace(template, keys=tuple(key for key in template.keys if not key.columns))
