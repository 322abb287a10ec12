"""Tokens at a key's slots -> what the model wrote."""

import math
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from pipkie_cli.models.mllm.json_answer import TRUNCATED, UNREADABLE
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.nouns import Written

UNHEARD: Final = -10.0  # score of a key without an answer: it may stand on the page or not
LENGTHENED = "more_slots"  # it went on: asked again with twice the slots, it was read anew


def written(checkpoint: Checkpoint, tokens: Sequence[int], scores: Sequence[float], passes: int = 1) -> Written:
    """One key's slots, read up to the first end token; its log-probability is that of these tokens and the end.

    The fills behind the end say nothing about the value and do not count. A value of no token at all, of a field that
    was left empty, is as absent as the unknown answer.
    """
    length = value_length(checkpoint, tokens)
    text = printed(checkpoint.tokenizer, tokens[:length])
    score = float(sum(scores[: length + 1]))
    if not math.isfinite(score):  # weights or pixels that are no numbers, or an overflow
        return Written(None, UNHEARD, flags=(UNREADABLE,), passes=passes)
    if not text or text.casefold() == checkpoint.trained.unknown.casefold():
        return Written(None, score, passes=passes)
    return Written(text, score, flags=() if length < len(tokens) else (TRUNCATED,), passes=passes)


def value_length(checkpoint: Checkpoint, tokens: Sequence[int]) -> int:
    """How many of a key's slots hold its value: those before the first end token."""
    return next((at for at, token in enumerate(tokens) if token == checkpoint.end_id), len(tokens))


def printed(tokenizer: Any, tokens: Sequence[int]) -> str:
    """Text of tokens on one line: no control characters, no half letters, no blanks around it."""
    text = tokenizer.decode(list(tokens), skip_special_tokens=False, clean_up_tokenization_spaces=False)
    return " ".join("".join(" " if _is_no_print(char) else char for char in text).split())


def _is_no_print(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
