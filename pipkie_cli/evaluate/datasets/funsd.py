"""FUNSD as published (Jaume et al. 2019): annotations/*.json beside images/*.png, under training_data/ and
testing_data/.

A form is a list of entities with `id`, `label` (question, answer, header, other), `text`, `box` and `linking`, pairs
of ids. A label is a question's text, its right answer the text of the answers linked to it, in reading order. A
question linked to nothing is an empty field: known to be absent. One linked only to other entities is not labelled.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets.files import chosen_parts, images_of, not_of_this_form, read_json
from pipkie_cli.evaluate.datasets.labelled import Labelled

PARTS = {"train": "training_data", "test": "testing_data"}


def matches(folder: Path) -> bool:
    return bool(_places(folder))


def read(folder: Path, part: str | None = None) -> tuple[Labelled, ...]:
    """The forms of one part, or of all. Raises InputError, UsageError."""
    documents = [form for place in chosen_parts(folder, _places(folder), part) for form in _forms(folder, place)]
    return tuple(sorted(documents, key=lambda one: one.shown))


def _places(folder: Path) -> dict[str, Path]:
    """Part -> folder with annotations/ and images/; a part by itself is all there is."""
    places = {"all": folder, **{part: folder / name for part, name in PARTS.items()}}
    return {
        part: place
        for part, place in places.items()
        if (place / "annotations").is_dir() and (place / "images").is_dir()
    }


def _forms(folder: Path, place: Path) -> list[Labelled]:
    images = images_of(place / "images")
    forms = []
    for path in sorted((place / "annotations").glob("*.json")):
        if path.stem not in images:
            raise InputError(f"{path} has no picture in {place / 'images'}", hint="download the set again")
        try:
            values = _values(read_json(path)["form"])
        except (KeyError, TypeError, ValueError) as error:
            raise not_of_this_form(str(path), "FUNSD") from error
        image = images[path.stem]
        forms.append(Labelled(image, image.relative_to(folder).as_posix(), "form", values, {}))
    return forms


def _values(form: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    entities = {int(entity["id"]): entity for entity in form}
    values: dict[str, tuple[str, ...]] = {}
    for number, question in entities.items():
        label = question_text(str(question["text"]))
        if question["label"] != "question" or not any(map(str.isalnum, label)):
            continue
        linked = _linked(number, question, entities)
        answers = [one for one in linked if one["label"] == "answer" and str(one["text"]).strip()]
        if linked and not answers:
            continue
        answers.sort(key=lambda one: (one["box"][1], one["box"][0]))  # boxes are left, top, right, bottom
        values[label] = values.get(label, ()) + tuple(str(one["text"]).strip() for one in answers)
    return values


def _linked(
    number: int, question: Mapping[str, Any], entities: Mapping[int, Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """What a question is linked to, the header above it left out: a header is no answer."""
    others = {other for pair in question["linking"] if number in pair for other in pair if other != number}
    linked = [entities[other] for other in sorted(others) if other in entities]
    return [one for one in linked if one["label"] != "header"]


def question_text(text: str) -> str:
    """A question without the colon that ends it."""
    return " ".join(text.split()).rstrip(" :")
