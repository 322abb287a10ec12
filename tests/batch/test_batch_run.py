"""A run: one record per input, in order, and numbers that add up."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.batch import Summary, open_output, plan_inputs, run_batch
from pipkie_cli.batch.summary import LISTED, Failure, left_out_line
from pipkie_cli.errors import OutputError
from pipkie_cli.nouns import Key, Locale, RunOptions, Template

KEYS = (Key("number", "text", "number"),)
OPTIONS = RunOptions((Template("note", "Note", KEYS, Locale(), (), (), "0" * 12, "note.yaml"),), template_given=True)


@pytest.fixture
def folder(tmp_path: Path, made_up: pytest.MonkeyPatch) -> Path:
    inputs = tmp_path / "in"
    inputs.mkdir()
    (inputs / "c.pdf").write_text("number: C\fpage two")
    (inputs / "a.pdf").write_text("number: A")
    (inputs / "b.pdf").write_text("LOCKED")
    (inputs / "d.pdf").write_text("BREAK")
    return inputs


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_input_has_its_record_in_order(folder: Path, tmp_path: Path) -> None:
    """in = ok + review + failed; sorted by path; failed ones stand in the same file."""
    times = iter([10.0, 12.0])
    done: list[None] = []
    output = open_output(tmp_path / "out.jsonl")
    plan = plan_inputs([str(folder)])
    summary = run_batch(plan.inputs, OPTIONS, output, lambda: done.append(None), clock=lambda: next(times))
    assert [Path(one["document"]["path"]).name for one in records(tmp_path / "out.jsonl")] == [
        "a.pdf",
        "b.pdf",
        "c.pdf",
        "d.pdf",
    ]
    assert (summary.n_inputs, summary.n_ok + summary.n_review, len(summary.failures)) == (4, 2, 2)
    assert [failure.code for failure in summary.failures] == ["password_needed", "internal"]
    assert (summary.n_pages, summary.seconds, len(done)) == (3, 2.0, 4)
    assert summary.exit_code() == summary.exit_code(strict=True) == 3


def test_the_same_run_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Nothing in a record depends on time or on what was read before."""
    for name in ("one", "two"):
        run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, open_output(tmp_path / name))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_full_disk_ends_the_run_and_leaves_the_output_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No record may be missing from a file that looks whole."""
    target = tmp_path / "out.jsonl"
    target.write_text("yesterday")
    output = open_output(target)

    def full(line: bytes) -> None:
        raise OutputError("out.jsonl cannot be written: No space left on device")

    monkeypatch.setattr(output, "write", full)
    with pytest.raises(OutputError):
        run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output)
    output.close()
    assert target.read_text() == "yesterday"


def test_a_lost_record_is_a_bug_that_stops_the_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the counts ever differ, no file appears that looks whole."""
    output = open_output(tmp_path / "out.jsonl")
    monkeypatch.setattr(output, "write", lambda line: None)
    with pytest.raises(RuntimeError, match="4 inputs but 0 records"):
        run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output)
    assert not (tmp_path / "out.jsonl").exists()
    output.close()


def test_the_summary_tells_the_story_in_a_line() -> None:
    """Documents, what became of them, speed, where the output is."""
    failures = (Failure("a.pdf", "empty_file", "a.pdf is empty"), Failure("b.pdf", "internal", "a bug"))
    summary = Summary(412, 401, 9, failures, 610, 100.0)
    assert summary.line("out.jsonl") == "412 documents: 401 ok, 9 review, 2 failed; 6.1 pages/s; out.jsonl"
    assert list(summary.failed_lines()) == ["  empty_file: a.pdf is empty", "  internal: b.pdf: a bug"]
    assert Summary(1, 1, 0, (), 1, 0.0).line("-").startswith("1 document: 1 ok")


def test_long_lists_are_cut_and_counted() -> None:
    """Ten are named, the rest is a number."""
    failures = tuple(Failure(f"{i}.pdf", "empty_file", "empty") for i in range(LISTED + 3))
    lines = list(Summary(13, 0, 0, failures, 0, 1.0).failed_lines())
    assert (len(lines), lines[-1]) == (11, "  and 3 more; their records have the status failed")
    assert left_out_line(tuple(f"{i}.txt" for i in range(12))).endswith("9.txt and 2 more")
