"""Records that go to a store: put together in a scratch folder, journal and all, and copied there.

A store cannot append, so its copy of the journal is behind by up to a minute: that much work a lost machine costs.
"""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from pipkie_cli.batch.journal import Entry, journal_of
from pipkie_cli.batch.locked import lock
from pipkie_cli.batch.output import FileOutput
from pipkie_cli.batch.storage import Store, url_name
from pipkie_cli.batch.worker import Outcome
from pipkie_cli.errors import OutputError

COPIED_EVERY_S = 60.0  # the journal, while there is something new
MOST_SHARE = 0.05  # of the time that copies of a long journal may take


class StoreOutput:
    """An `Output`. Two runs of one machine onto one URL do not meet; those of several machines no store can keep apart.

    Raises OutputError; UsageError as `Store.at`.
    """

    resumable = True

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.shown, self._clock = url, clock
        if url.endswith("/") or not urlsplit(url).path:
            raise OutputError(f"{url} names no object", hint="name the file of the records: …/records.jsonl")
        self._records, self._journal = Store.at(url), Store.at(beside(url, journal_of(Path(url_name(url))).name))
        self._lock = _locked(url)
        self._scratch = tempfile.TemporaryDirectory(prefix="pipkie-")
        try:
            target = Path(self._scratch.name) / "records.jsonl"
            with journal_of(target).open("xb") as file:
                self._journal.read_if_there(file)
            self._file = FileOutput(url, target)
        except BaseException:
            self._clean_up()
            raise
        self._is_copied, self._next_copy = True, self._clock() + COPIED_EVERY_S

    def known(self, path: str) -> Entry | None:
        return self._file.known(path)

    def add(self, path: str, run: str, attempts: int, outcome: Outcome) -> None:
        self._file.add(path, run, attempts, outcome)
        self._is_copied = False
        if self._clock() >= self._next_copy:
            self._copy_journal()

    def finish(self, paths: Sequence[str]) -> int:
        n_records = self._file.finish(paths)
        with self._file.target.open("rb") as file:
            self._records.write(file)
        self._copy_journal()
        return n_records

    def close(self) -> None:
        """What an interrupted run has done goes to the store, too."""
        try:
            if not self._is_copied:
                with suppress(OutputError):  # it was told of, or less is known of by the next run
                    self._copy_journal()
        finally:
            self._file.close()
            self._clean_up()

    def descriptors(self) -> tuple[int, ...]:
        return (*self._file.descriptors(), *((self._lock,) if self._lock is not None else ()))

    def _copy_journal(self) -> None:
        started = self._clock()
        with self._file.journal.path.open("rb") as file:
            self._journal.write(file)
        took = self._clock() - started
        self._is_copied, self._next_copy = True, self._clock() + max(COPIED_EVERY_S, took / MOST_SHARE)

    def _clean_up(self) -> None:
        self._scratch.cleanup()
        if self._lock is not None:
            os.close(self._lock)


def beside(url: str, name: str) -> str:
    """The URL of another object in the same place."""
    return url.rstrip("/").removesuffix(url_name(url)) + name


def _locked(url: str) -> int | None:
    """A descriptor that holds a lock of this machine for the URL; None where there can be none.

    Raises OutputError where another run has it.
    """
    name = f"pipkie-{hashlib.sha256(url.encode()).hexdigest()[:16]}.lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)  # no link is followed: others may write there, too
    try:
        descriptor = os.open(Path(tempfile.gettempdir()) / name, flags, 0o600)
    except OSError:  # another user's
        return None
    if not lock(descriptor):
        os.close(descriptor)
        raise OutputError(f"another run is writing {url}", hint="wait for it, or choose another file with -o")
    return descriptor
