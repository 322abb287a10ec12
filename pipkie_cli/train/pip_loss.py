"""The loss of masked slots, and of the autoregressive twin's tokens. Tensors in, one number out."""

import torch
from torch import Tensor

NEVER = torch.finfo(torch.float32).min  # a finite "minus infinity": a suppressed row gets no gradient, and no NaN


def weighted_loss(logits: Tensor, targets: Tensor, weights: Tensor, suppressed: Tensor) -> Tensor:
    """Sum of weight * cross entropy over slots, in float32.

    logits (N, V), targets (N,) int64, weights (N,) float32, suppressed (V,) bool: tokens that no value is made of
    ([mask], special tokens, rows without a token). They are no classes here either: with tied embeddings the row of
    [mask] would otherwise learn to be an unlikely word.
    """
    scores = logits.float().masked_fill(suppressed, NEVER)  # (N, V)
    losses = torch.nn.functional.cross_entropy(scores, targets, reduction="none")  # (N,)
    return (losses * weights).sum()


def count_right(logits: Tensor, targets: Tensor, suppressed: Tensor) -> Tensor:
    """How many slots are filled rightly: a count, int64."""
    return (logits.masked_fill(suppressed, float("-inf")).argmax(-1) == targets).sum()
