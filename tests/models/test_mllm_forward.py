"""One bidirectional pass over every family: what reaches a slot, what does not, and which tensors are made."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from mllm_tiny import FAMILIES, build_tiny
from torch.utils._python_dispatch import TorchDispatchMode

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm import (
    Checkpoint,
    Encoded,
    best_tokens,
    bidirectional,
    collate,
    encode_prompt,
    load_checkpoint,
    never_written,
    slot_logits,
    slot_states,
)
from pipkie_cli.models.mllm import attention as attention_module
from pipkie_cli.nouns import Key

KEYS = (Key("total", "amount", "Total"), Key("date", "date", "Date"))
SPARE = 9  # rows of the table without a token


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(request.param, tmp_path_factory.mktemp(request.param), spare_rows=SPARE)


@pytest.fixture(scope="module", params=["sdpa", "eager"])
def checkpoint(request: pytest.FixtureRequest, folder: Path) -> Checkpoint:
    return load_checkpoint(folder, attention=request.param)


@pytest.fixture(autouse=True)
def no_gradients() -> Iterator[None]:
    with torch.no_grad():
        yield


def rows(checkpoint: Checkpoint) -> list[Encoded]:
    """A long row and a short one."""
    pictures = [np.random.default_rng(at).integers(0, 255, (60 + 60 * at, 120, 3)).astype(np.uint8) for at in range(2)]
    return [
        encode_prompt(checkpoint, pictures[:1], KEYS[:1], [5]),
        encode_prompt(checkpoint, pictures[1:], KEYS, [4, 6]),
    ]


def test_the_last_token_reaches_the_first_slot(checkpoint: Checkpoint) -> None:
    """Alone and padded alike; when the model is causal, as it is outside, it does not."""
    short, long = rows(checkpoint)
    for batch in (collate([short], checkpoint.pad_id), collate([short, long], checkpoint.pad_id)):
        last = int(batch["attention_mask"][0].sum()) - 1
        changed = {**batch, "input_ids": batch["input_ids"].clone()}
        changed["input_ids"][0, last] = 7
        before, after = slot_logits(checkpoint, batch), slot_logits(checkpoint, changed)
        finite = before[0].isfinite()
        assert (before - after)[0, finite].abs().max() > 1e-3
        causal = [
            checkpoint.model(**checkpoint.family.forward_inputs(one), use_cache=False).logits[0, :last]
            for one in (batch, changed)
        ]
        assert torch.equal(*causal)


def test_padding_reaches_nothing_and_may_stand_on_either_side(checkpoint: Checkpoint) -> None:
    """Other ids under the padding change no bit; left and right padding and no padding give the same scores."""
    pair = rows(checkpoint)
    right, left = (collate(pair, checkpoint.pad_id, side) for side in ("right", "left"))
    other = {**right, "input_ids": right["input_ids"].masked_fill(right["attention_mask"] == 0, 11)}
    scores = slot_logits(checkpoint, right)
    assert torch.equal(slot_logits(checkpoint, other), scores)
    alone = torch.cat([slot_logits(checkpoint, collate([one], checkpoint.pad_id)) for one in pair])
    torch.testing.assert_close(slot_logits(checkpoint, left), scores, atol=2e-5, rtol=0)
    torch.testing.assert_close(alone, scores, atol=2e-5, rtol=0)


class Largest(TorchDispatchMode):
    """Records the largest tensor of scores that any operation gives: the vocabulary is its last axis."""

    def __init__(self, head: torch.Tensor) -> None:
        super().__init__()
        self.vocabulary, self.head, self.rows = head.shape[0], head.data_ptr(), 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        for one in made if isinstance(made, (tuple, list)) else [made]:
            scores = isinstance(one, torch.Tensor) and one.ndim and one.shape[-1] == self.vocabulary
            if scores and one.data_ptr() != self.head:  # the head's weights turned round are no scores
                self.rows = max(self.rows, one.numel() // self.vocabulary)
        return made


def test_scores_are_made_for_slots_only(checkpoint: Checkpoint) -> None:
    """No operation of a pass gives more rows of vocabulary scores than there are slots."""
    batch = collate(rows(checkpoint), checkpoint.pad_id)
    slots = int(batch["slots"].sum())
    head = checkpoint.model.get_output_embeddings().weight
    with Largest(head) as seen:
        states = slot_states(checkpoint, batch)
        assert states.shape[0] == slots == 15
        best_tokens(checkpoint, states)
        assert slot_logits(checkpoint, batch).shape == (slots, len(head))
    assert seen.rows == slots


def test_the_best_tokens_are_those_of_the_scores(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks change nothing; special tokens and rows without a token are never written, the end of a value may be."""
    batch = collate(rows(checkpoint), checkpoint.pad_id)
    logits = slot_logits(checkpoint, batch)
    monkeypatch.setattr("pipkie_cli.models.mllm.forward.CHUNK", 4)
    tokens, scores = best_tokens(checkpoint, slot_states(checkpoint, batch))
    assert torch.equal(tokens, logits.argmax(-1))
    torch.testing.assert_close(scores, logits.log_softmax(-1).max(-1).values, atol=1e-5, rtol=0)
    sidecar = checkpoint.trained
    assert logits[:, sidecar.end_id].isfinite().all()
    assert logits[:, [sidecar.mask_id, checkpoint.family.image_id]].isinf().all()
    assert logits[:, -SPARE:].isinf().all()


