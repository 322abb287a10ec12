"""The folder form: documents/, labels.jsonl, split.json. A folder in, labelled documents out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError, UsageError


@dataclass(frozen=True, slots=True)
class Labelled:
    """One document with its right values.

    `values` has the labelled keys only: () is "known to be absent", several texts are several right answers. A key
    that is missing is not labelled and counts for nothing. `printed` has the text as on the page where it is known.
    """

    path: Path
    shown: str  # as labels.jsonl names it
    document_type: str
    values: Mapping[str, tuple[str, ...]]
    printed: Mapping[str, tuple[str, ...]]
    group: str = ""  # documents of one group (sender, layout) stay on one side of a cut; "" is a group of its own


def read_folder(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The labelled documents of a folder, sorted by name; with `part`, those that split.json puts there.

    Raises InputError where the folder is not of this form, UsageError for a part that split.json does not have.
    """
    labels = folder / "labels.jsonl"
    try:
        lines = labels.read_text(encoding="utf-8").splitlines()
    except OSError as error:
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
    if part not in parts:
        raise UsageError(f"{path} has no part {part}", hint=f"it has: {', '.join(parts)}")
    return frozenset(parts[part])


def _labelled(folder: Path, line: str, where: str) -> Labelled:
    try:
        row = json.loads(line)
        shown: str = row["file"]
        values, document_type = dict(row["values"]), str(row["document_type"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{where} is no label", hint='a line is {"file", "document_type", "values"}') from error
    group = row.get("group", row.get("layout"))
    return Labelled(
        path=folder / shown,
        shown=shown,
        document_type=document_type,
        values=_texts(values),
        printed=_texts(row.get("printed") or {}),
        group="" if group is None else str(group),
    )


def _texts(values: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Keys with text values; tables (lists of objects) are another question and left out."""
    texts: dict[str, tuple[str, ...]] = {}
    for key, value in values.items():
        given: Sequence[Any] = () if value is None else value if isinstance(value, list) else (value,)
        if all(isinstance(one, str | int | float) for one in given):
            texts[key] = tuple(str(one) for one in given)
    return texts
