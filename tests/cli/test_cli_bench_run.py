"""`pipkie bench run`: a batch without output, and where its time goes."""

import json
from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli.batch import Busy
from pipkie_cli.batch.stages import STAGES, Stages
from pipkie_cli.evaluate.bench_run import STAGES as TOLD
from pipkie_cli.evaluate.bench_run import _device, _limiting


def test_a_run_is_measured(pipkie: Pipkie, desk: Path) -> None:
    """Documents that take their time while they are read: the stage is named, nothing is written."""
    for number in range(6):
        (desk / "in" / f"{number}.pdf").write_text("SLOW number: 1\fSLOW total: 2")
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    before = sorted(desk.rglob("*"))
    ended = pipkie("bench", "run", "in", "-t", "note.yaml", "--workers", "2", "-q")
    assert ended.code == 0
    assert sorted(desk.rglob("*")) == before
    figures = json.loads(ended.out.splitlines()[-1])
    assert (figures["documents"], figures["pages"], figures["failed"], figures["workers"]) == (9, 14, 1, 2)
    assert figures["limiting"] == "read"
    assert figures["stages"]["read"]["s_per_page"] > 0.04
    assert figures["stages"]["read"]["pages_per_s"] < 50
    assert 0 < figures["worker_fill"] <= 1
    assert figures["device"] is None
    assert "what the others wait for: read" in ended.out


def test_a_limit_and_an_empty_folder(pipkie: Pipkie, desk: Path) -> None:
    ended = pipkie("bench", "run", "in", "-t", "note.yaml", "--limit", "1", "--workers", "1", "-q")
    assert json.loads(ended.out.splitlines()[-1])["documents"] == 1
    (desk / "empty").mkdir()
    assert pipkie("bench", "run", "empty", "-t", "note.yaml").code == 7


def test_every_stage_is_told() -> None:
    assert tuple(TOLD) == STAGES


def test_a_full_device_is_what_the_others_wait_for() -> None:
    """Else what workers do themselves: their time in forwards is waiting."""
    from collections import Counter

    seconds = Counter(read=3.0, prepare=0.1, forward=9.0, finish=0.2)
    full = _device(Busy(seconds=19.0, batches=10, sheets=30, tokens=900, padded=1000, waiting=5), 10.0, 2)
    assert full is not None
    assert (full["busy"], full["sheets_per_forward"], full["waiting"]) == (0.95, 3.0, 0.5)
    assert full["padding"] == pytest.approx(0.1)
    assert _limiting(seconds, full) == "forward (the devices are full)"
    assert _limiting(seconds, {**full, "busy": 0.5}) == "read"
    assert _limiting(seconds, None) == "forward"
    assert _device(Busy(), 10.0, 0) is None


def test_stages_are_what_stands_between_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading before each question, finishing after the last answer; without a question all of it is reading."""
    clock = iter([0.0, 5.0, 6.0, 6.5, 8.5, 10.0, 10.5, 10.5, 11.5, 12.0])
    monkeypatch.setattr("pipkie_cli.batch.stages.perf_counter", lambda: next(clock))

    class Model:
        reads = "pixels"

        def prepare(self, asked: str) -> str:
            return asked

    stages = Stages(Model(), lambda backend, inputs: inputs)  # type: ignore[arg-type]
    assert stages.reads == "pixels"
    for _ in range(2):
        stages.answer(None, [stages.prepare("sheet")])
    assert stages.seconds() == {"read": 7.0, "prepare": 1.5, "forward": 3.0, "finish": 0.5}
    clock = iter([0.0, 4.0])
    nothing = Stages(Model(), lambda backend, inputs: inputs)  # type: ignore[arg-type]
    assert nothing.seconds()["read"] == 4.0
