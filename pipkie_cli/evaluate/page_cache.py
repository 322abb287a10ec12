"""Read pages kept on disk, so that a new model is measured in seconds: OCR takes minutes, a forward does not.

An entry is found by the content of the document, what read it and the page limit; it is JSON, so a cache from elsewhere
cannot run code. What read it is `words_revision` and, because a revision is easily forgotten, the source text of the
rooms that read. Made by `pipkie eval --cache` alone; `extract` knows nothing of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from pipkie_cli.errors import OutputError
from pipkie_cli.facts import Facts
from pipkie_cli.nouns import Box, DocumentId, Page, Problem, Word

READERS = ("documents", "words")  # rooms of the package: their code decides what a page's words are


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as far as no model is concerned."""

    id: DocumentId
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]
    facts: Facts | None = None  # where a measurement asks for them; never kept


@dataclass(frozen=True, slots=True)
class PageCache:
    """One folder of read documents; `revision` says what read them."""

    folder: Path
    revision: str

    def entry(self, document: Path, max_pages: int) -> Path:
        digest = sha256(document.read_bytes())
        digest.update(f"\n{self.revision}\n{max_pages}".encode())
        return self.folder / f"{digest.hexdigest()}.json"

    def load(self, document: Path, max_pages: int) -> ReadDocument | None:
        """The entry of a document, or None where there is none or a half-written one.

        None also where the document itself cannot be read: whoever then reads it says why.
        """
        try:
            entry = self.entry(document, max_pages)
        except OSError:
            return None
        try:
            return _document(orjson.loads(entry.read_bytes()))
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        except OSError as error:
            raise OutputError(f"{entry} cannot be read", hint="name another folder with --cache") from error

    def keep(self, document: Path, max_pages: int, read: ReadDocument) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            entry = self.entry(document, max_pages)
            part = entry.with_suffix(".part")
            part.write_bytes(orjson.dumps(read))
            part.replace(entry)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written", hint="name another folder with --cache") from error


def reader_revision(words_revision: str) -> str:
    """What read a page: the revision that `words` states, the source text of the rooms that read, what a word holds."""
    package = Path(__file__).parents[1]
    digest = sha256()
    for name in READERS:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(f"\n{path.relative_to(package)}\n".encode() + path.read_bytes())
    for noun in (Box, Word, Page):
        digest.update(repr([(field.name, field.type) for field in fields(noun)]).encode())
    return f"{words_revision}, code {digest.hexdigest()[:12]}"


def _document(data: dict[str, Any]) -> ReadDocument:
    return ReadDocument(
        DocumentId(**data["id"]), tuple(_page(page) for page in data["pages"]), _problems(data["problems"])
    )


def _page(data: dict[str, Any]) -> Page:
    words = tuple(Word(**{**word, "box": Box(**word["box"])}) for word in data["words"])
    return Page(**{**data, "words": words, "problems": _problems(data["problems"])})


def _problems(data: Sequence[dict[str, Any]]) -> tuple[Problem, ...]:
    return tuple(Problem(**{**one, "keys": tuple(one["keys"])}) for one in data)
