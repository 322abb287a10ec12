"""Workers under supervision: each document goes to a free one; one that hangs, crashes or bloats is replaced.

Its document is tried once more, alone, when all others are through: then nothing else can have been the reason. What
fails twice gets a failed record that says why. Nothing here waits for ever.
"""

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from pipkie_cli.batch.budget import resident_bytes
from pipkie_cli.batch.guard import Guard
from pipkie_cli.batch.hosts import ModelHosts
from pipkie_cli.batch.worker import DEVICE_GONE, NO_DEVICE, Broken, Outcome, Ready, outcome_of, serve
from pipkie_cli.errors import DocumentError, ModelError, OutOfMemory, TimedOut, WorkerCrashed
from pipkie_cli.nouns import Input, RunOptions

TICK_S = 0.25  # between looks at the clock and at the workers' memory
START_S = 180.0  # for a worker to load its model
MAX_BAD_STARTS = 3  # in a row, then the run ends
RECYCLED_AFTER = 500  # documents; libraries written in C leak
GROWN_BYTES = 1_000_000_000  # over what a worker held after its first document: then it is recycled
LOST = frozenset(error.code for error in (WorkerCrashed, TimedOut, OutOfMemory))  # its worker, with the document
# a forked child starts at once; the parent has no threads and has loaded nothing heavy
START_METHOD = "fork" if sys.platform == "linux" else "spawn"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the workers of a run may take."""

    workers: int = 1
    timeout_s: float = 300.0  # for one document
    memory_bytes: int = 4_000_000_000  # of one worker
    devices: tuple[str, ...] = ()  # each holds the model once, for all workers; (): every worker holds it itself


@dataclass(slots=True, eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    since: float  # when it began what it does now
    device: int | None = None  # which of the hosts answers its sheets
    host_hung: bool = False  # and was ended, because a forward took too long
    ready: bool = False
    item: Input | None = None
    n_done: int = 0
    first_bytes: int = 0  # what it held after its first document


@dataclass(slots=True)
class Supervisor:
    """Reads inputs with several workers. Use as a context: leaving it ends every worker at once."""

    options: RunOptions
    limits: Limits
    held: Sequence[int] = ()  # descriptors that forked workers must not hold open
    start_method: str = START_METHOD
    try_again: bool = True  # False: who asked decides about a second try of what was LOST
    _workers: list[_Worker] = field(default_factory=list)
    _bad_starts: int = 0
    hosts: ModelHosts = field(init=False)
    _guard: Guard = field(init=False, default_factory=Guard)
    first_ready: float | None = field(init=False, default=None)  # when the first worker had its model

    def __post_init__(self) -> None:
        limits = self.limits
        self.hosts = ModelHosts(self.options, limits.devices, limits.workers, limits.timeout_s, self.start_method)

    def __enter__(self) -> "Supervisor":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._end(worker)
        self.hosts.end()
        self._guard.close()

    def outcomes(self, inputs: Sequence[Input]) -> Iterator[tuple[Input, Outcome]]:
        """Every input with its outcome, as they come. Raises what ends a run: ModelError, TemplateError."""
        from pipkie_cli.models import model_here

        self.options = self.hosts.options = replace(self.options, model=model_here(self.options.model))
        first, again = deque(inputs), deque[tuple[Input, DocumentError]]()
        reasons: dict[str, DocumentError] = {}  # of those that are tried alone
        while first or again or any(worker.item for worker in self._workers):
            self._hand_out(first, again, reasons)
            for worker in self._heard():
                message = self._message(worker)
                if isinstance(message, Outcome) and worker.item is not None:
                    done, worker.item = worker.item, None
                    worker.n_done += 1
                    self._recycle(worker)
                    given = time.monotonic()
                    yield done, message
                    self._wait_for_reader(time.monotonic() - given)
            for worker, error in self._lost():
                item, ended = worker.item, worker.process.exitcode
                self._end(worker)
                if item is None:
                    self._bad_starts += not worker.ready and ended not in (DEVICE_GONE, NO_DEVICE)
                    self._check_starts(error)
                elif ended == NO_DEVICE:  # it had not begun
                    if reasons.pop(item.shown, None):
                        again.appendleft((item, error))
                    else:
                        first.appendleft(item)
                elif item.shown in reasons or not self.try_again:
                    yield item, self._failed(item, error)
                else:
                    again.append((item, error))
            for number, hung in self.hosts.look_after().items():
                for worker in [one for one in self._workers if one.device == number]:
                    worker.host_hung = hung
                    if worker.item is None:
                        self._end(worker)

    def _wait_for_reader(self, seconds: float) -> None:
        """Whoever reads standard output may stop for an hour: what workers said meanwhile came in time."""
        for worker in self._workers:
            worker.since += seconds

    def _hand_out(
        self, first: deque[Input], again: deque[tuple[Input, DocumentError]], reasons: dict[str, DocumentError]
    ) -> None:
        """Give free workers something to do, and start those that are missing."""
        self.hosts.start_missing([*(worker.pipe for worker in self._workers), *self._guard.descriptors(), *self.held])
        wanted = min(self.limits.workers, len(first) + sum(worker.item is not None for worker in self._workers))
        while len(self._workers) < max(1, wanted) and self.hosts.has_place() and self._start():
            pass
        busy = any(worker.item for worker in self._workers)
        for worker in self._workers:
            if not worker.ready or worker.item is not None:
                continue
            if first:
                self._give(worker, first.popleft())
                busy = True
            elif again and not busy and not self.hosts.in_forward():  # one of a document that was given up goes on
                item, reasons[item.shown] = again.popleft()
                self._give(worker, item)
                busy = True

    def _give(self, worker: _Worker, item: Input) -> None:
        worker.item, worker.since = item, time.monotonic()
        try:
            worker.pipe.send(item)
        except OSError:  # it has just ended: `_lost` finds it
            return

    def _heard(self) -> list[_Worker]:
        """The workers that said something, or ended, within a tick."""
        by_pipe = {worker.pipe: worker for worker in self._workers}
        heard = wait([*by_pipe, *self.hosts.pipes()], TICK_S)
        self.hosts.hear(heard)
        return [by_pipe[pipe] for pipe in heard if pipe in by_pipe]

    def _message(self, worker: _Worker) -> Outcome | None:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(1.0)  # it ended, or will: then `_lost` finds it
            return None
        if isinstance(message, Broken):
            raise message.kind(message.message, message.hint)
        if isinstance(message, Ready):
            worker.ready, self._bad_starts = True, 0
            self.first_ready = self.first_ready or time.monotonic()
            return None
        return message if isinstance(message, Outcome) else None

    def _lost(self) -> list[tuple[_Worker, DocumentError]]:
        """Workers that ended, take too long or hold too much memory, each with what that means for its document."""
        now = time.monotonic()
        lost: list[tuple[_Worker, DocumentError]] = []
        for worker in self._workers:
            shown = worker.item.shown if worker.item else "a document"
            taken = now - worker.since
            if not worker.process.is_alive():
                ended = worker.process.exitcode
                hung = worker.host_hung and ended == DEVICE_GONE
                lost.append((worker, self._given_up(shown) if hung else _crashed(shown, ended)))
            elif worker.item is not None and taken > self.limits.timeout_s:
                lost.append((worker, self._given_up(shown)))
            elif not worker.ready and taken > START_S:
                lost.append((worker, TimedOut("a worker could not load the model")))
            elif worker.item is not None and resident_bytes(worker.process.pid or 0) > self.limits.memory_bytes:
                hint = "allow it more with --max-memory, or split it"
                mib = self.limits.memory_bytes >> 20
                lost.append((worker, OutOfMemory(f"{shown} needs more than {mib} MiB of memory", hint=hint)))
        return lost

    def _given_up(self, shown: str) -> TimedOut:
        hint = "give it more time with --timeout, or split it"
        return TimedOut(f"{shown} was given up after {self.limits.timeout_s:.0f} s", hint=hint)

    def _check_starts(self, error: DocumentError) -> None:
        if self._bad_starts >= MAX_BAD_STARTS:
            raise ModelError(
                f"workers end while they load the model ({error.message})",
                hint="is there enough memory? --workers 1 takes the least",
            )

    def _failed(self, item: Input, error: DocumentError) -> Outcome:
        from pipkie_cli.records import failed_record

        return outcome_of([failed_record(item.shown, error)])

    def _recycle(self, worker: _Worker) -> None:
        held = resident_bytes(worker.process.pid or 0)
        worker.first_bytes = worker.first_bytes or held
        if worker.n_done >= RECYCLED_AFTER or held > worker.first_bytes + GROWN_BYTES:
            self._end(worker)

    def _start(self) -> bool:
        """Whether there is one more. With none at all a run cannot go on: then it raises ModelError."""
        try:
            self._launch()
        except OSError as error:  # no descriptor, process or memory left
            if not self._workers:
                hint = "raise the limits of open files and processes (ulimit -n, -u)"
                raise ModelError(f"no worker can be started: {error.strerror}", hint=hint) from error
            log.warning("only %d workers can be started: %s", len(self._workers), error.strerror)
            self.limits = replace(self.limits, workers=len(self._workers))
            return False
        return True

    def _launch(self) -> None:
        context = multiprocessing.get_context(self.start_method)
        ours, theirs = context.Pipe()
        inherited: list[Connection | int] = []
        if self.start_method == "fork":
            inherited = [ours, *(worker.pipe for worker in self._workers), *self.hosts.pipes(), *self.held]
            inherited += self._guard.descriptors()
        device, address = self.hosts.assign()
        arguments = (theirs, self.options, inherited, address)
        process = context.Process(target=serve, args=arguments, daemon=True)  # type: ignore[attr-defined]
        try:
            process.start()
        except OSError:
            self.hosts.release(device)
            ours.close()
            raise
        finally:
            theirs.close()
        self._guard.watch(process.pid)
        self._workers.append(_Worker(process, ours, time.monotonic(), device))

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        self.hosts.release(worker.device)
        if sys.platform == "linux" and worker.process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):  # it has not begun, or ended with all that it started
                os.killpg(worker.process.pid, signal.SIGKILL)  # programs that draw a page, too
        self._guard.forget(worker.process.pid)
        worker.process.kill()  # before its pipe closes: it has nothing to say of that
        worker.process.join()
        worker.pipe.close()
        worker.process.close()


def _crashed(shown: str, exit_code: int | None) -> WorkerCrashed:
    if exit_code == DEVICE_GONE:
        return WorkerCrashed(f"the process that holds the model ended while it had {shown}", hint="please report it")
    how = f"signal {-exit_code}" if exit_code and exit_code < 0 else f"exit code {exit_code}"
    return WorkerCrashed(f"{shown} made its worker end ({how})", hint="save or scan it again; please report it")
