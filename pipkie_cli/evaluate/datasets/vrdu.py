"""VRDU as published (Wang et al. 2023): main/dataset.jsonl(.gz), main/pdfs/ and few_shot-splits/*.json, a folder for
each of its two corpora, ad-buy-form and registration-form.

A line has `filename` and `annotations`: [name, candidates], a candidate being [text, box, segments]; each candidate is
a right answer. A line item's name is the list of its columns, and its one candidate a list of as many. Texts are as
the OCR of the set's makers read them. A key without an annotation is not labelled. A part is a split file's name
without .json, meaning its test documents; "NAME/train" and "NAME/valid" are its others.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.errors import UsageError
from pipkie_cli.evaluate.datasets.files import not_of_this_form, read_json, read_json_lines
from pipkie_cli.evaluate.datasets.labelled import Labelled, Row

TABLE = "line_items"
REGISTRATION_KEY = "registrant_name"  # no ad-buy form has it


def matches(folder: Path) -> bool:
    return _dataset(folder) is not None


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The documents of one corpus, or of a split of it. Raises InputError, UsageError."""
    path = _dataset(folder)
    if path is None:
        return ()
    members = None if part is None else _members(folder if path.parent == folder / "main" else folder.parent, part)
    documents = []
    for where, row in read_json_lines(path):
        try:
            one = _labelled(path.parent / "pdfs", str(row["filename"]), row["annotations"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise not_of_this_form(where, "VRDU") from error
        if members is None or one.shown in members:
            documents.append(one)
    return tuple(sorted(documents, key=lambda one: one.shown))


def corpus(documents: Sequence[Labelled]) -> str:
    """Which of the two corpora these documents are: the name of its rules."""
    registration = any(REGISTRATION_KEY in one.values for one in documents)
    return "vrdu_registration" if registration else "vrdu_adbuy"


def _dataset(folder: Path) -> Path | None:
    for place in (folder / "main", folder):
        for name in ("dataset.jsonl", "dataset.jsonl.gz"):
            if (place / name).is_file():
                return place / name
    return None


def _members(corpus: Path, part: str) -> frozenset[str]:
    name, _, list_name = part.partition("/")
    path = corpus / "few_shot-splits" / f"{name}.json"
    if not path.is_file():
        raise UsageError(f"{corpus} has no split {name}", hint=f"name a file of {path.parent} without .json")
    split = read_json(path)
    if (list_name or "test") not in split:
        raise UsageError(f"{path} has no list {list_name}", hint=f"it has: {', '.join(split)}")
    return frozenset(split[list_name or "test"])


def _labelled(pdfs: Path, name: str, annotations: Sequence[Any]) -> Labelled:
    values: dict[str, tuple[str, ...]] = {}
    rows: list[Row] = []
    for key, candidates in annotations:
        if isinstance(key, str):
            values[key] = values.get(key, ()) + tuple(_different(_text(one) for one in candidates))
        else:
            rows.append({column: _text(cell) for column, cell in zip(key, candidates[0], strict=True)})
    kind = "registration_form" if REGISTRATION_KEY in values else "ad_buy_form"
    return Labelled(pdfs / name, name, kind, values, {}, tables={TABLE: tuple(rows)} if rows else {})


def _text(candidate: Sequence[Any]) -> str:
    return " ".join(str(candidate[0]).split())


def _different(texts: Iterator[str]) -> dict[str, None]:
    return dict.fromkeys(text for text in texts if text)
