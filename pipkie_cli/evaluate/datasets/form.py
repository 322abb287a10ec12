"""Which published form a folder has: tried one after the other, the first that fits is read."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets.folder import matches as is_folder_form
from pipkie_cli.evaluate.datasets.folder import read_folder
from pipkie_cli.evaluate.datasets.labelled import Labelled
from pipkie_cli.evaluate.datasets.sets import SETS, SetRules, rules_of
from pipkie_cli.evaluate.datasets.vrdu import corpus

FORMS = {  # name -> what tells it
    "vrdu": "main/dataset.jsonl(.gz), main/pdfs",
    "wildreceipt": "class_list.txt, train.txt or test.txt",
    "poie": "class_list.json, train.txt or test.txt",
    "funsd": "annotations/, images/ (maybe under training_data/ and testing_data/)",
    "cord": "json/, image/ or metadata.jsonl with ground_truth (maybe under train/, dev/, test/)",
    "sroie": "img/ and key/ or entities/ (maybe under train/ and test/), or the folders of the competition",
}


@dataclass(frozen=True, slots=True)
class DataSet:
    """The documents of one set and how its labels are to be read."""

    rules: SetRules
    documents: tuple[Labelled, ...]


def read_set(folder: Path, part: str | None = None) -> DataSet:
    """The labelled documents of a folder in any known form. Raises InputError, UsageError."""
    if is_folder_form(folder):
        return DataSet(rules_of(folder), read_folder(folder, part))
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder", hint="name a folder with labelled documents")
    for name in FORMS:
        reader = import_module(f"pipkie_cli.evaluate.datasets.{name}")
        if reader.matches(folder):
            documents: tuple[Labelled, ...] = reader.read(folder, part)
            if not documents:
                raise InputError(f"{folder} holds no labelled document", hint="download the set again")
            return DataSet(SETS[corpus(documents) if name == "vrdu" else name], documents)
    known = "; ".join(f"{name}: {signs}" for name, signs in FORMS.items())
    raise InputError(
        f"{folder} has no known form of labels",
        hint=f"name a folder with documents/ and labels.jsonl, or a published set ({known})",
    )
