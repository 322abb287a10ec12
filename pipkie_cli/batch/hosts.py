"""The processes that hold a model, one for each device: started first, watched, replaced when they end."""

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from pipkie_cli.batch.forwards import Busy
from pipkie_cli.batch.model_host import BUSY_FIELDS, HostReady, host
from pipkie_cli.batch.worker import Broken
from pipkie_cli.errors import ModelError
from pipkie_cli.nouns import RunOptions

START_S = 1200.0  # to load a model: 15 GB from a slow share
MAX_BAD_STARTS = 3  # of one device in a row, then the run ends

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Host:
    device: str
    process: BaseProcess
    pipe: Connection
    shared: Any  # see `model_host.BUSY_FIELDS`
    started: float
    address: Any = None  # where workers find it; None while it loads
    n_workers: int = 0


@dataclass(slots=True)
class ModelHosts:
    """One process for each of `devices`, all with the same model; none without devices.

    A worker whose host ends knows it by its broken connection, and ends itself: its document is tried again.
    """

    options: RunOptions
    devices: Sequence[str]
    n_workers: int  # of all devices together
    forward_s: float  # longest time for one forward
    start_method: str
    _hosts: dict[int, _Host] = field(default_factory=dict)  # by number of the device
    _bad_starts: dict[int, int] = field(default_factory=dict)
    _before: Busy = field(default_factory=Busy)  # of hosts that were replaced

    def start_missing(self, held: Sequence[Connection | int]) -> None:
        """`held`: what forked processes must not hold open. Raises ModelError where none can be started."""
        for number in range(len(self.devices)):
            if number not in self._hosts:
                self._start(number, held)

    def pipes(self) -> list[Connection]:
        return [one.pipe for one in self._hosts.values()]

    def has_place(self) -> bool:
        """Whether one more worker finds its model. Devices have like numbers of them, also when one is ready first."""
        return not self.devices or bool(self._open())

    def hear(self, pipes: Iterable[object]) -> None:
        """Take what hosts say. Raises what ends a run, such as a model that cannot be loaded."""
        for one in list(self._hosts.values()):
            if one.pipe not in pipes:
                continue
            try:
                message = one.pipe.recv()
            except (EOFError, OSError):
                one.process.join(1.0)  # it ended, or will: `look_after` finds it
                continue
            if isinstance(message, Broken):
                raise message.kind(message.message, message.hint)
            if isinstance(message, HostReady):
                one.address = message.address

    def in_forward(self) -> bool:
        """Whether a device is at work, for whomever."""
        return any(one.shared[0] for one in self._hosts.values())

    def look_after(self) -> dict[int, bool]:
        """End hosts that hang and forget those that ended; their numbers, and whether it was in a forward that took
        too long. `start_missing` starts new ones.

        Raises ModelError where a device never gets to work, several times in a row.
        """
        now, ended = time.monotonic(), dict[int, bool]()
        for number, one in list(self._hosts.items()):
            since = one.shared[0]
            hung = False
            if one.process.is_alive():
                if one.address is None and now - one.started > START_S:
                    why = f"did not load the model in {START_S:.0f} s"
                elif since and now - since > self.forward_s:
                    hung = True
                    why = f"did not end a forward in {self.forward_s:.0f} s"
                else:
                    continue
            else:
                why = f"ended (exit code {one.process.exitcode})"
            log.warning("the process that holds the model on %s %s", one.device, why)
            worked = bool(since) or _busy(one).sheets > 0  # what ends within a forward is that document's fault
            bad = self._bad_starts[number] = 0 if worked else self._bad_starts.get(number, 0) + 1
            self._before = _sum(self._before, _busy(one))
            self._end(number)
            if bad >= MAX_BAD_STARTS:
                raise ModelError(
                    f"the process that holds the model on {one.device} {why}",
                    hint="is there enough memory? A smaller model, or --devices, may help",
                )
            ended[number] = hung
        return ended

    def assign(self) -> tuple[int | None, Any]:
        """A device for a new worker, and where its model is: the one with the fewest workers. See `has_place`."""
        if not self.devices:
            return None, None
        number = min(self._open(), key=lambda number: (self._hosts[number].n_workers, number))
        self._hosts[number].n_workers += 1
        return number, self._hosts[number].address

    def _open(self) -> list[int]:
        most = -(-self.n_workers // len(self.devices))
        return [number for number, one in self._hosts.items() if one.address is not None and one.n_workers < most]

    def release(self, number: int | None) -> None:
        """A worker of this device has ended."""
        if number in self._hosts:
            self._hosts[number].n_workers = max(0, self._hosts[number].n_workers - 1)

    def busy(self) -> Busy:
        """What all devices together have done."""
        total = self._before
        for one in self._hosts.values():
            total = _sum(total, _busy(one))
        return total

    def end(self) -> None:
        for number in list(self._hosts):
            self._before = _sum(self._before, _busy(self._hosts[number]))
            self._end(number)

    def _start(self, number: int, held: Sequence[Connection | int]) -> None:
        context = multiprocessing.get_context(self.start_method)
        ours, theirs = context.Pipe()
        shared = context.Array("d", BUSY_FIELDS, lock=False)
        inherited = [ours, *self.pipes(), *held] if self.start_method == "fork" else []
        arguments = (theirs, self.options, self.devices[number], shared, inherited)
        process = context.Process(target=host, args=arguments, daemon=True)  # type: ignore[attr-defined]
        try:
            process.start()
        except OSError as error:
            ours.close()
            raise ModelError(
                f"no process can be started for {self.devices[number]}: {error.strerror}",
                hint="raise the limits of open files and processes (ulimit -n, -u)",
            ) from error
        finally:
            theirs.close()
        self._hosts[number] = _Host(self.devices[number], process, ours, shared, time.monotonic())

    def _end(self, number: int) -> None:
        one = self._hosts.pop(number)
        if sys.platform == "linux" and one.process.pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(one.process.pid, signal.SIGKILL)
        one.process.kill()
        one.process.join()
        one.pipe.close()
        one.process.close()


def _busy(one: _Host) -> Busy:
    seconds, *counts = one.shared[1:]
    return Busy(seconds, *map(int, counts))


def _sum(one: Busy, other: Busy) -> Busy:
    return Busy(
        one.seconds + other.seconds,
        one.batches + other.batches,
        one.sheets + other.sheets,
        one.tokens + other.tokens,
        one.padded + other.padded,
        one.waiting + other.waiting,
    )
