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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from pipkie_cli.errors import DamagedFile, PdfEncrypted
from pipkie_cli.nouns import Box, Calibration, Candidate, DocumentId, Page, Problem, SourcePage, Window, Word


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
                index, 595, 842, (), (), _torn if "TORN" in text else _white, text
            )  # the text travels as the rasterizer's name


def _torn() -> Any:
    raise DamagedFile("it cannot be drawn")


def _white() -> Any:
    import numpy as np

    return np.full((84, 60, 3), 255, np.uint8)


def open_document(path: Path, *, shown: str, passwords: Any = (), max_pages: int = 50) -> MadeUpDocument:
    content = path.read_bytes()
    if b"LOCKED" in content and "sesame" not in passwords:
        raise PdfEncrypted(f"{shown} needs a password", hint="add --password, or save the file without one")
    texts = content.decode().split("\f")
    identity = DocumentId(shown, hashlib.sha256(content).hexdigest(), len(texts))
    cut = (Problem("pages_cut", f"{max_pages} pages read"),) if len(texts) > max_pages else ()
    return MadeUpDocument(identity, texts[:max_pages], cut)


def read_words(page: SourcePage) -> Page:
    text = page.rasterizer
    if "BREAK" in text:
        raise ValueError(f"the secret of this page is {text}")
    if "TORN" in text:
        torn = Problem("page_unreadable", f"page {page.page_index + 1}: it cannot be drawn")
        return Page(page.page_index, page.width, page.height, 0, (), "none", None, (torn,))
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
