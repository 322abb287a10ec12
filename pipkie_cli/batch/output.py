"""Where records go: a file that appears when it is whole, with a journal beside it, or a stream in order."""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from pipkie_cli.batch.journal import Entry, Journal, cannot_write, journal_of
from pipkie_cli.batch.replaced import replaced
from pipkie_cli.batch.storage import is_url, url_name
from pipkie_cli.batch.worker import Outcome
from pipkie_cli.documents import looks_like_document
from pipkie_cli.errors import OutputError


class Output(Protocol):
    """Takes outcomes as they come. `shown` is what messages call it; a resumable one keeps what is done."""

    shown: str

    @property
    def resumable(self) -> bool:
        """Whether the same command would find what is done."""

    def known(self, path: str) -> Entry | None:
        """What an earlier run did with this input."""

    def add(self, path: str, run: str, attempts: int, outcome: Outcome) -> None:
        """Keep an outcome; it is in the hands of the system when this returns. Raises OutputError."""

    def finish(self, paths: Sequence[str]) -> int:
        """Make the records of these inputs visible, in this order; returns how many. Raises OutputError."""

    def close(self) -> None: ...

    def descriptors(self) -> tuple[int, ...]:
        """What workers must not hold open."""


class FileOutput:
    """Outcomes are journalled; `finish` writes the records beside the output and renames them over it."""

    def __init__(self, shown: str, target: Path) -> None:
        self.shown, self.target = shown, target
        self.journal = Journal(journal_of(target), shown)
        if target.exists():
            with suppress(OSError):  # it holds what the output holds
                shutil.copymode(target, self.journal.path)

    @property
    def resumable(self) -> bool:
        return self.journal.is_there()

    def known(self, path: str) -> Entry | None:
        return self.journal.entries.get(path)

    def add(self, path: str, run: str, attempts: int, outcome: Outcome) -> None:
        self.journal.add(path, run, attempts, outcome)

    def finish(self, paths: Sequence[str]) -> int:
        entries = [self.journal.entries[path] for path in paths]
        self.journal.sync()
        try:
            if not self._is_written(entries):
                self._write(entries)
        except OSError as error:
            raise cannot_write(self.shown, error) from error
        self.journal.compact(paths)
        return sum(len(entry.told.statuses) for entry in entries)

    def close(self) -> None:
        self.journal.close()

    def descriptors(self) -> tuple[int, ...]:
        return (self.journal.descriptor(),)

    def _is_written(self, entries: Sequence[Entry]) -> bool:
        """Whether the output holds just these records already: then it is left alone."""
        if not self.target.exists() or self.target.stat().st_size != sum(entry.size for entry in entries):
            return False
        with self.target.open("rb") as file:
            return all(file.read(len(lines)) == lines for lines in map(self.journal.lines, entries))

    def _write(self, entries: Sequence[Entry]) -> None:
        with replaced(self.target) as file:
            for entry in entries:
                file.write(self.journal.lines(entry))


class StreamOutput:
    """Records leave in the order of the inputs, each as soon as those before it are through; nothing is journalled."""

    resumable = False

    def __init__(self, descriptor: int, shown: str) -> None:
        self.shown = shown
        self._descriptor = descriptor
        self._order: Iterator[str] = iter(())
        self._next: str | None = None
        self._waiting: dict[str, bytes] = {}
        self._n_records = 0

    def begin(self, paths: Sequence[str]) -> None:
        """The order in which records are to leave."""
        self._order = iter(paths)
        self._next = next(self._order, None)

    def known(self, path: str) -> Entry | None:
        return None

    def add(self, path: str, run: str, attempts: int, outcome: Outcome) -> None:
        self._waiting[path] = outcome.lines
        self._n_records += len(outcome.told.statuses)
        while self._next is not None and self._next in self._waiting:
            try:
                write_all(self._descriptor, self._waiting.pop(self._next))
            except BrokenPipeError as error:
                hint = "use -o FILE to keep all records"
                raise OutputError(f"the reader of {self.shown} has gone", hint=hint) from error
            except OSError as error:
                raise cannot_write(self.shown, error) from error
            self._next = next(self._order, None)

    def finish(self, paths: Sequence[str]) -> int:
        return self._n_records

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._descriptor)

    def descriptors(self) -> tuple[int, ...]:
        return ()  # a child may write to nothing else, but it never does


def open_output(path: Path) -> FileOutput | StreamOutput:
    """An output file, checked before any work: writable, and no document of the user's. Raises OutputError."""
    try:
        target = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link stays: its target is replaced
        if target.exists():
            return _open_existing(path, target)
        return FileOutput(str(path), target)
    except OSError as error:
        raise cannot_write(str(path), error) from error


def open_stream(descriptor: int, shown: str = "standard output") -> StreamOutput:
    """An output that is written line by line as records come."""
    return StreamOutput(descriptor, shown)


def default_output(paths: Sequence[str]) -> Path:
    """NAME.jsonl in the current folder: the folder's name, or the one file's without its suffix."""
    urls = [path for path in paths if is_url(path)]
    if urls:
        return Path(f"{Path(url_name(urls[0])).stem or 'pipkie'}.jsonl")
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


def _open_existing(path: Path, target: Path) -> FileOutput | StreamOutput:
    mode = target.stat().st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):  # /dev/null, a FIFO: renaming would put a file in its place
        return open_stream(os.open(target, os.O_WRONLY), str(path))
    refuse_unfit(path, target, "records.jsonl")
    return FileOutput(str(path), target)


def refuse_unfit(path: Path, target: Path, name: str) -> None:
    """Raises OutputError where `target`, which is there, must not be replaced; `name` is a file name for the advice."""
    if target.is_dir():
        raise OutputError(f"{path} is a folder", hint=f"write into it with -o {path / name}")
    if looks_like_document(target):
        raise OutputError(f"{path} is a document and would be overwritten", hint="choose another file with -o")
    if not os.access(target, os.W_OK):
        raise OutputError(f"{path} is write-protected", hint="choose another file with -o, or allow writing it")
