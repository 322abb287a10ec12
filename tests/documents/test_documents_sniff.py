"""A format is told by content; whatever is not read is named in the message."""

from pathlib import Path

import pytest
from make import INVOICE, encode, jpeg, picture, png, text_pdf, tiff

from pipkie_cli.documents import looks_like_document
from pipkie_cli.documents.sniff import sniff
from pipkie_cli.errors import EmptyFile, UnsupportedFormat


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (text_pdf(INVOICE), "pdf"),
        (png(), "png"),
        (jpeg(), "jpeg"),
        (tiff(), "tiff"),
        (encode(picture(), "WEBP"), "webp"),
        (encode(picture(), "BMP"), "bmp"),
        (encode(picture(), "GIF"), "gif"),
        (b"x" * 1000 + b"%PDF-1.4\n", "pdf"),
    ],
)
def test_formats_are_known_by_their_first_bytes(data: bytes, kind: str) -> None:
    """All seven formats are told apart, and a PDF header may stand anywhere in the first kilobyte."""
    assert sniff(data, "a") == kind


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"<!DOCTYPE html><p>not found %PDF-1.4", "HTML"),
        (b"\xef\xbb\xbf <HTML>", "HTML"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x00\x00\x00\x18ftypheic", "HEIF"),
        (b"\x00\x00\x00\x18ftypavif", "ISO"),
        (b"<?xml version='1.0'?><Invoice/>", "XML"),
        (b"\xd0\xcf\x11\xe0", "Office"),
        (b"%!PS-Adobe-3.0", "PostScript"),
        (b"BMW invoice\n1.00\n", "text"),
        (b"{\\rtf1", "RTF"),
        (b"\x00" * 500, "zero"),
        (b"\x01\x02\x03\x04", "unknown"),
        (b"x" * 1100 + b"%PDF-1.4\n", "text"),
    ],
)
def test_other_formats_are_refused_by_name(data: bytes, what: str) -> None:
    """The message says what the file seems to be and the hint what to do."""
    with pytest.raises(UnsupportedFormat, match=what) as caught:
        sniff(data, "scan.pdf")
    assert caught.value.message.startswith("scan.pdf ")
    assert caught.value.hint


def test_an_empty_file_has_an_error_of_its_own() -> None:
    """Nothing in the file is not the same as a format nobody knows."""
    with pytest.raises(EmptyFile):
        sniff(b"", "a.pdf")


@pytest.mark.parametrize(
    ("data", "is_one"),
    [
        (text_pdf(INVOICE), True),
        (encode(picture(), "BMP"), True),
        (b"x" * 1000 + b"%PDF-1.4\n", True),
        (b"\x00\x00\x00\x18ftypheic", True),
        (b"\x00\x00\x00\x18ftypavif", True),
        (b"\x00\x00\x00\x18ftypmp42", False),
        (b"<!DOCTYPE html><p>not found %PDF-1.4", False),
        (b"BMW invoice\x00\x00\x00\x00\n1.00\n", False),
        (b"", False),
    ],
)
def test_a_file_in_a_folder_is_told_by_the_same_bytes(tmp_path: Path, data: bytes, is_one: bool) -> None:
    """What is read counts, and pictures of kinds that are not: their failed records say what to do."""
    (tmp_path / "scan").write_bytes(data)
    assert looks_like_document(tmp_path / "scan") is is_one


def test_what_is_no_file_is_no_document(tmp_path: Path) -> None:
    """A folder and a missing file are told without an error."""
    assert not looks_like_document(tmp_path)
    assert not looks_like_document(tmp_path / "missing")
