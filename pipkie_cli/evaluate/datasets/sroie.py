"""SROIE as published (ICDAR 2019 competition, task 3): a JSON object of company, date, address, total per picture.

Three layouts are about: img/ + key/*.json (the common mirror), img/ + entities/*.txt (each under train/ and test/), and
the organisers' own folders `0325updated.task1train(626p)` (pictures, and transcriptions that are not read) and
`0325updated.task2train(626p)` (keys). Pictures without keys are left out: some archives hold a copy "X (1).jpg".
"""

from pathlib import Path

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets.files import chosen_parts, images_of, not_of_this_form, read_json
from pipkie_cli.evaluate.datasets.labelled import Labelled

KEYS = ("company", "date", "address", "total")
LAYOUTS = (  # folder of pictures, folder of keys
    ("img", "key"),
    ("img", "entities"),
    ("0325updated.task1train(626p)", "0325updated.task2train(626p)"),
)
PARTS = ("train", "test")


def matches(folder: Path) -> bool:
    return bool(_places(folder))


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The receipts of one part, or of all. Raises InputError, UsageError."""
    documents = [
        receipt for place in chosen_parts(folder, _places(folder), part) for receipt in _receipts(folder, place)
    ]
    return tuple(sorted(documents, key=lambda one: one.shown))


def _places(folder: Path) -> dict[str, Path]:
    """Part -> folder of this form; a part by itself is all there is."""
    places = {"all": folder, **{part: folder / part for part in PARTS}}
    return {part: place for part, place in places.items() if _layout(place)}


def _layout(place: Path) -> tuple[Path, Path] | None:
    for images, keys in LAYOUTS:
        if (place / images).is_dir() and (place / keys).is_dir():
            return place / images, place / keys
    return None


def _receipts(folder: Path, place: Path) -> list[Labelled]:
    layout = _layout(place)
    if layout is None:
        return []
    images, receipts = images_of(layout[0]), []
    for path in sorted(path for path in layout[1].iterdir() if path.suffix in (".json", ".txt")):
        if path.stem not in images:
            raise InputError(f"{path} has no picture in {layout[0]}", hint="download the set again")
        labels = read_json(path)
        if not isinstance(labels, dict):
            raise not_of_this_form(str(path), "SROIE")
        image = images[path.stem]
        values = {key: (str(labels[key]),) for key in KEYS if labels.get(key)}
        receipts.append(Labelled(image, image.relative_to(folder).as_posix(), "receipt", values, {}))
    return receipts
