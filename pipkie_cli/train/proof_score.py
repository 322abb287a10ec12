"""How many values of slips a model of the proof reads rightly: all in one pass, or the twin's letter by letter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch

from pipkie_cli.models.mllm import (
    Checkpoint,
    MllmBackend,
    answer_ids,
    best_tokens,
    collate,
    encode_keys,
    never_written,
    slot_states,
    written,
)
from pipkie_cli.nouns import Picture, Sheet
from pipkie_cli.train.pip_look import Placed
from pipkie_cli.train.proof_model import SLOTS
from pipkie_cli.train.proof_rows import pictures_of, values_row
from pipkie_cli.train.proof_slips import Slip

TOGETHER = 50  # slips in one forward


def score_slips(checkpoint: Checkpoint, slips: Sequence[Slip], way: Literal["one_pass", "causal"]) -> float:
    """The share of asked values that are exactly right; of a key that is not printed, "unknown"."""
    read = _one_pass if way == "one_pass" else _letter_by_letter
    with torch.inference_mode():
        return _share(checkpoint, slips, lambda some: read(checkpoint, some))


def score_passes(checkpoint: Checkpoint, slips: Sequence[Slip], passes: int) -> float:
    """The same share as `pipkie extract --passes` reads it: what is unsure is looked at again."""
    backend = MllmBackend(checkpoint, passes, revision="proof")

    def read(some: Sequence[Slip]) -> list[list[str | None]]:
        sheets = [Sheet((Picture(0, _colour(slip)),), 1, slip.keys) for slip in some]
        answers = backend.forward([backend.prepare(sheet) for sheet in sheets])
        return [[one.text for one in answer] for answer in answers]

    return _share(checkpoint, slips, read)


def _share(
    checkpoint: Checkpoint, slips: Sequence[Slip], read: Callable[[Sequence[Slip]], list[list[str | None]]]
) -> float:
    """The share of values that `read` gives rightly, some slips at a time."""
    checkpoint.model.eval()
    n_right = 0
    for first in range(0, len(slips), TOGETHER):
        some = slips[first : first + TOGETHER]
        for slip, values in zip(some, read(some), strict=True):
            n_right += sum(got == right for got, right in zip(values, slip.values, strict=True))
    checkpoint.model.train()
    return round(n_right / sum(len(slip.keys) for slip in slips), 4)


def placed(slips: Sequence[Slip]) -> Iterator[Placed]:
    """The slips with the places of what they print, for `measure_looks`."""
    for slip in slips:
        shown = [one for one in zip(slip.keys, slip.values, slip.places, strict=True) if one[1] and one[2]]
        if shown:
            keys, values, places = zip(*shown, strict=True)
            yield Placed((_colour(slip),), keys, values, tuple(((0, place),) for place in places))


def _colour(slip: Slip) -> npt.NDArray[np.uint8]:
    return np.stack([slip.picture] * 3, -1)


def causal_states(checkpoint: Checkpoint, batch: Mapping[str, Any]) -> torch.Tensor:
    """(B, L, D): hidden states of the twin; every position sees those before it."""
    states: torch.Tensor = checkpoint.model.model(
        **checkpoint.family.forward_inputs(dict(batch)), use_cache=False
    ).last_hidden_state
    return states


def _one_pass(checkpoint: Checkpoint, slips: Sequence[Slip]) -> list[list[str | None]]:
    rows = [encode_keys(checkpoint, pictures_of(slip), slip.keys, [SLOTS] * len(slip.keys)) for slip in slips]
    tokens, scores = best_tokens(checkpoint, slot_states(checkpoint, collate(rows, checkpoint.pad_id)))
    values, at = [], 0
    for slip in slips:
        values.append(list[str | None]())
        for _ in slip.keys:
            inside = slice(at, at + SLOTS)
            values[-1].append(written(checkpoint, tokens[inside].tolist(), scores[inside].tolist()).text)
            at += SLOTS
    return values


def _letter_by_letter(checkpoint: Checkpoint, slips: Sequence[Slip]) -> list[list[str | None]]:
    """Greedy, key by key, each after the model's own earlier answers; at most as many letters as there are slots."""
    never, head = never_written(checkpoint), checkpoint.model.get_output_embeddings()
    answers: list[list[list[int]]] = [[] for _ in slips]
    for _ in slips[0].keys:
        for answer in answers:
            answer.append([])
        going = set(range(len(slips)))
        while going:
            asked = sorted(going)
            rows = [values_row(checkpoint, slips[one], answers[one], ended=False)[0] for one in asked]
            batch = collate(rows, checkpoint.pad_id)
            ends = batch["attention_mask"].sum(1) - 1  # (B,)
            states = causal_states(checkpoint, batch)[torch.arange(len(rows)), ends]  # (B, D)
            tokens = head(states).masked_fill(never, float("-inf")).argmax(-1).tolist()
            for one, token in zip(asked, tokens, strict=True):
                if token == checkpoint.end_id:
                    going.discard(one)
                else:
                    answers[one][-1].append(token)
                    if len(answers[one][-1]) >= SLOTS:
                        going.discard(one)
    return [[_text(checkpoint, tokens) for tokens in answer] for answer in answers]


def _text(checkpoint: Checkpoint, tokens: list[int]) -> str | None:
    if tokens == answer_ids(checkpoint, None):
        return None
    return str(checkpoint.tokenizer.decode(tokens))
