"""What a training would take, told before anything is learnt; compared with what autograd really keeps."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from mllm_tiny import FAMILIES, build_tiny
from pip_tiny import write_pairs

from pipkie_cli.models.mllm import add_mask_token, bidirectional, load_checkpoint, outline
from pipkie_cli.train import Recipe, pip_cost, plan_pip
from pipkie_cli.train.pip_memory import GIB, Load, estimate_memory
from pipkie_cli.train.pip_trainee import make_trainable

SMALL = {"hidden": 128, "layers": 4, "mask": False, "sidecar": None}
RECIPES = {
    "full": Recipe(),
    "again": Recipe(checkpointing=True),
    "lora": Recipe(lora_rank=8),
    "vision": Recipe(vision="trained"),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("sizes")
    return {family: build_tiny(family, base / family, **SMALL) for family in FAMILIES}


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pairs(tmp_path_factory.mktemp("pairs") / "pairs")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", RECIPES)
def test_parameters_are_counted_not_guessed(folders: dict[str, Path], family: str, name: str) -> None:
    """Of all, and of those that a recipe trains."""
    recipe = RECIPES[name]
    told = outline(folders[family])
    assert next(told.model.parameters()).device.type == "meta"
    config = told.model.config
    load = Load(samples=1, tokens=10, patches=10, slots=4)
    memory = estimate_memory(told.model, config.get_text_config(), config.vision_config, recipe, load)
    checkpoint = load_checkpoint(folders[family], one_pass=False)
    n_all = sum(one.numel() for one in checkpoint.model.parameters())
    model = make_trainable(add_mask_token(checkpoint), recipe, "bidirectional")
    trained = sum(one.numel() for one in model.parameters() if one.requires_grad)
    assert memory.parameters == n_all
    assert memory.trained == pytest.approx(trained, rel=0.01)


def _kept(model: torch.nn.Module, inputs: dict, keep: torch.Tensor) -> int:
    """Bytes that autograd keeps for the backward pass, each storage once, parameters left out."""
    own = {one.untyped_storage().data_ptr() for one in model.parameters()}
    sizes: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            sizes[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda one: one):
        logits = model(**inputs, logits_to_keep=keep, use_cache=False).logits
    del logits
    return sum(sizes.values())


@pytest.mark.parametrize("name", ["full", "again", "lora"])
def test_activations_are_near_the_truth(folders: dict[str, Path], pairs: Path, name: str) -> None:
    """Between four fifths and twice what autograd keeps: never so low that a run dies of it."""
    from pipkie_cli.train.pip_learn import make_rows, open_trainee

    recipe = replace(RECIPES[name], max_pixels=28 * 28 * 8, max_tokens=64)
    plan = plan_pip(str(folders["qwen2_vl"]), "mask", [pairs], pairs.parent / "never", recipe, device="cpu")
    checkpoint = open_trainee(plan)
    model = make_trainable(checkpoint, recipe, "bidirectional").train()
    rows = make_rows(plan, checkpoint)
    batch = rows.collate([rows[draw] for draw in range(4)])
    with bidirectional(checkpoint.model):
        truth = _kept(model, batch.inputs, batch.keep)
    config = checkpoint.model.config
    load = Load(*batch.keep.shape, patches=8, slots=int(batch.keep.sum(1).max()))
    memory = estimate_memory(checkpoint.model, config.get_text_config(), config.vision_config, recipe, load)
    told = memory.activations + memory.logits
    if name == "again":  # the layer that is computed again is kept while its own backward runs, unseen here
        truth += memory.activations - recipe_inputs(config, load)
    assert 0.8 * truth < told < 2 * truth


def recipe_inputs(config, load: Load) -> int:
    """Bytes of the inputs of all layers, which is what checkpointing keeps."""
    text = config.get_text_config()
    return load.samples * load.tokens * text.num_hidden_layers * text.hidden_size * 4


def test_a_dry_run_tells_samples_tokens_and_memory(folders: dict[str, Path], pairs: Path, tmp_path: Path) -> None:
    """And writes nothing. Weights need not be there: the config is enough."""
    shape = tmp_path / "shape"
    shape.mkdir()
    for path in folders["internvl"].iterdir():
        if path.suffix != ".safetensors":
            (shape / path.name).write_bytes(path.read_bytes())
    recipe = Recipe(steps=10, batch=2, accumulate=3)
    cost = pip_cost(plan_pip(str(shape), "mask", [pairs], tmp_path / "out", recipe, device="cpu"))
    assert (cost.figures["samples"], cost.figures["held_out"], cost.figures["samples_per_step"]) == (5, 1, 6)
    assert cost.figures["epochs"] == 12
    assert 0 < cost.figures["memory"]["total"] < GIB
    assert any("million parameters are trained" in line for line in cost.table())
    assert not (tmp_path / "out").exists()
