"""Stand-ins for the slow rooms, so that the road can be walked in milliseconds: made-up documents and a made-up model.

A made-up document is a text file: pages are divided by form feeds, and every word stands on its own place. The model
reads "key: value" pairs. A page that says BREAK makes the "OCR" raise, LOCKED stands for a password, TORN for a page
that cannot be drawn, PRINT for a library that writes to stdout in every way there is, WAIT and HANG for one that takes
for ever, SLOW for one that takes a while, CRASH for one that ends its process, FLAKY for one that does so the first
time, BLOAT for one that eats memory, SPAWN for one that starts a program.
"""

import ctypes
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest

from pipkie_cli.errors import DamagedFile, DocumentError, PdfEncrypted
from pipkie_cli.nouns import (
    Box,
    Calibration,
    Candidate,
    DocumentId,
    Key,
    Page,
    Place,
    Problem,
    Sheet,
    SourcePage,
    Window,
    Word,
    Written,
)


@dataclass
class MadeUpDocument:
    id: DocumentId
    texts: list[str]
    problems: tuple[Problem, ...] = ()

    def __enter__(self) -> "MadeUpDocument":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def pages(self) -> Iterator[SourcePage]:
        for index, text in enumerate(self.texts):
            yield SourcePage(
                index, 595, 842, (), (), _torn if "TORN" in text else partial(drawn, text), text
            )  # the text travels as the rasterizer's name

    def close(self) -> None:
        pass


def _torn() -> Any:
    raise DamagedFile("it cannot be drawn")


def drawn(text: str) -> Any:
    """A white picture; its first pixels are the text, for a model that reads them."""
    import numpy as np

    pixels = np.full(84 * 60 * 3, 255, np.uint8)
    said = text.encode()[: pixels.size - 1] + b"\0"
    pixels[: len(said)] = list(said)
    return pixels.reshape(84, 60, 3)


def open_document(path: Path, *, shown: str, passwords: Any = (), max_pages: int = 50) -> MadeUpDocument:
    content = path.read_bytes()
    if b"LOCKED" in content and "sesame" not in passwords:
        raise PdfEncrypted(f"{shown} needs a password", hint="add --password, or save the file without one")
    texts = content.decode().split("\f")
    identity = DocumentId(shown, hashlib.sha256(content).hexdigest(), len(texts))
    cut = (Problem("pages_cut", f"{max_pages} pages read"),) if len(texts) > max_pages else ()
    return MadeUpDocument(identity, texts[:max_pages], cut)


def read_words(page: SourcePage) -> Page:
    """By "OCR": a page without its picture has no words."""
    text = page.rasterizer
    try:
        page.raster()
    except DocumentError as error:
        torn = Problem("page_unreadable", f"page {page.page_index + 1}: {error.message}")
        return Page(page.page_index, page.width, page.height, 0, (), "none", None, (torn,))
    if "BREAK" in text:
        raise ValueError(f"the secret of this page is {text}")
    if "PRINT" in text:
        pollute_stdout()
    if "WAIT" in text:
        Path("waiting").write_text("")  # a FIFO of the test, which opens the other end
        signal.pause()
    if "CRASH" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "FLAKY" in text and not Path("flaked").exists():
        Path("flaked").write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    if "BLOAT" in text:
        eaten = b"x" * (400 << 20)
        time.sleep(60)
        del eaten
    if "SLOW" in text:
        time.sleep(0.05)
    if "SPAWN" in text:
        with Path("spawned").open("a") as file:
            file.write(f"{subprocess.Popen(['sleep', '600']).pid}\n")
    if "HANG" in text:
        time.sleep(600)
    words = tuple(
        Word(word, Box(column / 20, row / 40, column / 20 + 0.04, row / 40 + 0.02), row, row, "ocr")
        for row, line in enumerate(text.splitlines())
        for column, word in enumerate(line.split())
    )
    return Page(page.page_index, page.width, page.height, 0, words, "ocr", "pillow")


