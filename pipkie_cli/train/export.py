"""A trained page stage and its text stage -> the folder that models/mini/backend.py reads.

Linear weights are stored as int8 with a scale per output row and multiplied out when the file is loaded (constant
folding), so the file is a quarter, the arithmetic is float32, and a result does not depend on what else is computed,
as it would with activations quantised per tensor.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from pipkie_cli.models.mini import METHOD, PLACE_FEATURES
from pipkie_cli.train.network import PageStage, TextStage

NAME, VERSION = "mini", "2.3"
OPSET = 17


def quantise_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """(R, C) -> int8 (R, C) and float32 scales (R,): symmetric, the largest weight of a row is 127."""
    scales = weight.abs().amax(1).clamp(min=1e-12) / 127
    return (weight / scales[:, None]).round().clamp(-127, 127).to(torch.int8), scales.float()


class StoredLinear(nn.Module):
    """A linear layer whose weights lie in the file as int8."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        rows, scales = quantise_rows(linear.weight.detach().float())
        self.register_buffer("rows", rows)
        self.register_buffer("scales", scales[:, None])
        self.bias = nn.Parameter(linear.bias.detach().float(), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.rows.float() * self.scales, self.bias)  # type: ignore[operator]


def store_linears(module: nn.Module) -> nn.Module:
    """Replace every linear layer inside `module` by its stored form, in place."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, StoredLinear(child))
        else:
            store_linears(child)
    return module


class _TextGraph(nn.Module):
    def __init__(self, stage: TextStage) -> None:
        super().__init__()
        self.stage = stage

    def forward(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        return self.stage.contextual(pieces, is_piece)


def example_inputs(n: int, k: int, width: int) -> dict[str, Tensor]:
    """Random inputs of the page stage, by name; the last of several keys is a cell."""
    generator = torch.Generator().manual_seed(0)
    in_row = torch.zeros(1, k, n)
    in_row[:, max(1, k - 1) :, n // 3 : n // 2] = 1
    return {
        "words": torch.randn(1, n, width, generator=generator),
        "places": torch.randn(1, n, PLACE_FEATURES, generator=generator),
        "centres": 30 * torch.rand(1, n, 2, generator=generator),
        "is_word": torch.ones(1, n),
        "prompts": torch.randn(1, k, width, generator=generator),
        "aliases": torch.randn(1, k, width, generator=generator),
        "types": torch.zeros(1, k, dtype=torch.int64),
        "matches": torch.rand(1, k, n, generator=generator),
        "beside": torch.rand(1, k, n, generator=generator),
        "below": torch.rand(1, k, n, generator=generator),
        "in_row": in_row,
    }


def export(
    text: TextStage,
    page: PageStage,
    tokenizer_json: str,
    folder: Path,
    sidecar: dict[str, Any],
    as_int8: bool = True,
) -> None:
    """Write the five files, linear weights as int8 or float32. The stages are changed on the way: give copies if they
    are still needed."""
    folder.mkdir(parents=True, exist_ok=True)
    width = text.positions.shape[1]
    rows, scales = quantise_rows(text.embed.weight.detach().float())
    np.savez_compressed(folder / "pieces.npz", rows=rows.numpy(), scales=scales.numpy())
    text_graph = _TextGraph(text.float())
    _write(
        (store_linears(text_graph) if as_int8 else text_graph).eval(),
        {"pieces": torch.randn(3, 10, width), "is_piece": torch.ones(3, 10)},
        ["contextual"],
        {"pieces": {0: "S", 1: "T"}, "is_piece": {0: "S", 1: "T"}, "contextual": {0: "S", 1: "T"}},
        folder / "text.onnx",
        as_int8,
    )
    export_page(page, width, folder / "page.onnx", as_int8)
    (folder / "tokenizer.json").write_text(tokenizer_json, encoding="utf-8")
    write_sidecar(folder, sidecar)


def export_page(page: PageStage, width: int, path: Path, as_int8: bool = True) -> None:
    """Write the page stage alone; it is changed on the way. `width` is the text stage's."""
    words, keys = {1: "N"}, {1: "K"}
    axes = {name: words for name in ("words", "places", "centres", "is_word")}
    axes |= {name: keys for name in ("prompts", "aliases", "types")}
    axes |= {name: {1: "K", 2: "N"} for name in ("matches", "beside", "below", "in_row", "first", "last")} | {
        "absent": keys
    }
    _write(
        (store_linears(page.float()) if as_int8 else page.float()).eval(),
        example_inputs(40, 5, width),
        ["first", "last", "absent"],
        axes,
        path,
        as_int8,
    )


def write_sidecar(folder: Path, sidecar: dict[str, Any]) -> None:
    known = {"method": METHOD, "name": NAME, "version": VERSION, "calibration": {}}
    (folder / "pipkie.json").write_text(json.dumps({**known, **sidecar}, indent=2) + "\n", encoding="utf-8")


def _write(
    module: nn.Module,
    inputs: dict[str, Tensor],
    outputs: list[str],
    axes: dict[str, dict[int, str]],
    path: Path,
    as_int8: bool,
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the tracing exporter: the newer one folds the int8 weights out
        torch.onnx.export(
            module,
            tuple(inputs.values()),
            str(path),
            input_names=list(inputs),
            output_names=outputs,
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
            do_constant_folding=not as_int8,  # it would multiply the int8 weights out into the file
        )
