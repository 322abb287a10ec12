"""Read pages kept on disk: OCR takes seconds a page, finding them again does not.

An entry is found by the content of the document, what read it and the page limit; it is JSON, so a cache from elsewhere
cannot run code. What read it is `words_revision` and, because a revision is easily forgotten, the source text of the
rooms that read. The codes of a document are entries of their own: a template decides which kinds are looked for.

A bounded cache forgets what was used longest ago. Several processes may share it: an entry appears when it is whole,
and one that vanishes was never there. Each process counts the folder again when it has written a share of what was
free at its last count, so that as many as SHARERS of them stay below the bound together.
"""

import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pipkie_cli.errors import OutputError
from pipkie_cli.nouns import Box, Code, DocumentId, Page, Place, Problem, Word

if TYPE_CHECKING:
    from hashlib import _Hash

    from pipkie_cli.facts import CodeReader
    from pipkie_cli.pages.read import ReadDocument

READERS = ("documents", "words")  # rooms of the package: their code decides what a page's words are
MAX_ENTRY_BYTES = 64 << 20  # 600 full pages; what is larger is read anew
SHARERS = 32  # processes
KEPT_SHARE = 7 / 8  # of the bound, after forgetting
_BLOCK_BYTES = 1 << 20
_OWN = re.compile(r"[0-9a-f]{64}(\.codes)?\.json(\.[0-9a-f]{8}\.part)?")  # files that may be forgotten


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """The bytes of a file, hashed once."""

    digest: "_Hash"

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()

    def entry(self, *said: object) -> str:
        """The name of what is kept for these bytes under these conditions."""
        digest = self.digest.copy()
        for one in said:
            digest.update(f"\n{one}".encode())
        return digest.hexdigest()


