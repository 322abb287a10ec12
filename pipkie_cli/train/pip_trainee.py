"""A multimodal checkpoint made ready to learn, and written as a checkpoint when it has learnt."""

import shutil
import warnings
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import torch
from torch import nn

from pipkie_cli.models.mllm import Checkpoint, Sidecar, write_sidecar
from pipkie_cli.nouns import Calibration
from pipkie_cli.train.pip_memory import is_language
from pipkie_cli.train.pip_recipe import Attention, Recipe, Stage

# Of the language model alone: InternVL's vision tower calls its matrices the same.
ADAPTED = r".*language_model\.layers\.\d+\.(self_attn\.(q|k|v|o)_proj|mlp\.(gate|up|down)_proj)"
COPIED = ("preprocessor_config.json", "generation_config.json", "chat_template.json", "chat_template.jinja")
VERSIONS = ("torch", "transformers", "peft", "accelerate")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def make_trainable(checkpoint: Checkpoint, recipe: Recipe, attention: Attention) -> nn.Module:
    """The model with what is trained requiring gradients, and nothing else; wrapped where adapters are.

    Parameters that learn are float32. Adapters train the row of the [mask] token beside them: it is new.
    """
    model: nn.Module = checkpoint.model
    model.requires_grad_(False)
    if recipe.lora_rank:
        model = _adapted(checkpoint, recipe, attention)
    for name, parameter in model.named_parameters():
        wanted = recipe.vision == "trained" if not is_language(name) else not recipe.lora_rank
        if wanted:
            parameter.requires_grad_(True)
    if recipe.checkpointing:
        checkpoint.model.activation_checkpointing_enable({"use_reentrant": False})
    return model


def _adapted(checkpoint: Checkpoint, recipe: Recipe, attention: Attention) -> nn.Module:
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(
        r=recipe.lora_rank,
        lora_alpha=recipe.lora_alpha,
        target_modules=ADAPTED,
        trainable_token_indices={"embed_tokens": [checkpoint.trained.mask_id]}
        if attention == "bidirectional"
        else None,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # peft asks transformers by a name that is going to change
        return get_peft_model(checkpoint.model, config)


def load_dtype(recipe: Recipe) -> str:
    """Weights that do not learn may be bfloat16; those that learn stay float32, multiplied in bfloat16 (autocast)."""
    return recipe.dtype if recipe.lora_rank and recipe.vision == "frozen" else "float32"


def write_checkpoint(
    checkpoint: Checkpoint,
    model: nn.Module,
    recipe: Recipe,
    stage: Stage,
    attention: Attention,
    calibration: Calibration,
    folder: Path,
) -> None:
    """Adapters merged, weights in the recipe's type, tokenizer, sizes of pictures; pipkie.json last: it makes it whole.

    A twin has no sidecar: it is an ordinary checkpoint, and one-pass use of it must be refused.
    """
    if recipe.lora_rank:
        model = model.merge_and_unload()  # type: ignore[operator]
    if recipe.checkpointing:
        checkpoint.model.activation_checkpointing_disable()
    model.to(DTYPES[recipe.dtype])
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)  # type: ignore[operator]
    checkpoint.tokenizer.save_pretrained(folder)
    for name in COPIED:
        if (checkpoint.folder / name).is_file():
            shutil.copyfile(checkpoint.folder / name, folder / name)
    if attention == "bidirectional":
        write_sidecar(folder, _told(checkpoint, recipe, stage, calibration))


def _told(checkpoint: Checkpoint, recipe: Recipe, stage: Stage, calibration: Calibration) -> Sidecar:
    versions: Mapping[str, str] = {name: version(name) for name in VERSIONS}
    return replace(
        checkpoint.trained,
        stage=stage,
        calibration=calibration,
        max_pixels=recipe.max_pixels,
        max_pictures=recipe.max_pictures,
        versions=versions,
        base=recipe.base or checkpoint.trained.base,
    )
