"""Figures of the batch with documents that cost nothing: `pytest -m nightly -rP tests/batch/test_batch_figures.py`."""

import hashlib
import json
import os
import resource
import time
from pathlib import Path

import pytest

from pipkie_cli.batch import Limits, open_output, plan_inputs, run_batch
from pipkie_cli.batch.journal import Journal, journal_of
from pipkie_cli.batch.run import run_key
from pipkie_cli.batch.supervisor import Supervisor
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.nouns import Input, Key, Locale, RunOptions, Template

pytestmark = pytest.mark.nightly
NOTE = Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)


def told(**figures: float) -> None:
    print(json.dumps({name: round(figure, 3) for name, figure in figures.items()}))  # noqa: T201


def test_a_hundred_thousand_inputs_are_skipped_in_a_minute(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Listed, hashed, found in the journal, and the output found to be right."""
    folder = tmp_path / "in"
    for part in range(100):
        (folder / str(part)).mkdir(parents=True)
        for number in range(1000):
            (folder / str(part) / f"{number}.pdf").write_text(f"number: {part}-{number}")
    plan = plan_inputs([str(folder)])
    journal = Journal(journal_of(tmp_path / "out.jsonl"), "out.jsonl")
    run = run_key(OPTIONS)
    for item in plan.inputs:
        sha256 = hashlib.sha256(item.path.read_bytes()).hexdigest()
        outcome = Outcome(json.dumps({"path": item.shown}).encode() + b"\n", Told(("ok",), 1, sha256))
        journal.add(item.shown, run, 1, outcome)
    journal.close()
    for _ in range(2):  # the first call puts the output together
        started, spent = time.monotonic(), time.process_time()
        output = open_output(tmp_path / "out.jsonl")
        summary = run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output, Limits())
        output.close()
        told(seconds=time.monotonic() - started, cpu_s=time.process_time() - spent)
        assert summary.n_known == 100_000
        assert time.process_time() - spent < 60


def test_ten_thousand_records_are_written_in_five_seconds_of_cpu(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Journalled, put together, and synced; records of 3 kB."""
    names = [f"in/{number:05}.pdf" for number in range(10_000)]
    line = json.dumps({"text": "x" * 3000}).encode() + b"\n"
    spent = time.process_time()
    output = open_output(tmp_path / "out.jsonl")
    for name in reversed(names):
        output.add(name, "run", 1, Outcome(line, Told(("ok",), 1, "0" * 64)))
    assert output.finish(names) == 10_000
    output.close()
    told(cpu_s=time.process_time() - spent)
    assert time.process_time() - spent < 5


def test_supervision_costs_little(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """The parent's CPU for a document that takes 50 ms: under 3 %."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}.pdf").write_text("SLOW number: 1")
    inputs = plan_inputs([str(folder)]).inputs
    spent = time.process_time()
    with Supervisor(OPTIONS, Limits(workers=2)) as supervisor:
        assert sum(1 for _ in supervisor.outcomes(inputs)) == 200
    share = (time.process_time() - spent) / (200 * 0.05)
    told(share=share)
    assert share < 0.03


def test_a_worker_does_not_grow(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Two thousand documents through one worker: under 50 MB more than after the first fifty."""
    path = tmp_path / "a.pdf"
    path.write_text("number: 1 " + "word " * 300)
    held = []
    with Supervisor(OPTIONS, Limits()) as supervisor:
        made_up.setattr("pipkie_cli.batch.supervisor.RECYCLED_AFTER", 10_000)
        for number, _ in enumerate(supervisor.outcomes([Input(path, f"{n}.pdf") for n in range(2000)])):
            if number in (50, 1999):
                pid = supervisor._workers[0].process.pid
                held.append(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    told(grown_mb=(held[1] - held[0]) / 1e6, parent_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
    assert held[1] - held[0] < 50e6
