"""Pictures of PDF pages: as displayed, capped in pixels, by poppler or by pdfium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import make
import pytest
from make import INVOICE, Line, text_pdf
from PIL import Image

from pipkie_cli.documents import open_document
from pipkie_cli.documents.limits import MAX_RASTER_PX, MAX_RASTER_SIDE_PX
from pipkie_cli.documents.pdf_raster import poppler_installed, raster_scale

needs_poppler = pytest.mark.skipif(not poppler_installed(), reason="poppler is not installed")


@pytest.fixture
def without_poppler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipkie_cli.documents.pdf_raster.shutil.which", lambda _: None)
    poppler_installed.cache_clear()


@pytest.fixture(autouse=True)
def fresh_answer() -> Any:
    poppler_installed.cache_clear()
    yield
    poppler_installed.cache_clear()


def drawn(tmp_path: Path, data: bytes) -> tuple[Any, str]:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with open_document(path, shown="a") as document:
        page = next(document.pages())
        pixels = page.raster()
        return pixels, page.rasterized_by


@pytest.mark.parametrize(
    "size", [(595, 842), (3.84, 3.84), (14400, 14400), (595, 2_147_483_648.0), (1, 14400), (842, 1191)]
)
def test_pictures_keep_within_the_limits(size: tuple[float, float]) -> None:
    """Whatever the page measures, the picture has a bearable number of pixels."""
    scale = raster_scale(*size)
    width, height = size[0] * scale, size[1] * scale
    assert width * height <= MAX_RASTER_PX
    assert max(width, height) <= MAX_RASTER_SIDE_PX
    assert max(width, height) >= 799


@pytest.mark.usefixtures("without_poppler")
@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (make.blank_pdf((3.84, 3.84)), (800, 800, 3)),
        (make.huge_page_pdf(), (4000, 4000, 3)),
        (make.blank_pdf((595, 2_147_483_648.0)), (16000, 1, 3)),
        (text_pdf(INVOICE, rotate=90), (1653, 2339, 3)),
    ],
)
def test_odd_pages_are_drawn(tmp_path: Path, data: bytes, shape: tuple[int, int, int]) -> None:
    """Tiny, huge and endless pages give a small picture of the right shape."""
    pixels, by = drawn(tmp_path, data)
    assert (pixels.shape, pixels.dtype, by) == (shape, "uint8", "pdfium")


@needs_poppler
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_both_rasterizers_show_the_same_page(tmp_path: Path, rotate: int) -> None:
    """Form values, /Rotate and CropBox look alike, so boxes fit either picture."""
    path = tmp_path / "a.pdf"
    crop = "/CropBox [20 300 500 800]"
    for data in (make.form_pdf(), make.annotation_pdf(), text_pdf(INVOICE, rotate=rotate, page_entries=crop)):
        path.write_bytes(data)
        with open_document(path, shown="a") as document:
            page = next(document.pages())
            first = page.raster()
            assert page.rasterized_by == "poppler"
            page.raster._poppler.usable = False  # type: ignore[attr-defined]
            second = page.raster()
        small = [
            Image.fromarray(pixels).convert("L").resize((60, 60), Image.Resampling.BOX) for pixels in (first, second)
        ]
        differences = [abs(a - b) for a, b in zip(*(image.tobytes() for image in small), strict=True)]
        assert sum(differences) / len(differences) < 1
        assert min(small[0].tobytes()) < 250


def _fails(*_: object, **__: object) -> object:
    from pdf2image.exceptions import PDFSyntaxError

    raise PDFSyntaxError("Syntax Error")


def _hangs(*_: object, **__: object) -> object:
    from pdf2image.exceptions import PDFPopplerTimeoutError

    raise PDFPopplerTimeoutError("Run poppler timeout.")


def _draws_nothing(*_: object, **__: object) -> object:
    return []


def _draws_another_page(*_: object, **__: object) -> object:
    return [Image.new("RGB", (2339, 1653), "white")]


@needs_poppler
@pytest.mark.parametrize("fault", [_fails, _hangs, _draws_nothing, _draws_another_page])
def test_pdfium_draws_where_poppler_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., object]
) -> None:
    """The page is drawn all the same, and its provenance says by whom and why."""
    monkeypatch.setattr("pdf2image.convert_from_path", fault)
    pixels, by = drawn(tmp_path, text_pdf(INVOICE))
    assert pixels.shape == (2339, 1653, 3)
    assert pixels.min() < 128
    assert by == "pdfium (poppler failed)"


@needs_poppler
def test_a_slow_poppler_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of 50 pages must not wait 50 times."""
    asked = []

    def hang(*_: object, **__: object) -> object:
        asked.append(1)
        return _hangs()

    monkeypatch.setattr("pdf2image.convert_from_path", hang)
    path = tmp_path / "a.pdf"
    path.write_bytes(make.many_pages_pdf(3))
    with open_document(path, shown="a") as document:
        for page in document.pages():
            page.raster()
    assert len(asked) == 1


@needs_poppler
def test_a_file_that_changed_is_not_shown_to_poppler(tmp_path: Path) -> None:
    """Text and picture come from the same bytes."""
    path = tmp_path / "a.pdf"
    path.write_bytes(text_pdf(INVOICE))
    with open_document(path, shown="a") as document:
        page = next(document.pages())
        path.write_bytes(text_pdf((Line(50, 60, "another document"),)))
        page.raster()
        assert page.rasterized_by == "pdfium (poppler failed)"
