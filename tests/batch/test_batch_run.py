"""A run: one record per input, in order, and numbers that add up; what is done is not done again."""

import errno
import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.batch import Limits, Output, Summary, bearable, open_output, plan_inputs, run_batch
from pipkie_cli.batch.budget import resident_bytes
from pipkie_cli.batch.run import MAX_ATTEMPTS, Retry
from pipkie_cli.batch.summary import LISTED, Failure, left_out_line
from pipkie_cli.batch.supervisor import Supervisor
from pipkie_cli.errors import ModelError, OutputError
from pipkie_cli.nouns import Key, Locale, RunOptions, Template

KEYS = (Key("number", "text", "number"),)
NOTE = Template("note", "Note", KEYS, Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)


@pytest.fixture
def folder(tmp_path: Path, made_up: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    inputs = tmp_path / "in"
    inputs.mkdir()
    (inputs / "c.pdf").write_text("number: C\fpage two")
    (inputs / "a.pdf").write_text("number: A")
    (inputs / "b.pdf").write_text("LOCKED")
    (inputs / "d.pdf").write_text("BREAK")
    return inputs


def run(
    folder: Path,
    name: str = "out.jsonl",
    *,
    options: RunOptions = OPTIONS,
    retry: Retry = "failed",
    **limits: Any,
) -> Summary:
    output: Output = open_output(folder.parent / name)
    try:
        return run_batch(plan_inputs([str(folder)]).inputs, options, output, Limits(**limits), retry=retry)
    finally:
        output.close()


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def codes(summary: Summary) -> dict[str, str]:
    return {Path(failure.shown).name: failure.code for failure in summary.failures}


def test_every_input_has_its_record_in_order(folder: Path, tmp_path: Path) -> None:
    """in = ok + review + failed; sorted by path; failed ones stand in the same file."""
    times, done = iter([10.0, 12.0]), []
    output = open_output(tmp_path / "out.jsonl")
    summary = run_batch(
        plan_inputs([str(folder)]).inputs,
        OPTIONS,
        output,
        Limits(),
        progress=lambda: done.append(None),
        clock=lambda: next(times),
    )
    output.close()
    names = [Path(one["document"]["path"]).name for one in records(tmp_path / "out.jsonl")]
    assert names == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"]
    assert (summary.n_inputs, summary.n_ok + summary.n_review, len(summary.failures)) == (4, 2, 2)
    assert codes(summary) == {"b.pdf": "password_needed", "d.pdf": "internal"}
    assert (summary.n_pages, summary.seconds, len(done)) == (3, 2.0, 4)
    assert summary.exit_code() == 3


def test_the_same_bytes_come_from_any_number_of_workers(folder: Path, tmp_path: Path) -> None:
    """Nothing in a record depends on time, on what was read before, or on who read it."""
    for number in range(12):
        (folder / f"{number:02}.pdf").write_text(f"number: {number}")
    for workers in (1, 3):
        run(folder, f"{workers}.jsonl", workers=workers)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


# ------------------------------------------------------------------------------------------------------- doing it again


def test_a_second_run_does_no_work_and_says_so(folder: Path, tmp_path: Path) -> None:
    """Only what failed is tried again; without failures nothing is, and the output is left alone."""
    run(folder)
    assert run(folder).n_known == 2
    for bad in ("b.pdf", "d.pdf"):
        (folder / bad).unlink()
    run(folder)
    before = (tmp_path / "out.jsonl").stat().st_mtime_ns
    again = run(folder)
    assert (again.n_known, again.n_inputs, again.n_pages) == (2, 2, 0)
    assert "nothing new to read" in again.line("out.jsonl")
    assert (tmp_path / "out.jsonl").stat().st_mtime_ns == before


def test_new_and_changed_files_alone_are_read(folder: Path, tmp_path: Path) -> None:
    """A changed content is another document, whatever its time says; one that is gone has no record any more."""
    run(folder, retry="never")
    (folder / "a.pdf").write_text("number: changed")
    (folder / "e.pdf").write_text("number: E")
    (folder / "c.pdf").unlink()
    summary = run(folder, retry="never")
    assert (summary.n_inputs, summary.n_known, summary.n_pages) == (4, 2, 2)
    numbers = {
        Path(one["document"]["path"]).name: one["values"].get("number") for one in records(tmp_path / "out.jsonl")
    }
    assert numbers == {"a.pdf": "changed", "b.pdf": None, "d.pdf": None, "e.pdf": "E"}


def test_other_options_read_everything_again(folder: Path) -> None:
    """The key of a record is what decides about it: templates, model, options."""
    run(folder)
    assert run(folder, options=RunOptions((NOTE,), template_given=True, max_pages=1)).n_known == 0


def test_failed_documents_are_tried_again_but_not_for_ever(folder: Path) -> None:
    """At most MAX_ATTEMPTS times by the same command; --retry never leaves them, all reads everything."""
    assert [run(folder).n_known for _ in range(MAX_ATTEMPTS + 1)] == [0, 2, 2, 4]
    assert run(folder, retry="never").n_known == 4
    assert run(folder, retry="all").n_known == 0


def test_a_changed_document_is_counted_anew(folder: Path) -> None:
    """Three failures of what lay there before say nothing of what lies there now."""
    for _ in range(MAX_ATTEMPTS):
        run(folder)
    (folder / "b.pdf").write_text("LOCKED again")
    assert [run(folder).n_known for _ in range(MAX_ATTEMPTS + 1)] == [3, 3, 3, 4]


# ------------------------------------------------------------------------------------------------------ bad documents


def forked_bytes() -> int:
    """What a fork begins with: of what its parent holds, not the libraries that it has not touched yet."""
    fork = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    fork.start()
    held = resident_bytes(fork.pid or 0)
    fork.kill()
    fork.join()
    return held


def test_a_document_that_crashes_hangs_or_bloats_costs_only_itself(folder: Path, tmp_path: Path) -> None:
    """Its worker is replaced; it is tried once more alone, then its record says why."""
    (folder / "crash.pdf").write_text("CRASH")
    (folder / "hang.pdf").write_text("HANG")
    (folder / "bloat.pdf").write_text("BLOAT")
    limit = forked_bytes() + (250 << 20)
    summary = run(folder, workers=2, timeout_s=5.0, memory_bytes=limit)
    wanted = {"crash.pdf": "worker_crashed", "hang.pdf": "timed_out", "bloat.pdf": "out_of_memory"}
    assert {name: code for name, code in codes(summary).items() if name in wanted} == wanted
    assert (summary.n_inputs, summary.n_ok + summary.n_review) == (7, 2)
    assert len(records(tmp_path / "out.jsonl")) == 7


def test_what_crashes_once_is_read_at_the_second_try(folder: Path) -> None:
    """Another document, or the machine, may have been the reason."""
    (folder / "flaky.pdf").write_text("FLAKY number: 7")
    assert "flaky.pdf" not in codes(run(folder, workers=2))


def test_a_reader_that_stops_costs_no_document_its_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-o - | less`: what is in flight while nobody takes records is neither given up nor read twice."""
    for name in ("b.pdf", "c.pdf", "d.pdf"):
        (folder / name).unlink()
    (folder / "slow.pdf").write_text("\f".join(["SLOW"] * 20))
    ahead, given = 0.0, []
    give, clock = Supervisor._give, time.monotonic
    monkeypatch.setattr(Supervisor, "_give", lambda self, *what: (given.append(what), give(self, *what)))
    monkeypatch.setattr("pipkie_cli.batch.supervisor.time.monotonic", lambda: clock() + ahead)
    with Supervisor(OPTIONS, Limits(workers=2, timeout_s=60.0)) as supervisor:
        names = []
        for item, outcome in supervisor.outcomes(plan_inputs([str(folder)]).inputs):
            names.append((item.path.name, outcome.told.failure))
            ahead += 3600.0
    assert (names, len(given)) == ([("a.pdf", None), ("slow.pdf", None)], 2)


def test_fewer_workers_than_wanted_do_the_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No descriptor or process is left for the third: two read everything; with none at all the run says why."""
    left = [2]

    def launch(supervisor: Supervisor) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.EMFILE, "Too many open files")
        start(supervisor)

    start = Supervisor._launch
    monkeypatch.setattr(Supervisor, "_launch", launch)
    assert run(folder, workers=4).n_inputs == 4
    left[0] = 0
    with pytest.raises(ModelError, match="Too many open files"):
        run(folder, retry="all")


def test_as_many_workers_as_there_are_descriptors_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The soft limit is raised as far as the hard one lets; then workers are fewer, but one at least."""
    resource = pytest.importorskip("resource")
    limits = [64, 100]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: limits.__setitem__(slice(None), pair))
    assert (bearable(2), limits) == (2, [64, 100])
    assert (bearable(24), limits) == (24, [96, 100])
    assert (bearable(1000), limits) == (25, [100, 100])
    limits[:] = [10, 10]
    assert bearable(8) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="groups of processes and /proc")
def test_what_a_worker_started_ends_with_it(folder: Path, tmp_path: Path) -> None:
    """A program that draws a page for ever must not go on when its document was given up."""
    (folder / "spawn.pdf").write_text("SPAWN HANG")
    run(folder, timeout_s=1.0)
    started = [int(pid) for pid in (tmp_path / "spawned").read_text().split()]
    assert len(started) == 2
    deadline = time.monotonic() + 10
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, started))


@pytest.mark.skipif(sys.platform != "linux", reason="groups of processes and /proc")
def test_what_a_worker_started_ends_with_the_run_however_that_ends(desk: Path) -> None:
    """kill -9 of the run: its workers end by themselves, and what they started is ended by the guard."""
    (desk / "in" / "spawn.pdf").write_text("SPAWN HANG")
    stand_in = str(Path(__file__).parents[1] / "faults" / "stand_in_process.py")
    command = (sys.executable, stand_in, "extract", "in", "-t", "note.yaml", "-q")
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not ((desk / "spawned").exists() and (desk / "spawned").read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    (started,) = map(int, (desk / "spawned").read_text().split())
    assert is_running(started)
    process.kill()
    process.wait(10)
    while is_running(started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(started)


def is_running(pid: int) -> bool:
    """Not gone, and no zombie that waits for init."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# ------------------------------------------------------------------------------------------------------ what ends a run


def test_a_full_disk_ends_the_run_and_the_same_call_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No record may be missing from a file that looks whole; what is done is not lost."""
    calm = run(folder, "calm.jsonl")
    target = tmp_path / "out.jsonl"
    target.write_text("yesterday")
    output = open_output(target)
    add, added = output.add, []

    def full_at_the_third(*arguments: Any) -> None:
        if len(added) == 2:
            raise OutputError("out.jsonl cannot be written: No space left on device")
        added.append(arguments)
        add(*arguments)

    monkeypatch.setattr(output, "add", full_at_the_third)
    with pytest.raises(OutputError):
        run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output, Limits())
    output.close()
    assert target.read_text() == "yesterday"
    summary = run(folder, retry="never")
    assert (summary.n_known, summary.n_inputs) == (2, calm.n_inputs)
    assert target.read_bytes() == (tmp_path / "calm.jsonl").read_bytes()


def test_a_torn_journal_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    """Power loss anywhere in the last entry, also inside a character: what is whole is kept."""
    (folder / "a.pdf").write_text("number: ÄÖÜ")
    run(folder, retry="never")
    whole, journal = (tmp_path / "out.jsonl").read_bytes(), tmp_path / ".out.jsonl.journal"
    content = journal.read_bytes()
    for size in range(len(content) - 1, 0, -max(1, len(content) // 12)):
        journal.write_bytes(content[:size])
        (tmp_path / "out.jsonl").unlink()
        run(folder, retry="never")
        assert (tmp_path / "out.jsonl").read_bytes() == whole


def test_a_lost_record_is_a_bug_that_stops_the_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the counts ever differ, it is said."""
    output = open_output(tmp_path / "out.jsonl")
    monkeypatch.setattr(output, "finish", lambda paths: 3)
    with pytest.raises(RuntimeError, match="4 inputs but 3 records"):
        run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output, Limits())
    output.close()


def test_the_summary_tells_the_story_in_a_line() -> None:
    """Documents, what became of them, speed, where the output is."""
    failures = (Failure("a.pdf", "empty_file", "a.pdf is empty"), Failure("b.pdf", "internal", "a bug"))
    summary = Summary(412, 401, 9, failures, 610, 100.0)
    assert summary.line("out.jsonl") == "412 documents: 401 ok, 9 review, 2 failed; 6.1 pages/s; out.jsonl"
    assert list(summary.failed_lines()) == ["  empty_file: a.pdf is empty", "  internal: b.pdf: a bug"]
    assert Summary(1, 1, 0, (), 1, 0.0).line("-").startswith("1 document: 1 ok")
    assert "; 400 read before; " in Summary(412, 401, 9, failures, 610, 100.0, 0, 400).line("out.jsonl")


def test_a_share_of_failures_is_compared_as_written() -> None:
    """29 of 100 are no more than 0.29, whatever 0.29 times 100 is to a processor."""
    failures = (Failure("a.pdf", "empty_file", "a.pdf is empty"),) * 29
    summary = Summary(100, 71, 0, failures, 71, 1.0)
    assert (summary.exit_code(allowed=0.29), summary.exit_code(allowed=0.28)) == (0, 3)


def test_long_lists_are_cut_and_counted() -> None:
    """Ten are named, the rest is a number."""
    failures = tuple(Failure(f"{i}.pdf", "empty_file", "empty") for i in range(LISTED + 3))
    lines = list(Summary(13, 0, 0, failures, 0, 1.0).failed_lines())
    assert (len(lines), lines[-1]) == (11, "  and 3 more; their records have the status failed")
    assert left_out_line(tuple(f"{i}.txt" for i in range(12))).endswith("9.txt and 2 more")
