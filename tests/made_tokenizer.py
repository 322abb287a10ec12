"""A tokenizer of a few pieces, in the form of multilingual-e5-small's: Unigram, blanks written as a low bar."""

import json
from collections.abc import Sequence
from typing import Any

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
BLANK = "▁"
LETTERS = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:/-")


def tokenizer_json(pieces: Sequence[str] = LETTERS, mask: bool = False) -> str:
    """`pieces` after the special ones, longer ones likelier; with `mask` also <mask> at the end, as e5 has it."""
    special = [*SPECIAL, *(["<mask>"] if mask else [])]
    body = [BLANK, *pieces]
    ids = {"<mask>": len(SPECIAL) + len(body)} | {piece: index for index, piece in enumerate(SPECIAL)}
    added: list[dict[str, Any]] = [
        {
            "id": ids[piece], "content": piece, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True,
        }
        for piece in special
    ]  # fmt: skip
    vocabulary = [[piece, 0.0] for piece in SPECIAL]
    vocabulary += [[piece, -8.0 + 0.5 * len(piece)] for piece in body]
    vocabulary += [["<mask>", 0.0]] if mask else []
    spec = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": {"type": "Metaspace", "replacement": BLANK, "prepend_scheme": "always", "split": True},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": SPECIAL.index("<unk>"), "vocab": vocabulary},
    }
    return json.dumps(spec)
