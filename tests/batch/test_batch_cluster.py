"""The driver of a cluster, with a Ray that is made up: what is lost, late or different, without a process started."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import Pipkie

from pipkie_cli.__main__ import Stopped
from pipkie_cli.batch import Cluster, Limits, cluster
from pipkie_cli.batch.cluster_host import Greeting, broken, greeting_of
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.errors import ModelError, TemplateError
from pipkie_cli.nouns import Input, Key, Locale, RunOptions, Template

NOTE = Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)


class RayError(Exception):
    pass


class RayTaskError(RayError):
    pass


class Ref:
    def __init__(self, actor: "Actor", name: str, arguments: tuple[Any, ...]) -> None:
        self.actor, self.name, self.arguments = actor, name, arguments
        self.done: Callable[[], Any] | None = None


class Actor:
    """A handle; its calls are carried out one after the other, one at each `wait`."""

    def __init__(self, world: "MadeUpRay") -> None:
        self.world, self.dead, self.calls = world, False, list[Ref]()
        self.most_calls = 0

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Ref:
            ref = Ref(self, name, arguments)
            self.calls.append(ref)
            self.most_calls = max(self.most_calls, len(self.calls))
            return ref

        return SimpleNamespace(remote=call)


class MadeUpRay:
    """`said` answers a document's name: an Outcome, or None for an actor that ends under it."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, said: Callable[[str], Outcome | None], n_cores: int = 2, n_gpus: int = 0) -> None:
        self.said, self.n_cores, self.n_gpus = said, n_cores, n_gpus
        self.started: list[tuple[dict[str, Any], Limits]] = []  # with which resources and limits
        self.actors: list[Actor] = []
        self.read: list[list[str]] = []  # names that were under way together, at each step
        self.greeting: Any = None
        self.at_wait: Callable[[], None] = lambda: None

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.n_cores), "GPU": float(self.n_gpus)}

    def remote(self, **options: Any) -> Any:
        def start(_: Any, limits: Limits) -> Actor:
            self.started.append((options, limits))
            self.actors.append(Actor(self))
            return self.actors[-1]

        return lambda _: SimpleNamespace(remote=start)

    def wait(self, refs: list[Ref], num_returns: int, timeout: float) -> tuple[list[Ref], list[Ref]]:
        if timeout:
            self.at_wait()
            calls = [actor.calls[0] for actor in self.actors if actor.calls and not actor.dead]
            self.read.append([item.shown for call in calls if call.arguments for item in call.arguments[0]])
            for ref in calls:
                self._step(ref)
        return [ref for ref in refs if ref.done is not None or ref.actor.dead], []

    def _step(self, ref: Ref) -> None:
        if ref.name == "greet":
            answer = self.greeting
        else:
            (items,) = ref.arguments
            answers = [self.said(item.shown) for item in items]
            assert all(item.path.is_absolute() for item in items)
            whole = all(isinstance(one, Outcome) for one in answers)
            answer = list(zip(items, answers, strict=True)) if whole else answers[0]
        if answer is None:
            ref.actor.dead = True
        elif answer != "silence":
            ref.actor.calls.remove(ref)
            ref.done = lambda: answer

    def get(self, ref: Ref) -> Any:
        if ref.done is None:
            raise RayError("The actor died\nits node is gone")
        return ref.done()

    def kill(self, actor: Actor) -> None:
        actor.dead = True

    def shutdown(self) -> None:
        for actor in self.actors:
            actor.dead = True


def outcome(name: str, code: str | None = None) -> Outcome:
    failure = (code, "why") if code else None
    return Outcome(name.encode(), Told(("failed" if code else "ok",), 1, "0" * 64, failure))


Read = Callable[..., dict[str, str | None]]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """Reads documents of these names on a made-up Ray; returns the code of failure of each."""

    def run(ray: MadeUpRay, *names: str, devices: str = "auto", **limits: Any) -> dict[str, str | None]:
        monkeypatch.setattr(cluster, "_connected", lambda *_: ray)
        ray.greeting = ray.greeting or greeting_of(OPTIONS)
        inputs = [Input(Path(name), name) for name in names]
        with Cluster(OPTIONS, Limits(**{"workers": 2, **limits}), devices=devices) as reader:
            pairs = list(reader.outcomes(inputs))
        assert len(pairs) == len(names)
        assert all(actor.most_calls <= cluster.IN_FLIGHT for actor in ray.actors)
        return {item.shown: one.told.failure and one.told.failure[0] for item, one in pairs}

    return run