def pollute_stdout() -> None:
    """Write to stdout and stderr as a careless library would: by print, by C, by a child process."""
    print("print was here")  # noqa: T201
    c = ctypes.CDLL(None)
    c.puts(b"puts was here")
    c.fflush(None)
    subprocess.run([sys.executable, "-c", "print('a child was here')"], check=True)


class KeyValueBackend:
    """Finds `key: value` on the page, and `column: value` in a row. `value?` is unsure, `value??` rather absent."""

    reads: Literal["words"] = "words"
    revision = "made-up@1"
    calibration = Calibration()

    def prepare(self, window: Window) -> Window:
        return window

    def forward(self, window: Window) -> tuple[tuple[Candidate, ...], ...]:
        everywhere = tuple(range(len(window.words)))
        places = (*(everywhere for _ in window.keys), *(cell.row for cell in window.cells))
        return tuple(_guesses(window, key.name, place) for key, place in zip(window.asked, places, strict=True))


@dataclass(frozen=True)
class PreparedSheet:
    """The texts of a sheet's pictures; `cost` is their letters."""

    texts: tuple[str, ...]
    pages: tuple[int, ...]
    keys: tuple[Key, ...]

    @property
    def cost(self) -> int:
        return sum(map(len, self.texts))


class PictureBackend:
    """Reads what `drawn` wrote into the pixels: `key: value`, `value?` unsure, `value~` cut off, `value!` read again.

    `sheets` are those that it was asked, `batches` how many shared each forward.
    """

    reads: Literal["pixels"] = "pixels"
    revision = "made-up-pixels@1"
    calibration = Calibration()

    def __init__(self, max_pictures: int = 2) -> None:
        self.max_pictures = max_pictures
        self.sheets: list[Sheet] = []
        self.batches: list[int] = []

    def prepare(self, sheet: Sheet) -> PreparedSheet:
        self.sheets.append(sheet)
        texts = tuple(bytes(one.pixels.reshape(-1)).split(b"\0")[0].decode() for one in sheet.pictures)
        return PreparedSheet(texts, tuple(one.page_index for one in sheet.pictures), sheet.keys)

    def forward(self, batch: Sequence[PreparedSheet]) -> tuple[tuple[Written, ...], ...]:
        self.batches.append(len(batch))
        return tuple(tuple(_written(sheet, key) for key in sheet.keys) for sheet in batch)


def _written(sheet: PreparedSheet, key: Key) -> Written:
    for page, text in zip(sheet.pages, sheet.texts, strict=True):
        for row, line in enumerate(text.splitlines()):
            name, _, value = line.partition(": ")
            if name == key.name:
                flags = ("value_truncated",) if "~" in value else ()
                score = -0.9 if "?" in value else -0.05
                place = Place(page + 1, (Box(0.1, row / 40, 0.5, row / 40 + 0.02),))
                return Written(value.strip("?~!"), score, place, flags, 2 if "!" in value else 1)
    return Written(None, -0.05)


def _guesses(window: Window, name: str, place: tuple[int, ...]) -> tuple[Candidate, ...]:
    at = next((i + 1 for i in place if window.words[i].text == f"{name}:"), None)
    if at is None:
        return (Candidate(None, -0.05),)
    if window.words[at].text.endswith("??"):
        return (Candidate(None, -0.9), Candidate((at, at), -1.2))
    if window.words[at].text.endswith("?"):
        return (Candidate((at, at), -0.9), Candidate(None, -1.2))
    return (Candidate((at, at), -0.1), Candidate(None, -2.5))


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the doors of the slow rooms lead here."""
    monkeypatch.setattr("pipkie_cli.documents.open_document", open_document)
    monkeypatch.setattr("pipkie_cli.words.read_words", read_words)
    monkeypatch.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: KeyValueBackend())


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Documents are made up, and so is the model."""
    install(monkeypatch)
    return monkeypatch
