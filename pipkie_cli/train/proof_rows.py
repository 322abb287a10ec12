"""Slips as rows of tokens: with mask tokens for one pass, or with their values for the autoregressive twin.

Both rows begin alike and hold the same keys in the same order; the twin's has values and their ends where the other has
slots, and its targets stand one position earlier.
"""

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm import (
    NO_TARGET,
    Checkpoint,
    Encoded,
    ImageInputs,
    answer_ids,
    encode_keys,
    head_ids,
    question_ids,
    text_ids,
)
from pipkie_cli.train.proof_model import INK, SLOTS
from pipkie_cli.train.proof_slips import CELL, Slip

FILL_WEIGHT = 0.2  # of an end token behind the end: fills are most slots and say nothing of the value
LEAST_MASKED = 0.15  # of a crop: a lone masked letter would count for a whole step (weights are 1 / ratio)

Weights = npt.NDArray[np.float32]


def one_pass_row(
    checkpoint: Checkpoint, slip: Slip, slots: int = SLOTS, pen: random.Random | None = None
) -> tuple[Encoded, Weights]:
    """All slots masked; with `pen`, half of the rows show a share of their tokens, as in LLaDA's pre-training.

    The weights (n slots,) are 1 / ratio of what is masked, less for fills, 0 for what is shown.
    """
    row = encode_keys(checkpoint, pictures_of(slip), slip.keys, [slots] * len(slip.keys), slip.values)
    assert row.targets is not None
    at = np.concatenate([np.arange(place.start, place.stop) for place in row.slots])
    target = row.targets[at]
    first = np.concatenate([np.arange(slots) == 0 for _ in row.slots])
    fill = (target == checkpoint.end_id) & (np.roll(target, 1) == checkpoint.end_id) & ~first
    weights = np.where(fill, FILL_WEIGHT, 1.0).astype(np.float32)
    if pen is not None and pen.random() < 0.5:
        ratio = pen.uniform(LEAST_MASKED, 1.0)
        shown = np.asarray([pen.random() >= ratio for _ in at])
        row.input_ids[at[shown]] = target[shown]
        row.targets[at[shown]] = NO_TARGET
        weights = np.where(shown, 0.0, weights / ratio).astype(np.float32)
    return row, weights


def causal_row(checkpoint: Checkpoint, slip: Slip) -> tuple[Encoded, Weights]:
    """Keys with their values, every value with its end; the slots are the positions that predict them."""
    return values_row(checkpoint, slip, [answer_ids(checkpoint, value) for value in slip.values], ended=True)


def values_row(
    checkpoint: Checkpoint, slip: Slip, answers: Sequence[Sequence[int]], ended: bool
) -> tuple[Encoded, Weights]:
    """The same for tokens: of all keys, or of the first ones and, not `ended`, a beginning of the last one."""
    images = pictures_of(slip)
    ids, newline = head_ids(checkpoint, images), text_ids(checkpoint, "\n")
    places = []
    for number, (key, answer) in enumerate(zip(slip.keys, answers, strict=False), 1):
        ids += question_ids(checkpoint, key)
        start = len(ids) - 1
        ids += answer
        if ended or number < len(answers):
            ids += [checkpoint.end_id, *newline]
            places.append(range(start, start + len(answer) + 1))
    row = np.asarray(ids, np.int64)
    targets = np.full(len(row), NO_TARGET, np.int64)
    for place in places:
        targets[place.start : place.stop] = row[place.start + 1 : place.stop + 1]
    types = (row == checkpoint.family.image_id).astype(np.int64)
    return Encoded(row, images, types, tuple(places), targets), np.ones(sum(map(len, places)), np.float32)


def pictures_of(slip: Slip) -> ImageInputs:
    """What the family's `image_inputs` makes of a slip, without detours: (P, 3 * 2 * 14 * 14) in blocks of 2 x 2."""
    rows, columns = (side // CELL for side in slip.picture.shape)
    side = CELL // 2
    ink = (slip.picture.astype(np.float32) / 255 - 1) / np.float32(INK)
    blocks = ink.reshape(rows, 2, side, columns, 2, side).transpose(0, 3, 1, 4, 2, 5)
    patches = blocks.reshape(-1, 1, side * side)  # (P, 1, 196)
    grid = np.asarray([[1, 2 * rows, 2 * columns]], np.int64)
    return ImageInputs(
        np.repeat(patches, 6, axis=1).reshape(len(patches), -1), grid, (rows * columns,), ((rows, columns),)
    )
