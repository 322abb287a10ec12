"""The files inside a PDF. pypdfium2 lists those of /EmbeddedFiles; what it misses is searched for.

Nothing is written, opened or followed. Data that would be too much is left out, and counted.
"""

import ctypes
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipkie_cli.facts.child import run_in_child
from pipkie_cli.facts.embedded import embedded_streams
from pipkie_cli.facts.limits import MAX_ATTACHED_BYTES, MAX_ATTACHMENTS, MAX_XML_BYTES

if TYPE_CHECKING:
    import pypdfium2 as pdfium

TOO_LARGE = b"\0"  # in place of a name
HEADER_BYTES = 1024  # readers accept a PDF header anywhere in the first kilobyte


@dataclass(frozen=True, slots=True)
class Attachment:
    """One embedded file. `name` is the sender's word, "" where none is known."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachments:
    """What a PDF holds beside its pages."""

    files: tuple[Attachment, ...]
    n_listed: int  # in the file's own list, read or not
    n_too_large: int = 0


def read_attachments(data: bytes, passwords: Sequence[str] = ()) -> Attachments:
    """The embedded files of a PDF; of anything else, and of a PDF that cannot be opened, none.

    Where the file's own list holds nothing (it is broken, or the file hangs on /AF alone), the streams that call
    themselves embedded files are read, unless the file is encrypted.
    """
    if b"%PDF-" not in data[:HEADER_BYTES]:
        return Attachments((), 0)
    import pypdfium2 as pdfium

    logging.getLogger("pypdfium2").setLevel(logging.ERROR)
    for password in ("", *passwords):
        try:
            pdf = pdfium.PdfDocument(data, password=password or None)
        except (pdfium.PdfiumError, UnicodeEncodeError):
            continue
        try:
            listed = _listed(pdf)
        finally:
            pdf.close()
        if listed.n_listed:
            return listed
        break
    return Attachments(tuple(Attachment("", one) for one in embedded_streams(data)), 0)


def _listed(pdf: "pdfium.PdfDocument") -> Attachments:
    """The files of the list; all of them are too large where unpacking them passes the limits of time or memory."""
    import pypdfium2.raw as raw

    n_listed = raw.FPDFDoc_GetAttachmentCount(pdf.raw)
    if n_listed <= 0:
        return Attachments((), 0)
    pieces = run_in_child(lambda: _unpacked(pdf))
    if pieces is None:
        return Attachments((), n_listed, n_listed)
    names, contents = pieces[::2], pieces[1::2]
    files = (Attachment(name.decode("utf-8"), data) for name, data in zip(names, contents, strict=True) if data)
    return Attachments(tuple(files), n_listed, sum(name == TOO_LARGE for name in names))


def _unpacked(pdf: "pdfium.PdfDocument") -> Iterator[bytes]:
    """Name and content of every file in turn; TOO_LARGE and nothing for one beyond the limits."""
    n_bytes = 0
    for handle in _handles(pdf):
        size = _size(handle)
        if size > MAX_XML_BYTES or n_bytes + size > MAX_ATTACHED_BYTES:
            yield from (TOO_LARGE, b"")
            continue
        n_bytes += size
        yield from (_name(handle).encode("utf-8", "replace"), _content(handle, size))


def _handles(pdf: "pdfium.PdfDocument") -> Iterator[Any]:
    """pdfium's handles of the files in the document's list."""
    import pypdfium2.raw as raw

    for index in range(min(raw.FPDFDoc_GetAttachmentCount(pdf.raw), MAX_ATTACHMENTS)):
        handle = raw.FPDFDoc_GetAttachment(pdf.raw, index)
        if handle:
            yield handle


def _size(handle: Any) -> int:
    """Bytes of the unpacked file; 0 where there is none."""
    import pypdfium2.raw as raw

    size = ctypes.c_ulong()
    raw.FPDFAttachment_GetFile(handle, None, 0, size)
    return size.value


def _content(handle: Any, size: int) -> bytes:
    import pypdfium2.raw as raw

    if not size:
        return b""
    buffer = (ctypes.c_char * size)()
    written = ctypes.c_ulong()
    if not raw.FPDFAttachment_GetFile(handle, buffer, size, written):
        return b""
    return buffer.raw[: min(size, written.value)]


def _name(handle: Any) -> str:
    import pypdfium2.raw as raw

    n_bytes = raw.FPDFAttachment_GetName(handle, None, 0)
    if n_bytes < 2:
        return ""
    buffer = (raw.FPDF_WCHAR * ((n_bytes + 1) // 2))()
    raw.FPDFAttachment_GetName(handle, buffer, n_bytes)
    return bytes(buffer)[: n_bytes - 2].decode("utf-16-le", "replace")
