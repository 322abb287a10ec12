"""One worker: a process of its own that reads documents one after the other, and what it says on its pipe.

A hostile document may hang it, crash it or eat its memory: the supervisor then replaces it, and only that document is
touched. The worker ends with its pipe, and on Linux with its parent, however that ends.
"""

import ctypes
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from pipkie_cli.batch.storage import fetched
from pipkie_cli.errors import DocumentError, PipkieError
from pipkie_cli.nouns import Input, RunOptions

if TYPE_CHECKING:
    from pipkie_cli.models import AnyBackend
    from pipkie_cli.pages import PageCache

_PR_SET_PDEATHSIG = 1  # of prctl(2)
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
DEVICE_GONE = 75  # exit code of a worker whose model host ended while it had a document
NO_DEVICE = 76  # and before it began with one


class DeviceLost(BaseException):
    """The process that holds the model has ended. No Exception: no record may say so of a document before it was tried
    again. `begun`: whether a document was being read."""

    def __init__(self, begun: bool) -> None:
        super().__init__()
        self.begun = begun


@dataclass(frozen=True, slots=True)
class Told:
    """What a run's summary needs to know of one input."""

    statuses: tuple[str, ...]  # of each of its records
    n_pages: int
    sha256: str | None  # of the file's content; None where it could not be read
    failure: tuple[str, str] | None = None  # code and message of the first failed record
    stamp: str | None = None  # of the object in a store that was read
    n_invalid: int = 0  # records that break the schema or a rule of their template
    problems: Mapping[str, int] = field(default_factory=dict)  # how many problems of each code


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one input."""

    lines: bytes  # its records, one a line
    told: Told
    seconds: Mapping[str, float] = field(default_factory=dict)  # that each of `stages.STAGES` took


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded; the worker waits for documents."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An error that ends the run: class, message, hint."""

    kind: type[PipkieError]
    message: str
    hint: str


def outcome_of(records: Sequence[dict[str, Any]]) -> Outcome:
    from pipkie_cli.records import is_invalid, record_line

    failed = next((record for record in records if record["status"] == "failed"), None)
    told = Told(
        statuses=tuple(record["status"] for record in records),
        n_pages=sum(len(record["document"]["pages"]) for record in records),
        sha256=records[0]["document"]["sha256"],
        failure=(failed["problems"][0]["code"], failed["problems"][0]["message"]) if failed else None,
        n_invalid=sum(is_invalid(record) for record in records if record["status"] != "failed"),
        problems=Counter(problem["code"] for record in records for problem in record["problems"]),
    )
    return Outcome(b"".join(record_line(record) for record in records), told)


def serve(pipe: Connection, options: RunOptions, inherited: Sequence[Connection | int], address: Any = None) -> None:
    """The life of a worker: load the model, then answer every `Input` with its `Outcome`, until None or the end.

    `inherited`: what a forked child got of its parent's and must not hold open. `address`: of the process that holds
    the model, where it is on a device that workers share.
    """
    begin_child(inherited)
    for name in ONE_THREAD:  # workers share the cores; before a library reads it
        os.environ.setdefault(name, "1")
    try:
        _serve(pipe, options, address)
    except PipkieError as error:
        pipe.send(Broken(type(error), error.message, error.hint))
    except DeviceLost as error:
        os._exit(DEVICE_GONE if error.begun else NO_DEVICE)
    except (EOFError, ConnectionError):
        pass  # the parent has gone


def begin_child(inherited: Sequence[Connection | int]) -> None:
    """What every process of a run does first: it lets go of its parent's, and ends with it."""
    for one in inherited:
        with suppress(OSError):
            os.close(one) if isinstance(one, int) else one.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with_parent()
    if sys.platform == "linux":
        os.setpgid(0, 0)  # a group of its own: what it starts ends with it


def load_model(options: RunOptions, device: str = "cpu") -> "AnyBackend":
    """The model of a run. Raises ModelError."""
    from pipkie_cli.models import load_backend

    return load_backend(options.model, device, decode=options.decode, passes=options.passes)


def _serve(pipe: Connection, options: RunOptions, address: Any) -> None:
    from pipkie_cli import pipeline, records  # noqa: F401 - loading them is not the first document's time
    from pipkie_cli.batch.model_host import FarBackend
    from pipkie_cli.pages import open_cache

    backend = load_model(options) if address is None else FarBackend(address)
    cache = open_cache(options.cache, options.cache_bytes) if options.cache else None
    pipe.send(Ready())
    while (item := pipe.recv()) is not None:
        assert isinstance(item, Input)
        if isinstance(backend, FarBackend):
            backend.check()
        pipe.send(_outcome(item, options, backend, cache))


def _outcome(item: Input, options: RunOptions, backend: "AnyBackend", cache: "PageCache | None") -> Outcome:
    """What becomes of one input, fetched first where it lies in a store. Raises only what ends the run."""
    from pipkie_cli.batch.model_host import FarBackend
    from pipkie_cli.batch.stages import Stages
    from pipkie_cli.pipeline import answered, drive, records_of
    from pipkie_cli.records import failed_record

    # a model host sees to it what shares a forward
    answer = FarBackend.forward if isinstance(backend, FarBackend) else answered
    stages = Stages(backend, answer)
    try:
        with fetched(item) as here:
            records = drive(records_of(here, options, stages, cache), stages, stages.answer)
            return replace(outcome_of(records), seconds=stages.seconds())
    except DocumentError as error:  # it could not be fetched: the road makes records of its own
        return outcome_of([failed_record(item.shown, error, model=backend.revision)])


def _end_with_parent() -> None:
    """Be killed when the parent ends, even by SIGKILL: an orphan in the middle of a page would hold the lock."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the call
        os._exit(1)
