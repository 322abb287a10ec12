"""Hostile files through the whole command, with the real rooms for documents, words, values and records.

Only the model is made up. Each file gets its record with a code and a message that says what to do; the others finish.
"""

import json
import os
from pathlib import Path
from typing import Any

import make
import pytest
from command_line import TEMPLATE, Pipkie
from PIL import Image
from stand_ins import KeyValueBackend

LINES = (
    make.Line(50, 60, "A note, printed with enough letters to be a text layer."),
    make.Line(50, 90, "number: N-17"),
)
FILES: dict[str, tuple[bytes, str, str | None]] = {  # name: content, status, first problem's code
    "sound.pdf": (make.text_pdf(LINES), "ok", None),
    "zero.pdf": (b"", "failed", "empty_file"),
    "cut.pdf": (make.truncated(make.text_pdf(LINES), 0.02), "failed", "damaged_file"),
    "locked.pdf": (make.encrypted_pdf(), "failed", "password_needed"),
    "no-pages.pdf": (make.zero_page_pdf(), "failed", "no_pages"),
    "page.pdf": (b"<!DOCTYPE html><html>login</html>", "failed", "unsupported_format"),
    "letter.pdf": (b"PK\x03\x04" + bytes(60), "failed", "unsupported_format"),
    "really-a-pdf.jpg": (make.text_pdf(LINES), "ok", None),
    "dot.png": (make.png(Image.new("L", (1, 1), 255)), "review", None),
    "line.png": (make.png(Image.new("L", (1, 10_000), 255)), "review", None),
    "blank.pdf": (make.blank_pdf(), "review", "blank_page"),
    "second-page-broken.pdf": (make.broken_page_pdf(), "review", "page_unreadable"),
    "200-pages.pdf": (make.text_pdf(LINES, *[LINES[:1]] * 199), "review", "pages_cut"),
    "bomb.png": (make.bomb_png(), "failed", "too_large"),
}  # fmt: skip


@pytest.fixture
def records(pipkie: Pipkie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """One run over all files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: KeyValueBackend())
    (tmp_path / "note.yaml").write_text(TEMPLATE)
    (tmp_path / "in").mkdir()
    for name, (content, _, _) in FILES.items():
        (tmp_path / "in" / name).write_bytes(content)
    os.mkfifo(tmp_path / "in" / "pipe.pdf")
    (tmp_path / "in" / "gone.pdf").symlink_to("missing.pdf")
    ended = pipkie("extract", "in", "-t", "note.yaml", "-o", "out.jsonl")
    assert ended.code == 3
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    return {record["document"]["path"].removeprefix("in/"): record for record in lines}


def test_every_hostile_file_has_its_record(records: dict[str, dict[str, Any]]) -> None:
    """Status and code of each; no bug among them; a failed one says what to do; sound ones are read."""
    assert sorted(records) == sorted([*FILES, "gone.pdf", "pipe.pdf"])
    assert {name: records[name]["status"] for name in FILES} == {name: status for name, (_, status, _) in FILES.items()}
    for name, (_, _, code) in FILES.items():
        codes = [problem["code"] for problem in records[name]["problems"]]
        assert code is None or code in codes, name
        assert "internal" not in codes, (name, records[name]["problems"])
    for name in ("gone.pdf", "pipe.pdf"):
        assert records[name]["problems"][0]["code"] == "file_unavailable"
    assert all("; " in one["problems"][0]["message"] for one in records.values() if one["status"] == "failed")
    for name in ("sound.pdf", "really-a-pdf.jpg", "200-pages.pdf"):
        assert records[name]["values"]["number"] == "N-17", name
    assert records["200-pages.pdf"]["document"]["pages"] == list(range(1, 51))
    assert records["200-pages.pdf"]["document"]["page_count"] == 200
