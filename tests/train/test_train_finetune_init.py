"""A checkpoint goes back into torch as what extraction runs."""

import copy
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from finetune_tiny import NOTE, WIDTH, stages, write_checkpoint
from made_tokenizer import tokenizer_json
from tiny import page_of

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mini import SHIPPED
from pipkie_cli.models.mini.backend import load
from pipkie_cli.prompts import make_windows
from pipkie_cli.train.batches import make_batch
from pipkie_cli.train.export import export
from pipkie_cli.train.finetune_init import load_exported
from pipkie_cli.train.network import PageStage
from pipkie_cli.train.trainee import Trainee


@pytest.mark.parametrize("which", ["shipped", "tiny"])
def test_torch_gives_the_scores_of_onnx(which: str, tmp_path: Path) -> None:
    """The inverse of the export is right to 1e-3 of a score, for what is shipped and for what somebody trained."""
    folder = SHIPPED if which == "shipped" else write_checkpoint(tmp_path)
    exported, backend = load_exported(folder), load(folder)
    (window,) = make_windows([page_of()], NOTE, 1)
    inputs = backend.prepare(window)
    scores = backend.scores(inputs)
    batch = make_batch([inputs], [[()] * len(inputs.prompts)], pad=1)
    with torch.no_grad():
        found = Trainee(exported.text, exported.page, "cpu", torch.float32).scores(batch)
    n_keys, n_words = len(inputs.prompts), len(inputs.places)
    np.testing.assert_allclose(scores[0], found[0][0, :n_keys, :n_words], atol=1e-3)
    np.testing.assert_allclose(scores[1], found[1][0, :n_keys, :n_words], atol=1e-3)
    np.testing.assert_allclose(scores[2], found[2][0, :n_keys], atol=1e-3)


def test_what_layers_share_is_every_layers_own(tmp_path: Path) -> None:
    """Weights that no page taught are equal in all layers, and stored once."""
    torch.manual_seed(5)
    text, _ = stages()
    deep = PageStage(WIDTH, heads=2, layers=3, pointer=16)
    with torch.no_grad():
        for name, parameter in deep.named_parameters():
            if name.split(".")[-1] not in ("below", "row"):
                parameter += 0.02 * torch.randn_like(parameter)
    export(text, copy.deepcopy(deep), tokenizer_json(), tmp_path, {})
    loaded = load_exported(tmp_path).page
    for one, other in zip(deep.layers, loaded.layers, strict=True):
        for cue in ("label", "beside", "below", "row"):
            torch.testing.assert_close(getattr(one, cue), getattr(other, cue))


@pytest.mark.parametrize("harm", ["missing", "cut", "another"])
def test_what_cannot_be_trained_on_is_said(harm: str, tmp_path: Path) -> None:
    """A missing file, a damaged one, a graph of another form: a ModelError that says what to give instead."""
    folder = write_checkpoint(tmp_path / "whole")
    if harm == "missing":
        (folder / "text.onnx").unlink()
    elif harm == "cut":
        (folder / "page.onnx").write_bytes((folder / "page.onnx").read_bytes()[:1000])
    else:
        shutil.copy(folder / "text.onnx", folder / "page.onnx")
    with pytest.raises(ModelError, match="cannot be trained on") as caught:
        load_exported(folder)
    assert "--init" in caught.value.hint
