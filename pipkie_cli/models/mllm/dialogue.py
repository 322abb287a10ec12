"""How a model that writes word by word is asked: about one key, or about all of them at once in JSON.

    <|im_start|>user
    [pictures]
    Read the document …
    "invoice_number": invoice number (Rechnungsnummer)
    …<|im_end|>
    <|im_start|>assistant
    {"invoice_number": "A-17", …}<|im_end|>

The part up to the pictures' end and the instruction is the same for every key: the prefix that a baseline may keep.
Texts of users never become special tokens, as in `prompt.py`. Training teaches these forms to the autoregressive twin
of a one-pass model.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from pipkie_cli.models.mllm.families import ImageInputs
from pipkie_cli.models.mllm.json_answer import json_answer
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.models.mllm.prompt import NO_TARGET, Encoded, answer_ids, key_text, text_ids
from pipkie_cli.models.mllm.sidecar import SLOTS, UNKNOWN
from pipkie_cli.nouns import Key

ASK_ONE: Final = (
    "Read the document and write the value of this field as it is printed, or {unknown} if the document has none: "
)
ASK_JSON: Final = (
    "Read the document and answer with one JSON object: the value of every field as it is printed, null where the"
    " document has none. These are the fields:"
)
MAX_WRITTEN: Final = 8_192  # tokens of one answer, whatever is asked


def prefix_ids(checkpoint: Checkpoint, images: ImageInputs) -> list[int]:
    """The pictures and the instruction for one key: what the questions about one document have in common."""
    unknown = checkpoint.sidecar.unknown if checkpoint.sidecar else UNKNOWN
    return [*_pictures(checkpoint, images), *text_ids(checkpoint, "\n" + ASK_ONE.format(unknown=unknown))]


def key_question_ids(checkpoint: Checkpoint, key: Key) -> list[int]:
    """The rest of the question about one key, up to where its value begins."""
    return [*text_ids(checkpoint, key_text(key)), *_turn(checkpoint)]


def json_question_ids(checkpoint: Checkpoint, images: ImageInputs, keys: Sequence[Key]) -> list[int]:
    """The whole question about all keys, up to where the object begins."""
    fields = "".join(map(_field, keys))
    return [*_pictures(checkpoint, images), *text_ids(checkpoint, "\n" + ASK_JSON + fields), *_turn(checkpoint)]


def encode_question(checkpoint: Checkpoint, images: ImageInputs, ids: Sequence[int]) -> Encoded:
    """Tokens with their pictures as one row of a batch."""
    row = np.asarray(ids, np.int64)  # (L,)
    return Encoded(row, images, (row == checkpoint.family.image_id).astype(np.int64), (), None)


def encode_dialogue(
    checkpoint: Checkpoint, images: ImageInputs, keys: Sequence[Key], values: Sequence[str | None], *, as_json: bool
) -> Encoded:
    """A question with its right answer, for training: `targets` hold the answer and its end token at their own places.

    Not as JSON, there is one key. The loss shifts: the token at p is foretold at p - 1. `slots` is the answer's range.
    """
    if as_json:
        asked = json_question_ids(checkpoint, images, keys)
        answer = text_ids(checkpoint, json_answer([key.name for key in keys], values))
    else:
        (key,), (value,) = keys, values
        asked = [*prefix_ids(checkpoint, images), *key_question_ids(checkpoint, key)]
        answer = answer_ids(checkpoint, value)
    answer = [*answer, checkpoint.end_id]
    whole = encode_question(checkpoint, images, [*asked, *answer])
    targets = np.full(len(whole.input_ids), NO_TARGET, np.int64)
    targets[len(asked) :] = answer
    return Encoded(whole.input_ids, images, whole.token_types, (range(len(asked), len(whole.input_ids)),), targets)


def answer_limit(checkpoint: Checkpoint, key: Key) -> int:
    """Tokens that a value of this key may take, the end token included: twice its slots in one pass."""
    slots = checkpoint.sidecar.slots if checkpoint.sidecar else SLOTS
    return 2 * int(slots.get(key.type, slots["text"]))


def json_limit(checkpoint: Checkpoint, keys: Sequence[Key]) -> int:
    """Tokens that the object may take: its frame, written without haste, and every value's."""
    frame = len(text_ids(checkpoint, json_answer([key.name for key in keys], [""] * len(keys))))
    return min(MAX_WRITTEN, 2 * frame + sum(answer_limit(checkpoint, key) for key in keys))


def json_cost(checkpoint: Checkpoint, key: Key) -> int:
    """Tokens that a key may take of a question about several and of its answer."""
    return len(text_ids(checkpoint, _field(key))) + json_limit(checkpoint, [key])


def _field(key: Key) -> str:
    return f'\n"{key.name}": {key_text(key)}'


def _pictures(checkpoint: Checkpoint, images: ImageInputs) -> list[int]:
    tokenizer = checkpoint.tokenizer
    start, first = int(tokenizer.convert_tokens_to_ids("<|im_start|>")), tokenizer.bos_token_id
    ids = [*([] if first is None else [int(first)]), start, *text_ids(checkpoint, "user\n")]  # as in `head_ids`
    for n in images.n_tokens:
        ids += checkpoint.family.image_ids(tokenizer, n)
    return ids


def _turn(checkpoint: Checkpoint) -> list[int]:
    """The user's turn ends, the model's begins."""
    start = int(checkpoint.tokenizer.convert_tokens_to_ids("<|im_start|>"))
    return [checkpoint.end_id, *text_ids(checkpoint, "\n"), start, *text_ids(checkpoint, "assistant\n")]
