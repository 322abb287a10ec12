"""`pipkie train --model`: a multimodal checkpoint goes in, one that reads slips in one pass comes out."""

import json
from pathlib import Path

import pytest
from command_line import Pipkie

pytest.importorskip("torch", reason="training needs pipkie[mllm,train]")

RECIPE = """
# seconds on a CPU
max_pixels: 6272
workers: 0
steps: 4
batch: 2
rate: 1e-3
mask: {steps: 2}
"""


@pytest.fixture
def slips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ordinary checkpoint, pairs and labelled slips on the desk."""
    from mllm_tiny import build_tiny
    from pip_tiny import write_pairs, write_slips

    monkeypatch.chdir(tmp_path)
    build_tiny("qwen2_vl", tmp_path / "start", mask=False, sidecar=None)
    write_pairs(tmp_path / "pairs")
    (tmp_path / "tiny.yaml").write_text(RECIPE, encoding="utf-8")
    return write_slips(tmp_path / "slips")


def test_two_stages_then_extract_then_eval(pipkie: Pipkie, slips: Path) -> None:
    """The road of a user: mask, kv, records from pixels, figures. Every folder is what the next command takes."""
    learn = ("--recipe", "tiny.yaml", "--device", "cpu")
    ended = pipkie("train", "--model", "start", "--stage", "mask", "--data", "pairs", "-o", "masked", *learn)
    assert ended.code == 0, ended.err
    assert "step 2 of 2: " in ended.err
    ended = pipkie(
        "train", "--model", "masked", "--stage", "kv", "--data", "slips", "-t", "slips/slip.yaml", "-o", "read", *learn
    )
    assert ended.code == 0, ended.err
    assert ended.out.splitlines()[0].split() == ["before", "best"]
    figures = json.loads(ended.out.splitlines()[-1])
    assert (figures["command"], figures["stage"], figures["steps"], figures["skipped"]) == ("train", "kv", 4, 0)
    ended = pipkie(
        "extract", "slips/documents", "-t", "slips/slip.yaml", "--model", "read", "-o", "r.jsonl", "--workers", "1"
    )
    assert ended.code in (0, 3), ended.err
    records = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert len(records) == 8
    assert {record["status"] for record in records} <= {"ok", "review"}
    assert all(field["source"] in ("pixels", None) for one in records for field in one["fields"].values())
    assert {record["model"] for record in records} == {figures["revision"]}
    ended = pipkie("eval", "--data", "slips", "-t", "slips/slip.yaml", "--model", "read")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out.splitlines()[-1])["documents"] == 8


def test_a_dry_run_learns_nothing(pipkie: Pipkie, slips: Path) -> None:
    """Samples, parameters and memory; no folder."""
    arguments = ("--stage", "kv", "--data", "slips", "-t", "slips/slip.yaml", "-o", "out", "--recipe", "tiny.yaml")
    ended = pipkie("train", "--model", "start", *arguments, "--dry-run")
    assert ended.code == 0, ended.err
    figures = json.loads(ended.out.splitlines()[-1])
    assert figures["dry_run"] is True
    assert figures["memory"]["total"] > figures["memory"]["weights"] > 0
    assert "GiB" in ended.out
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--model", "start"), 2, "--model needs a --stage"),
        (("--model", "start", "--stage", "maks"), 2, "--stage maks is not known"),
        (("--model", "start", "--stage", "mask", "--minutes", "3"), 2, "--model does not take --minutes"),
        (("--model", "start", "--stage", "kv"), 2, "stage kv needs the keys that are asked"),
        (("--model", "start", "--stage", "mask", "-t", "slips/slip.yaml"), 2, "stage mask learns from pairs"),
        (("--stage", "mask"), 2, "--model is needed for --stage"),
        (("--model", "start", "--stage", "mask", "--recipe", "none"), 4, "there is no recipe none"),
        (("--model", "start", "--stage", "mask", "--attention", "both"), 2, "--attention both is not known"),
        (("--model", "slips", "--stage", "mask", "--device", "cpu"), 6, "config.json"),
        ((), 2, "by one template"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_learnt(
    pipkie: Pipkie, slips: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    data = "pairs" if "mask" in arguments else "slips"
    ended = pipkie("train", *arguments, "--data", data, "-o", "out")
    assert (ended.code, said in ended.err) == (code, True), ended.err
    assert not Path("out/config.json").exists()
