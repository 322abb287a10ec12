"""Workers on many machines: Ray starts them and carries paths there and records back. Beside `Supervisor`, with its
interface; journal, order and output are the driver's as ever, so the bytes are those of one machine.

Documents lie where every machine finds them: a shared folder under the same path, or a store that is named by URL.
"""

import logging
import os
import secrets
import signal
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

from pipkie_cli.batch.budget import default_workers
from pipkie_cli.batch.cluster_host import Greeting, Host, greeting_of
from pipkie_cli.batch.devices import CPU
from pipkie_cli.batch.hosts import START_S as LOAD_S
from pipkie_cli.batch.supervisor import LOST, MAX_BAD_STARTS, START_S, TICK_S, Limits
from pipkie_cli.batch.worker import Broken, Outcome, outcome_of
from pipkie_cli.errors import InputError, ModelError, UsageError, WorkerCrashed
from pipkie_cli.nouns import Input, RunOptions

IN_FLIGHT = 2  # calls an actor has: it need not wait for the next; more would only be lost with it
WORKERS_OF_A_GPU = 8  # at most, that prepare pages for it
DOCUMENTS_OF_A_WORKER = 4  # in one call, where an actor has several workers
MOST_LOST = 2  # actors that may end under a document; under the second one it is then alone on the cluster
MOST_SAID = 200  # characters of what Ray says of an actor's end
GRACE_S = 60.0  # for a node that does not answer, over all that its own supervisor waits for

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Actor:
    handle: Any
    since: float  # when it was last heard of, or given its first document
    ready: bool = False
    error: str = ""  # why it is gone
    flying: dict[Any, tuple[Input, ...]] = field(default_factory=dict)  # by Ray's reference; (): its greeting

    def items(self) -> list[Input]:
        return [item for items in self.flying.values() for item in items]


@dataclass(frozen=True, slots=True)
class _Places:
    """What the cluster has room for."""

    n_actors: int
    resources: dict[str, int]  # of one actor, as Ray calls them
    limits: Limits  # of its supervisor

    @property
    def n_documents(self) -> int:
        """In one call."""
        return 1 if self.limits.workers == 1 else DOCUMENTS_OF_A_WORKER * self.limits.workers


def check_ray() -> None:
    """Raises UsageError where Ray is not installed."""
    if find_spec("ray") is None:
        raise UsageError("--engine ray needs ray, which is not installed", 'pip install "pipkie[cluster]"')


def cluster_workers(address: str | None, n_inputs: int) -> int:
    """How many workers are worth asking for: on a cluster one for each document, on this machine what it bears."""
    return n_inputs if _address(address) else default_workers(n_inputs)


