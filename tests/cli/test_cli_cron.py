"""`pipkie extract` for a job at night: exit codes, lists, reports, logs, watched folders, silence."""

import json
import os
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
