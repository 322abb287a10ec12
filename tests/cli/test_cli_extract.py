"""`pipkie extract`: what stands in files, on stdout, on stderr, and the exit code."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import Pipkie

from pipkie_cli.batch.journal import Journal
from pipkie_cli.errors import ModelError, OutputError

NOTE = ("--template", "note.yaml")


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_folder_becomes_one_record_per_document(pipkie: Pipkie, desk: Path) -> None:
    """Records go to FOLDER.jsonl here, the story to stderr, nothing to stdout."""
    ended = pipkie("extract", "in", *NOTE)
    found = records((desk / "in.jsonl").read_text())
    assert [one["document"]["path"] for one in found] == ["in/a.pdf", "in/b.pdf"]
    assert found[1]["values"] == {"number": "B-2", "total": 12.5}
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.startswith("2 documents: 2 ok, 0 review, 0 failed; ")
    assert ended.err.endswith(" pages/s; in.jsonl\n")


def test_the_output_is_where_the_user_says(pipkie: Pipkie, desk: Path) -> None:
    """-o FILE, for a single document too; beside it lies its journal, hidden."""
    assert pipkie("extract", "in/a.pdf", *NOTE, "-o", "x.jsonl").code == 0
    assert sorted(os.listdir(desk)) == [".x.jsonl.journal", "in", "note.yaml", "x.jsonl"]


def test_a_dash_sends_records_to_stdout(pipkie: Pipkie, desk: Path) -> None:
    """Records and nothing else; the summary stays on stderr."""
    ended = pipkie("extract", "in", *NOTE, "-o", "-")
    assert [one["document"]["path"] for one in records(ended.out)] == ["in/a.pdf", "in/b.pdf"]
    assert ended.err.endswith("standard output\n")
    assert sorted(os.listdir(desk)) == ["in", "note.yaml"]


def test_failed_documents_are_named_with_what_to_do(pipkie: Pipkie, desk: Path) -> None:
    """Exit code 3; code, message and hint on the screen; the others have their records."""
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    ended = pipkie("extract", "in", *NOTE)
    assert ended.code == 3
    assert "3 documents: 2 ok, 0 review, 1 failed" in ended.err
    assert "  password_needed: in/locked.pdf needs a password; add --password" in ended.err
    assert len(records((desk / "in.jsonl").read_text())) == 3


def test_passwords_are_tried(pipkie: Pipkie, desk: Path) -> None:
    """--password opens the document."""
    (desk / "in" / "locked.pdf").write_text("LOCKED number: 3")
    assert pipkie("extract", "in", *NOTE, "--password", "wrong", "--password", "sesame").code == 0


def test_pages_beyond_the_limit_are_left_and_the_record_says_so(pipkie: Pipkie, desk: Path) -> None:
    """--max-pages 1 reads one page of two."""
    (desk / "in" / "a.pdf").write_text("number: A-1\fmore")
    assert pipkie("extract", "in/a.pdf", *NOTE, "--max-pages", "1", "-o", "x.jsonl").code == 0
    record = records((desk / "x.jsonl").read_text())[0]
    assert (record["document"]["pages"], record["document"]["page_count"]) == ([1], 2)
    assert [problem["code"] for problem in record["problems"]] == ["pages_cut"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [((), "ok"), (("--min-confidence", "0.9"), "ok"), (("--min-confidence", "0.91"), "review")],
)
def test_what_is_less_sure_than_the_user_wants_is_for_review(
    pipkie: Pipkie, desk: Path, arguments: tuple[str, ...], status: str
) -> None:
    """--min-confidence: the value stays, is flagged, and the record is `review`; the exit code stays 0."""
    ended = pipkie("extract", "in/b.pdf", *NOTE, *arguments, "-o", "-")
    (record,) = records(ended.out)
    assert (ended.code, record["status"]) == (0, status)
    assert record["values"] == {"number": "B-2", "total": 12.5}
    flags = ["low_confidence"] if status == "review" else []
    assert [field["flags"] for field in record["fields"].values()] == [flags, flags]
    assert [(one["code"], one["keys"]) for one in record["problems"]] == [
        (flag, [key]) for key in record["values"] for flag in flags
    ]


def test_quiet_is_silent_on_success(pipkie: Pipkie, desk: Path) -> None:
    """A nightly job sends no mail."""
    (desk / "in" / "notes.txt").write_text("no document")
    assert pipkie("extract", "in", *NOTE, "-q") == (0, "", "")


def test_quiet_still_tells_of_failures(pipkie: Pipkie, desk: Path) -> None:
    """Somebody has to act."""
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    ended = pipkie("extract", "in", *NOTE, "-q")
    assert ended.code == 3
    assert "password_needed" in ended.err


@pytest.mark.parametrize("option", ["-v", "-q", "--"])
def test_no_level_above_debug_shows_document_text(pipkie: Pipkie, desk: Path, option: str) -> None:
    """Neither decisions nor failures quote a page, a bug's own message included."""
    (desk / "in" / "a.pdf").write_text("number: SENTINEL-77 total: SENTINEL-78")
    (desk / "in" / "bug.pdf").write_text("BREAK SENTINEL-79")
    ended = pipkie("extract", *NOTE, "-o", "x.jsonl", option, "in")
    assert ended.code == 3
    assert "SENTINEL" not in ended.err + ended.out


