"""What a run has done so far, on disk beside the output: it survives kill -9, and the same command goes on with it.

An entry is a line of JSON and, behind it, the record lines it tells of. Entries are only ever appended, one write each;
a torn last one (power loss, a full disk) is cut off when the journal is opened. A later entry of a path replaces an
earlier one. The journal stays when the run is complete: the next run over the same folder reads only what is new.
"""

import errno
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Any

from pipkie_cli.batch.locked import lock
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.errors import OutputError

MAX_HEAD_BYTES = 10_000_000  # of an entry's line: a path, numbers, a status of each document of a file that was split
_MAGIC = b'{"pipkie_journal":1}\n'


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished input. `offset` and `size` are those of its record lines in the file."""

    path: str  # as the record shows it
    run: str  # key of the options that decide about records
    attempts: int  # times that it was read, if it failed
    told: Told
    offset: int
    size: int


class Journal:
    """An open, locked journal. Raises OutputError where it cannot be written, or another run holds it."""

    def __init__(self, path: Path, shown: str) -> None:
        self.path, self.shown = path, shown
        self.entries: dict[str, Entry] = {}
        self._stale = False  # holds entries that later ones replaced
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise cannot_write(shown, error) from error
        self._file = os.fdopen(descriptor, "r+b", buffering=0)
        self._end: int | None = None  # until it is known to be ours
        try:
            if not _is_ours(descriptor, path):
                raise OutputError(f"another run is writing {shown}", hint="wait for it, or choose another file with -o")
            self._end = self._load()
        except OSError as error:
            self.close()
            raise cannot_write(shown, error) from error
        except OutputError:
            self.close()
            raise

    def add(self, path: str, run: str, attempts: int, outcome: Outcome) -> Entry:
        """Append what became of an input; it is in the hands of the system when this returns."""
        import orjson

        head = {"path": path, "run": run, "attempts": attempts, "told": outcome.told}
        head |= {"size": len(outcome.lines), "crc32": zlib.crc32(outcome.lines)}
        line, at = orjson.dumps(head) + b"\n", self._end or 0
        whole = False
        try:
            self._write_at(at, line + outcome.lines)
            whole = True
        except OSError as error:
            raise cannot_write(self.shown, error) from error
        finally:
            if not whole:  # no half entry stays behind, of a full disk or of Ctrl-C
                with suppress(OSError):
                    self._file.truncate(at)
        entry = Entry(path, run, attempts, outcome.told, at + len(line), len(outcome.lines))
        self._end = at + len(line) + len(outcome.lines)
        self._stale = self._stale or path in self.entries
        self.entries[path] = entry
        return entry

    def lines(self, entry: Entry) -> bytes:
        """The record lines of an entry."""
        self._file.seek(entry.offset)
        return _read(self._file, entry.size)

    def descriptor(self) -> int:
        return self._file.fileno()

    def is_there(self) -> bool:
        """Whether the next run will find it: its folder may have been deleted while it was written."""
        if self._file.closed:
            return self.path.exists()
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path))
        except OSError:
            return False

    def sync(self) -> None:
        """Make the entries safe against a loss of power. Raises OutputError."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(self.shown, error) from error

    def compact(self, paths: Sequence[str]) -> None:
        """Forget what is not among `paths` and what was replaced; a crash meanwhile leaves the old journal."""
        kept = [self.entries[path] for path in paths if path in self.entries]
        if not self._stale and len(kept) == len(self.entries):
            return
        part = self.path.with_name(self.path.name + ".new")
        with suppress(OSError, OutputError):  # a longer journal is no fault
            new = Journal(part, self.shown)
            try:
                new.clear()
                for entry in kept:
                    new.add(entry.path, entry.run, entry.attempts, Outcome(self.lines(entry), entry.told))
                new.sync()
                os.replace(part, self.path)
            finally:
                new.close()
        with suppress(OSError):  # is gone where it took the old one's place
            part.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget everything."""
        self._file.truncate(0)
        self._write_at(0, _MAGIC)
        self.entries, self._end, self._stale = {}, len(_MAGIC), False

    def close(self) -> None:
        """An empty journal goes."""
        with suppress(OSError):
            if not self.entries and self._end is not None:
                self.path.unlink(missing_ok=True)
            self._file.close()

    def _write_at(self, at: int, data: bytes) -> None:
        self._file.seek(at)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _load(self) -> int:
        """Read the entries that are whole; cut off what is behind them. Returns the end."""
        size = os.fstat(self._file.fileno()).st_size
        self._file.seek(0)
        start = _read(self._file, len(_MAGIC))
        if start != _MAGIC:
            if not _MAGIC.startswith(start):
                raise OutputError(f"{self.path} is no journal of pipkie", hint="move it away, or choose another -o")
            self.clear()
            return len(_MAGIC)
        end = len(_MAGIC)
        for entry in _read_entries(self.path, end):
            self._stale = self._stale or entry.path in self.entries
            self.entries[entry.path] = entry
            end = entry.offset + entry.size
        if end < size:
            self._file.truncate(end)
        return end


def journal_of(target: Path) -> Path:
    """The hidden file beside an output."""
    return target.with_name(f".{target.name}.journal")


def cannot_write(shown: str, error: OSError) -> OutputError:
    if error.errno == errno.ENOENT and not Path(shown).parent.is_dir():
        return OutputError(
            f"the folder of {shown} does not exist", hint=f"make it first: mkdir -p {Path(shown).parent}"
        )
    return OutputError(
        f"{shown} cannot be written: {error.strerror}", hint="free or fix the place, or choose another with -o"
    )


def _read_entries(path: Path, at: int) -> Iterator[Entry]:
    """Whole entries from `at` on, until one is torn."""
    import orjson

    with path.open("rb") as file:
        file.seek(at)
        while head_line := file.readline(MAX_HEAD_BYTES):
            try:
                head = orjson.loads(head_line)
                entry = _entry(head, at + len(head_line))
                lines = file.read(entry.size)
                if head_line[-1:] != b"\n" or len(lines) != entry.size or zlib.crc32(lines) != head["crc32"]:
                    return
            except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, IndexError):
                return
            yield entry
            at = entry.offset + entry.size


def _read(file: RawIOBase, size: int) -> bytes:
    """`size` bytes, or all there are."""
    blocks = []
    while size and (block := file.read(size)):
        blocks.append(block)
        size -= len(block)
    return b"".join(blocks)


def _entry(head: dict[str, Any], offset: int) -> Entry:
    told = head["told"]
    failure = told["failure"]
    told |= {"statuses": tuple(told["statuses"]), "failure": (failure[0], failure[1]) if failure else None}
    return Entry(head["path"], head["run"], int(head["attempts"]), Told(**told), offset, int(head["size"]))


def _is_ours(descriptor: int, path: Path) -> bool:
    """Locks the file until it is closed; False where another run holds it, or has just replaced it."""
    if not lock(descriptor):
        return False
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:  # replaced between opening and locking
        return False
