"""Where records go: a file that appears when it is whole, or a stream that gets each record at once."""

import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pipkie_cli.documents import looks_like_document
from pipkie_cli.errors import OutputError

PART = ".part"  # behind the name of an output that is not whole yet


class Output:
    """Takes record lines. A file is written beside its final name and renamed over it by `finish`."""

    def __init__(self, descriptor: int, shown: str, part: Path | None = None, target: Path | None = None) -> None:
        self.shown = shown
        self.part = part  # None: a stream
        self.n_records = 0
        self._descriptor = descriptor
        self._target = target
        self._size_bytes = 0
        self._open = True

    def write(self, line: bytes) -> None:
        """Append one record; it is in the hands of the system when this returns. Raises OutputError."""
        whole = False
        try:
            write_all(self._descriptor, line)
            whole = True
        except BrokenPipeError as error:
            raise OutputError(f"the reader of {self.shown} has gone", hint="use -o FILE to keep all records") from error
        except OSError as error:
            raise _cannot_write(self.shown, error) from error
        finally:
            if not whole and self.part is not None:
                with suppress(OSError):  # no half line stays behind, of a full disk or of Ctrl-C
                    os.truncate(self._descriptor, self._size_bytes)
        self._size_bytes += len(line)
        self.n_records += 1

    def finish(self) -> None:
        """Make the records safe on disk and visible under the output's name. Raises OutputError."""
        if self.part is None or self._target is None:
            return
        try:
            os.fsync(self._descriptor)
            if self._target.exists():
                shutil.copymode(self._target, self.part)
            os.replace(self.part, self._target)
        except OSError as error:
            raise _cannot_write(self.shown, error) from error
        self.part = None
        self.close()

    def close(self) -> None:
        """Without `finish` before it: records written so far stay in the .part file; an empty one goes."""
        if not self._open:
            return
        self._open = False
        with suppress(OSError):  # a network disk may report at close what write and fsync had already reported
            os.close(self._descriptor)
        if self.part is not None and self.n_records == 0:
            self.part.unlink(missing_ok=True)
            self.part = None


def open_output(path: Path) -> Output:
    """An output file, checked before any work: writable, and no document of the user's. Raises OutputError."""
    try:
        target = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link stays: its target is replaced
        if target.exists():
            return _open_existing(path, target)
        return _open_part(path, target)
    except OSError as error:
        raise _cannot_write(str(path), error) from error


def open_stream(descriptor: int, shown: str = "standard output") -> Output:
    """An output that is written line by line as records come."""
    return Output(descriptor, shown)


def default_output(paths: Sequence[str]) -> Path:
    """NAME.jsonl in the current folder: the folder's name, or the one file's without its suffix."""
    absolute = [Path(os.path.abspath(path)) for path in paths]
    if len(absolute) == 1 and not absolute[0].is_dir() and absolute[0].exists():
        return Path(f"{absolute[0].stem}.jsonl")
    folders = [path if path.is_dir() else path.parent for path in absolute]
    common = Path(os.path.commonpath(folders))
    while any(letter in common.name for letter in "*?["):
        common = common.parent
    return Path(f"{common.name or 'pipkie'}.jsonl")


def write_all(descriptor: int, data: bytes) -> None:
    """os.write until everything is written (a pipe or an almost full disk takes a part at a time)."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _open_existing(path: Path, target: Path) -> Output:
    mode = target.stat().st_mode
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path} is a folder", hint=f"write into it with -o {path / 'records.jsonl'}")
    if not stat.S_ISREG(mode):  # /dev/null, a FIFO: renaming would replace the device by a file
        return open_stream(os.open(target, os.O_WRONLY), str(path))
    if looks_like_document(target):
        raise OutputError(f"{path} is a document and would be overwritten", hint="choose another file with -o")
    if not os.access(target, os.W_OK):
        raise OutputError(f"{path} is write-protected", hint="choose another file with -o, or allow writing it")
    return _open_part(path, target)


def _open_part(path: Path, target: Path) -> Output:
    part = target.with_name(target.name + PART)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT, 0o666)
    if not _is_ours(descriptor, part):
        os.close(descriptor)
        raise OutputError(f"another run is writing {path}", hint="wait for it, or choose another file with -o")
    os.ftruncate(descriptor, 0)
    return Output(descriptor, str(path), part, target)


def _is_ours(descriptor: int, part: Path) -> bool:
    """Locks the file until it is closed; False where another run holds it, or has just given it its final name."""
    try:
        import fcntl
    except ImportError:  # not on this system: two runs onto one file are not told
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), os.stat(part))
    except BlockingIOError:
        return False
    except FileNotFoundError:  # renamed between opening and locking
        return False
    except OSError:  # some network disks have no locks
        return True


def _cannot_write(shown: str, error: OSError) -> OutputError:
    return OutputError(
        f"{shown} cannot be written: {error.strerror}", hint="free or fix the place, or choose another with -o"
    )
