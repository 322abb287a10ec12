"""Pages and keys as one row of tokens, with a run of mask tokens for every key's value.

    <|im_start|>user
    [pictures]
    Read the document …<|im_end|>
    <|im_start|>assistant
    invoice number (Rechnungsnummer): [mask][mask][mask]…
    grand total: [mask][mask]…
    <|im_end|>

Texts of users, and values in training, are encoded apart from the frame and never become special tokens: a key called
"<|image_pad|>" is asked as that print. A value is encoded alone, without a blank before it, in training and counting
alike (PIP, arXiv 2601.19613, section 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm.families import ImageInputs
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.models.mllm.sidecar import UNKNOWN, Sidecar
from pipkie_cli.models.mllm.spread import spread
from pipkie_cli.nouns import Key

MAX_SLOTS = 512  # of one key
KEY_TOKENS = 4096  # positions of keys and slots in one row, some 100 texts; pages have theirs beside them
MAX_KEY_LETTERS = 300  # of its prompt and aliases: a question, not a document
ALIASES_ASKED = 3
NO_TARGET = -100  # what torch's cross entropy leaves out
INSTRUCTION = "Read the document and write the value of every field as it is printed, or {unknown} if it has none."

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """One row of a batch. Picklable."""

    input_ids: Ids  # (L,)
    images: ImageInputs
    token_types: Ids  # (L,): 1 where a token stands for a piece of a picture, else 0
    slots: tuple[range, ...]  # per key, positions in input_ids
    targets: Ids | None  # (L,): the right token at every slot, NO_TARGET elsewhere; None: no values were given

    @property
    def n_tokens(self) -> int:
        return len(self.input_ids)


def slots_for(key: Key, sidecar: Sidecar) -> int:
    """How many slots a key's value gets at first: by its type, the end token included."""
    return int(sidecar.slots.get(key.type, sidecar.slots["text"]))


def encode_prompt(
    checkpoint: Checkpoint,
    pictures: Sequence[npt.NDArray[np.uint8]],
    keys: Sequence[Key],
    slots: Sequence[int],
    values: Sequence[str | None] | None = None,
    max_pixels: int | None = None,
) -> Encoded:
    """`pictures` (H, W, 3) RGB in page order and the number of slots per key; with `values` also the targets.

    A value None is the unknown answer; one that its slots do not hold is cut, without an end token.
    """
    images = checkpoint.family.image_inputs(pictures, max_pixels or checkpoint.trained.max_pixels)
    return encode_keys(checkpoint, images, keys, slots, values)


def encode_keys(
    checkpoint: Checkpoint,
    images: ImageInputs,
    keys: Sequence[Key],
    slots: Sequence[int],
    values: Sequence[str | None] | None = None,
) -> Encoded:
    """The same over pictures that are arrays already."""
    sidecar, ids = checkpoint.trained, head_ids(checkpoint, images)
    newline, places, targets = text_ids(checkpoint, "\n"), [], []
    for number, (key, count) in enumerate(zip(keys, slots, strict=True)):
        count = max(2, min(count, MAX_SLOTS))
        ids += question_ids(checkpoint, key)
        places.append(range(len(ids), len(ids) + count))
        ids += [sidecar.mask_id] * count
        ids += newline
        if values is not None:
            targets.append(_filled(answer_ids(checkpoint, values[number]), count, sidecar.end_id))
    ids.append(checkpoint.end_id)
    row = np.asarray(ids, np.int64)  # (L,)
    types = (row == checkpoint.family.image_id).astype(np.int64)  # (L,)
    return Encoded(row, images, types, tuple(places), _at(places, targets, len(row)) if values is not None else None)


def spread_keys(checkpoint: Checkpoint, keys: Sequence[Key], slots: Sequence[int]) -> list[slice]:
    """The keys of every row that they are asked in: one row, unless there are very many."""
    costs = [len(question_ids(checkpoint, key)) + count + 1 for key, count in zip(keys, slots, strict=True)]
    return spread(costs, KEY_TOKENS)  # 1: the end of a line


def head_ids(checkpoint: Checkpoint, images: ImageInputs, instruction: str | None = None) -> list[int]:
    """Everything up to the first key: what every way of asking this document begins with."""
    tokenizer = checkpoint.tokenizer
    start = int(tokenizer.convert_tokens_to_ids("<|im_start|>"))
    unknown = checkpoint.sidecar.unknown if checkpoint.sidecar else UNKNOWN
    first = tokenizer.bos_token_id  # InternLM2 begins every text with one; Qwen has none
    ids = [*([] if first is None else [int(first)]), start, *text_ids(checkpoint, "user\n")]
    for n in images.n_tokens:
        ids += checkpoint.family.image_ids(tokenizer, n)
    ids += text_ids(checkpoint, "\n" + (instruction or INSTRUCTION.format(unknown=unknown)))
    ids += [checkpoint.end_id, *text_ids(checkpoint, "\n"), start, *text_ids(checkpoint, "assistant\n")]
    return ids


def question_ids(checkpoint: Checkpoint, key: Key) -> list[int]:
    """How a key is asked, up to where its value begins."""
    return [*text_ids(checkpoint, key_text(key)), *text_ids(checkpoint, ": ")]


def key_text(key: Key) -> str:
    """A key's prompt with some of its aliases, on one line."""
    aliases = [alias for alias in key.aliases if alias.casefold() != key.prompt.casefold()][:ALIASES_ASKED]
    text = f"{key.prompt} ({', '.join(aliases)})" if aliases else key.prompt
    return " ".join(text.split())[:MAX_KEY_LETTERS]


def answer_ids(checkpoint: Checkpoint, value: str | None) -> list[int]:
    """The tokens of a value, without an end token."""
    unknown = checkpoint.sidecar.unknown if checkpoint.sidecar else UNKNOWN
    return text_ids(checkpoint, unknown if value is None else value)


def text_ids(checkpoint: Checkpoint, text: str) -> list[int]:
    """A piece of text; none of its tokens is a special one. Half of a surrogate pair, which JSON can say, is a "?"."""
    encode: Any = checkpoint.tokenizer.encode
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return list(encode(whole, add_special_tokens=False, split_special_tokens=True))


def _filled(answer: list[int], count: int, end_id: int) -> list[int]:
    """(count,): the answer, then end tokens."""
    return (answer + [end_id] * max(1, count - len(answer)))[:count]


def _at(places: Sequence[range], targets: Sequence[list[int]], length: int) -> Ids:
    """(L,)."""
    row = np.full(length, NO_TARGET, np.int64)
    for place, answer in zip(places, targets, strict=True):
        row[place.start : place.stop] = answer
    return row
