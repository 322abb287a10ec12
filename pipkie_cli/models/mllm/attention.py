"""Bidirectional attention: every slot sees every token, whatever computes the attention.

transformers builds a bidirectional padding mask, and tells the kernels so, where the *text* config says
`is_causal = False`. Other ways were tried and are silently wrong for some kernel, family or padding. The flag would be
saved with the model and would spoil `generate`, so it is set for a call and taken back: a loaded model is causal.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipkie_cli.errors import ModelError

KERNELS = ("sdpa", "eager")  # transformers' words
LEAST_LEAK = 1e-3  # of a hidden state after the final norm, some 1 in size; measured 0.6 to 1.5 on random weights
CHECKED = 12  # positions of the self-check


@contextmanager
def bidirectional(model: Any) -> Iterator[None]:
    """Within it, `model` attends in both directions. Not for two threads of one model."""
    config = model.config.get_text_config()
    had, old = "is_causal" in config.__dict__, getattr(config, "is_causal", None)
    config.is_causal = False
    try:
        yield
    finally:
        if had:
            config.is_causal = old
        else:
            del config.is_causal


def make_causal(model: Any) -> None:
    """Forgets a saved flag: outside `bidirectional` a model is what `generate` needs."""
    vars(model.config.get_text_config()).pop("is_causal", None)


def check_attention(model: Any) -> None:
    """Raises ModelError unless the last token reaches the first, padded or not, and padding reaches nothing.

    On last hidden states of the language model: no picture and no vocabulary are needed.
    """
    import torch

    with torch.inference_mode(), bidirectional(model):
        alone, padded, padding = _leaks(model)
    if not math.isfinite(alone + padded + padding):
        raise ModelError("weights of this model are no numbers", hint="fetch the checkpoint again, or train anew")
    if min(alone, padded) < LEAST_LEAK or padding > 0:
        raise ModelError(
            f"attention of this model is not bidirectional here (reaches {alone:.1e} alone, {padded:.1e} in a batch,"
            f" {padding:.1e} through padding)",
            hint="pip install 'pipkie[mllm]' -c constraints.txt, the versions that pipkie was tested with",
        )


def _leaks(model: Any) -> tuple[float, float, float]:
    """How far the first position moves with the last token, alone and beside a shorter row; how far padding reaches."""
    import torch

    language, n = model.model.language_model, CHECKED
    device = next(language.parameters()).device
    rows = min(model.config.get_text_config().vocab_size, 250)
    ids = (torch.arange(2 * n, device=device).view(2, n) * 7 + 3) % rows
    other = ids.clone()
    other[:, -1] = (other[:, -1] + 11) % rows  # the last real token of row 0, padding of row 1
    mask = torch.ones_like(ids)
    mask[1, -3:] = 0
    moved = []
    for count in (1, 2):
        before, after = (
            language(input_ids=one[:count], attention_mask=mask[:count], use_cache=False).last_hidden_state.float()
            for one in (ids, other)
        )
        moved.append((before - after).abs())  # (count, n, D)
    return float(moved[0][0, 0].max()), float(moved[1][0, 0].max()), float(moved[1][1, : n - 3].max())
