"""An ordinary checkpoint, not trained for one pass: refused, or read word by word where that is asked for."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Pipkie
from mllm_tiny import build_tiny

from pipkie_cli.errors import ExitCode
from pipkie_cli.models.mllm import autoregressive
from pipkie_cli.models.mllm.greedy import Line
from pipkie_cli.models.registry import load_backend

ANSWER = '{"number": "B-2", "total": 12.50, "date": null, "note": "seen'


@pytest.fixture
def ordinary(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("pipkie_cli.models.load_backend", load_backend)  # the real one
    return build_tiny("qwen2_vl", desk / "ordinary", sidecar=None, mask=False)


@pytest.mark.usefixtures("ordinary")
def test_one_pass_is_refused_with_the_way_out(pipkie: Pipkie, desk: Path) -> None:
    """Exit code 6; the hint names both ways."""
    ended = pipkie("extract", "in/b.pdf", "-t", "note.yaml", "--model", "ordinary", "-o", "out.jsonl")
    assert ended.code == ExitCode.MODEL
    assert "--decode ar" in ended.err
    assert "pipkie train" in ended.err


def test_values_are_read_from_what_it_writes(
    pipkie: Pipkie, desk: Path, ordinary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same command, the same records; what the answer does not say of a key makes the record one for review."""
    tokenizer = autoregressive.load(ordinary).checkpoint.tokenizer
    ids = tuple(tokenizer.encode(ANSWER, add_special_tokens=False))

    def write(model: Any, reading: Any, limits: Any, *_: Any) -> list[Line]:
        return [Line(ids, (-0.001,) * len(ids), False) for _ in limits]

    monkeypatch.setattr(autoregressive, "write", write)
    model = ("--model", "ordinary", "--decode", "ar", "--workers", "1")
    ended = pipkie("extract", "in/b.pdf", "-t", "note.yaml", *model, "-o", "out.jsonl", "-q")
    assert ended.code == 0, ended.err
    (record,) = [json.loads(line) for line in (desk / "out.jsonl").read_text().splitlines()]
    assert (record["values"]["number"], record["fields"]["number"]["source"]) == ("B-2", "pixels")
    assert record["model"].startswith("qwen2_vl+")
