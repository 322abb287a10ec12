"""Workers on many machines: Ray starts them and carries paths there and records back. Beside `Supervisor`, with its
interface; journal, order and output are the driver's as ever, so the bytes are those of one machine.

Documents lie where every machine finds them: a shared folder under the same path, or a store that is named by URL.
"""

import logging
import os
import signal
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
from pipkie_cli.batch.supervisor import LOST, MAX_BAD_STARTS, START_S, TICK_S, Limits
from pipkie_cli.batch.worker import Broken, Outcome, outcome_of
from pipkie_cli.errors import InputError, ModelError, UsageError, WorkerCrashed
from pipkie_cli.nouns import Input, RunOptions

IN_FLIGHT = 2  # documents an actor has: it need not wait for the next; more would only be lost with it
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
    flying: dict[Any, Input | None] = field(default_factory=dict)  # by Ray's reference; None: its greeting

    def items(self) -> list[Input]:
        return [item for item in self.flying.values() if item is not None]


def cluster_workers(address: str | None, n_inputs: int) -> int:
    """How many workers are worth asking for: on a cluster one for each document, on this machine what it bears."""
    return n_inputs if _address(address) else default_workers(n_inputs)


class Cluster:
    """Reads inputs with actors of Ray. Use as a context: leaving it ends every actor, and the Ray that it started.

    `address`: of a running cluster, as `ray.init` takes it; None is RAY_ADDRESS, else a Ray on this machine alone.
    Raises UsageError where Ray is not installed, InputError where there is no such cluster, ModelError where it has no
    place.
    """

    def __init__(self, options: RunOptions, limits: Limits, _held: Sequence[int] = (), *, address: str | None = None):
        self._options = _from_anywhere(options)
        self._limits = limits
        self._ray: Any = None
        self._address = _address(address)
        self._actors: list[_Actor] = []
        self._alone: set[str] = set()  # documents that are, or were, read with nothing else under way
        self._bad_starts = 0
        self._signals = _Signals()
        self._ours = greeting_of(self._options)

    def __enter__(self) -> "Cluster":
        if find_spec("ray") is None:
            raise UsageError("--engine ray needs ray, which is not installed", 'pip install "pipkie[cluster]"')
        self._signals.hold()
        try:
            self._ray = _connected(self._address, self._limits.workers)
            self._signals.hold()  # Ray has set its own
            self._signals.pass_on()
            self._n_wanted = self._places()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._ray is not None:
            self._ray.shutdown()
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
                self._give(actor, first.popleft())
                n_flying += 1
            if actor.ready and again and not first and not n_flying:
                self._alone.add(again[0].shown)
                self._give(actor, again.popleft())
                n_flying += 1

    def _start(self) -> None:
        remote = self._ray.remote(num_cpus=1, max_restarts=0)(Host)  # none: a poisoned one would end all of them
        actor = _Actor(remote.remote(self._options, self._limits), time.monotonic())
        actor.flying[actor.handle.greet.remote()] = None
        self._actors.append(actor)

    def _give(self, actor: _Actor, item: Input) -> None:
        if not actor.flying:
            actor.since = time.monotonic()
        there = replace(item, path=Path(os.path.abspath(item.path)))  # an actor has another current folder
        actor.flying[actor.handle.read.remote(there)] = item

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
            item, actor.since = actor.flying.pop(ref), time.monotonic()
            if isinstance(message, Broken):
                raise message.kind(message.message, message.hint)
            if item is not None:
                yield item, message
            else:
                self._compare(message)
                actor.ready, self._bad_starts = True, 0

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
            allowed = MAX_BAD_STARTS * START_S + self._limits.timeout_s + GRACE_S if actor.items() else START_S
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

    def _places(self) -> int:
        """Workers that find a core: one more would wait for it for ever, without a word."""
        n_cores = int(self._ray.cluster_resources().get("CPU", 0))
        if n_cores < 1:
            raise ModelError("the cluster has no cores", hint="see `ray status`")
        return min(self._limits.workers, n_cores)


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


def _connected(address: str | None, workers: int) -> Any:
    """Ray, connected to a cluster, or to one on this machine that ends with it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before the import: nothing is sent anywhere
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        # as urgent as everything else here: behind it (Ray's 15) documents pass their time limit on a busy machine
        os.environ.setdefault("RAY_worker_niceness", "0")
        ray.init(num_cpus=workers, include_dashboard=False, object_store_memory=100 << 20, address="local", **quiet)
        return ray
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
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
