"""`pipkie train`: a folder of labelled documents in, a folder for --model out."""

import json
from pathlib import Path

import pytest
from command_line import Pipkie

pytest.importorskip("torch", reason="training needs pipkie[train]")


@pytest.fixture
def notes(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Labelled notes and a tiny checkpoint on the desk; made-up documents are few, and models are real."""
    from finetune_tiny import write_checkpoint, write_notes

    from pipkie_cli.models.registry import load_backend

    monkeypatch.setattr("pipkie_cli.models.load_backend", load_backend)
    monkeypatch.setattr("pipkie_cli.train.finetune_run.MADE_UP_CHECKED", 2)
    monkeypatch.setattr("pipkie_cli.train.finetune_run.MADE_UP_CALIBRATED", 1)
    monkeypatch.setattr("pipkie_cli.train.finetune_run._cores", lambda: 1)
    write_checkpoint(desk / "start")
    return write_notes(desk / "notes")


def test_train_then_extract(pipkie: Pipkie, notes: Path) -> None:
    """A table and one line of JSON on stdout, progress on stderr; extract and eval take the folder."""
    arguments = ("train", "--data", "notes", "-t", "note.yaml", "--init", "start", "-o", "mine", "--minutes", "0.01")
    ended = pipkie(*arguments)
    assert ended.code == 0
    assert ended.out.splitlines()[0].split() == ["key", "labels", "found", "absent", "before", "after"]
    figures = json.loads(ended.out.splitlines()[-1])
    assert (figures["command"], figures["documents"], figures["held_out"]) == ("train", 12, 2)
    assert "2 held out" in ended.err
    assert pipkie("extract", "in", "-t", "note.yaml", "--model", "mine", "-o", "r.jsonl").code == 0
    records = [json.loads(line) for line in (notes.parent / "r.jsonl").read_text().splitlines()]
    assert {record["model"] for record in records} == {figures["model"]}
    assert pipkie("eval", "--data", "notes", "-t", "note.yaml", "--model", "mine").code == 0
    ended = pipkie(*arguments)
    assert (ended.code, "mine exists already" in ended.err) == (5, True)


def test_read_pages_are_kept(pipkie: Pipkie, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --cache a second run reads no document, whatever became of the first; -q says nothing."""
    arguments = ("train", "--data", "notes", "-t", "note.yaml", "--init", "start", "--minutes", "0.01", "-q")
    assert pipkie(*arguments, "-o", "one", "--cache", "pages").err == ""

    def refuse(_: object) -> None:
        raise AssertionError("a page was read again")

    monkeypatch.setattr("pipkie_cli.words.read_words", refuse)
    assert pipkie(*arguments, "-o", "two", "--cache", "pages").code == 0


def test_what_is_missing_is_named(pipkie: Pipkie, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torch the pip command, without documents the folder, without labels what to do."""
    ended = pipkie("train", "--data", "nowhere", "-t", "note.yaml", "-o", "mine")
    assert (ended.code, "nowhere is not there" in ended.err) == (7, True)
    ended = pipkie("train", "--data", "in", "-t", "note.yaml", "-o", "mine")
    assert (ended.code, "no labels.jsonl" in ended.err) == (7, True)
    monkeypatch.setattr("pipkie_cli.train.finetune.find_spec", lambda name: None)
    ended = pipkie("train", "--data", "notes", "-t", "note.yaml", "-o", "mine")
    assert (ended.code, 'pip install "pipkie[train]"' in ended.err) == (2, True)


def test_the_command_loads_no_torch_before_it_is_needed() -> None:
    """The door of the room is opened for `plan_finetuning` alone, also where no torch is installed."""
    import subprocess
    import sys

    code = "import sys, pipkie_cli.train; sys.exit(bool({'torch', 'rapidfuzz', 'faker'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
