"""Characters of a PDF: where they stand on the page as displayed, whether they show, and that they are clean."""

from collections.abc import Sequence
from pathlib import Path

import make
import numpy as np
import pytest
from make import INVOICE, Bar, Line, raw_pdf, stream, text_pdf

from pipkie_cli.documents import open_document
from pipkie_cli.nouns import Box, Glyph, SourcePage


def read(tmp_path: Path, data: bytes) -> SourcePage:
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with open_document(path, shown="a.pdf") as document:
        return next(document.pages())


def shown(page: SourcePage) -> str:
    return "".join(glyph.text for glyph in page.glyphs if glyph.visible)


def hidden(page: SourcePage) -> str:
    return "".join(glyph.text for glyph in page.glyphs if not glyph.visible and not glyph.text.isspace())


def union(glyphs: Sequence[Glyph]) -> Box:
    box = glyphs[0].box
    for glyph in glyphs[1:]:
        box = box.union(glyph.box)
    return box


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("origin", [(0, 0), (-300, 150)])
@pytest.mark.parametrize("crop", ["", "/CropBox [{} {} {} {}]"])
def test_boxes_lie_on_the_ink(tmp_path: Path, rotate: int, origin: tuple[int, int], crop: str) -> None:
    """For every /Rotate, an odd origin and a CropBox: all ink of the picture lies inside the characters' boxes."""
    x0, y0 = origin
    entries = crop.format(x0 + 20, y0 + 400, x0 + 500, y0 + 842 - 10)
    path = tmp_path / "a.pdf"
    path.write_bytes(text_pdf(INVOICE, rotate=rotate, origin=origin, page_entries=entries))
    with open_document(path, shown="a") as document:
        page = next(document.pages())
        page.raster._poppler.usable = False  # type: ignore[attr-defined]  # slower; it has a test of its own
        pixels = page.raster()
    height, width = pixels.shape[:2]
    assert (page.width > page.height) == (width > height)
    inside = np.zeros((height, width), bool)
    printed = [glyph for glyph in page.glyphs if not glyph.text.isspace()]
    assert len(printed) == 69
    for glyph in printed:
        box = glyph.box
        left, right = int(box.left * width) - 2, int(box.right * width) + 3
        top, bottom = int(box.top * height) - 2, int(box.bottom * height) + 3
        inside[top:bottom, left:right] = True
        assert pixels[top:bottom, left:right].min() < 128, glyph.text
    assert not (pixels.min(axis=2)[~inside] < 128).any()


def test_white_space_is_kept(tmp_path: Path) -> None:
    """Spaces and ends of lines are characters too, also those that pdfium makes."""
    page = read(tmp_path, text_pdf((Line(50, 60, "Total due"), Line(300, 60, "12.00"))))
    assert shown(page).split() == ["Total", "due", "12.00"]


def test_size_is_that_of_the_print(tmp_path: Path) -> None:
    """A font of 1 scaled by its matrix is as large as it looks."""
    content = b"BT /F1 1 Tf 14 0 0 14 50 700 Tm (A) Tj ET BT /F1 9 Tf 50 600 Td (B) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
        "/Contents 5 0 R >>",
        stream(content),
    ]
    sizes = {glyph.text: glyph.size_pt for glyph in read(tmp_path, raw_pdf(objects)).glyphs}
    assert sizes["A"] == pytest.approx(14)
    assert sizes["B"] == pytest.approx(9)


@pytest.mark.parametrize(
    ("line", "bars"),
    [
        (Line(50, 60, "secret", mode=3), ()),
        (Line(50, 60, "secret", grey=1), ()),
        (Line(50, 60, "secret", size=0.3), ()),
        (Line(50, 60, "secret"), (Bar(40, 48, 100, 16, over=True),)),
        (Line(50, 60, "secret"), (Bar(40, 48, 100, 16, grey=1, over=True),)),
        (Line(50, 60, "secret"), (Bar(40, 48, 100, 16, grey=0),)),
    ],
    ids=["mode 3", "white on white", "tiny", "black bar over it", "white bar over it", "black on black"],
)
def test_what_does_not_show_is_invisible(tmp_path: Path, line: Line, bars: Sequence[Bar]) -> None:
    """Text that a person cannot see on the page is marked, and its neighbour is not."""
    page = read(tmp_path, text_pdf((line, Line(50, 200, "seen 1.50")), bars=bars))
    assert (hidden(page), shown(page).strip()) == ("secret", "seen 1.50")


@pytest.mark.parametrize("grey", [0.0, 0.5, 0.85])
def test_print_on_a_band_shows(tmp_path: Path, grey: float) -> None:
    """White headings on a coloured band and black ones on a pale band are read."""
    ink = 1.0 if grey < 0.7 else 0.0
    lines = (Line(50, 60, "Quantity i.l,1 Total:", size=8, grey=ink),)
    page = read(tmp_path, text_pdf(lines, bars=(Bar(40, 45, 300, 20, grey=grey),)))
    assert hidden(page) == ""


def test_every_sign_of_small_pale_print_shows(tmp_path: Path) -> None:
    """Footers in 6 point grey are seen, in every orientation of the page."""
    text = "The quick brown fox jumps over the lazy dog 0123456789 IBAN: DE-ILT.fj,;'"
    for rotate in (0, 90, 180, 270):
        lines = [Line(50.3, 60.7 + 20.1 * row, text, size=6, grey=0.75) for row in range(20)]
        assert hidden(read(tmp_path, text_pdf(lines, rotate=rotate))) == ""