def test_verbose_tells_decisions(pipkie: Pipkie, desk: Path) -> None:
    """-v names the template of each document."""
    assert "in/a.pdf: 1 of 1 pages read, template note" in pipkie("extract", "in", *NOTE, "-v").err


def test_files_that_are_no_documents_are_named(pipkie: Pipkie, desk: Path) -> None:
    """A mistake in a suffix should be seen."""
    (desk / "in" / "scan.pfd").write_text("no document")
    assert "left out, not documents: in/scan.pfd\n" in pipkie("extract", "in", *NOTE).err


def test_an_empty_folder_is_no_error(pipkie: Pipkie, desk: Path) -> None:
    """Exit code 0 and a word; an output of yesterday stays."""
    (desk / "empty").mkdir()
    (desk / "empty.jsonl").write_text("yesterday")
    ended = pipkie("extract", "empty", *NOTE)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "0 documents: nothing to read, nothing was written\n"
    assert (desk / "empty.jsonl").read_text() == "yesterday"


def test_a_dry_run_lists_and_touches_nothing(pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line per file on stdout with the templates; no document is opened, no model loaded, no file written."""
    monkeypatch.setattr("pipkie_cli.documents.open_document", None)
    monkeypatch.setattr("pipkie_cli.models.load_backend", None)
    (desk / "in" / "two\nlines.pdf").write_text("x")
    ended = pipkie("extract", "in", "-t", "note.yaml", "-t", "invoice", "--dry-run")
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "in/a.pdf: note, invoice",
        "in/b.pdf: note, invoice",
        r"in/two\nlines.pdf: note, invoice",
    ]
    assert sorted(os.listdir(desk)) == ["in", "note.yaml"]


def _unused(name: str) -> None:
    raise AssertionError("work began before everything was checked")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("in", "-t", "nosuch"), 4, 'no template is named "nosuch"'),
        (("in", "--templates", "nowhere"), 4, "nowhere"),
        (("nowhere", *NOTE), 7, "nowhere does not exist"),
        (("in", *NOTE, "-o", "nowhere/x.jsonl"), 5, "the folder of nowhere/x.jsonl does not exist"),
        (("in", *NOTE, "-o", "in"), 5, "in is a folder"),
        (("in/a.pdf", *NOTE, "-o", "in/a.pdf"), 2, "in/a.pdf is both input and output"),
        (("in", *NOTE, "-v", "-q"), 2, "-v and -q contradict each other"),
        (("in", "--no-such-option"), 2, "--no-such-option"),
        (("in", "--max-pages", "0"), 2, "--max-pages"),
        (("in", "--min-confidence", "1.5"), 2, "--min-confidence"),
        (("in", "--min-confidence", "50%"), 2, "--min-confidence"),
        (("in", "--min-confidence", "nan"), 2, "--min-confidence"),
    ],
)
def test_a_mistake_is_told_before_any_work(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """Each kind of mistake has its exit code and its message; no model is loaded, nothing is written."""
    monkeypatch.setattr("pipkie_cli.models.load_backend", _unused)
    ended = pipkie("extract", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err
    assert sorted(os.listdir(desk)) == ["in", "note.yaml"]


def test_a_model_that_cannot_be_loaded_ends_the_run(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 6; an empty journal does not stay."""

    def broken(name: str, *_: object, **__: object) -> None:
        raise ModelError(f"the model {name} is damaged", hint="install pipkie again")

    monkeypatch.setattr("pipkie_cli.models.load_backend", broken)
    ended = pipkie("extract", "in", *NOTE)
    assert ended.code == 6
    assert ended.err.endswith("pipkie: the model mini is damaged\n  install pipkie again\n")
    assert sorted(os.listdir(desk)) == ["in", "note.yaml"]


def test_a_full_disk_ends_the_run_and_the_same_command_goes_on(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 5; no output that looks whole; what is done is not done again."""
    add, calls = Journal.add, []

    def full_at_the_second(self: Journal, *arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise OutputError("in.jsonl cannot be written: No space left on device")
        return add(self, *arguments)

    monkeypatch.setattr(Journal, "add", full_at_the_second)
    ended = pipkie("extract", "in", *NOTE)
    assert ended.code == 5
    assert "in.jsonl cannot be written: No space left on device" in ended.err
    assert "1 of 2 documents are done; the same command goes on with the rest" in ended.err
    assert not (desk / "in.jsonl").exists()
    ended = pipkie("extract", "in", *NOTE)
    assert (ended.code, "2 documents: 2 ok, 0 review, 0 failed; 1 read before" in ended.err) == (0, True)
    assert pipkie("extract", "in", *NOTE).err.endswith("nothing new to read; in.jsonl\n")


@pytest.mark.parametrize(
    ("option", "word"),
    [(("--workers", "0"), "workers"), (("--timeout", "0"), "timeout"), (("--max-memory", "1"), "max-memory")],
)
def test_limits_have_limits(pipkie: Pipkie, desk: Path, option: tuple[str, ...], word: str) -> None:
    """Usage errors before any work."""
    ended = pipkie("extract", "in", *NOTE, *option)
    assert (ended.code, word in ended.err) == (2, True)
    assert not (desk / "in.jsonl").exists()


def test_retry_is_one_of_three(pipkie: Pipkie, desk: Path) -> None:
    """`--retry all` reads everything again; another word is a usage error."""
    assert pipkie("extract", "in", *NOTE).code == 0
    assert "read before" not in pipkie("extract", "in", *NOTE, "--retry", "all").err
    ended = pipkie("extract", "in", *NOTE, "--retry", "maybe")
    assert (ended.code, "never, failed, all" in ended.err) == (2, True)


STRICT = """\
name: note
detect: {words: [note]}
keys:
  number: {type: text, required: true, pattern: '[A-Z]-\\d'}
  total: amount
rules: [total <= 10]
"""


@pytest.mark.parametrize(
    ("document", "code", "problem"),
    [
        ("number: A-1\ntotal: 10.00", 0, None),
        ("number: A-1", 0, None),  # a rule with a null in it is not checked
        ("number: A-1\ntotal: 12.50", 8, "rule_broken"),
        ("number: A-12", 8, "pattern_mismatch"),
        ("total: 1.00", 8, "required_missing"),
        ("number: A-1\ntotal: abc", 0, "unparsable"),
    ],
)
def test_strict_runs_tell_broken_schemas_and_rules_by_their_exit_code(
    pipkie: Pipkie, desk: Path, document: str, code: int, problem: str | None
) -> None:
    """The record is the same with and without --strict; without it the exit code is 0."""
    (desk / "strict.yaml").write_text(STRICT)
    (desk / "in" / "a.pdf").write_text(document)
    arguments = ("extract", "in/a.pdf", "--template", "strict.yaml", "-q", "-o", "-")
    usual, strict = pipkie(*arguments), pipkie(*arguments, "--strict")
    assert (usual.code, strict.code) == (0, code)
    assert usual.out == strict.out
    (record,) = records(usual.out)
    assert [one["code"] for one in record["problems"]] == ([problem] if problem else [])
    assert usual.err == ""
    assert strict.err == ("1 record breaks schema or rules: see `problems` there\n" if code else "")


def test_a_failed_document_counts_more_than_an_invalid_record(pipkie: Pipkie, desk: Path) -> None:
    """3 before 8; both are told."""
    (desk / "strict.yaml").write_text(STRICT)
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    ended = pipkie("extract", "in", "--template", "strict.yaml", "--strict")
    assert ended.code == 3
    assert "1 failed" in ended.err
    assert "1 record breaks schema or rules" in ended.err


def test_a_split_file_has_several_records(pipkie: Pipkie, desk: Path) -> None:
    """--split page: the summary tells documents and files, and no number is lost."""
    (desk / "in" / "z.pdf").write_text("number: Z-1\fnumber: Z-2\fnumber: Z-3")
    ended = pipkie("extract", "in/z.pdf", "-t", "note.yaml", "--split", "page")
    lines = [json.loads(line) for line in (desk / "z.jsonl").read_text().splitlines()]
    assert [line["values"]["number"] for line in lines] == ["Z-1", "Z-2", "Z-3"]
    assert ended.err.startswith("3 documents in 1 file: 3 ok, 0 review, 0 failed")
    again = pipkie("extract", "in/z.pdf", "-t", "note.yaml")
    assert len((desk / "z.jsonl").read_text().splitlines()) == 1
    assert again.err.startswith("1 document: 0 ok, 1 review")


def test_split_is_one_of_three(pipkie: Pipkie, desk: Path) -> None:
    """Another word is a mistake, told before any work."""
    ended = pipkie("extract", "in", "--split", "pages")
    assert (ended.code, "use auto, page, never" in ended.err) == (2, True)
