"""Tells a file's format by its first bytes, never by its name."""

import os
import stat
from typing import Literal

from pipkie_cli.errors import EmptyFile, UnsupportedFormat

Format = Literal["pdf", "png", "jpeg", "tiff", "webp", "bmp", "gif"]

HEADER_BYTES = 1024  # readers accept a PDF header anywhere in the first kilobyte

_IMAGES: tuple[tuple[bytes, Format], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),
    (b"MM\x00+", "tiff"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)
_HEIF_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_AVIF_BRANDS = (b"avif", b"avis")
_JPEG_2000 = (b"\x00\x00\x00\x0cjP  ", b"\xff\x4f\xff\x51")


def sniff(data: bytes, shown: str) -> Format:
    """The format that pipkie reads; raises EmptyFile, or UnsupportedFormat naming what the file seems to be."""
    if not data:
        raise EmptyFile(f"{shown} is empty (0 bytes)", hint="copy or scan the document again")
    head = data[:HEADER_BYTES]
    if (name := _format(head)) is not None:
        return name
    what, hint = _other(head)
    raise UnsupportedFormat(f"{shown} is {what}, not a PDF or a picture", hint=hint)


def looks_like_document(path: str | os.PathLike[str]) -> bool:
    """Whether a regular file begins like a PDF or a picture, also one of a kind that is not read (HEIF): its failed
    record says what to do. Opens nothing but regular files: a pipe would wait for ever."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            head = file.read(HEADER_BYTES)
    except OSError:
        return False
    return _format(head) is not None or _is_unread_picture(head)


def _format(head: bytes) -> Format | None:
    for magic, name in _IMAGES:
        if head.startswith(magic):
            return name
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if _is_bmp(head):
        return "bmp"
    return "pdf" if b"%PDF-" in head and not _is_html(head) else None


def _is_unread_picture(head: bytes) -> bool:
    return head.startswith(_JPEG_2000) or (head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS + _AVIF_BRANDS)


def _is_bmp(head: bytes) -> bool:
    """`BM` alone begins many texts: the size of the header behind it must be one that exists."""
    return head.startswith(b"BM") and head[14:18] in {bytes((n, 0, 0, 0)) for n in (12, 40, 52, 56, 64, 108, 124)}


def _is_html(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html"))


def _other(head: bytes) -> tuple[str, str]:
    """What a file that pipkie does not read seems to be, and what to do with it."""
    if head[4:8] == b"ftyp":
        if head[8:12] in _HEIF_BRANDS:
            return "a HEIF picture", "save it as JPEG or PNG first"
        return "a picture or film in an ISO container (AVIF, MP4 ...)", "save it as JPEG or PNG first"
    if head.startswith(b"PK\x03\x04"):
        return "a ZIP or Office file", "print it to PDF first"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return "an old Office file", "print it to PDF first"
    if head.startswith(_JPEG_2000):
        return "a JPEG 2000 picture", "save it as JPEG or PNG first"
    if _is_html(head):
        return "an HTML page", "perhaps a download failed: fetch the document itself"
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return "an XML file", "give the PDF or picture of the document"
    if head.startswith(b"%!PS"):
        return "a PostScript file", "convert it to PDF first"
    if head.startswith(b"{\\rtf"):
        return "an RTF text", "print it to PDF first"
    if not head.strip(b"\x00"):
        return "only zero bytes", "copy or scan the document again"
    if not any(byte < 9 for byte in head):
        return "a text file", "give a PDF or picture of the document"
    return "of an unknown format", "PDF, PNG, JPEG, TIFF, WebP, BMP and GIF are read"
