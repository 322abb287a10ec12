"""Slots filled in one pass, and looked at again where that was not enough.

Refinement (off unless asked for): slots under a probability are masked again while the sure ones stand filled in, as
LLaDA's low-confidence remasking does over many steps (arXiv 2502.09992). Another pass for values that their slots did
not hold: those keys alone are asked again with twice the slots. Either costs one more forward of the documents that
need it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm.decode import LENGTHENED, printed, value_length, written
from pipkie_cli.models.mllm.forward import Filled, fill_slots
from pipkie_cli.models.mllm.json_answer import TRUNCATED
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.models.mllm.places import KeyHeat, over_pages
from pipkie_cli.models.mllm.prompt import MAX_SLOTS, Encoded, encode_keys
from pipkie_cli.nouns import Key, Written

SURE = math.log(0.9)  # a slot's log-probability from which a further pass takes it for granted

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The keys of one document with the row of tokens that asks for them. Picklable."""

    encoded: Encoded
    keys: tuple[Key, ...]
    page_indices: tuple[int, ...]  # of its pictures

    @property
    def cost(self) -> int:
        """Positions in the forward."""
        return self.encoded.n_tokens


def read_values(checkpoint: Checkpoint, batch: Sequence[Asked], passes: int = 1) -> tuple[tuple[Written, ...], ...]:
    """Per document what was written for each of its keys, after at most `passes` over all slots.

    Where a value is cut its key is asked again, with as many passes: what that writes is flagged `more_slots`.
    """
    answers = [list(one) for one in _read(checkpoint, batch, passes)]
    cut = [
        (row, [at for at, one in enumerate(answer) if TRUNCATED in one.flags and _may_grow(batch[row], at)])
        for row, answer in enumerate(answers)
    ]
    cut = [(row, keys) for row, keys in cut if keys]
    if cut:
        longer = [_with_twice_the_slots(checkpoint, batch[row], keys) for row, keys in cut]
        for (row, keys), again in zip(cut, _read(checkpoint, longer, passes), strict=True):
            for at, second in zip(keys, again, strict=True):
                # what had begun to be written is not absent: then the cut value stays, with its flag
                if second.text is not None:
                    answers[row][at] = replace(second, flags=(LENGTHENED, *second.flags))
    return tuple(tuple(one) for one in answers)


def _read(checkpoint: Checkpoint, batch: Sequence[Asked], passes: int) -> list[tuple[Written, ...]]:
    rows = [one.encoded for one in batch]
    filled = fill_slots(checkpoint, rows)
    counts = [np.ones(len(row.slots), np.int64) for row in rows]
    for _ in range(passes - 1):
        doubts = [_doubts(checkpoint, row, slots) for row, slots in zip(rows, filled, strict=True)]
        again = [at for at, doubt in enumerate(doubts) if doubt.any()]
        if not again:
            break
        masked = [_with_sure_slots(checkpoint, rows[at], filled[at].tokens, doubts[at]) for at in again]
        for at, second in zip(again, fill_slots(checkpoint, masked), strict=True):
            for name in ("tokens", "scores", "looks"):
                getattr(filled[at], name)[doubts[at]] = getattr(second, name)
            counts[at] += [bool(doubts[at][inside].any()) for inside in _inside(rows[at])]
    return [_written(checkpoint, *one) for one in zip(batch, filled, counts, strict=True)]


def _written(checkpoint: Checkpoint, asked: Asked, filled: Filled, counts: Array) -> tuple[Written, ...]:
    answers = []
    for inside, count in zip(_inside(asked.encoded), counts, strict=True):
        tokens = filled.tokens[inside].tolist()
        answer = written(checkpoint, tokens, filled.scores[inside].tolist(), int(count))
        if answer.text is not None:
            looks = filled.looks[inside][: value_length(checkpoint, tokens)]
            heat = over_pages(checkpoint.family, looks, asked.encoded.images)
            answer = replace(answer, place=heat.place(asked.page_indices))
        answers.append(answer)
    return tuple(answers)


def look_at(checkpoint: Checkpoint, asked: Asked) -> tuple[tuple[tuple[str, ...], KeyHeat], ...]:
    """Per key the tokens of its value, as one pass fills them, and where the slot of each looks."""
    (filled,) = fill_slots(checkpoint, [asked.encoded])
    found = []
    for inside in _inside(asked.encoded):
        tokens = filled.tokens[inside].tolist()
        value = tokens[: value_length(checkpoint, tokens)]
        texts = tuple(printed(checkpoint.tokenizer, [token]) for token in value)
        found.append((texts, over_pages(checkpoint.family, filled.looks[inside][: len(value)], asked.encoded.images)))
    return tuple(found)


def _doubts(checkpoint: Checkpoint, row: Encoded, filled: Filled) -> Array:
    """(n,) bool: unsure slots of the keys whose value, up to its end, holds one."""
    tokens, doubt = filled.tokens, filled.scores < SURE
    for inside in _inside(row):
        ends = np.flatnonzero(tokens[inside] == checkpoint.end_id)
        value = slice(inside.start, inside.start + int(ends[0]) + 1) if len(ends) else inside
        if not doubt[value].any():
            doubt[inside] = False
    return doubt


def _with_sure_slots(checkpoint: Checkpoint, row: Encoded, tokens: Array, doubt: Array) -> Encoded:
    """The row with what is sure written in; only the slots in doubt are asked."""
    positions = np.concatenate([np.asarray(place) for place in row.slots])  # (n,)
    ids = row.input_ids.copy()
    ids[positions] = np.where(doubt, checkpoint.trained.mask_id, tokens)
    return replace(row, input_ids=ids, slots=tuple(range(at, at + 1) for at in positions[doubt]))


def _with_twice_the_slots(checkpoint: Checkpoint, asked: Asked, keys: Sequence[int]) -> Asked:
    chosen = tuple(asked.keys[at] for at in keys)
    slots = [min(MAX_SLOTS, 2 * len(asked.encoded.slots[at])) for at in keys]
    return Asked(encode_keys(checkpoint, asked.encoded.images, chosen, slots), chosen, asked.page_indices)


def _may_grow(asked: Asked, at: int) -> bool:
    return len(asked.encoded.slots[at]) < MAX_SLOTS


def _inside(row: Encoded) -> list[slice]:
    """Per key, where its slots lie among all slots of the row."""
    ends = np.cumsum([len(place) for place in row.slots])
    return [slice(int(end) - len(place), int(end)) for end, place in zip(ends, row.slots, strict=True)]
