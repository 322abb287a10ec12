"""What a multimodal checkpoint learns from, one sample by its number: pictures, and what is written on them.

Comes in: folders and files of training data. Goes out: `Sample`s. Pictures are opened by documents/, so the same limits
hold as for documents that are read; a sample that cannot be opened raises its DocumentError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import Any, Protocol

import numpy as np

from pipkie_cli.documents import open_document
from pipkie_cli.errors import DamagedFile, InputError, OutputError
from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.nouns import Key, Template

Pixels = np.ndarray[Any, np.dtype[np.uint8]]  # (H, W, 3) RGB as displayed


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Pictures of one document, and the right value of every key that is known there. None is "unknown"."""

    pictures: tuple[Pixels, ...]
    values: tuple[tuple[Key, str | None], ...]

    def __post_init__(self) -> None:
        """Raises DamagedFile for a text that JSON can hold and no tokenizer can read."""
        try:
            "".join(value or "" for _, value in self.values).encode()
        except UnicodeEncodeError as error:
            raise DamagedFile("a text holds half a character (a surrogate without its other half)") from error


class Source(Protocol):
    """Samples by number. Must be picklable: worker processes read them."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> Sample: ...


@dataclass(frozen=True, slots=True)
class Joined:
    """Several sources one after the other."""

    sources: tuple[Source, ...]

    def __len__(self) -> int:
        return sum(len(one) for one in self.sources)

    def __getitem__(self, number: int) -> Sample:
        for one in self.sources:
            if number < len(one):
                return one[number]
            number -= len(one)
        raise IndexError(number)


@dataclass(frozen=True, slots=True)
class LabelledSource:
    """Documents in the folder form, by the templates of their types."""

    documents: tuple[Labelled, ...]
    keys: tuple[tuple[Key, ...], ...]  # of each document: those that its template asks
    rules: SetRules
    max_pictures: int

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, number: int) -> Sample:
        label = self.documents[number]
        values = known_values(label, self.keys[number], self.rules)
        return Sample(read_pictures(label.path, label.shown, self.max_pictures), values)

    def names(self, number: int) -> dict[str, str]:
        """Of one document the labelled keys, and how the label names them."""
        return label_names(self.documents[number], self.rules)


def label_names(label: Labelled, rules: SetRules) -> dict[str, str]:
    """The template's name of every key that may be trusted to be labelled -> the label's."""
    return {rules.template_key(name): name for name in label.values if name not in label.unverified}


def known_values(label: Labelled, keys: Sequence[Key], rules: SetRules) -> tuple[tuple[Key, str | None], ...]:
    """The text as printed where the label has it, else the label's; keys whose label may be wrong are left out."""
    known: list[tuple[Key, str | None]] = []
    names = label_names(label, rules)
    for key in keys:
        if key.columns or key.name not in names:
            continue
        name = names[key.name]
        texts = label.printed.get(name) or label.values[name]
        known.append((key, (texts[0] if texts else None) or None))  # an empty text is no value
    return tuple(known)


def labelled_source(
    documents: Sequence[Labelled], templates: Sequence[Template], rules: SetRules, max_pictures: int
) -> LabelledSource:
    """Every document that one of the templates asks something of. Raises InputError where none is."""
    by_name = {template.name: template.keys for template in templates}
    only = templates[0].keys if len(templates) == 1 else ()
    asked = [(one, by_name.get(one.document_type, only)) for one in documents]
    usable = [(one, keys) for one, keys in asked if known_values(one, keys, rules)]
    if not usable:
        raise InputError(
            f"no document of {rules.name} has a label of a key that is asked",
            hint="name the templates of its document types with --template, or label the template's keys",
        )
    return LabelledSource(tuple(one for one, _ in usable), tuple(keys for _, keys in usable), rules, max_pictures)


def read_pictures(path: Path, shown: str, max_pictures: int) -> tuple[Pixels, ...]:
    """The first pages as displayed. Raises DocumentErrors; a page that cannot be drawn ends the sample."""
    with open_document(path, shown=shown, max_pages=max_pictures) as document:
        pictures = []
        for page in document.pages():
            if any(problem.code == "page_unreadable" for problem in page.problems):
                raise DamagedFile(f"{shown}: a page cannot be read")
            pictures.append(page.raster())
        return tuple(pictures)


def read_picture_bytes(data: bytes, shown: str) -> Pixels:
    """One picture out of an archive, by the same door as a file. Raises DocumentErrors, OutputError."""
    try:
        with NamedTemporaryFile(suffix=".picture") as file:
            file.write(data)
            file.flush()
            return read_pictures(Path(file.name), shown, 1)[0]
    except OSError as error:
        where = f"the folder of temporary files ({gettempdir()})"
        raise OutputError(f"{where} cannot be written: {error.strerror}", hint="free it, or set TMPDIR") from error


TEXT = Key("text", "text", "text")  # how a picture's text is asked in stage mask


def text_sample(picture: Pixels, text: str) -> Sample:
    """A picture and what is written on it, or said of it."""
    return Sample((picture,), ((TEXT, text),))
