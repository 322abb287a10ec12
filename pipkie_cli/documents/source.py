"""The bytes of a file, read once, and the reader that a format offers to `open.py`."""

import hashlib
import os
import stat
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pipkie_cli.documents.limits import MAX_FILE_BYTES, READ_BLOCK_BYTES
from pipkie_cli.errors import DocumentError, FileUnavailable, TooLarge
from pipkie_cli.nouns import Problem, SourcePage

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file's content with its hash; size and time tell whether the file on disk is still the same."""

    path: Path
    shown: str
    data: bytes
    sha256: str
    stamp: tuple[int, int]  # size in bytes, modification time in nanoseconds

    def unchanged(self) -> bool:
        """Whether another program that opens `path` would see these bytes."""
        try:
            return _stamp(self.path.stat()) == self.stamp
        except OSError:
            return False


class Reader(Protocol):
    """One opened document of one format."""

    page_count: int
    problems: tuple[Problem, ...]
    rasterizer: str  # of a page that cannot be loaded

    def load(self, page_index: int) -> SourcePage:
        """The page, valid until the next `load`; raises DocumentError when it cannot be read."""

    def close(self) -> None: ...


def read_file(path: Path, shown: str) -> FileBytes:
    """Reads a regular file of bearable size; raises FileUnavailable or TooLarge. A FIFO is refused, not waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = "check the path and the permissions"
        raise FileUnavailable(f"{shown} cannot be opened: {reason}", hint=hint) from error
    with os.fdopen(_regular(descriptor, shown), "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if status.st_size > MAX_FILE_BYTES:
            raise _too_large(shown, status.st_size)
        try:
            data, sha256 = _read_blocks(file, shown)
            after = os.fstat(descriptor)
        except OSError as error:
            hint = "is the disk or share still there?"
            raise FileUnavailable(f"{shown} cannot be read: {error.strerror}", hint=hint) from error
    if _stamp(status) != _stamp(after):
        raise FileUnavailable(f"{shown} is still being written", hint="run the same command again when it is complete")
    return FileBytes(path, shown, data, sha256, _stamp(status))


def _regular(descriptor: int, shown: str) -> int:
    """The descriptor again, if it is of a regular file; else closes it."""
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise FileUnavailable(f"{shown} is not a regular file", hint="give a file, not a folder, pipe or device")


def _read_blocks(file: RawIOBase, shown: str) -> tuple[bytes, str]:
    """All bytes and their SHA-256; what grows beyond the limit while it is read is refused."""
    digest, blocks, size = hashlib.sha256(), [], 0
    while block := file.read(READ_BLOCK_BYTES):
        size += len(block)
        if size > MAX_FILE_BYTES:
            raise _too_large(shown, size)
        digest.update(block)
        blocks.append(block)
    return b"".join(blocks), digest.hexdigest()


def _stamp(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _too_large(shown: str, size: int) -> TooLarge:
    mib = 1024 * 1024
    return TooLarge(
        f"{shown} has {size / mib:.0f} MiB, the limit is {MAX_FILE_BYTES // mib} MiB", hint="split the document"
    )


def unreadable_page(page_index: int, error: DocumentError, rasterizer: str) -> SourcePage:
    """Stands for a page that cannot be loaded: no characters, and a picture that raises."""

    def raster() -> "np.ndarray[Any, Any]":
        raise error

    problem = Problem("page_unreadable", f"page {page_index + 1} cannot be read")
    return SourcePage(page_index, 1.0, 1.0, (), (), raster, rasterizer, (problem,))
