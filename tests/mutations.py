"""Broken documents without end, each made again from its number: `mutant(seed)` is the name and the bytes of a file.

Sources are the samples of the repository and the small files of `make.py`. A mutation is what disks, lines, scanners
and attackers do: flipped bytes, cuts, blocks that stand twice or elsewhere, odd numbers, foreign names and references
in PDF objects, sizes in the heads of pictures, heads of other files. Checksums of PNG chunks are put right afterwards,
or every mutant would end at the first of them; some PDFs get a right cross-reference table for the same reason.
"""

import random
import re
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import make
from PIL import Image

SAMPLES = Path(__file__).parents[1] / "samples"
SUFFIXES = (".pdf", ".jpg", ".png", ".tif")
NUMBERS = (
    *("0", "-1", "1", "2", "3", "7", "65536", "99999", "-32768", "0.00001", "1e10", "3.4e38", "00000000000"),
    *("2147483647", "-2147483648", "2147483648", "4294967295", "4294967296", "9" * 20, "9" * 400, "-.", "+-3", "NaN"),
)
NAMES = (
    *(b"/Type", b"/Page", b"/Pages", b"/Kids", b"/Parent", b"/Contents", b"/Resources", b"/XObject", b"/Form"),
    *(b"/Image", b"/Font", b"/Length", b"/Filter", b"/FlateDecode", b"/LZWDecode", b"/ASCII85Decode", b"/DCTDecode"),
    *(b"/RunLengthDecode", b"/CCITTFaxDecode", b"/JBIG2Decode", b"/JPXDecode", b"/Encrypt", b"/ObjStm", b"/XRef"),
    *(b"/Annots", b"/AcroForm", b"/Subtype", b"/MediaBox", b"/Rotate", b"/Names", b"/Prev", b"/Size", b"/Root"),
)
HEADS = (
    *(b"%PDF-", b"%PDF-9.9\n%\xff\xfe", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"II*\x00", b"MM\x00*", b"GIF89a"),
    *(b"RIFF\xff\xff\xff\xffWEBPVP8 ", b"BM" + bytes(12) + b"\x28\0\0\0", b"PK\x03\x04", b"<html>", b"", bytes(16)),
)
PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_NAME = re.compile(rb"/[A-Za-z][A-Za-z0-9]+")
_REFERENCE = re.compile(rb"\b\d+ 0 R\b")
_OBJECT = re.compile(rb"(?m)^(\d+) 0 obj\b")


@cache
def sources() -> tuple[tuple[str, bytes], ...]:
    """Name and bytes of every document that is broken here."""
    samples = tuple((path.name, path.read_bytes()) for path in sorted(SAMPLES.iterdir()) if path.suffix in SUFFIXES)
    shot = make.picture(make.big_print(), size=(600, 850))
    small = make.picture(make.INVOICE, size=(300, 400))
    made: dict[str, bytes] = {
        "text.pdf": make.text_pdf(make.INVOICE),
        "pages.pdf": make.many_pages_pdf(4),
        "turned.pdf": make.text_pdf(make.INVOICE, rotate=90, page_entries="/UserUnit 2"),
        "scan.pdf": make.scan_pdf(small, lines=[line._replace(mode=3) for line in make.INVOICE]),
        "form.pdf": make.form_pdf(),
        "note.pdf": make.annotation_pdf(),
        "attached.pdf": make.attachment_pdf(),
        "portfolio.pdf": make.attachment_pdf(portfolio=True),
        "broken.pdf": make.broken_page_pdf(),
        "locked.pdf": make.encrypted_pdf(),
        "owner.pdf": make.encrypted_pdf(user=""),
        "shot.png": make.png(shot),
        "deep.png": make.png(make.ramp16()),
        "shot.jpg": make.jpeg(shot, orientation=6),
        "frames.tif": make.tiff(small, small.convert("1"), small, compression="tiff_deflate"),
        "fax.tif": make.tiff(small.convert("1"), compression="group4"),
        "raw.tif": make.tiff(make.ramp16()),
        "shot.webp": make.encode(shot, "WEBP"),
        "shot.bmp": make.encode(small, "BMP"),
        "shot.gif": make.encode(small.convert("P"), "GIF"),
        "film.gif": make.encode(small, "GIF", save_all=True, append_images=[Image.new("L", small.size, 9)]),
    }
    return (*samples, *made.items())


def mutant(seed: int) -> tuple[str, bytes]:
    """A broken file and a name that tells where it comes from."""
    dice = random.Random(seed)
    name, data = sources()[seed % len(sources())]  # each in turn
    ways = ANY + 2 * (PDF if name.endswith(".pdf") else PICTURE)
    for _ in range(dice.choice((1, 1, 2, 3, 6))):
        data = dice.choice(ways)(data, dice)
    if data.startswith(PNG_HEAD):
        data = _with_right_sums(data)
    elif name.endswith(".pdf") and dice.random() < 0.5:
        data = _with_right_table(data)
    stem, _, suffix = name.rpartition(".")
    return f"{seed:05}-{stem}.{suffix}", data


