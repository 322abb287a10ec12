"""Real documents, where they are at hand: the way up, the source of the text, the share of the words that is read."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pipkie_cli.documents import open_document
from pipkie_cli.nouns import Page, SourcePage
from pipkie_cli.words import read_words
from pipkie_cli.words.ocr import turned

DATA = Path(os.environ.get("PIPKIE_DATA", "/nonexistent"))
pytestmark = pytest.mark.nightly


@contextmanager
def first_page(path: Path) -> Iterator[SourcePage]:
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    with open_document(path, shown=path.name, max_pages=1) as document:
        yield next(iter(document.pages()))


def tokens(page: Page) -> Counter[str]:
    return Counter(re.findall(r"\w+", " ".join(word.text for word in page.words).upper()))


def files(folder: str, pattern: str, every: int) -> list[Path]:
    return sorted((DATA / folder / "documents").glob(pattern))[::every] or [DATA / folder / "documents" / pattern]


@pytest.mark.parametrize("path", files("sroie/train", "*.webp", 100), ids=lambda path: path.stem)
def test_receipts_are_read_alike_whichever_way_up(path: Path) -> None:
    """At least seven words in ten of the transcription, and nine in ten of what is read upright in every turn."""
    with first_page(path) as source:
        raster = source.raster().copy()
    upright = read_words(replace(source, raster=lambda: raster))
    assert upright.turn == 0
    lines = (DATA / "sroie/train/words.jsonl").read_text("utf-8").splitlines()
    truth = next(row for row in map(json.loads, lines) if row["file"].endswith(path.name))
    wanted = Counter(re.findall(r"\w+", " ".join(word[0] for word in truth["words"]).upper()))
    assert (tokens(upright) & wanted).total() >= 0.7 * wanted.total()
    for turn in (90, 180, 270):
        shown = turned(raster, 360 - turn)
        page = read_words(
            replace(source, raster=lambda shown=shown: shown, width=shown.shape[1], height=shown.shape[0])
        )
        assert page.turn == turn
        assert (tokens(page) & tokens(upright)).total() >= 0.9 * tokens(upright).total()


@pytest.mark.parametrize("path", files("zugferd/train", "*.pdf", 10), ids=lambda path: path.stem[:30])
def test_real_invoices_are_read_from_their_text_layer(path: Path) -> None:
    """No raster, no rejected layer, no turn."""
    with first_page(path) as source:
        page = read_words(source)
    assert (page.text_source, page.rasterizer, page.turn) == ("text", None, 0)
    assert page.problems == source.problems


@pytest.mark.parametrize(
    ("name", "text_source", "text"),
    [
        ("garbled-utf16-cmyk.pdf", "ocr", "Multicolor Black"),
        ("garbled-no-tounicode.pdf", "ocr", "Phone"),
        ("ocr-layer-noisy.pdf", "ocr", "Support"),
        ("text-as-outlines.pdf", "ocr", "This is text"),
        ("rotate-180-invoice.pdf", "text", "Invoice number: A-1001"),
        ("rotate-0-90-180-270.pdf", "text", "Hello world"),
        ("exif-orientation-6.jpg", "ocr", "Invoice number: A-1001"),
    ],
)
def test_odd_documents_are_read_from_the_right_source(name: str, text_source: str, text: str) -> None:
    """Garbled and hidden layers give way to the pixels, turned ones are read upright."""
    with first_page(DATA / "odd/documents" / name) as source:
        page = read_words(source)
    assert page.text_source == text_source
    assert text in " ".join(word.text for word in page.words)