class Cluster:
    """Reads inputs with actors of Ray. Use as a context: leaving it ends every actor, and the Ray that it started.

    `address`: of a running cluster, as `ray.init` takes it; None is RAY_ADDRESS, else a Ray on this machine alone.
    `devices`: auto, cpu or cuda; a model that reads pixels has an actor a GPU, else an actor has a core and one worker.
    Raises InputError where there is no such cluster, ModelError where it has no place. Ray is to be installed: see
    `check_ray`.
    """

    def __init__(
        self,
        options: RunOptions,
        limits: Limits,
        _held: Sequence[int] = (),
        *,
        address: str | None = None,
        devices: str = "auto",
    ) -> None:
        self._options = _from_anywhere(options)
        self._limits = limits
        self._ray: Any = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None  # of a Ray of our own: sockets and logs
        self._address, self._devices = _address(address), devices
        self._actors: list[_Actor] = []
        self._alone: set[str] = set()  # documents that are, or were, read with nothing else under way
        self._bad_starts = 0
        self._signals = _Signals()
        self._ours = greeting_of(self._options)

    def __enter__(self) -> "Cluster":
        self._signals.hold()
        try:
            if self._address is None:  # the path of a socket must be short
                short = "/tmp" if os.path.isdir("/tmp") else None
                self._scratch = tempfile.TemporaryDirectory(prefix="pipkie-ray-", dir=short, ignore_cleanup_errors=True)
            folder = self._scratch.name if self._scratch is not None else None
            self._ray = _connected(self._address, self._limits.workers, folder)
            self._signals.hold()  # Ray has set its own
            self._signals.pass_on()
            self._places = self._room()
            self._n_wanted = self._places.n_actors
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._ray is not None:
                self._ray.shutdown()
            if self._scratch is not None:
                self._scratch.cleanup()
        finally:
            self._signals.release()

    def outcomes(self, inputs: Sequence[Input]) -> Iterator[tuple[Input, Outcome]]:
        """Every input with its outcome, as they come. Raises what ends a run."""
        first, again, n_lost = deque(inputs), deque[Input](), Counter[str]()
        while first or again or any(actor.items() for actor in self._actors):
            self._hand_out(first, again)
            for item, outcome in self._heard():
                failure = outcome.told.failure
                if failure is not None and failure[0] in LOST and item.shown not in self._alone:
                    again.append(item)
                    continue
                given = time.monotonic()
                yield item, outcome
                for actor in self._actors:  # whoever takes the records may stop for an hour
                    actor.since += time.monotonic() - given
            for item in self._lost():
                n_lost[item.shown] += 1
                if item.shown in self._alone:
                    yield item, _failed(item)
                elif n_lost[item.shown] < MOST_LOST:
                    first.append(item)
                else:
                    again.append(item)

    def _hand_out(self, first: deque[Input], again: deque[Input]) -> None:
        """Start the actors that are missing, and give those that are ready something to do."""
        n_flying = sum(len(actor.items()) for actor in self._actors)
        while len(self._actors) < max(1, min(self._n_wanted, len(first) + n_flying)):
            self._start()
        for actor in self._actors:
            while actor.ready and first and len(actor.flying) < IN_FLIGHT:
                share = min(self._places.n_documents, -(-len(first) // len(self._actors)))  # none idles at the end
                self._give(actor, [first.popleft() for _ in range(share)])
                n_flying += share
            if actor.ready and again and not first and not n_flying:
                self._alone.add(again[0].shown)
                self._give(actor, [again.popleft()])
                n_flying += 1

    def _start(self) -> None:
        # no restarts: a poisoned document would end all of them
        remote = self._ray.remote(**self._places.resources, max_restarts=0)(Host)
        actor = _Actor(remote.remote(self._options, self._places.limits), time.monotonic())
        actor.flying[actor.handle.greet.remote()] = ()
        self._actors.append(actor)

    def _give(self, actor: _Actor, items: Sequence[Input]) -> None:
        if not actor.flying:
            actor.since = time.monotonic()
        # an actor has another current folder
        there = [replace(item, path=Path(os.path.abspath(item.path))) for item in items]
        actor.flying[actor.handle.read.remote(there)] = tuple(items)

    def _heard(self) -> Iterator[tuple[Input, Outcome]]:
        """What actors said within a tick; notes which of them are gone."""
        actors = {ref: actor for actor in self._actors for ref in actor.flying}
        self._ray.wait(list(actors), num_returns=1, timeout=TICK_S)
        self._signals.pass_on()
        ready, _ = self._ray.wait(list(actors), num_returns=len(actors), timeout=0)
        for ref in ready:
            actor = actors[ref]
            try:
                message = self._ray.get(ref)
            except self._ray.exceptions.RayTaskError:  # a bug of pipkie
                raise
            except self._ray.exceptions.RayError as error:
                actor.error = (str(error).strip() or type(error).__name__).splitlines()[-1][:MOST_SAID]
                continue
            items, actor.since = actor.flying.pop(ref), time.monotonic()
            if isinstance(message, Broken):
                raise message.kind(message.message, message.hint)
            if isinstance(message, Greeting):
                self._compare(message)
                actor.ready, self._bad_starts = True, 0
                continue
            ours = {item.shown: item for item in items}
            for there, outcome in message:
                yield ours[there.shown], outcome

    def _compare(self, theirs: Greeting) -> None:
        if theirs != self._ours:
            raise ModelError(
                f"a node of the cluster has pipkie {theirs.version} with {theirs.model}, this machine has pipkie "
                f"{self._ours.version} with {self._ours.model}: records would differ",
                hint="install the same on every node",
            )

    def _lost(self) -> list[Input]:
        """Documents of actors that are gone, or silent for longer than their supervisors would be."""
        now, items = time.monotonic(), list[Input]()
        for actor in list(self._actors):
            allowed = self._patience() if actor.items() else START_S
            silent = bool(actor.flying) and now - actor.since > allowed
            if not actor.error and not silent:
                continue
            log.warning("a worker of the cluster is gone: %s", actor.error or "it does not answer")
            self._actors.remove(actor)
            self._ray.kill(actor.handle)
            items += actor.items()
            if not actor.ready:
                self._bad_start(actor)
        return items

    def _bad_start(self, actor: _Actor) -> None:
        """One more that ended before it could work; one that found no place is not asked for again."""
        if actor.error:
            self._bad_starts += 1
            if self._bad_starts >= MAX_BAD_STARTS:
                hint = "is the same pipkie installed on every node?"
                raise ModelError(f"workers end while they start on the cluster ({actor.error})", hint=hint)
        elif self._actors:
            self._n_wanted = len(self._actors)
        else:
            raise ModelError(f"the cluster had no place for a worker within {START_S:.0f} s", hint="see `ray status`")

    def _patience(self) -> float:
        """Seconds in which the supervisor of an actor has given up whatever may hang, the loading of a model too."""
        loading = LOAD_S if self._places.limits.devices else START_S
        return MAX_BAD_STARTS * loading + self._places.n_documents * self._limits.timeout_s + GRACE_S

    def _room(self) -> _Places:
        """Actors that find a core, or a GPU: one more would wait for it for ever, without a word."""
        from pipkie_cli.models import reads_pixels

        resources = self._ray.cluster_resources()
        n_cores, n_gpus = int(resources.get("CPU", 0)), int(resources.get("GPU", 0))
        if n_cores < 1:
            raise ModelError("the cluster has no cores", hint="see `ray status`")
        if self._devices == "cuda" and not n_gpus:
            raise ModelError("the cluster has no GPU", hint="see `ray status`; --devices cpu reads on cores")
        if self._devices == CPU or not n_gpus or not reads_pixels(self._options.model):
            return _Places(min(self._limits.workers, n_cores), {"num_cpus": 1}, replace(self._limits, workers=1))
        n_workers = max(1, min(WORKERS_OF_A_GPU, n_cores // n_gpus))
        n_actors = min(n_gpus, -(-self._limits.workers // n_workers))
        # Ray shows an actor its own GPU alone: there it is the first
        own = replace(self._limits, workers=n_workers, devices=("cuda:0",))
        return _Places(n_actors, {"num_cpus": 1, "num_gpus": 1}, own)


class _Signals:
    """Ctrl-C and SIGTERM, kept until Ray is not on the stack: it swallows what a handler raises, and sets its own."""

    def __init__(self) -> None:
        self._before: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}
        self._came: list[int] = []

    def hold(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            before = self._before.setdefault(number, signal.getsignal(number))
            held = (lambda came, _frame: self._came.append(came)) if callable(before) else before
            signal.signal(number, held)

    def pass_on(self) -> None:
        """Now: to whoever was asked before."""
        for number in self._came:
            before = self._before[number]
            assert callable(before)
            before(number, None)

    def release(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)


def _address(given: str | None) -> str | None:
    return given or os.environ.get("RAY_ADDRESS") or None


def _connected(address: str | None, workers: int, folder: str | None) -> Any:
    """Ray, connected to a cluster, or to one on this machine that ends with it and keeps its files in the folder."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import: nothing is sent anywhere
    if address is None:
        # its ports are open to the network, and whoever it lets in may run what they like: they need our token
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        # as urgent as everything else here: behind it (Ray's 15) documents pass their time limit on a busy machine
        os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        own = {"num_cpus": workers, "include_dashboard": False, "object_store_memory": 100 << 20}
        options |= {"address": "local", "_temp_dir": folder, **own}
    try:
        ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:MOST_SAID]
        if address is None:
            raise InputError(f"Ray cannot be started here ({reason})", hint="use --engine local") from error
        hint = "see `ray status` on its head node; Ray and Python must have the same version there"
        raise InputError(f"no Ray cluster answers at {address} ({reason})", hint=hint) from error
    return ray


def _from_anywhere(options: RunOptions) -> RunOptions:
    """The same options for a process with another current folder."""
    from pipkie_cli.models import model_from_anywhere

    cache = options.cache and options.cache.absolute()
    return replace(options, model=model_from_anywhere(options.model), cache=cache)


def _failed(item: Input) -> Outcome:
    from pipkie_cli.records import failed_record

    message = f"{item.shown}: workers of the cluster ended while they had it, the last one while it had nothing else"
    return outcome_of([failed_record(item.shown, WorkerCrashed(message, hint="see `ray status` and the nodes' logs"))])
