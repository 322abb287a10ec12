"""`pipkie extract` for a job at night: exit codes, lists, reports, logs, watched folders, silence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Pipkie

NOTE = ("--template", "note.yaml")
SENTINEL = "S3cretOnThePage"


@pytest.fixture
def half_bad(desk: Path) -> Path:
    """Two good documents, one that fails."""
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    return desk


@pytest.mark.parametrize(("fail_on", "code"), [("any", 3), ("never", 0), ("0.3", 3), ("0.34", 0), ("0", 3), ("1", 0)])
def test_the_user_says_when_failures_matter(pipkie: Pipkie, half_bad: Path, fail_on: str, code: int) -> None:
    """One of three failed."""
    assert pipkie("extract", "in", *NOTE, "--fail-on", fail_on).code == code


@pytest.mark.parametrize("fail_on", ["sometimes", "1.1", "-1", "nan"])
def test_another_word_for_when_is_a_usage_error(pipkie: Pipkie, half_bad: Path, fail_on: str) -> None:
    assert pipkie("extract", "in", *NOTE, "--fail-on", fail_on).code == 2


def test_failed_inputs_are_listed_and_the_list_goes_when_none_fails(pipkie: Pipkie, half_bad: Path) -> None:
    """A path a line, as --files-from reads them again."""
    assert "listed in in.failed.txt" in pipkie("extract", "in", *NOTE).err
    assert (half_bad / "in.failed.txt").read_text() == "in/locked.pdf\n"
    ended = pipkie("extract", "--files-from", "in.failed.txt", *NOTE, "--password", "sesame", "-o", "again.jsonl")
    assert (ended.code, (half_bad / "again.jsonl").read_text().count("\n")) == (0, 1)
    (half_bad / "in" / "locked.pdf").unlink()
    assert pipkie("extract", "in", *NOTE).code == 0
    assert not (half_bad / "in.failed.txt").exists()


def test_paths_come_from_a_list(pipkie: Pipkie, desk: Path) -> None:
    """One a line, or ended by NUL for names that hold a newline; a missing list is an input error."""
    odd = "od\nd.pdf"
    (desk / "in" / odd).write_text("number: 7")
    (desk / "list").write_bytes(b"in/a.pdf\0in/" + odd.encode() + b"\0")
    assert pipkie("extract", "--files-from", "list", "-0", *NOTE, "-o", "x.jsonl").code == 0
    assert len((desk / "x.jsonl").read_text().splitlines()) == 2
    assert pipkie("extract", "--files-from", "nowhere", *NOTE).code == 7
    assert pipkie("extract", *NOTE).code == 2


def test_the_report_says_in_numbers_what_the_run_did(pipkie: Pipkie, half_bad: Path) -> None:
    """Counts that add up, problems by code, failures by name; nothing of a page."""
    (half_bad / "in" / "b.pdf").write_text(f"number: {SENTINEL}")
    pipkie("extract", "in", *NOTE, "--report", "report.json")
    text = (half_bad / "report.json").read_text()
    told = json.loads(text)
    assert (told["documents"], told["ok"], told["review"], told["failed"], told["records"]) == (3, 2, 0, 1, 3)
    assert (told["exit_code"], told["problems"], told["read_before"]) == (3, {"password_needed": 1}, 0)
    assert told["failures"][0]["path"] == "in/locked.pdf"
    assert SENTINEL not in text


def test_documents_leave_a_watched_folder(pipkie: Pipkie, half_bad: Path) -> None:
    """Read ones to one folder, failed ones to another; equal names of two folders stay apart."""
    (half_bad / "in" / "sub").mkdir()
    (half_bad / "in" / "sub" / "a.pdf").write_text("number: 2")
    pipkie("extract", "in", *NOTE, "--move-done", "done", "--move-failed", "failed")
    assert sorted(os.listdir(half_bad / "done")) == ["a-2.pdf", "a.pdf", "b.pdf"]
    assert os.listdir(half_bad / "failed") == ["locked.pdf"]
    assert (half_bad / "in.jsonl").read_text().count("\n") == 4


def test_a_log_is_appended_to_and_holds_no_values(pipkie: Pipkie, desk: Path) -> None:
    """Text or JSON, with times; what stands on pages is not in it, and nothing is said with -q."""
    (desk / "in" / "a.pdf").write_text(f"number: {SENTINEL}")
    ended = pipkie("extract", "in", *NOTE, "-q", "--log-file", "log.txt")
    assert (ended.code, ended.err) == (0, "")
    assert "2 documents: 2 ok" in (desk / "log.txt").read_text()
    pipkie("extract", "in", *NOTE, "-q", "--retry", "all", "--log-file", "log.json", "--log-format", "json")
    lines = [json.loads(line) for line in (desk / "log.json").read_text().splitlines()]
    assert {"time", "level", "logger", "message"} <= set(lines[-1])
    assert len(lines) > 1
    assert SENTINEL not in (desk / "log.txt").read_text() + (desk / "log.json").read_text()
    assert pipkie("extract", "in", *NOTE, "--log-format", "xml").code == 2
    assert pipkie("extract", "in", *NOTE, "--log-file", "no/where.txt").code == 5


def test_odd_names_are_listed_as_they_are(pipkie: Pipkie, desk: Path) -> None:
    """A newline, a byte that is not UTF-8: the list of failed ones finds them again; no line of a log is forged."""
    for name in (b"in/a\nINFO forged.pdf", b"in/\xff.pdf"):
        Path(os.fsdecode(name)).write_text("LOCKED")
    assert pipkie("extract", "in", *NOTE, "--log-file", "log.txt").code == 3
    ended = pipkie("extract", "--files-from", "in.failed.txt", *NOTE, "--password", "sesame", "-o", "again.jsonl")
    assert (ended.code, (desk / "again.jsonl").read_text().count("\n")) == (0, 2)
    assert "\nINFO forged" not in (desk / "log.txt").read_text()
    assert "\nINFO forged" not in pipkie("extract", "in", *NOTE, "--retry", "all", "-v").err


def test_a_report_or_log_takes_no_place_of_anything(pipkie: Pipkie, desk: Path) -> None:
    """Not of the output, of a document, of a folder; said before any work."""
    (desk / "in" / "real.pdf").write_bytes(b"%PDF-1.7\n")
    for place, code in (("x.jsonl", 2), ("in/real.pdf", 5), ("in", 5), ("nowhere/x", 5)):
        for option in ("--report", "--log-file"):
            assert pipkie("extract", "in/a.pdf", *NOTE, "-o", "x.jsonl", option, place).code == code
    assert pipkie("extract", "in/a.pdf", *NOTE, "-o", "x.jsonl", "--report", "y", "--log-file", "y").code == 2
    assert (desk / "in" / "real.pdf").read_bytes() == b"%PDF-1.7\n"
    assert not (desk / "x.jsonl").exists()


def test_a_report_is_written_to_a_device_and_not_in_its_place(pipkie: Pipkie, desk: Path) -> None:
    (desk / "nothing").symlink_to("/dev/null")
    assert pipkie("extract", "in", *NOTE, "--report", "nothing").code == 0
    assert (desk / "nothing").is_symlink()
    assert Path("/dev/null").is_char_device()


def test_a_folder_for_read_documents_may_be_in_the_watched_one(pipkie: Pipkie, desk: Path) -> None:
    """What lies there is not read again, and not moved onto itself."""
    options = ("--move-done", "in/done")
    assert pipkie("extract", "in", *NOTE, *options).code == 0
    assert "0 documents" in pipkie("extract", "in", *NOTE, *options).err
    assert pipkie("extract", "in/done", *NOTE, *options).code == 0
    assert sorted(os.listdir(desk / "in" / "done")) == ["a.pdf", "b.pdf"]


def test_a_document_that_changed_meanwhile_is_not_moved(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has read what the scanner wrote after it was read: it stays for the next run."""
    from pipkie_cli.batch import after

    def late(*arguments: object) -> None:
        (desk / "in" / "a.pdf").write_text("number: new")
        (desk / "in" / "b.pdf").unlink()  # and this one somebody took away

    monkeypatch.setattr(after, "write_report", late)
    monkeypatch.setattr("pipkie_cli.batch.write_report", late)
    ended = pipkie("extract", "in", *NOTE, "--move-done", "done", "--report", "r.json")
    assert (ended.code, "in/a.pdf was changed" in ended.err) == (0, True)
    assert os.listdir(desk / "in") == ["a.pdf"]
    pipkie("extract", "in", *NOTE, "--move-done", "done")
    assert os.listdir(desk / "done") == ["a.pdf"]
    assert '"number":"new"' in (desk / "in.jsonl").read_text()


def test_a_list_from_a_closed_stdin_is_empty(desk: Path) -> None:
    """Python has no sys.stdin then; cron closes it."""
    command = [sys.executable, str(Path(__file__).parents[1] / "faults" / "stand_in_process.py"), "extract"]
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command, "--files-from", "-", *NOTE, "-o", "x.jsonl"],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, "0 documents" in ended.stderr) == (0, True)