class PageCache:
    """One folder of read documents; `revision` says what read them. Without a limit nothing is forgotten."""

    def __init__(self, folder: Path, revision: str, limit_bytes: int | None = None) -> None:
        self.folder, self.revision, self.limit_bytes = folder, revision, limit_bytes
        self.counts = {"hits": 0, "misses": 0}
        self._allowance = 0  # bytes that may be written before the folder is counted again

    def content_of(self, document: Path) -> Content | None:
        """None where it cannot be read: whoever then reads it says why. A FIFO is not waited for."""
        digest = sha256()
        try:
            if not document.is_file():
                return None
            with document.open("rb") as file:
                while block := file.read(_BLOCK_BYTES):
                    digest.update(block)
        except (OSError, ValueError):  # ValueError: a NUL in the name
            return None
        return Content(digest)

    def load(self, content: Content, max_pages: int) -> "ReadDocument | None":
        """The entry of a document, or None where there is none, or one that is not whole."""
        data = self._load(self.entry(content, max_pages))
        found = None
        with suppress(KeyError, TypeError, AttributeError):
            found = _document(data) if data is not None else None
        self.counts["hits" if found else "misses"] += 1
        return found

    def keep(self, content: Content, max_pages: int, read: "ReadDocument") -> None:
        self._keep(self.entry(content, max_pages), orjson.dumps(replace(read, pictures=None)))

    def load_codes(self, content: Content, max_pages: int, codes: "CodeReader") -> bool:
        """Give the reader what it would find; False where that is not known. It may look for nothing at all."""
        if not codes.revision:
            return True
        data = self._load(self._codes_entry(content, max_pages, codes))
        try:
            found = [_code(one) for one in data["codes"]] if data is not None else None
        except (KeyError, TypeError, AttributeError):
            return False
        if found is None:
            return False
        codes.codes += found
        return True

    def keep_codes(self, content: Content, max_pages: int, codes: "CodeReader") -> None:
        """Not where a page could not be looked at: it may be tomorrow."""
        if codes.revision and not codes.problems:
            self._keep(self._codes_entry(content, max_pages, codes), orjson.dumps({"codes": codes.codes}))

    def entry(self, content: Content, max_pages: int) -> Path:
        return self.folder / f"{content.entry(self.revision, max_pages)}.json"

    def _codes_entry(self, content: Content, max_pages: int, codes: "CodeReader") -> Path:
        return self.folder / f"{content.entry(self.revision, codes.revision, max_pages)}.codes.json"

    def _load(self, entry: Path) -> Any:
        try:
            if entry.is_fifo():  # nobody may write to it
                raise OSError("no file")
            with entry.open("rb") as file:
                data = file.read(MAX_ENTRY_BYTES + 1)
            if self.limit_bytes is not None:
                with suppress(OSError):  # another user's, or forgotten meanwhile
                    os.utime(entry)
            return orjson.loads(data) if len(data) <= MAX_ENTRY_BYTES else None
        except (FileNotFoundError, orjson.JSONDecodeError):
            return None
        except OSError as error:
            raise OutputError(f"{entry} cannot be read", hint="name another folder with --cache") from error

    def _keep(self, entry: Path, data: bytes) -> None:
        if len(data) > MAX_ENTRY_BYTES:
            return
        part = entry.with_name(f"{entry.name}.{secrets.token_hex(4)}.part")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds what documents say
            if not self._make_room(len(data)):
                return
            try:
                part.write_bytes(data)
                part.replace(entry)
            except BaseException:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise OutputError(
                f"{self.folder} cannot be written: {error.strerror}",
                hint="free or fix the place, or name another folder with --cache",
            ) from error

    def _make_room(self, size: int) -> bool:
        """Forget what was used longest ago until there is room; False where an entry is too large for the bound."""
        if self.limit_bytes is None:
            return True
        if self._allowance < size:
            self._allowance = max((self.limit_bytes - self._forget(size)) // SHARERS, size)
        self._allowance -= size
        return size <= self.limit_bytes

    def _forget(self, size: int) -> int:
        """Bytes that the folder holds, at most the limit less `size` after forgetting."""
        assert self.limit_bytes is not None
        entries = sorted(_own_files(self.folder))
        held = sum(one.size for one in entries)
        if held + size <= self.limit_bytes:
            return held
        wanted = max(0, min(self.limit_bytes - size, int(self.limit_bytes * KEPT_SHARE)))
        for one in entries:
            if held <= wanted:
                break
            with suppress(FileNotFoundError):  # of another process, which forgets too
                os.unlink(one.path)
            held -= one.size
        return held


@dataclass(frozen=True, slots=True, order=True)
class _Own:
    used_ns: int
    path: str
    size: int


def _own_files(folder: Path) -> "list[_Own]":
    """The entries, and unfinished ones, of a folder; nothing else in it is ours."""
    found = []
    with os.scandir(folder) as listed:
        for one in listed:
            if _OWN.fullmatch(one.name):
                with suppress(FileNotFoundError):
                    status = one.stat(follow_symlinks=False)
                    found.append(_Own(status.st_mtime_ns, one.path, status.st_size))
    return found


def open_cache(folder: Path, limit_bytes: int | None = None) -> PageCache:
    """The cache in a folder for what reads pages here and now."""
    from pipkie_cli.words import words_revision

    return PageCache(folder, reader_revision(words_revision()), limit_bytes)


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


def _document(data: dict[str, Any]) -> "ReadDocument":
    from pipkie_cli.pages.read import ReadDocument

    return ReadDocument(
        DocumentId(**data["id"]), tuple(_page(page) for page in data["pages"]), _problems(data["problems"])
    )


def _page(data: dict[str, Any]) -> Page:
    words = tuple(Word(**{**word, "box": Box(**word["box"])}) for word in data["words"])
    return Page(**{**data, "words": words, "problems": _problems(data["problems"])})


def _problems(data: Sequence[dict[str, Any]]) -> tuple[Problem, ...]:
    return tuple(Problem(**{**one, "keys": tuple(one["keys"])}) for one in data)


def _code(data: dict[str, Any]) -> Code:
    place = data["place"]
    return Code(data["kind"], data["text"], Place(place["page_number"], tuple(Box(**box) for box in place["boxes"])))
