"""Trainings that are stopped: by a signal, a full disk, a damaged file, a number that is none, a second run."""

import errno
import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from mllm_tiny import build_tiny
from pip_tiny import write_pairs
from safetensors.torch import load_file

from pipkie_cli.errors import InputError, ModelError, OutputError, UsageError
from pipkie_cli.train import PipPlan, Recipe, pip_loop, plan_pip, train_pip
from pipkie_cli.train.pip_learn import _alone

QUICK = Recipe(
    steps=3, batch=2, rate=1e-3, warm_up=1, workers=0, evaluate_every=2, save_every=9, max_pixels=28 * 28 * 8
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny("qwen2_vl", tmp_path_factory.mktemp("start") / "tiny", mask=False, sidecar=None)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs")


def _plan(start: Path, pairs: Path, output: Path, device: str = "cpu", **recipe) -> PipPlan:
    return plan_pip(str(start), "mask", [pairs], output, replace(QUICK, **recipe), device=device)


@pytest.fixture
def stopped(start: Path, pairs: Path, tmp_path: Path) -> Path:
    """A run that Ctrl-C stopped in its second step; nothing was saved before."""
    steps: list[int] = []

    def press() -> None:
        steps.append(1)
        if len(steps) == 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train_pip(_plan(start, pairs, tmp_path / "torn"), press)
    assert len(steps) == 2
    return tmp_path / "torn"


def test_a_signal_ends_a_step_and_keeps_its_state(start: Path, pairs: Path, tmp_path: Path, stopped: Path) -> None:
    """The step is done, saved, and the signal goes its way; the same command ends as if there had been none."""
    assert torch.load(stopped / "training" / "state.pt", weights_only=True)["done"]["step"] == 2
    with (stopped / "training" / "metrics.jsonl").open("a") as metrics:
        metrics.write('{"step": 2, "lo')  # as a kill leaves it
    train_pip(_plan(start, pairs, stopped))
    train_pip(_plan(start, pairs, tmp_path / "calm"))
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("torn", "calm"))
    assert all(torch.equal(one[name], other[name]) for name in one)
    lines = (stopped / "training" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [0, 2, 3, 3]


@pytest.mark.parametrize("name", ["state.pt", "best.safetensors"])
@pytest.mark.parametrize(
    "harm", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\0" * len(data)]
)
def test_a_damaged_state_is_told(start: Path, pairs: Path, stopped: Path, name: str, harm) -> None:
    path = stopped / "training" / name
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(OutputError, match="is damaged, or of another model"):
        train_pip(_plan(start, pairs, stopped))


def test_a_loss_that_is_no_number_replaces_nothing(start: Path, pairs: Path, tmp_path: Path, monkeypatch) -> None:
    """Weights and state of before stay as they are."""
    weighted = pip_loop.weighted_loss
    calls: list[int] = []

    def loss(*tensors: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return weighted(*tensors) * (float("nan") if len(calls) > 4 else 1.0)

    monkeypatch.setattr(pip_loop, "weighted_loss", loss)
    with pytest.raises(ModelError, match=r"step 2: .* is no finite number"):
        train_pip(_plan(start, pairs, tmp_path / "out", save_every=1, evaluate_every=1))
    state = torch.load(tmp_path / "out" / "training" / "state.pt", weights_only=True)
    assert state["done"]["step"] == 1
    for weights in (state["trained"], load_file(tmp_path / "out" / "training" / "best.safetensors")):
        assert all(one.isfinite().all() for one in weights.values())
    assert "NaN" not in (tmp_path / "out" / "training" / "metrics.jsonl").read_text()


def test_a_full_disk_leaves_what_was(start: Path, pairs: Path, tmp_path: Path, monkeypatch) -> None:
    """torch calls it a RuntimeError: still a message, and no half file."""
    monkeypatch.setattr(torch, "save", lambda _, path: (path.write_bytes(b"half"), _full())[1])
    with pytest.raises(OutputError, match=r"state\.pt cannot be written"):
        train_pip(_plan(start, pairs, tmp_path / "out"))
    assert not list((tmp_path / "out" / "training").glob("*.part"))


def _full() -> None:
    raise RuntimeError("PytorchStreamWriter failed writing file") from OSError(errno.ENOSPC, "full")


def test_a_second_run_is_refused(start: Path, pairs: Path, tmp_path: Path) -> None:
    plan = _plan(start, pairs, tmp_path / "out")
    with _alone(plan), pytest.raises(OutputError, match="another training is writing"):
        train_pip(plan)


def test_a_run_that_ended_while_another_started_stays(start: Path, pairs: Path, tmp_path: Path) -> None:
    """Both planned, one learnt: the other one does not begin anew in its folder."""
    plans = [_plan(start, pairs, tmp_path / "out", steps=1) for _ in range(2)]
    train_pip(plans[0])
    with pytest.raises(OutputError, match="exists already"):
        train_pip(plans[1])


@pytest.mark.parametrize("workers", [0, 1])
def test_where_every_sample_is_damaged_it_ends(start: Path, pairs: Path, tmp_path: Path, workers: int) -> None:
    """With a message, also from a worker process: no traceback of it inside."""
    plan = _plan(start, pairs, tmp_path / "out", workers=workers)
    kept = {plan.held_out.source.sources[0].pairs[number][0] for number in plan.held_out.numbers}
    for path in set(pairs.glob("*.png")) - kept:
        path.write_bytes(b"torn")
    with pytest.raises(InputError, match=r"^5 samples in a row cannot be learnt from") as caught:
        train_pip(plan)
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize("device", ["cuda", "gpu"])
def test_a_device_that_is_not_there_is_told(start: Path, pairs: Path, tmp_path: Path, device: str, monkeypatch) -> None:
    """Not a training on the CPU that takes weeks."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match="no such device"):
        train_pip(_plan(start, pairs, tmp_path / "out", device))
