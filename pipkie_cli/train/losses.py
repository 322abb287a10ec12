"""The loss: minus the log of the summed probability of all right spans, among all spans and ABSENT."""

import torch
import torch.nn.functional as F
from torch import Tensor

from pipkie_cli.models.mini import MAX_SPAN

BELOW = -1e9


def span_scores(first: Tensor, last: Tensor) -> Tensor:
    """(B, K, N), (B, K, N) -> (B, K, N, MAX_SPAN): entry l of word i is the span from i to i + l."""
    padded = F.pad(last, (0, MAX_SPAN - 1), value=BELOW)
    return first[..., None] + padded.unfold(-1, MAX_SPAN, 1)


def span_loss(first: Tensor, last: Tensor, absent: Tensor, right: Tensor, asked: Tensor) -> Tensor:
    """Mean over the asked keys.

    first, last (B, K, N) fp32, absent (B, K) fp32; right (R, 4) int64: window, key, first word, last word of every
    right span (first word -1: ABSENT is right); asked (B, K) bool: False for padding.
    """
    b, k, _ = first.shape
    everything = torch.logsumexp(span_scores(first, last).flatten(-2), -1)  # (B, K)
    everything = torch.logaddexp(everything, absent)
    window, key, start, end = right.unbind(1)
    is_absent = start < 0
    score = torch.where(
        is_absent, absent[window, key], first[window, key, start.clamp(min=0)] + last[window, key, end.clamp(min=0)]
    )  # (R,)
    cell = window * k + key
    highest = torch.full((b * k,), BELOW, device=first.device).scatter_reduce(0, cell, score.detach(), "amax")
    summed = torch.zeros(b * k, device=first.device).index_add(0, cell, (score - highest[cell]).exp())
    log_right = summed.clamp(min=1e-30).log() + highest
    losses = (everything.flatten() - log_right)[asked.flatten()]
    return losses.mean()
