"""Training of multimodal checkpoints from folder to folder, at a size of seconds."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from mllm_tiny import build_tiny
from pip_tiny import write_pairs, write_slips
from safetensors.torch import load_file

from pipkie_cli.errors import ModelError, OutputError
from pipkie_cli.models.mllm import load_checkpoint, read_sidecar
from pipkie_cli.train import PipPlan, Recipe, plan_pip, train_pip

QUICK = Recipe(
    steps=4, batch=2, rate=1e-3, warm_up=1, workers=0, evaluate_every=2, save_every=1, max_pixels=28 * 28 * 8
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ordinary checkpoint: no mask token, no sidecar."""
    return build_tiny("qwen2_vl", tmp_path_factory.mktemp("start") / "tiny", mask=False, sidecar=None)


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_slips(tmp_path_factory.mktemp("data") / "slips")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("pairs") / "pairs")


def _kv(start: Path, slips: Path, output: Path, **recipe) -> PipPlan:
    own = replace(QUICK, **recipe)
    return plan_pip(str(start), "kv", [slips], output, own, templates=[str(slips / "slip.yaml")], device="cpu")


def _weights(folder: Path) -> dict:
    return load_file(folder / "model.safetensors")


def _metrics(folder: Path) -> list[dict]:
    lines = (folder / "training" / "metrics.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in ("seconds", "steps_per_s")} for line in lines]


def test_two_stages_make_a_checkpoint(start: Path, pairs: Path, slips: Path, tmp_path: Path) -> None:
    """mask, then kv from its folder: each loads for one pass, and its sidecar says where it comes from."""
    mask = train_pip(plan_pip(str(start), "mask", [pairs], tmp_path / "mask", QUICK, device="cpu"))
    assert (mask.figures["steps"], mask.figures["samples"], mask.figures["skipped"]) == (4, 8, 0)
    assert set(mask.figures["held_out"]) == {"loss", "right"}
    kv = train_pip(_kv(tmp_path / "mask", slips, tmp_path / "kv"))
    assert {"exact", "anls", "invented"} >= set(kv.figures["held_out"]) >= {"exact", "anls"}
    for name in ("mask", "kv"):
        checkpoint = load_checkpoint(tmp_path / name)
        assert checkpoint.trained.stage == name
        assert checkpoint.trained.max_pixels == QUICK.max_pixels
        assert set(checkpoint.trained.versions) >= {"torch", "transformers"}
    assert read_sidecar(tmp_path / "kv") is not None
    assert not list((tmp_path / "kv" / "training").glob("*.pt"))


def test_a_stopped_run_goes_on_exactly(start: Path, slips: Path, tmp_path: Path) -> None:
    """Killed after a step and started again: the weights and metrics of a run that was left alone, bit for bit."""
    calm = train_pip(_kv(start, slips, tmp_path / "calm"))
    steps: list[int] = []

    def kill() -> None:
        steps.append(1)
        if len(steps) == 4:  # step 3 was learnt and saved, step 4 learnt but not
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_pip(_kv(start, slips, tmp_path / "torn"), kill)
    assert not (tmp_path / "torn" / "config.json").exists()
    torn = train_pip(_kv(start, slips, tmp_path / "torn"))
    one, other = _weights(tmp_path / "calm"), _weights(tmp_path / "torn")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert _metrics(tmp_path / "calm") == _metrics(tmp_path / "torn")
    assert calm.figures["held_out"] == torn.figures["held_out"]


def _changed(start: Path, folder: Path) -> set[str]:
    """Which parts of the model a training changed."""
    before, after = _weights(start), _weights(folder)
    moved = [name for name, one in before.items() if not one.equal(after[name][: len(one)])]  # [mask] has a new row
    return {"vision" if "visual" in name else "embedding" if "embed" in name else "language" for name in moved}


def test_the_vision_tower_stays_as_it_is(start: Path, slips: Path, tmp_path: Path) -> None:
    """Unless the recipe trains it."""
    train_pip(_kv(start, slips, tmp_path / "frozen", steps=2))
    assert _changed(start, tmp_path / "frozen") == {"embedding", "language"}
    train_pip(_kv(start, slips, tmp_path / "all", steps=2, vision="trained", checkpointing=True))
    assert _changed(start, tmp_path / "all") == {"vision", "embedding", "language"}


def test_adapters_are_merged(start: Path, slips: Path, tmp_path: Path) -> None:
    """LoRA leaves an ordinary folder: no adapter files, matrices changed, of the embedding the mask row alone."""
    train_pip(_kv(start, slips, tmp_path / "lora", lora_rank=4, rate=1e-2, checkpointing=True))
    assert not list((tmp_path / "lora").glob("adapter*"))
    checkpoint = load_checkpoint(tmp_path / "lora")
    before, after = _weights(start), _weights(tmp_path / "lora")
    assert _changed(start, tmp_path / "lora") == {"language"}
    (name,) = [one for one in after if "embed_tokens" in one]
    mask = checkpoint.trained.mask_id
    assert torch.equal(before[name][:mask], after[name][:mask])
    assert not torch.equal(before[name].mean(0), after[name][mask])


def test_layers_computed_again_give_the_same_weights(start: Path, slips: Path, tmp_path: Path) -> None:
    """Gradient checkpointing saves memory and changes nothing, though attention goes both ways."""
    for name, again in (("kept", False), ("again", True)):
        train_pip(_kv(start, slips, tmp_path / name, steps=2, checkpointing=again))
    one, other = _weights(tmp_path / "kept"), _weights(tmp_path / "again")
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_the_twin_is_an_ordinary_checkpoint(start: Path, slips: Path, pairs: Path, tmp_path: Path) -> None:
    """Trained causally it has no sidecar: one-pass use of it is refused; nothing bidirectional is left in it."""
    plan = _kv(start, slips, tmp_path / "twin")
    report = train_pip(replace(plan, attention="causal"))
    assert report.figures["attention"] == "causal"
    assert set(report.figures["held_out"]) >= {"exact", "anls"}
    with pytest.raises(ModelError, match="was not trained to fill"):
        load_checkpoint(tmp_path / "twin")
    assert "is_causal" not in (tmp_path / "twin" / "config.json").read_text()


def test_bfloat16_is_kept(start: Path, slips: Path, tmp_path: Path) -> None:
    """Multiplied and written in bfloat16, learnt in float32."""
    train_pip(_kv(start, slips, tmp_path / "half", steps=2, dtype="bfloat16"))
    assert {one.dtype for one in _weights(tmp_path / "half").values()} == {torch.bfloat16}


def test_it_learns(start: Path, pairs: Path, tmp_path: Path) -> None:
    """The held-out loss falls, and the best weights are those that are written."""
    recipe = replace(QUICK, steps=24, evaluate_every=8, rate=3e-3)
    report = train_pip(plan_pip(str(start), "mask", [pairs], tmp_path / "learnt", recipe, device="cpu"))
    before, after = report.figures["held_out"]["loss"]
    assert after < 0.8 * before
    looks = [line for line in _metrics(tmp_path / "learnt") if "score" in line]
    assert [line["step"] for line in looks] == [0, 8, 16, 24]
    assert report.figures["best_step"] == max(looks, key=lambda line: (line["score"], line["step"]))["step"]


def test_a_folder_in_use_is_refused(start: Path, slips: Path, tmp_path: Path) -> None:
    """Of a finished training, or of another one that was stopped."""
    train_pip(_kv(start, slips, tmp_path / "done", steps=1))
    with pytest.raises(OutputError, match="exists already"):
        _kv(start, slips, tmp_path / "done", steps=1)
    (tmp_path / "other" / "training").mkdir(parents=True)
    (tmp_path / "other" / "training" / "plan.json").write_text("{}")
    with pytest.raises(OutputError, match="needs the same options"):
        _kv(start, slips, tmp_path / "other")
