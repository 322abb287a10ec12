"""Several output files that belong together: they appear when all are whole, and none of them if the work fails."""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple

from pipkie_cli.batch.journal import cannot_write
from pipkie_cli.batch.output import refuse_unfit
from pipkie_cli.batch.replaced import PART
from pipkie_cli.errors import OutputError


class _File(NamedTuple):
    shown: str
    target: Path
    part: Path
    stream: BinaryIO


class WholeFiles:
    """A context: files opened in it are renamed to their names at its end, the first one last.

    An OSError inside becomes an OutputError. A process that is killed leaves `NAME.PID.part`, and the targets as they
    were; only between two renames could some be new and some old.
    """

    def __init__(self) -> None:
        self._files: list[_File] = []

    def __enter__(self) -> "WholeFiles":
        return self

    def open(self, path: Path) -> BinaryIO:
        """A file for writing. Raises OutputError where the target is no file, a document, or write-protected."""
        try:
            target = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link stays
            if target.exists():
                if not target.is_dir() and not stat.S_ISREG(target.stat().st_mode):
                    raise OutputError(f"{path} is no regular file", hint="name a file with -o")
                refuse_unfit(path, target, path.name)
            part = target.with_name(f"{target.name}.{os.getpid()}{PART}")
            stream = part.open("wb")
        except OSError as error:
            raise cannot_write(str(path), error) from error
        self._files.append(_File(str(path), target, part, stream))
        return stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._appear()
        except OSError as failed:
            error = failed
        finally:
            for file in self._files:
                with suppress(OSError):
                    file.stream.close()
                with suppress(OSError):  # is gone where it was renamed
                    file.part.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise cannot_write(", ".join(file.shown for file in self._files), error) from error

    def _appear(self) -> None:
        for file in self._files:
            file.stream.flush()
            os.fsync(file.stream.fileno())
            file.stream.close()
            if file.target.exists():
                shutil.copymode(file.target, file.part)
        for file in reversed(self._files):
            os.replace(file.part, file.target)