def test_transparent_text_is_invisible(tmp_path: Path) -> None:
    """A fill opacity of nothing paints nothing."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> "
        "/ExtGState << /G << /ca 0 >> >> >> /Contents 5 0 R >>",
        stream(b"BT /F1 12 Tf 50 700 Td (seen) Tj ET /G gs BT /F1 12 Tf 50 600 Td (ghost) Tj ET"),
    ]
    page = read(tmp_path, raw_pdf(objects))
    assert (hidden(page), shown(page).strip()) == ("ghost", "seen")


def test_text_off_the_page_is_dropped(tmp_path: Path) -> None:
    """What stands outside the CropBox is not on the page."""
    lines = (Line(-200, 60, "left"), Line(50, 60, "here"), Line(50, 900, "below"))
    page = read(tmp_path, text_pdf(lines))
    assert "".join(glyph.text for glyph in page.glyphs).split() == ["here"]
    for glyph in page.glyphs:
        assert 0 <= glyph.box.left <= glyph.box.right <= 1
        assert 0 <= glyph.box.top <= glyph.box.bottom <= 1


def _mapped_pdf(codes: str, mappings: Sequence[tuple[str, str]]) -> bytes:
    """Text of one-byte codes (hex) whose font says by /ToUnicode what they mean."""
    lines = "\n".join(f"<{code}> <{text}>" for code, text in mappings)
    cmap = (
        "/CIDInit /ProcSet findresource begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(mappings)} beginbfchar\n{lines}\n"
        "endbfchar endcmap end"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
        "/Contents 5 0 R >>",
        stream(f"BT /F1 12 Tf 50 700 Td <{codes}> Tj ET".encode()),
        stream(cmap.encode()),
    ]
    return raw_pdf(objects)


def test_characters_can_always_be_written_as_utf_8(tmp_path: Path) -> None:
    """Lone surrogates, NUL and control characters are marked as not decoded; a pair is one character."""
    mappings = [("41", "D835"), ("42", "D835DC00"), ("43", "0000"), ("44", "0007"), ("45", "0045"), ("46", "DC00")]
    page = read(tmp_path, _mapped_pdf("4541424344464145", mappings))
    text = "".join(glyph.text for glyph in page.glyphs)
    text.encode("utf-8")
    assert text.startswith("E")
    assert text.endswith("E")
    assert "\U0001d400" in text
    assert "\0" not in text
    assert "\x07" not in text
    for glyph in page.glyphs:
        assert glyph.mapped == (glyph.text not in ("", "\ufffd")), glyph


def test_form_values_are_on_the_page(tmp_path: Path) -> None:
    """A field without an appearance is painted, in the text and in the picture."""
    path = tmp_path / "a.pdf"
    path.write_bytes(make.form_pdf("Otto Kern"))
    with open_document(path, shown="a") as document:
        page = next(document.pages())
        assert "Otto Kern" in shown(page)
        value = union([glyph for glyph in page.glyphs if glyph.text in "OttoKern" and glyph.box.left > 0.24])
        pixels = page.raster()
    height, width = pixels.shape[:2]
    part = pixels[int(value.top * height) : int(value.bottom * height), int(value.left * width) :]
    assert part.min() < 128


@pytest.mark.parametrize(("flags", "there"), [(4, True), (2, False), (32, False)])
def test_annotations_are_read_when_they_show(tmp_path: Path, flags: int, there: bool) -> None:
    """Text of an annotation is text of the page, unless its flags hide it."""
    page = read(tmp_path, make.annotation_pdf("paid 12.00", flags=flags))
    assert ("paid 12.00" in shown(page)) is there
    assert "A-1001" in shown(page)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_images_have_their_boxes(tmp_path: Path, rotate: int) -> None:
    """A picture inside a form XObject is found where it is painted."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 800] /Rotate {rotate} /Resources << /XObject << /Fm 5 0 R "
        ">> >> /Contents 4 0 R >>",
        stream(b"q 2 0 0 2 100 100 cm /Fm Do Q"),
        stream(b"q 50 0 0 100 0 0 cm /Im Do Q", "/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources "
               "<< /XObject << /Im 6 0 R >> >>"),
        stream(b"\x00", "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"),
    ]  # fmt: skip
    (box,) = read(tmp_path, raw_pdf(objects)).image_boxes
    upright = Box(0.25, 0.625, 0.5, 0.875)  # 100..200 of 400 points, 100..300 of 800 from below
    displayed = upright.as_displayed({0: 0, 90: 270, 180: 180, 270: 90}[rotate])  # type: ignore[arg-type]
    for got, want in zip((box.left, box.top, box.right, box.bottom),
                         (displayed.left, displayed.top, displayed.right, displayed.bottom), strict=True):  # fmt: skip
        assert got == pytest.approx(want, abs=1e-4)


def test_a_page_without_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters beyond the limit are left, and the page says so."""
    monkeypatch.setattr("pipkie_cli.documents.pdf_text.MAX_GLYPHS", 20)
    page = read(tmp_path, text_pdf(INVOICE))
    assert len(page.glyphs) == 20
    assert [problem.code for problem in page.problems] == ["text_cut"]
