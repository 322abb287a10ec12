"""One cheap repair of a PDF that lost its end: a new trailer that names the catalogue, pdfium finds the rest itself."""

import re

_CATALOG = re.compile(
    rb"(?<![0-9])(\d{1,10})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b(?:(?!endobj).){0,4096}?/Type\s*/Catalog\b", re.S
)


def with_trailer(data: bytes) -> bytes | None:
    """The bytes with a trailer behind them, or None where that cannot help.

    A catalogue inside a compressed object stream is not found, and a lost trailer of an encrypted file took the key
    with it. Objects that were cut off are missing afterwards: the caller must say that it read a repaired file.
    """
    if b"/Encrypt" in data:
        return None
    catalogs = list(_CATALOG.finditer(data))
    if not catalogs:
        return None
    body = data.rfind(b"endobj") + 1  # a half trailer behind the last object would swallow the new one
    cut = re.search(rb"\b(xref|trailer|startxref)\b", data[body:])
    kept = data[: body + cut.start()] if cut else data
    number, generation = (int(group) for group in catalogs[-1].groups())  # a later one is the newer revision
    trailer = f"\nendobj\ntrailer\n<< /Root {number} {generation} R /Size {number + 1} >>\nstartxref\n0\n%%EOF\n"
    return kept + trailer.encode("ascii")
