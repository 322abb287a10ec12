"""WildReceipt as published (Sun et al. 2021, wildreceipt.tar): train.txt and test.txt with a JSON object a line,
class_list.txt with "number name" a line, pictures under image_files/.

An object has `file_name` and `annotations`: `box` (eight numbers), `text`, `label` (number of a class). The twelve
*_value classes are the keys; a class without a box is known to be absent. Name and address are one value of several
lines, the other classes give one value a box.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets.files import chosen_parts, not_of_this_form, read_json_lines, read_text
from pipkie_cli.evaluate.datasets.labelled import Labelled

PARTS = ("train", "test")
JOINED = ("store_name", "store_addr")  # their boxes are the lines of one value
SAME_LINE = 0.5  # of a box's height: middles nearer than this stand on one line


def matches(folder: Path) -> bool:
    return (folder / "class_list.txt").is_file() and any((folder / f"{part}.txt").is_file() for part in PARTS)


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The receipts of one part, or of both. Raises InputError, UsageError."""
    classes = _classes(folder / "class_list.txt")
    documents = []
    for path in chosen_parts(folder, {part: folder / f"{part}.txt" for part in PARTS}, part):
        for where, row in read_json_lines(path):
            try:
                shown, values = str(row["file_name"]), _values(row["annotations"], classes)
            except (KeyError, TypeError, ValueError, IndexError) as error:
                raise not_of_this_form(where, "WildReceipt") from error
            documents.append(Labelled(folder / shown, shown, "receipt", values, {}))
    return tuple(sorted(documents, key=lambda one: one.shown))


def _classes(path: Path) -> dict[int, str]:
    """Number -> key of the *_value classes."""
    classes = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        label, _, name = line.strip().partition(" ")
        if label and not label.isdigit():
            raise InputError(f"{path}:{number} is no class", hint='a line is "1 Store_name_value"')
        if name.strip().endswith("_value"):
            classes[int(label)] = name.strip().removesuffix("_value").lower()
    return classes


def _values(annotations: Sequence[Mapping[str, Any]], classes: Mapping[int, str]) -> dict[str, tuple[str, ...]]:
    values: dict[str, tuple[str, ...]] = {key: () for key in classes.values()}
    for one in in_reading_order(annotations):
        key = classes.get(int(one["label"]))
        if key is not None and str(one["text"]).strip():
            values[key] += (str(one["text"]).strip(),)
    return {key: (" ".join(texts),) if key in JOINED and texts else texts for key, texts in values.items()}


def in_reading_order(annotations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Boxes from line to line, each from left to right. A box is x and y of its corners in turn."""
    lines: list[list[Mapping[str, Any]]] = []
    for one in sorted(annotations, key=_middle):
        if lines and _middle(one) - _middle(lines[-1][0]) < SAME_LINE * _height(lines[-1][0]):
            lines[-1].append(one)
        else:
            lines.append([one])
    return [one for line in lines for one in sorted(line, key=lambda box: min(box["box"][0::2]))]


def _middle(annotation: Mapping[str, Any]) -> float:
    return float(sum(annotation["box"][1::2]) / len(annotation["box"][1::2]))


def _height(annotation: Mapping[str, Any]) -> float:
    return float(max(annotation["box"][1::2]) - min(annotation["box"][1::2]))