def test_the_model_is_causal_again_afterwards(checkpoint: Checkpoint, tmp_path: Path) -> None:
    """The flag stands for the time of a call, also of one that raises, and is never saved with the weights."""
    before = dict(vars(checkpoint.model.config.get_text_config()))
    slot_states(checkpoint, collate(rows(checkpoint), checkpoint.pad_id))
    with pytest.raises(KeyError), bidirectional(checkpoint.model):
        raise KeyError
    assert vars(checkpoint.model.config.get_text_config()) == before
    checkpoint.model.config.save_pretrained(tmp_path)
    assert "is_causal" not in (tmp_path / "config.json").read_text()


def test_a_saved_model_gives_the_same_scores(folder: Path, tmp_path: Path) -> None:
    """Weights, tokenizer and sidecar written as training writes them, loaded again: every bit."""
    checkpoint = load_checkpoint(folder)
    for name in ("preprocessor_config.json", "pipkie.json"):
        (tmp_path / name).write_bytes((checkpoint.folder / name).read_bytes())
    with bidirectional(checkpoint.model):  # saved from within training: the flag goes into config.json
        checkpoint.model.save_pretrained(tmp_path)
    checkpoint.tokenizer.save_pretrained(tmp_path)
    assert '"is_causal": false' in (tmp_path / "config.json").read_text()
    again = load_checkpoint(tmp_path)
    batch = collate(rows(checkpoint), checkpoint.pad_id)
    assert torch.equal(slot_logits(again, batch), slot_logits(checkpoint, batch))
    assert not hasattr(again.model.config.get_text_config(), "is_causal")


def test_the_start_refuses_attention_that_stays_causal(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the flag does nothing, as on a version of the library that ignores it, the model is not used."""
    monkeypatch.setattr(attention_module, "bidirectional", lambda model: torch.no_grad())
    with pytest.raises(ModelError, match="not bidirectional"):
        attention_module.check_attention(checkpoint.model)


def test_pictures_and_their_tokens_must_match_row_by_row(checkpoint: Checkpoint) -> None:
    """Swapped pictures would go unnoticed by the model, which compares the sums of a batch."""
    short, long = rows(checkpoint)
    swapped = [
        Encoded(one.input_ids, other.images, one.token_types, one.slots, None)
        for one, other in ((short, long), (long, short))
    ]
    assert short.images.n_tokens != long.images.n_tokens
    with pytest.raises(ValueError, match="image tokens"):
        collate(swapped, checkpoint.pad_id)


def test_what_is_never_written_is_told_once(folder: Path) -> None:
    """Also where reading comes first: training takes the same tensor into its graph. A copy has its own."""
    checkpoint = load_checkpoint(folder)
    with torch.inference_mode():
        never = never_written(checkpoint)
    assert never_written(checkpoint) is never
    assert not never.is_inference()
    assert never[checkpoint.trained.mask_id]
    assert not never[checkpoint.end_id]
    assert never_written(replace(checkpoint)) is not never
    checkpoint.model.resize_token_embeddings(len(never) + 3, mean_resizing=False)
    assert len(never_written(checkpoint)) == len(never) + 3
