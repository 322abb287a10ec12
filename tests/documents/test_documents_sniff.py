"""A format is told by content; whatever is not read is named in the message."""

import pytest
from make import INVOICE, encode, jpeg, picture, png, text_pdf, tiff

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
