"""Small files that promise gigabytes: within the limits of a worker each has its record, and its neighbour is read."""

import json
from pathlib import Path

import make
import pytest
from bombs import BOMBS
from stand_ins import KeyValueBackend

from pipkie_cli.batch import Limits, open_output, plan_inputs, run_batch
from pipkie_cli.nouns import RunOptions
from pipkie_cli.templates import find_templates
from pipkie_cli.words.ocr import OcrPage

LIMITS = Limits(workers=1, timeout_s=90.0, memory_bytes=3 << 30)
REFUSED = {"too_large", "timed_out", "out_of_memory", "damaged_file", "no_pages", "unsupported_format"}
QUICK = ("deep_tree", "zip_of_zips", "bomb_png")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.nightly) for name in BOMBS]
)
def test_a_bomb_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Read, or failed with a reason: in time, without a crash, and the document beside it is read."""
    monkeypatch.setattr("pipkie_cli.words.read.read_raster", lambda raster, turn=None: OcrPage(turn or 0, (), False))
    monkeypatch.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: KeyValueBackend())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes(BOMBS[name]())
    (tmp_path / "in" / "b.pdf").write_bytes(make.text_pdf(make.INVOICE))
    output = open_output(tmp_path / "out.jsonl")
    inputs = plan_inputs([str(tmp_path / "in")]).inputs
    summary = run_batch(inputs, RunOptions(find_templates([], None)), output, LIMITS)
    output.close()
    bomb, sound = (json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines())
    assert sound["status"] == "review"
    assert sound["document"]["pages"] == [1]
    assert bomb["status"] in ("review", "failed")
    assert {failure.code for failure in summary.failures} <= REFUSED
    assert summary.seconds < 2 * LIMITS.timeout_s + 30
