"""CORD as published (Park et al. 2019): json/*.json beside image/*.png, under train/, dev/ and test/; or the form that
Donut trains on, pictures with a metadata.jsonl of `file_name` and `ground_truth` (a JSON text).

A receipt is a tree: `gt_parse` where the set has it (v1, v2), else made of `valid_line` as its README says: a line has
a category such as "menu.nm" and a group, lines of one group of the menu are one item, words marked `is_key` are
labels. Keys are the paths of the tree ("total.total_price"); the menu is a table. What a receipt does not have is
known to be absent. The Parquet files of the Hugging Face copies are not read: save them as pictures with
metadata.jsonl.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets.files import chosen_parts, images_of, not_of_this_form, read_json, read_json_lines
from pipkie_cli.evaluate.datasets.labelled import Labelled, Row

PARTS = ("train", "dev", "validation", "test")
TABLE = "menu"
FIRST_LINE = 1 << 20  # characters that are read of it
HEADER = {  # the classes outside the menu that the released set has, by its README
    "sub_total": ("subtotal_price", "discount_price", "service_price", "othersvc_price", "tax_price", "etc"),
    "total": (
        "total_price", "total_etc", "cashprice", "changeprice", "creditcardprice", "emoneyprice", "menutype_cnt",
        "menuqty_cnt",
    ),
}  # fmt: skip


def matches(folder: Path) -> bool:
    return bool(_places(folder))


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The receipts of one part, or of all. Raises InputError, UsageError."""
    documents = [one for place in chosen_parts(folder, _places(folder), part) for one in _receipts(folder, place)]
    return tuple(sorted(documents, key=lambda one: one.shown))


def _places(folder: Path) -> dict[str, Path]:
    """Part -> folder of this form; a part by itself is all there is."""
    places = {"all": folder, **{part: folder / part for part in PARTS}}
    return {part: place for part, place in places.items() if _is_here(place)}


def _is_here(place: Path) -> bool:
    if (place / "json").is_dir() and (place / "image").is_dir():
        return True
    path = place / "metadata.jsonl"
    if not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as lines:
        return '"ground_truth"' in lines.readline(FIRST_LINE)


def _receipts(folder: Path, place: Path) -> list[Labelled]:
    if (place / "metadata.jsonl").is_file():
        return [_from_metadata(folder, place, where, row) for where, row in read_json_lines(place / "metadata.jsonl")]
    images, receipts = images_of(place / "image"), []
    for path in sorted((place / "json").glob("*.json")):
        if path.stem not in images:
            raise InputError(f"{path} has no picture in {place / 'image'}", hint="download the set again")
        receipts.append(_labelled(folder, images[path.stem], str(path), read_json(path)))
    return receipts


def _from_metadata(folder: Path, place: Path, where: str, row: Any) -> Labelled:
    try:
        truth = row["ground_truth"]
        return _labelled(
            folder, place / row["file_name"], where, json.loads(truth) if isinstance(truth, str) else truth
        )
    except (KeyError, TypeError, ValueError) as error:
        raise not_of_this_form(where, "CORD") from error


def _labelled(folder: Path, image: Path, where: str, truth: Any) -> Labelled:
    try:
        tree = truth["gt_parse"] if "gt_parse" in truth else tree_of_lines(truth["valid_line"])
        values = {
            f"{parent}.{name}": _texts(_object(tree.get(parent)).get(name))
            for parent, names in HEADER.items()
            for name in names
        }
        tables = {TABLE: tuple(_row(item) for item in _items(tree.get(TABLE)))}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise not_of_this_form(where, "CORD") from error
    return Labelled(image, image.relative_to(folder).as_posix(), "receipt", values, {}, tables=tables, nested=tree)


def tree_of_lines(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The tree of a receipt from its lines: one item of the menu a group, one object for every other parent."""
    items: dict[Any, dict[str, Any]] = {}
    tree: dict[str, Any] = {}
    for line in lines:
        parent, _, name = str(line["category"]).partition(".")
        text = " ".join(str(word["text"]) for word in line["words"] if not word.get("is_key"))
        if not text or not name:
            continue
        place = items.setdefault(line["group_id"], {}) if parent == TABLE else tree.setdefault(parent, {})
        if parent == TABLE and name.startswith("sub_"):
            place, name = place.setdefault("sub", {}), name.removeprefix("sub_")
        before = place.get(name)
        place[name] = text if before is None else [*(before if isinstance(before, list) else [before]), text]
    return {**({TABLE: list(items.values())} if items else {}), **tree}


def _items(menu: Any) -> list[Mapping[str, Any]]:
    """A menu of one item is an object by itself."""
    return [] if menu is None else [menu] if isinstance(menu, dict) else [_object(item) for item in menu]


def _row(item: Mapping[str, Any]) -> Row:
    """An item as a row of texts; its extras (`sub`) are items below it, which a row has no place for."""
    return {name: " ".join(_texts(value)) for name, value in item.items() if not isinstance(value, dict)}


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> tuple[str, ...]:
    given = [] if value is None else value if isinstance(value, list) else [value]
    return tuple(str(one) for one in given if isinstance(one, str | int | float))