# ------------------------------------------------------------------------------------------------------------- anywhere


def _flip(data: bytes, dice: random.Random) -> bytes:
    """One to fifty bytes become others."""
    broken = bytearray(data)
    for _ in range(dice.choice((1, 2, 5, 50))):
        if broken:
            broken[dice.randrange(len(broken))] ^= dice.randrange(1, 256)
    return bytes(broken)


def _cut(data: bytes, dice: random.Random) -> bytes:
    """The end, the beginning or something between is missing."""
    start, end = _stretch(data, dice, len(data))
    return dice.choice((data[:start], data[end:], data[:start] + data[end:]))


def _double(data: bytes, dice: random.Random) -> bytes:
    start, end = _stretch(data, dice, 4096)
    return data[:end] + data[start:end] * dice.choice((1, 1, 20)) + data[end:]


def _swap(data: bytes, dice: random.Random) -> bytes:
    """Two blocks change places."""
    a, b = _stretch(data, dice, 4096)
    c, d = (b + at for at in _stretch(data[b:], dice, 4096))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _blank(data: bytes, dice: random.Random) -> bytes:
    """A block that the disk lost."""
    start, end = _stretch(data, dice, 4096)
    return data[:start] + bytes((dice.choice((0, 255)),)) * (end - start) + data[end:]


def _head(data: bytes, dice: random.Random) -> bytes:
    """The head of another format, of none, or junk before the own one."""
    head = dice.choice(HEADS)
    return dice.choice((head + data, head + data[len(head) :], dice.randbytes(700) + data))


def _graft(data: bytes, dice: random.Random) -> bytes:
    """The beginning of this file and the end of another."""
    other = dice.choice(sources())[1]
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]


def _stretch(data: bytes, dice: random.Random, longest: int) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + dice.randrange(longest + 1))


# ------------------------------------------------------------------------------------------------------------------ PDF


def _number(data: bytes, dice: random.Random) -> bytes:
    return _replaced(data, dice, _NUMBER, lambda _: dice.choice(NUMBERS).encode())


def _name(data: bytes, dice: random.Random) -> bytes:
    return _replaced(data, dice, _NAME, lambda _: dice.choice(NAMES))


def _reference(data: bytes, dice: random.Random) -> bytes:
    """An object takes the place of another one: loops, pages that are fonts."""
    return _replaced(data, dice, _REFERENCE, lambda _: b"%d 0 R" % dice.randrange(12))


def _replaced(
    data: bytes, dice: random.Random, pattern: "re.Pattern[bytes]", other: Callable[["re.Match[bytes]"], bytes]
) -> bytes:
    """One to four matches of a pattern, each replaced."""
    for _ in range(dice.choice((1, 1, 4))):
        found = list(pattern.finditer(data))
        if not found:
            return data
        match = dice.choice(found)
        data = data[: match.start()] + other(match) + data[match.end() :]
    return data


def _with_right_table(data: bytes) -> bytes:
    """A cross-reference table that fits the moved objects, behind everything."""
    offsets = {int(match[1]): match.start() for match in _OBJECT.finditer(data) if len(match[1]) < 5}
    if not offsets or max(offsets) > 500:
        return data
    rows = [offsets.get(number, 0) for number in range(max(offsets) + 1)]
    table = b"".join(b"%010d %05d %c \n" % (at, 0 if at else 65535, b"n" if at else b"f") for at in rows)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(rows), len(data))
    return data + b"xref\n0 %d\n" % len(rows) + table + end


# ------------------------------------------------------------------------------------------------------------- pictures


def _size(data: bytes, dice: random.Random) -> bytes:
    """Two or four bytes of the head become a number at the border of what they hold."""
    width = dice.choice((2, 4))
    at = dice.randrange(max(1, min(len(data), 200) - width))
    value = dice.choice((0, 1, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 30_000)) % 256**width
    return data[:at] + value.to_bytes(width, dice.choice(("big", "little"))) + data[at + width :]


def _tail_directory(data: bytes, dice: random.Random) -> bytes:
    """A TIFF keeps its directories at the end: there, too, numbers change."""
    end = data[-600:]
    return data[: len(data) - len(end)] + _size(end[::-1], dice)[::-1]


def _with_right_sums(data: bytes) -> bytes:
    """A PNG whose chunks have the checksums of what is in them now, as far as chunks can be followed."""
    out, at = bytearray(data[:8]), 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if at + 12 + length > len(data):
            break
        body = data[at + 4 : at + 8 + length]
        out += data[at : at + 4] + body + zlib.crc32(body).to_bytes(4, "big")
        at += 12 + length
    return bytes(out) + data[at:]


Way = Callable[[bytes, random.Random], bytes]
ANY: tuple[Way, ...] = (_flip, _cut, _double, _swap, _blank, _head, _graft)
PDF: tuple[Way, ...] = (_number, _number, _number, _name, _name, _reference, _reference)
PICTURE: tuple[Way, ...] = (_size, _size, _size, _tail_directory)
