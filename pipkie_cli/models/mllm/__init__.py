"""Multimodal language models that fill all slots in one pass (PIP, arXiv 2601.19613). A room of its own.

Comes in: `Sheet`. Goes out: `Written` per key; for training and the autoregressive baseline also the loaded checkpoint,
its prompts and the scores at its slots. Never: what a page is read from, what a value means.
"""

from pipkie_cli.models.mllm.attention import bidirectional
from pipkie_cli.models.mllm.autoregressive import AutoregressiveBackend
from pipkie_cli.models.mllm.backend import MllmBackend
from pipkie_cli.models.mllm.cached import Cached, cached_models
from pipkie_cli.models.mllm.convert import convert_chat
from pipkie_cli.models.mllm.decode import written
from pipkie_cli.models.mllm.dialogue import encode_dialogue
from pipkie_cli.models.mllm.families import FAMILIES, Family, ImageInputs
from pipkie_cli.models.mllm.forward import best_tokens, collate, never_written, slot_logits, slot_states
from pipkie_cli.models.mllm.heat import MOST_LAYERS, late_layers, watched
from pipkie_cli.models.mllm.hub import fetch
from pipkie_cli.models.mllm.json_answer import TRUNCATED
from pipkie_cli.models.mllm.load import Checkpoint, add_mask_token, load_checkpoint, outline
from pipkie_cli.models.mllm.places import KeyHeat, over_pages
from pipkie_cli.models.mllm.prompt import (
    INSTRUCTION,
    NO_TARGET,
    Encoded,
    answer_ids,
    encode_keys,
    encode_prompt,
    head_ids,
    question_ids,
    slots_for,
    spread_keys,
    text_ids,
)
from pipkie_cli.models.mllm.sidecar import METHOD, SIDECAR, SLOTS, UNKNOWN, Sidecar, read_sidecar, write_sidecar

__all__ = [
    "FAMILIES",
    "INSTRUCTION",
    "METHOD",
    "MOST_LAYERS",
    "NO_TARGET",
    "SIDECAR",
    "SLOTS",
    "TRUNCATED",
    "UNKNOWN",
    "AutoregressiveBackend",
    "Cached",
    "Checkpoint",
    "Encoded",
    "Family",
    "ImageInputs",
    "KeyHeat",
    "MllmBackend",
    "Sidecar",
    "add_mask_token",
    "answer_ids",
    "best_tokens",
    "bidirectional",
    "cached_models",
    "collate",
    "convert_chat",
    "encode_dialogue",
    "encode_keys",
    "encode_prompt",
    "fetch",
    "head_ids",
    "late_layers",
    "load_checkpoint",
    "never_written",
    "outline",
    "over_pages",
    "question_ids",
    "read_sidecar",
    "slot_logits",
    "slot_states",
    "slots_for",
    "spread_keys",
    "text_ids",
    "watched",
    "write_sidecar",
    "written",
]
