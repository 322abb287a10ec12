"""Recipes: one YAML of how a multimodal checkpoint is trained, every fault with file and line."""

from pathlib import Path

import pytest

from pipkie_cli.errors import TemplateError
from pipkie_cli.train.pip_recipe import MAX_FILE_BYTES, STAGES, Recipe, load_recipe, shipped_recipes


def _recipe(tmp_path: Path, text: str) -> str:
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    return str(tmp_path / "own.yaml")


def test_a_stage_overrides_what_both_share(tmp_path: Path) -> None:
    """What stands above holds for both stages, what stands under a stage for that one."""
    name = _recipe(tmp_path, "rate: 1e-4\nsteps: 200\ncheckpointing: true\nkv: {steps: 50, dtype: bfloat16}\n")
    mask, kv = load_recipe(name, "mask"), load_recipe(name, "kv")
    assert (mask.steps, mask.rate, mask.dtype, mask.checkpointing) == (200, 1e-4, "float32", True)
    assert (kv.steps, kv.rate, kv.dtype) == (50, 1e-4, "bfloat16")


def test_without_a_recipe_the_defaults_hold() -> None:
    assert load_recipe(None, "kv") == Recipe()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rate: 1e-4\nsteps: 5\nsteps: 6\n", "own.yaml:3: steps is given twice"),
        ("stepz: 5\n", "did you mean steps?"),
        ("steps: many\n", "own.yaml:1: steps is a number"),
        ("steps: 0\n", "it lies between 1 and"),
        ("kv:\n  dtype: int8\n", "own.yaml:2: dtype cannot be 'int8'; it is float32 or bfloat16"),
        ("checkpointing: yes\n", "it is true or false"),
        ("kv: {mask: {steps: 1}}\n", "a recipe has no mask"),
        ("rate: [1]\n", "rate is one value"),
        ("- 1\n", "own.yaml:1: a recipe is a list of"),
        ("a: [\n", "not valid YAML"),
        ("", "is empty"),
        ("steps: nan\n", "steps is a number"),
        ("rate: nan\n", "rate is nan"),
        ("rate: inf\n", "rate is inf"),
        ("max_tokens: 600\n", "it lies between 1 and 511"),
        ("steps: " + "[" * 2_000, "not valid YAML"),
        ("steps: &a [*a]\n", "steps is one value"),
    ],
)
def test_faults_are_told_with_their_line(tmp_path: Path, text: str, said: str) -> None:
    """Also those of the stage that is not asked for."""
    with pytest.raises(TemplateError, match=r"own\.yaml") as caught:
        load_recipe(_recipe(tmp_path, text), "mask")
    assert said in str(caught.value)


def test_a_recipe_is_small(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="larger than a recipe may be"):
        load_recipe(_recipe(tmp_path, "#" * (MAX_FILE_BYTES + 1)), "kv")


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(TemplateError, match=r"no recipe nowhere.*qwen2-vl-2b"):
        load_recipe("nowhere", "kv")


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_loads(name: str) -> None:
    """Both stages; it says which published checkpoint it is for, and no two are for the same."""
    recipes = [load_recipe(name, stage) for stage in STAGES]
    assert all("/" in recipe.base for recipe in recipes)
    bases = [load_recipe(one, "kv").base for one in shipped_recipes()]
    assert len(set(bases)) == len(bases)


def test_every_published_size_has_a_recipe() -> None:
    assert set(shipped_recipes()) >= {
        "qwen2-vl-2b", "qwen2-vl-7b", "qwen2.5-vl-3b", "qwen2.5-vl-7b", "qwen3-vl-2b", "qwen3-vl-4b", "qwen3-vl-8b",
        "internvl2-2b", "internvl2-8b",
    }  # fmt: skip