def test_each_document_has_one_outcome(read: Read) -> None:
    """As many actors as there are cores, not as many as are wanted: another would wait for ever, silently."""
    ray, names = MadeUpRay(outcome, n_cores=3), [f"{n}.pdf" for n in range(20)]
    assert read(ray, *names, workers=8) == dict.fromkeys(names)
    assert len(ray.actors) == 3
    assert all(options == {"num_cpus": 1, "max_restarts": 0} for options, _ in ray.started)
    assert all((limits.workers, limits.devices) == (1, ()) for _, limits in ray.started)


def test_a_model_that_reads_pixels_has_an_actor_a_gpu(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """With several workers that prepare pages for it, and several documents a call, but none idles at the end."""
    monkeypatch.setattr("pipkie_cli.models.reads_pixels", lambda name: True)
    ray, names = MadeUpRay(outcome, n_cores=12, n_gpus=3), [f"{n:03}.pdf" for n in range(200)]
    assert read(ray, *names, workers=100) == dict.fromkeys(names)
    assert len(ray.actors) == 3
    assert all(options == {"num_cpus": 1, "num_gpus": 1, "max_restarts": 0} for options, _ in ray.started)
    assert all((limits.workers, limits.devices) == (4, ("cuda:0",)) for _, limits in ray.started)
    assert max(len(step) for step in ray.read) == 3 * 4 * cluster.DOCUMENTS_OF_A_WORKER
    on_cores = MadeUpRay(outcome, n_cores=4, n_gpus=3)
    assert read(on_cores, *names, workers=100, devices="cpu") == dict.fromkeys(names)
    assert len(on_cores.actors) == 4
    with pytest.raises(ModelError, match="the cluster has no GPU"):
        read(MadeUpRay(outcome), "a.pdf", devices="cuda")


def test_what_was_under_way_with_an_actor_is_read_again(read: Read) -> None:
    """A node that goes costs no document; another actor takes its place."""
    died: list[str] = []

    def said(name: str) -> Outcome | None:
        if name == "3.pdf" and not died:
            died.append(name)
            return None
        return outcome(name)

    ray, names = MadeUpRay(said), [f"{n}.pdf" for n in range(8)]
    assert read(ray, *names) == dict.fromkeys(names)
    assert len(ray.actors) == 3


def test_a_document_that_ends_every_actor_fails(read: Read) -> None:
    """Twice among others, then alone, then its record says so; the others are read."""
    ray = MadeUpRay(lambda name: None if name == "bad.pdf" else outcome(name))
    names = ["bad.pdf", *(f"{n}.pdf" for n in range(6))]
    assert read(ray, *names) == {**dict.fromkeys(names), "bad.pdf": "worker_crashed"}
    assert len(ray.actors) <= 6


@pytest.mark.parametrize("code", ["timed_out", "worker_crashed", "out_of_memory"])
def test_what_its_worker_lost_is_tried_once_more_alone(read: Read, code: str) -> None:
    """As on one machine: nothing else is under way then, and that outcome counts."""
    tries: list[str] = []

    def said(name: str) -> Outcome:
        tries.append(name)
        return outcome(name, code if name == "bad.pdf" or tries.count("once.pdf") == 1 == len(tries) else None)

    ray = MadeUpRay(said)
    assert read(ray, "once.pdf", "bad.pdf", "good.pdf") == {"once.pdf": None, "bad.pdf": code, "good.pdf": None}
    assert sorted(tries) == ["bad.pdf", "bad.pdf", "good.pdf", "once.pdf", "once.pdf"]
    again = [step for step in ray.read if step][-2:]
    assert [len(step) for step in again] == [1, 1]


def test_an_actor_that_does_not_answer_is_given_up(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for ever: its documents are lost with it."""
    ahead = [0.0]
    monkeypatch.setattr(cluster.time, "monotonic", lambda: ahead[0])
    silent: list[str] = []

    def said(name: str) -> Any:
        if name == "0.pdf" and len(silent) < 100:
            silent.append(name)
            ahead[0] += 60.0
            return "silence"
        return outcome(name)

    assert read(MadeUpRay(said), "0.pdf", "1.pdf") == {"0.pdf": "worker_crashed", "1.pdf": None}


def test_a_slow_reader_costs_no_actor(monkeypatch: pytest.MonkeyPatch, read: Read) -> None:
    """Whoever takes the records may stop for an hour between two of them."""
    ahead = [0.0]
    monkeypatch.setattr(cluster.time, "monotonic", lambda: ahead[0])
    ray = MadeUpRay(outcome)
    ray.greeting = greeting_of(OPTIONS)
    monkeypatch.setattr(cluster, "_connected", lambda *_: ray)
    with Cluster(OPTIONS, Limits(workers=2)) as reader:
        for _ in reader.outcomes([Input(Path(f"{n}.pdf"), f"{n}.pdf") for n in range(9)]):
            ahead[0] += 3600.0
    assert len(ray.actors) == 2


# ------------------------------------------------------------------------------------------------------ what ends a run


def test_a_node_with_another_pipkie_ends_the_run(read: Read) -> None:
    """Its records would differ."""
    ray = MadeUpRay(outcome)
    ray.greeting = Greeting("0.0.1", "mini@0")
    with pytest.raises(ModelError, match=r"a node of the cluster has pipkie 0\.0\.1 with mini@0"):
        read(ray, "a.pdf")


def test_an_error_of_a_worker_that_ends_a_run_ends_it(read: Read) -> None:
    """It comes as data and leaves as what it was."""
    ray = MadeUpRay(lambda name: broken(TemplateError("no such key", hint="see there")))  # type: ignore[arg-type, return-value]
    with pytest.raises(TemplateError, match="no such key; see there"):
        read(ray, "a.pdf")


def test_actors_that_cannot_start_end_the_run(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each dies at once, finds no place within the time, or there is no core at all."""
    dying = MadeUpRay(outcome)
    monkeypatch.setattr(dying, "_step", lambda ref: setattr(ref.actor, "dead", True))
    with pytest.raises(ModelError, match=r"workers end while they start on the cluster \(its node is gone\)"):
        read(dying, "a.pdf")
    pending, ahead = MadeUpRay(outcome), [0.0]
    pending.greeting = "silence"
    pending.at_wait = lambda: ahead.__setitem__(0, ahead[0] + 50.0)
    monkeypatch.setattr(cluster.time, "monotonic", lambda: ahead[0])
    with pytest.raises(ModelError, match="no place for a worker"):
        read(pending, "a.pdf")
    with pytest.raises(ModelError, match="no cores"):
        read(MadeUpRay(outcome, n_cores=0), "a.pdf")


def test_a_signal_that_comes_inside_ray_is_not_lost(read: Read) -> None:
    """Ray swallows what a handler raises; here it is raised outside, and everything is put back."""

    def stop(number: int, _: Any) -> None:
        raise Stopped(number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        ray = MadeUpRay(outcome)
        ray.at_wait = lambda: os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(Stopped):
            read(ray, "a.pdf")
        assert signal.getsignal(signal.SIGTERM) is stop
        assert all(actor.dead for actor in ray.actors)
    finally:
        signal.signal(signal.SIGTERM, before)


# ----------------------------------------------------------------------------------------------------- the command line


def test_ray_is_an_extra(pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is missing, the message is the command that installs it."""
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    ended = pipkie("extract", "in", "-t", "note.yaml", "--engine", "ray")
    assert (ended.code, 'pip install "pipkie[cluster]"' in ended.err) == (2, True)
    assert "are done" not in ended.err  # said before any work
    assert not (desk / "in.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--engine", "spark"), "--engine spark is not known"),
        (("--ray-address", "head:6379"), "is for --engine ray"),
        (("--engine", "ray", "--devices", "cuda:0"), "--devices cuda:0 goes with --engine local"),
    ],
)
def test_engines_are_named_right(pipkie: Pipkie, desk: Path, options: tuple[str, ...], said: str) -> None:
    """A mistyped engine, and an address that nothing would use."""
    ended = pipkie("extract", "in", "-t", "note.yaml", *options)
    assert (ended.code, said in ended.err) == (2, True)


def test_the_cluster_is_the_one_that_was_named(pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By option, else by RAY_ADDRESS; a cluster is asked for a worker a document, this machine for what it bears."""
    asked: list[tuple[str | None, int]] = []

    def connected(address: str | None, workers: int, folder: str | None) -> MadeUpRay:
        asked.append((address, workers))
        assert (folder is None) == (address is not None)
        ray = MadeUpRay(lambda name: outcome(name + "\n"))
        ray.greeting = greeting_of(OPTIONS)
        return ray

    monkeypatch.setattr(cluster, "find_spec", lambda name: name)
    monkeypatch.setattr(cluster, "_connected", connected)
    monkeypatch.setattr(cluster, "default_workers", lambda n_inputs: 1)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    command = ("extract", "in", "-t", "note.yaml", "--retry", "all", "--engine", "ray")
    assert pipkie(*command).code == 0
    assert pipkie(*command, "--ray-address", "head:6379").code == 0
    monkeypatch.setenv("RAY_ADDRESS", "other:6379")
    assert pipkie(*command, "--workers", "7").code == 0
    assert asked == [(None, 1), ("head:6379", 2), ("other:6379", 7)]
