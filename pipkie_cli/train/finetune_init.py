"""An exported checkpoint back into torch: the inverse of export.py, so that training goes on from what is shipped.

Weights come back as they run, int8 times scale: what the rounding took at the export is not to be had again.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mini import stored_weights
from pipkie_cli.train.network import PageStage, TextStage

Stage = TypeVar("Stage", bound=nn.Module)


@dataclass(frozen=True, slots=True)
class Exported:
    """A checkpoint's stages in float32, its tokenizer and what its sidecar says."""

    folder: Path
    text: TextStage
    page: PageStage
    tokenizer_json: str
    sidecar: dict[str, Any]


def load_exported(folder: Path) -> Exported:
    """The checkpoint of a folder that export wrote. Raises ModelError where it is damaged or of another form."""
    try:
        with (folder / "pieces.npz").open("rb") as file, np.load(file) as table:
            embedding = torch.from_numpy(table["rows"].astype(np.float32) * table["scales"][:, None])
        text = {name.removeprefix("stage."): value for name, value in _initialisers(folder / "text.onnx").items()}
        page = _initialisers(folder / "page.onnx")
        sidecar = dict(json.loads((folder / "pipkie.json").read_text(encoding="utf-8")))
        tokenizer_json = (folder / "tokenizer.json").read_text(encoding="utf-8")
        stages = _text_stage({**text, "embed.weight": embedding}), _page_stage(page)
    except (OSError, ValueError, KeyError, RuntimeError) as error:  # torch's word for names or shapes that do not fit
        raise ModelError(
            f"{folder} cannot be trained on: {type(error).__name__}",
            hint="give --init mini, or a folder that training wrote",
        ) from error
    return Exported(folder, stages[0].requires_grad_(False), stages[1], tokenizer_json, sidecar)


def _initialisers(path: Path) -> dict[str, Tensor]:
    return {name: torch.from_numpy(weight.copy()) for name, weight in stored_weights(path).items()}


def _layers(state: dict[str, Tensor]) -> int:
    return 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))


def _text_stage(state: dict[str, Tensor]) -> TextStage:
    pieces, width = state["embed.weight"].shape
    stage = TextStage(pieces, width, ffn=state["layers.0.up.bias"].shape[0], layers=_layers(state))
    return _filled(stage, state)


def _page_stage(state: dict[str, Tensor]) -> PageStage:
    width, heads = state["word_in.bias"].shape[0], state["layers.0.label"].shape[0]
    stage = PageStage(width, heads, _layers(state), pointer=state["from_slot.bias"].shape[0] // 2)
    return _filled(stage, state)


def _filled(stage: Stage, state: dict[str, Tensor]) -> Stage:
    """The stage with these parameters, in evaluation mode."""
    stage.load_state_dict(state)
    return stage.eval()
