"""The bytes of a file, read once, and the reader that a format offers to `open.py`."""

import hashlib
import os
import stat
from dataclasses import dataclass
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
            now = self.path.stat()
        except OSError:
            return False
        return (now.st_size, now.st_mtime_ns) == self.stamp


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
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise FileUnavailable(f"{shown} is not a regular file", hint="give a file, not a folder, pipe or device")
        if status.st_size > MAX_FILE_BYTES:
            raise _too_large(shown, status.st_size)
        digest, blocks, size = hashlib.sha256(), [], 0
        try:
            while block := file.read(READ_BLOCK_BYTES):
                size += len(block)
                if size > MAX_FILE_BYTES:  # it grows while it is read
                    raise _too_large(shown, size)
                digest.update(block)
                blocks.append(block)
        except OSError as error:
            hint = "is the disk or share still there?"
            raise FileUnavailable(f"{shown} cannot be read: {error.strerror}", hint=hint) from error
    stamp = (status.st_size, status.st_mtime_ns)
    return FileBytes(path, shown, b"".join(blocks), digest.hexdigest(), stamp)


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
