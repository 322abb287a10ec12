"""POIE as published (Kuang et al. 2023): train.txt and test.txt with a JSON object a line, class_list.json with the
names of the 21 entities (SS, CE-PS, ...), pictures under image_files/.

An object has `file_name`, `annotations` (`polygon`, `text`, `entity`: a B-, I- or O tag per character) and, where the
authors made one, `entity_dict`: the value of each entity, which is what they score. Without it the tagged characters
are joined in the order of the annotations, as they do. An entity that a picture does not have is known to be absent.
Keys are the names in lower case with underscores: ce_ps.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.evaluate.datasets.files import chosen_parts, not_of_this_form, read_json, read_json_lines
from pipkie_cli.evaluate.datasets.labelled import Labelled

PARTS = ("train", "test")


def matches(folder: Path) -> bool:
    return (folder / "class_list.json").is_file() and any((folder / f"{part}.txt").is_file() for part in PARTS)


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The photographs of one part, or of both. Raises InputError, UsageError."""
    classes = read_json(folder / "class_list.json")
    if not isinstance(classes, list):
        raise not_of_this_form(str(folder / "class_list.json"), "POIE")
    documents = []
    for path in chosen_parts(folder, {part: folder / f"{part}.txt" for part in PARTS}, part):
        for where, row in read_json_lines(path):
            try:
                shown = str(row["file_name"])
                entities = row.get("entity_dict") or tagged_texts(row["annotations"])
                values = {_key(name): (str(entities[name]),) if entities.get(name) else () for name in classes}
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise not_of_this_form(where, "POIE") from error
            documents.append(Labelled(folder / shown, shown, "nutrition_facts", values, {}))
    return tuple(sorted(documents, key=lambda one: one.shown))


def _key(name: str) -> str:
    return name.lower().replace("-", "_")


def tagged_texts(annotations: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Entity -> its tagged characters in the order of the annotations."""
    texts: dict[str, str] = {}
    for one in annotations:
        for letter, tag in zip(one["text"], one.get("entity") or (), strict=False):
            if tag[:2] in ("B-", "I-"):
                texts[tag[2:]] = texts.get(tag[2:], "") + letter
    return texts
