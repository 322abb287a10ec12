"""One cheap repair of a PDF that lost its end: a new trailer that names the catalogue, pdfium finds the rest itself."""

import re

_HEADER = re.compile(rb"(?<![0-9])(\d{1,10})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b")
_CATALOG_BYTES = 4096  # a catalogue's name of its type stands near its beginning
_END = re.compile(rb"\b(xref|trailer|startxref)\b")


def with_trailer(data: bytes) -> bytes | None:
    """The bytes with a trailer behind them, or None where that cannot help.

    A catalogue inside a compressed object stream is not found, and a lost trailer of an encrypted file took the key
    with it. Objects that were cut off are missing afterwards: the caller must say that it read a repaired file.
    """
    named = data.rfind(b"/Catalog")  # the last one belongs to the newest revision
    if named < 0 or b"/Encrypt" in data:
        return None
    before = data[max(0, named - _CATALOG_BYTES) : named]
    headers = list(_HEADER.finditer(before))
    if not headers or b"endobj" in before[headers[-1].end() :]:
        return None
    number, generation = (int(group) for group in headers[-1].groups())
    last_object = data.rfind(b"endobj") + 1
    torn = _END.search(data, last_object)  # a torn trailer behind the last object would swallow the new one
    kept = data[: torn.start()] if torn else data
    trailer = f"\nendobj\ntrailer\n<< /Root {number} {generation} R /Size {number + 1} >>\nstartxref\n0\n%%EOF\n"
    return kept + trailer.encode("ascii")
