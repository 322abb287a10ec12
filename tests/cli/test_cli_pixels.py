"""Commands with a model that reads pixels: a made-up one that reads what is written into the pictures."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Pipkie
from stand_ins import PictureBackend

NOTE = ("-t", "note.yaml", "--model", "pixels")


@pytest.fixture
def asked(desk: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the registry was asked for: a folder `pixels` stands for the checkpoint."""
    calls: list[dict[str, Any]] = []

    def load(name: str, device: str = "cpu", **how: Any) -> PictureBackend:
        calls.append({"name": name, "device": device, **how})
        return PictureBackend()

    monkeypatch.setattr("pipkie_cli.models.load_backend", load)
    (desk / "pixels").mkdir()
    (desk / "pixels" / "config.json").write_text('{"model_type": "qwen2_vl"}')
    return calls


@pytest.mark.usefixtures("asked")
def test_documents_are_read_from_pixels(pipkie: Pipkie, desk: Path) -> None:
    """The same command, the same records: only the source of the values is another."""
    ended = pipkie("extract", "in", *NOTE, "-o", "out.jsonl", "-q")
    assert ended.code == 0, ended.err
    records = [json.loads(line) for line in (desk / "out.jsonl").read_text().splitlines()]
    assert [record["fields"]["number"]["source"] for record in records] == ["pixels"] * len(records)
    assert {record["model"] for record in records} == {"made-up-pixels@1"}


@pytest.mark.usefixtures("asked")
def test_how_it_is_read_is_part_of_the_run(pipkie: Pipkie, desk: Path) -> None:
    """Another way to decode, other passes or pixels: every document is read again; the same: none."""

    def n_read(*more: str) -> int:
        report = desk / "report.json"
        assert pipkie("extract", "in", *NOTE, "-o", "out.jsonl", "-q", "--report", str(report), *more).code == 0
        told = json.loads(report.read_text())
        return int(told["documents"] - told["read_before"])

    every = len(list((desk / "in").iterdir()))
    assert n_read() == every
    assert n_read() == 0
    for more in (("--decode", "ar"), ("--passes", "2"), ("--max-pixels", "200000")):
        assert n_read(*more) == every
        assert n_read(*more) == 0


def test_the_model_is_told_how(pipkie: Pipkie, asked: list[dict[str, Any]], desk: Path) -> None:
    """explain loads what extract would."""
    assert pipkie("explain", "in/b.pdf", *NOTE, "--passes", "3").code == 0
    assert pipkie("explain", "in/b.pdf", *NOTE, "--decode", "ar").code == 0
    assert [(one["decode"], one["passes"]) for one in asked] == [("pip", 3), ("ar", 1)]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--decode", "beam", "--model", "pixels"), "--decode beam is not known"),
        (("--decode", "ar", "--passes", "2", "--model", "pixels"), "--passes goes with one-pass decoding"),
        (("--decode", "ar"), "mini points at words"),
        (("--passes", "2"), "mini points at words"),
        (("--max-pixels", "200000"), "mini points at words"),
    ],
)
@pytest.mark.usefixtures("asked")
def test_what_a_model_cannot_do_is_a_usage_error(pipkie: Pipkie, more: tuple[str, ...], said: str) -> None:
    """Before anything is read."""
    ended = pipkie("extract", "in", "-t", "note.yaml", *more)
    assert ended.code == 2
    assert said in ended.err


@pytest.mark.usefixtures("asked")
def test_every_stop_is_told(pipkie: Pipkie, desk: Path) -> None:
    """What the model wrote on which pages stands where candidates stand for a model that points at words."""
    (desk / "in" / "b.pdf").write_text("x\f\fnumber: B-2\ntotal: 12.50~!")
    (desk / "note.yaml").write_text((desk / "note.yaml").read_text() + "  rows: {type: table, columns: {a: text}}\n")
    ended = pipkie("explain", "in/b.pdf", *NOTE)
    assert ended.code == 0, ended.err
    for line in (
        "page 2: a picture for the model; no text was read, 0 words",
        "key number (text, required)",
        '  answer: "B-2" (confidence 0.95), page 3, from pixels',
        "  written on pages 1 to 2: -0.050  unknown",
        '  written on page 3: -0.050  "B-2"',
        '  written on page 3: -0.050  "12.50", 2 passes, value_truncated',
        "  flags: value_truncated, refined",
        "key rows (table): not read, for this model reads no tables",
        "record: review",
    ):
        assert line in ended.out.splitlines(), ended.out


def test_labelled_documents_are_measured(pipkie: Pipkie, desk: Path, asked: list[dict[str, Any]]) -> None:
    """With traps on sheets of their own: the keys of one sheet see each other."""
    (desk / "set" / "documents").mkdir(parents=True)
    (desk / "set" / "documents" / "a.pdf").write_text("number: A-1\ntotal: 3.00")
    label = {"file": "documents/a.pdf", "document_type": "note", "values": {"number": "A-1", "total": "3.00"}}
    (desk / "set" / "labels.jsonl").write_text(json.dumps(label) + "\n")
    ended = pipkie("eval", "--data", "set", "-t", "note.yaml", "--model", "pixels", "--passes", "2", "-q")
    assert ended.code == 0, ended.err
    figures = json.loads(ended.out.splitlines()[-1])
    assert (figures["model"], figures["decode"], figures["passes"]) == ("made-up-pixels@1", "pip", 2)
    assert [figures["keys"][key]["exact"] for key in ("number", "total")] == [1.0, 1.0]
    assert figures["traps"]["invented"] == 0
    assert [one["passes"] for one in asked] == [2]
