"""A draw's number -> the rows that are learnt: prompt, pictures and slots, masked; rows -> the tensors of one batch.

Runs in worker processes, on a CPU; holds tokenizer and picture sizes of the checkpoint, no weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pipkie_cli.errors import DocumentError, InputError
from pipkie_cli.models.mllm import (
    NO_TARGET,
    Checkpoint,
    Encoded,
    answer_ids,
    collate,
    encode_dialogue,
    encode_prompt,
    slots_for,
    spread_keys,
)
from pipkie_cli.nouns import Key
from pipkie_cli.train.pip_ask import Asked, ask_text, ask_values
from pipkie_cli.train.pip_mask import Masked, mask_text, mask_values
from pipkie_cli.train.pip_recipe import Attention, Recipe, Stage
from pipkie_cli.train.pip_schedule import sample_number
from pipkie_cli.train.pip_sources import Sample, Source

TRIES = 200  # samples that are tried for one draw; where one in ten is whole, a billion draws find one
MASKED = 1  # separates the random numbers of masks from those of the order


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One sequence with what is to be learnt there."""

    encoded: Encoded
    keep: np.ndarray[Any, np.dtype[np.int64]]  # (N,) positions whose logits are needed, ascending
    targets: np.ndarray[Any, np.dtype[np.int64]]  # (N,) token ids
    weights: np.ndarray[Any, np.dtype[np.float32]]  # (N,)
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows as tensors. The order of slots is that of the model's `logits_to_keep`: row by row."""

    inputs: dict[str, Any]  # of the model's call
    keep: Tensor  # (B, L) bool
    targets: Tensor  # (N,) int64
    weights: Tensor  # (N,) float32
    share: float
    n_tokens: int
    skipped: int

    def to(self, device: torch.device) -> "Batch":
        moved = {name: one.to(device, non_blocking=True) for name, one in self.inputs.items()}
        keep, targets, weights = (one.to(device, non_blocking=True) for one in (self.keep, self.targets, self.weights))
        return replace(self, inputs=moved, keep=keep, targets=targets, weights=weights)

    def pin_memory(self) -> "Batch":
        """For the loader: pinned memory is copied to a GPU while it computes."""
        inputs = {name: one.pin_memory() for name, one in self.inputs.items()}
        return replace(self, inputs=inputs)


@dataclass(frozen=True, slots=True)
class Rows:
    """The draws of a training: `rows[number]` is always the same."""

    checkpoint: Checkpoint  # model None
    source: Source
    recipe: Recipe
    stage: Stage
    attention: Attention
    seed: int

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, draw: int) -> tuple[tuple[Row, ...], int]:
        """The rows of a draw, and how many samples could not be opened. Raises InputError where none can."""
        tries = min(TRIES, len(self.source))
        for attempt in range(tries):
            try:
                sample = self.source[sample_number(draw, len(self.source), self.seed, attempt)]
            except DocumentError as error:
                last = error
                continue
            rng = np.random.default_rng([self.seed, MASKED, draw])
            if rows := self.make(sample, rng):
                return rows, attempt
            last = DocumentError("no key of it has a value that fits")
        said = f"{tries} samples in a row cannot be learnt from; the last one: {last.message}"
        raise InputError(said, hint="look at the data")

    def make(self, sample: Sample, rng: np.random.Generator) -> tuple[Row, ...]:
        """One row, or two of complementary masks; () where nothing can be asked."""
        asked = self._ask(sample, rng)
        if not asked:
            return ()
        if self.attention == "causal":
            return (self._written(sample, asked),)
        encoded = encode_prompt(
            self.checkpoint,
            sample.pictures,
            [one.key for one in asked],
            [one.slots for one in asked],
            [one.value for one in asked],
            max_pixels=self.recipe.max_pixels,
        )
        at = np.concatenate([np.arange(one.start, one.stop) for one in encoded.slots])  # (S,)
        ends = [self.length(one.value) for one in asked]
        fills = np.concatenate(
            [np.arange(len(one)) > end for one, end in zip(encoded.slots, ends, strict=True)]
        )  # (S,)
        if self.stage == "mask":
            masks = mask_text(len(fills), rng, self.recipe.complementary)
        else:
            masks = (mask_values(fills, rng, self.recipe.all_masked, self.recipe.fill_weight),)
        return tuple(_masked(encoded, at, one) for one in masks)

    def _ask(self, sample: Sample, rng: np.random.Generator) -> tuple[Asked, ...]:
        if self.stage == "mask":
            return ask_text(sample.values, rng, self.length, self.recipe.max_tokens)
        asked = ask_values(sample.values, self.recipe, rng, self.length, self.usual)
        rows = spread_keys(self.checkpoint, [one.key for one in asked], [one.slots for one in asked])
        return asked[rows[0]]  # of very many keys as many as share a row when they are read; others the next time

    def _written(self, sample: Sample, asked: Sequence[Asked]) -> Row:
        """The autoregressive twin: the same drawing as question and answer, one text or an object of all keys."""

        images = self.checkpoint.family.image_inputs(sample.pictures, self.recipe.max_pixels)
        keys, values = [one.key for one in asked], [one.value for one in asked]
        if self.stage == "mask":
            values = [self._cut(value or "") for value in values]
        encoded = encode_dialogue(self.checkpoint, images, keys, values, as_json=self.stage == "kv")
        targets = np.asarray(encoded.targets)
        at = np.flatnonzero(targets != NO_TARGET)  # (N,)
        # a token is foretold at the position before it, as every autoregressive model does (shifted loss)
        return Row(encoded, at - 1, targets[at], np.ones(len(at), np.float32), float(len(at)))

    def _cut(self, text: str) -> str:
        tokens = answer_ids(self.checkpoint, text)
        if len(tokens) <= self.recipe.max_tokens:
            return text
        return str(self.checkpoint.tokenizer.decode(tokens[: self.recipe.max_tokens]))

    def length(self, value: str | None) -> int:
        """Tokens of a value, its end not counted."""
        return len(answer_ids(self.checkpoint, value))

    def usual(self, key: Key) -> int:
        """Slots of a key when values are read."""
        return slots_for(key, self.checkpoint.trained)

    def collate(self, drawn: Sequence[tuple[tuple[Row, ...], int]]) -> Batch:
        """Every row of the draws, padded on the right."""
        rows = [row for made, _ in drawn for row in made]
        tensors = collate([row.encoded for row in rows], self.checkpoint.pad_id)
        keep = torch.zeros_like(tensors["input_ids"], dtype=torch.bool)
        for number, row in enumerate(rows):
            keep[number, torch.from_numpy(row.keep)] = True
        return Batch(
            inputs=self.checkpoint.family.forward_inputs(tensors),
            keep=keep,
            targets=torch.from_numpy(np.concatenate([row.targets for row in rows])),
            weights=torch.from_numpy(np.concatenate([row.weights for row in rows])),
            share=sum(row.share for row in rows),
            n_tokens=sum(row.encoded.n_tokens for row in rows),
            skipped=sum(attempts for _, attempts in drawn),
        )


def _masked(encoded: Encoded, at: np.ndarray[Any, np.dtype[np.int64]], mask: Masked) -> Row:
    """`at` (S,) are the positions of the slots. What is not masked shows its token."""
    targets = np.asarray(encoded.targets)[at]
    ids = np.array(encoded.input_ids)
    ids[at[~mask.masked]] = targets[~mask.masked]
    kept = mask.masked
    return Row(replace(encoded, input_ids=ids), at[kept], targets[kept], mask.weights[kept], mask.share)
