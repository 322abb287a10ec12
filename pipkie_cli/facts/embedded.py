"""Embedded files that no list of the PDF leads to: streams that call themselves so, found in the bytes.

A stream is never inside a compressed object stream, so its dictionary can be read. What an older revision of the file
left behind would be found too: only asked where the file's own list holds nothing.
"""

import re
import zlib
from collections.abc import Iterator

from pipkie_cli.facts.limits import MAX_ATTACHED_BYTES, MAX_ATTACHMENTS, MAX_XML_BYTES

MOST_DICTIONARY = 2000  # bytes of a stream's dictionary
_STREAM = re.compile(rb">>\s{0,10}stream\r?\n")
_OBJECT = re.compile(rb"\bobj\s*<<(.*)", re.DOTALL)
_EMBEDDED = re.compile(rb"/EmbeddedFile\b|/Subtype\s*/(?:text|application)#2F(?:xml|octet-stream)\b", re.IGNORECASE)
_FILTER = re.compile(rb"/Filter\s*(?:(/\w+)|\[([^\]]*)\])")


def embedded_streams(data: bytes) -> Iterator[bytes]:
    """The content of such streams: as it stands, or unpacked where it is deflated once. Of an encrypted file none."""
    if b"/Encrypt" in data or b"mbeddedFile" not in data:
        return
    n_bytes = n_streams = 0
    for match in _STREAM.finditer(data):
        dictionary = _dictionary(data, match.start())
        if not _EMBEDDED.search(dictionary):
            continue
        content = _unpacked(dictionary, data, match.end())
        n_bytes += len(content or b"")
        n_streams += 1
        if n_streams > MAX_ATTACHMENTS or n_bytes > MAX_ATTACHED_BYTES:
            return
        if content:
            yield content


def _dictionary(data: bytes, end: int) -> bytes:
    """The dictionary that ends there, looked for backwards: a search from every `obj` on would take for ever."""
    start = data.rfind(b"obj", max(0, end - MOST_DICTIONARY), end)
    match = _OBJECT.match(data, start, end) if start >= 0 else None
    return match[1] if match else b""


def _unpacked(dictionary: bytes, data: bytes, start: int) -> bytes | None:
    filters = _FILTER.search(dictionary)
    if filters is None:
        end = data.find(b"endstream", start)
        return data[start:end] if start < end <= start + MAX_XML_BYTES else None
    if (filters[1] or filters[2].strip()) not in (b"/FlateDecode", b"/Fl"):
        return None
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(data[start : start + MAX_XML_BYTES], MAX_XML_BYTES + 1)
    except zlib.error:
        return None
    return content if len(content) <= MAX_XML_BYTES else None
