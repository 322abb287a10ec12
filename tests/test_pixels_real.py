"""Real documents, from the file to the record, through a tiny random model that reads pixels; OCR reads no page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp
from make import INVOICE, encode, picture, png, scan_pdf, text_pdf
from mllm_tiny import build_tiny
from PIL import Image

from pipkie_cli.models import PixelBackend, load_backend
from pipkie_cli.nouns import Input, Key, Locale, Picture, RunOptions, Sheet, Template, Word
from pipkie_cli.pipeline import process, walk
from pipkie_cli.records import check_record

KEYS = (
    Key("invoice_number", "text", "invoice number", required=True),
    Key("total", "amount", "total"),
    Key("items", "table", "items", columns=(Key("amount", "amount", "amount"),)),
)


def template(*keys: Key) -> Template:
    return Template("note", "Note", keys or KEYS, Locale(), ("note",), (), "0123456789ab", "note.yaml")


ONE = RunOptions((template(),), template_given=True, max_pixels=40_000)


class Watched:
    """A backend that keeps what it was given."""

    def __init__(self, backend: PixelBackend) -> None:
        self._backend, self.pictures = backend, list[Picture]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def prepare(self, sheet: Sheet) -> Any:
        self.pictures += sheet.pictures
        return self._backend.prepare(sheet)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> PixelBackend:
    backend = load_backend(str(build_tiny("qwen2_vl", tmp_path_factory.mktemp("tiny") / "model")))
    assert backend.reads == "pixels"
    return backend


@pytest.fixture
def backend(tiny: PixelBackend, monkeypatch: pytest.MonkeyPatch) -> Any:
    def no_ocr(*_: Any) -> None:
        raise AssertionError("a page was read by OCR")

    monkeypatch.setattr("pipkie_cli.words.read.read_raster", no_ocr)
    return Watched(tiny)


def item(folder: Path, name: str, content: bytes) -> Input:
    path = folder / name
    path.write_bytes(content)
    return Input(path, name)


def texts(words: tuple[Word, ...]) -> list[str]:
    return [word.text for word in words]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", text_pdf(INVOICE, (), INVOICE)),
        ("b.pdf", scan_pdf(picture(), picture(), picture())),
        ("c.png", png()),
    ],
)
def test_every_kind_of_document_has_its_record(backend: Any, tmp_path: Path, name: str, content: bytes) -> None:
    """Whatever a random model writes: a record that keeps its contract, the same each time."""
    paper = item(tmp_path, name, content)
    (record,) = process(paper, ONE, backend)
    assert check_record(record, ONE.templates[0]) == []
    assert record["status"] != "failed"
    assert record["document"]["pages"] == list(range(1, record["document"]["page_count"] + 1))
    assert "table_not_read" in {problem["code"] for problem in record["problems"]}
    assert process(paper, ONE, backend) == [record]


def test_pages_are_seen_as_displayed(backend: Any, tmp_path: Path) -> None:
    """A turned PDF page and a photograph with a note of its turn stand upright in front of the model, in colour."""
    process(item(tmp_path, "a.pdf", text_pdf(INVOICE, rotate=90)), ONE, backend)
    height, width, colours = backend.pictures[0].pixels.shape
    assert (width > height, colours, backend.pictures[0].pixels.dtype) == (True, 3, np.uint8)
    backend.pictures.clear()
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to look at it
    process(item(tmp_path, "b.jpg", encode(picture(), "JPEG", exif=exif)), ONE, backend)
    height, width, _ = backend.pictures[0].pixels.shape
    assert width > height


def test_text_layers_say_what_values_mean(backend: Any, tmp_path: Path) -> None:
    """They cost next to nothing: decimal marks and dates are decided by them too. A scan has none, and is not read."""
    trace = walk(item(tmp_path, "a.pdf", text_pdf(INVOICE)), ONE, backend)
    assert "A-1001" in texts(trace.prepared.pages[0].words)
    trace = walk(item(tmp_path, "b.pdf", scan_pdf(picture())), ONE, backend)
    assert trace.prepared.pages[0].words == ()
    assert trace.prepared.problems == ()


def test_a_code_on_a_page_is_found(backend: Any, tmp_path: Path) -> None:
    """On the picture that the model sees."""
    code = zxingcpp.create_barcode("4006381333931", zxingcpp.BarcodeFormat.EAN13).to_image(scale=4)
    sheet = picture()
    sheet.paste(Image.fromarray(np.array(code)), (200, 700))
    asked = template(Key("ean", "barcode", "article"), *KEYS[:1])
    (record,) = process(item(tmp_path, "a.png", png(sheet)), RunOptions((asked,), template_given=True), backend)
    assert record["values"]["ean"] == "4006381333931"
    assert record["fields"]["ean"]["source"] == "barcode"
    assert len(backend.pictures) == 1
