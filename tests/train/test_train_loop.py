"""A training run: by the clock, whole checkpoints, and a second call that goes on."""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from finetune_tiny import write_checkpoint
from made_tokenizer import tokenizer_json
from tiny import SHAPE, real_page, write_start

from pipkie_cli.train import loop
from pipkie_cli.train.finetune_init import load_exported
from pipkie_cli.train.loop import Plan, train
from pipkie_cli.train.stream import POOL, Stream, read_mix
from pipkie_cli.train.trainee import Trainee, load_page_stage

# the loader's worker is a fork, and torch has threads: Python 3.12 and later warn of it
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

BATCH = 2


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_start(tmp_path_factory.mktemp("start"))


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second passes with every look at the clock: a step takes one, whatever the machine does."""
    ticks = itertools.count()
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))


def run(start: Path, folder: Path, steps: int, **changes: Any) -> tuple[Trainee, Stream, list[Trainee]]:
    """Train until the budget of `steps` steps is used; also the stream and the trainees that were evaluated."""
    stream = Stream(read_mix([real_page()], (), real_share=1.0, batch_size=BATCH), tokenizer_json(), seed=0)
    looked: list[Trainee] = []

    def evaluate(trainee: Trainee) -> Mapping[str, float]:
        looked.append(trainee)
        return {"tune": 0.5}

    plan = Plan(minutes=steps / 60, batch_size=BATCH, evaluate_every=4, **changes)
    return train(start, folder, stream, plan, evaluate, SHAPE), stream, looked


def done(folder: Path) -> dict[str, Any]:
    return dict(torch.load(folder / "checkpoint.pt", weights_only=True)["done"])


def curve(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


def test_a_run_leaves_checkpoint_plan_and_curve(start: Path, tmp_path: Path) -> None:
    """It stops by the clock, evaluates on its way and at its end, and what it wrote can be exported."""
    trainee, _, looked = run(start, tmp_path / "run", steps=6)
    assert done(tmp_path / "run") == {"steps": 6, "seen": 6 * BATCH, "next": POOL * BATCH, "seconds": 6.0}
    assert [(line["seen"], line["tune"]) for line in curve(tmp_path / "run")] == [(8, 0.5), (12, 0.5)]
    assert all(line["loss"] > 0 for line in curve(tmp_path / "run"))
    assert looked == [trainee, trainee]
    assert json.loads((tmp_path / "run" / "plan.json").read_text())["plan"]["batch_size"] == BATCH
    stored = load_page_stage(tmp_path / "run").state_dict()
    assert all(torch.equal(tensor, stored[name]) for name, tensor in trainee.master.state_dict().items())


def test_a_second_call_goes_on(start: Path, tmp_path: Path) -> None:
    """Same folder, more time: the steps, the optimiser and the documents go on, nothing starts over."""
    run(start, tmp_path, steps=3)
    _, stream, _ = run(start, tmp_path, steps=5)
    assert done(tmp_path) == {"steps": 5, "seen": 5 * BATCH, "next": 2 * POOL * BATCH, "seconds": 5.0}
    assert stream.first == POOL * BATCH
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    assert {int(one["step"]) for one in state["optimizer"]["state"].values()} == {5}


def test_a_run_whose_time_is_over_stays_as_it_is(start: Path, tmp_path: Path) -> None:
    """Calling it again neither learns nor adds a line without a loss to the curve."""
    run(start, tmp_path, steps=2)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    trainee, _, looked = run(start, tmp_path, steps=2)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert not looked
    stored = load_page_stage(tmp_path).state_dict()
    assert all(torch.equal(tensor, stored[name]) for name, tensor in trainee.master.state_dict().items())


def test_it_saves_on_its_way(start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every CHECKPOINT_S of the clock."""
    saved: list[int] = []
    save = loop._save

    def watched(folder: Path, trainee: Trainee, so_far: Mapping[str, float]) -> None:
        saved.append(int(so_far["steps"]))
        save(folder, trainee, so_far)

    monkeypatch.setattr(loop, "CHECKPOINT_S", 8.0)
    monkeypatch.setattr(loop, "_save", watched)
    run(start, tmp_path, steps=7)
    assert saved[-1] == 7
    assert len(saved) == 3


class Killed(BaseException):
    """The machine is gone."""


def test_killed_while_saving_leaves_the_old_checkpoint(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A half-written file never takes its place, and the next call goes on from it."""
    run(start, tmp_path, steps=2)
    whole = (tmp_path / "checkpoint.pt").read_bytes()

    def half(_: object, path: Path) -> None:
        path.write_bytes(whole[: len(whole) // 2])
        raise Killed

    with monkeypatch.context() as broken:
        broken.setattr(torch, "save", half)
        with pytest.raises(Killed):
            run(start, tmp_path, steps=4)
    assert (tmp_path / "checkpoint.pt").read_bytes() == whole
    run(start, tmp_path, steps=4)
    assert done(tmp_path)["steps"] == 4


def test_checkpoints_without_the_next_document_are_resumed(start: Path, tmp_path: Path) -> None:
    """Earlier versions counted what was seen only."""
    run(start, tmp_path, steps=2)
    state = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    del state["done"]["next"]
    torch.save(state, tmp_path / "checkpoint.pt")
    _, stream, _ = run(start, tmp_path, steps=3)
    assert stream.first == 2 * BATCH
    assert done(tmp_path)["steps"] == 3


def test_a_run_starts_from_another_or_from_an_exported_folder(start: Path, tmp_path: Path) -> None:
    """The weights that it begins with are those of the run, or of the folder that extraction reads."""
    trainee, _, _ = run(start, tmp_path / "one", steps=2)
    folder = write_checkpoint(tmp_path / "folder")
    begun = {init: loop._first_page_stage(Plan(1, init=str(init)), SHAPE) for init in (tmp_path / "one", folder)}
    for init, wanted in ((tmp_path / "one", trainee.master), (folder, load_exported(folder).page)):
        found = begun[init].state_dict()
        assert all(torch.equal(found[name], tensor) for name, tensor in wanted.state_dict().items())
        assert begun[init].training
