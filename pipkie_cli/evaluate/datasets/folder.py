"""The folder form: documents/, labels.jsonl, split.json. A folder in, labelled documents out."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate.datasets.labelled import Labelled, Row


def matches(folder: Path) -> bool:
    return (folder / "labels.jsonl").is_file()


def read_folder(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The labelled documents of a folder, sorted by name; with `part`, those that split.json puts there.

    Raises InputError where the folder is not of this form, UsageError for a part that split.json does not have.
    """
    labels = folder / "labels.jsonl"
    try:
        lines = labels.read_text(encoding="utf-8").split("\n")  # splitlines cuts inside values, at U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{labels} cannot be read", hint="name a folder with documents/ and labels.jsonl") from error
    documents = [_labelled(folder, line, f"{labels}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if part is not None:
        members = _members(folder, part)
        documents = [one for one in documents if not members.isdisjoint((one.shown, one.path.name, one.path.stem))]
        if not documents:
            raise InputError(f"part {part} of {folder} holds no labelled document", hint="look into split.json")
    return tuple(sorted(documents, key=lambda one: one.shown))


def _members(folder: Path, part: str) -> frozenset[str]:
    path = folder / "split.json"
    try:
        parts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{folder} has no split.json", hint="leave --split out to take every document") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read", hint="it should be a JSON object: part -> names") from error
    if not isinstance(parts, dict) or not isinstance(parts.get(part, []), list | dict):
        raise InputError(f"{path} has no names in a part", hint="it should be a JSON object: part -> names")
    if part not in parts:
        raise UsageError(f"{path} has no part {part}", hint=f"it has: {', '.join(parts)}")
    return frozenset(map(str, parts[part]))


def _labelled(folder: Path, line: str, where: str) -> Labelled:
    try:
        row = json.loads(line)
        shown: str = row["file"]
        path = folder / shown
        values, document_type, printed = dict(row["values"]), str(row["document_type"]), dict(row.get("printed") or {})
        unverified, group = frozenset(row.get("unverified") or ()), row.get("group", row.get("layout"))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{where} is no label", hint='a line is {"file", "document_type", "values"}') from error
    return Labelled(
        path=path,
        shown=shown,
        document_type=document_type,
        values=_texts(values),
        printed=_texts(printed),
        tables=_tables(values),
        unverified=unverified,
        group="" if group is None else str(group),
    )


def _texts(values: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Keys with text values; a table is another question."""
    texts: dict[str, tuple[str, ...]] = {}
    for key, value in values.items():
        given: Sequence[Any] = () if value is None else value if isinstance(value, list) else (value,)
        if all(isinstance(one, str | int | float) for one in given):
            texts[key] = tuple(str(one) for one in given)
    return texts


def _tables(values: Mapping[str, Any]) -> dict[str, tuple[Row, ...]]:
    """Keys whose value is a list of objects; null may be a table too, and is one where the template has it."""
    return {
        key: tuple({name: None if cell is None else str(cell) for name, cell in row.items()} for row in value)
        for key, value in values.items()
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value)
    }
