"""Hostile and odd files of the wild: each gives the outcome that its set's README asks for."""

import os
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.documents import open_document
from pipkie_cli.documents.limits import MAX_RASTER_PX
from pipkie_cli.errors import DocumentError
from pipkie_cli.nouns import SourcePage

pytestmark = pytest.mark.nightly

FOLDER = Path(os.environ.get("PIPKIE_DATA", "/nowhere")) / "odd" / "documents"

ERRORS = {
    "enc-user-password-r6.pdf": "password_needed",
    "enc-both-passwords-r6.pdf": "password_needed",
    "enc-user-password-r2.pdf": "password_needed",
    "zero-bytes.pdf": "empty_file",
    "header-only.pdf": "damaged_file",
    "fuzzed-395.pdf": "no_pages",
    "fuzzed-937.pdf": "damaged_file",
    "page-tree-bad.pdf": "damaged_file",
    "html-named.pdf": "unsupported_format",
    "docx-named.pdf": "unsupported_format",
    "heif-29x100.heif": "unsupported_format",
    "truncated.jpg": "damaged_file",
    "bomb.gif": "too_large",
    "png-text-chunk-bomb.png": "damaged_file",
    "tiff-missing-dimensions.tif": "damaged_file",
}
PAGES = {  # where it is not 1
    "page-tree-loop.pdf": 2,
    "rotate-0-90-180-270.pdf": 5,
    "arabic-rotated-4-pages.pdf": 4,
    "japanese-vertical.pdf": 3,
    "pages-500.pdf": 500,
    "mediabox-zero-or-invalid.pdf": 3,
    "tiff-two-pages-g4.tif": 2,
}
PROBLEMS = {
    "truncated-half.pdf": {"repaired"},
    "truncated-tail.pdf": {"repaired"},
    "xref-missing.pdf": {"repaired"},
    "mediabox-2147483648.pdf": {"repaired"},
    "xfa-dynamic.pdf": {"xfa_form"},
    "embedded-attachment.pdf": {"embedded_files"},
    "portfolio.pdf": {"portfolio"},
    "pages-500.pdf": {"pages_cut"},
    "animated.gif": {"first_frame_only"},
}
UNREADABLE_PAGES = {"page-tree-loop.pdf": [1], "mediabox-zero-or-invalid.pdf": [2]}
VISIBLE = {  # a text that must be read from the first page, or "" where no character of a text layer may count
    "acroform-needappearances.pdf": "Otto Kern",
    "acroform-values-not-in-content.pdf": "tx annotation",
    "annotation-freetext.pdf": "FreeText content",
    "cropbox-offset-negative-origin.pdf": "A-1001",
    "enc-owner-only-no-extract.pdf": "A-1001",
    "enc-owner-only-r6.pdf": "asdfzxcv",
    "junk-700-bytes-before-header.pdf": "A-1001",
    "rotate-180-invoice.pdf": "A-1001",
    "truncated-tail.pdf": "A-1001",
    "xref-missing.pdf": "Reduced test-case",
    "xref-corrupt-rotated.pdf": "Beautiful is better than ugly.",
    "page-tree-loop.pdf": "Pages loop",
    "japanese-vertical.pdf": "あいうえお",
    "type3-font.pdf": "ababab",
    "Rechnung Größe é 発票 №5.pdf": "A-1001",
    "ocr-layer-noisy.pdf": "",
    "text-as-outlines.pdf": "",
    "ccitt-g4-scan.pdf": "",
    "jpx-image.pdf": "",
    "garbled-utf16-cmyk.pdf": "",
}
SLOW = {"slow-render.pdf", "jbig2-35000x35000.pdf"}  # half a minute by poppler


def names() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir()) if FOLDER.is_dir() else []


def test_the_set_is_whole() -> None:
    """Every expectation has its file, every file is walked."""
    if not FOLDER.is_dir():
        pytest.skip("PIPKIE_DATA names no folder with odd/documents")
    missing = {*ERRORS, *PAGES, *PROBLEMS, *UNREADABLE_PAGES, *VISIBLE} - set(names())
    assert (len(names()), missing) == (63, set())


@pytest.mark.parametrize("name", names())
def test_odd_file(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Its code, or its pages, problems, visible text and bearable pictures; and not a word on stdout or stderr."""
    outcome: tuple[str | None, int, set[str]] = (ERRORS.get(name), PAGES.get(name, 1), PROBLEMS.get(name, set()))
    pages: list[tuple[SourcePage, Any]] = []
    try:
        with open_document(FOLDER / name, shown=name, max_pages=20) as document:
            for page in document.pages():
                pages.append((page, _shape(page, name)))
            got = (None, document.id.page_count, {problem.code for problem in document.problems})
    except DocumentError as error:
        got = (error.code if name in error.message and error.hint else "without a name or a hint", *outcome[1:])
    assert got == outcome
    unreadable = [page.page_index for page, _ in pages if "page_unreadable" in [p.code for p in page.problems]]
    assert unreadable == UNREADABLE_PAGES.get(name, [])
    for page, shape in pages:
        assert (shape is None) == (page.page_index in unreadable)
        assert shape is None or shape[0] * shape[1] <= MAX_RASTER_PX
        "".join(glyph.text for glyph in page.glyphs).encode("utf-8")
    text = "".join(glyph.text for glyph in pages[0][0].glyphs if glyph.visible) if pages else ""
    assert VISIBLE.get(name, text) in text
    assert VISIBLE.get(name) != "" or text == ""
    assert capfd.readouterr() == ("", "")


def _shape(page: SourcePage, name: str) -> Any:
    if name in SLOW:
        page.raster._poppler.usable = False  # type: ignore[attr-defined]
    try:
        return page.raster().shape
    except DocumentError:
        return None
