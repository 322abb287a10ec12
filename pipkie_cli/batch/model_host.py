"""A process that holds a model on one device and answers sheets of all workers; and the model as a worker sees it.

Workers stay what they are: they read hostile documents one at a time and may be killed, without a model that takes
minutes to load. They send sheets here; a thread for each worker prepares its sheets while the device is busy with those
of others, and the main thread alone asks the model (see `forwards`).
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from multiprocessing import current_process
from multiprocessing.connection import Client, Connection, Listener
from typing import Any, Literal

from pipkie_cli.batch.budget import usable_cores
from pipkie_cli.batch.devices import CPU, environment_of, torch_name
from pipkie_cli.batch.forwards import BUDGET_TOKENS, Busy, DeviceBroken, ForwardQueue
from pipkie_cli.batch.worker import ONE_THREAD, Broken, DeviceLost, begin_child, load_model
from pipkie_cli.errors import PipkieError
from pipkie_cli.nouns import Calibration, RunOptions, Sheet, Written

BACKLOG = 64  # workers that connect at the same time
BUSY_FIELDS = 1 + len(fields(Busy))  # of the shared array: since when a forward runs (0: none does), then `Busy`

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HostReady:
    """The model is loaded; workers find it here."""

    address: Any


@dataclass(frozen=True, slots=True)
class Said:
    """What a worker is told of the model before it asks."""

    revision: str
    calibration: Calibration
    max_pictures: int


def host(
    pipe: Connection, options: RunOptions, device: str, shared: Any, inherited: Sequence[Connection | int]
) -> None:
    """The life of a model host: load the model, then answer until the parent ends it.

    `shared`: an array of BUSY_FIELDS doubles, for the supervisor to look at.
    """
    begin_child(inherited)
    os.environ.update(environment_of(device, os.environ))
    for name in ONE_THREAD:
        os.environ[name] = str(usable_cores()) if device == CPU else "1"
    try:
        backend = load_model(options, torch_name(device))
        assert backend.reads == "pixels"
        answer(backend, pipe, shared, 1 if device == CPU else BUDGET_TOKENS)
    except PipkieError as error:
        pipe.send(Broken(type(error), error.message, error.hint))
    except DeviceBroken as error:
        log.warning("%s does not work any more (%s): the model is loaded anew", device, error)
        os._exit(1)  # threads wait for answers that never come
    except (EOFError, ConnectionError):
        pass  # the parent has gone


def answer(backend: Any, pipe: Connection, shared: Any, budget_tokens: int) -> None:
    """Answer sheets of whoever connects. On a CPU one sheet a forward: more at once gain nothing there, and so the same
    bytes come out whatever else is read."""
    from pipkie_cli.models import memory_of_torch

    def watch(since: float, busy: Busy) -> None:
        shared[:] = (since, *map(float, astuple(busy)))

    queue = ForwardQueue(backend.forward, memory_of_torch(), budget_tokens, watch)
    address = f"\0pipkie-{os.urandom(8).hex()}" if sys.platform == "linux" else None  # no file that stays behind
    listener = Listener(address, backlog=BACKLOG, authkey=current_process().authkey)
    said = Said(backend.revision, backend.calibration, backend.max_pictures)
    threading.Thread(target=_accept, args=(listener, backend, queue, said), daemon=True).start()
    pipe.send(HostReady(listener.address))
    queue.run()


def _accept(listener: Listener, backend: Any, queue: ForwardQueue, said: Said) -> None:
    from multiprocessing import AuthenticationError

    while True:
        try:
            connection = listener.accept()
        except (OSError, EOFError, AuthenticationError):  # a worker that was killed while it connected, or a stranger
            time.sleep(0.05)  # or no descriptor is left: not as fast as it can
            continue
        threading.Thread(target=_serve_worker, args=(connection, backend, queue, said), daemon=True).start()


def _serve_worker(connection: Connection, backend: Any, queue: ForwardQueue, said: Said) -> None:
    """Until the worker ends: what it asked meanwhile is answered to nobody."""
    with suppress(EOFError, OSError), connection:
        connection.send(said)
        while True:
            sheets = connection.recv()
            try:
                waiting = [queue.submit(backend.prepare(sheet)) for sheet in sheets]
                answers: Any = tuple(one.result() for one in waiting)
            except PipkieError as error:
                answers = Broken(type(error), error.message, error.hint)
            except Exception as error:  # handed to the worker: the document's boundary is there
                log.debug("sheets were not answered", exc_info=True)
                answers = Broken(PipkieError, type(error).__name__, "")
            connection.send(answers)


class FarBackend:
    """The model as a worker sees it: a `PixelBackend` whose sheets are answered by a model host."""

    def __init__(self, address: Any) -> None:
        try:
            self._connection = Client(address, authkey=current_process().authkey)
            said = self._connection.recv()
        except (EOFError, OSError) as error:
            raise DeviceLost(begun=False) from error
        self.revision: str = said.revision
        self.calibration: Calibration = said.calibration
        self.max_pictures: int = said.max_pictures

    @property
    def reads(self) -> Literal["pixels"]:
        return "pixels"

    def check(self) -> None:
        """Before a document is begun: raises DeviceLost where the host has ended meanwhile."""
        if self._connection.poll():  # it says nothing unasked: this is the end of the connection
            raise DeviceLost(begun=False)

    def prepare(self, sheet: Sheet) -> Sheet:
        """The host does it, beside the forwards of others."""
        return sheet

    def forward(self, batch: Sequence[Sheet]) -> tuple[tuple[Written, ...], ...]:
        try:
            self._connection.send(tuple(batch))
            answers = self._connection.recv()
        except (EOFError, OSError) as error:
            raise DeviceLost(begun=True) from error
        if isinstance(answers, Broken):
            if answers.kind is PipkieError:
                raise RuntimeError(f"the model failed: {answers.message}")
            raise answers.kind(answers.message, answers.hint)
        return answers  # type: ignore[no-any-return]
