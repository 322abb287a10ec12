"""Scores of first word, last word and ABSENT -> candidates of one key. NumPy, float64."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.nouns import Candidate

Array = npt.NDArray[Any]

MAX_SPAN = 32  # words of the longest value; a printed address has up to 25
KEPT = 12  # candidates of a key: equal texts are added up later, so more than a person would look at


def candidates(first: Array, last: Array, absent: float) -> tuple[Candidate, ...]:
    """first, last (N,), absent: scores of one key -> the KEPT likeliest spans and ABSENT, best first.

    Scores are log-probabilities among all spans of at most MAX_SPAN words and ABSENT.
    """
    n = len(first)
    padded = np.concatenate([last.astype(np.float64), np.full(MAX_SPAN - 1, -np.inf)])
    spans = first.astype(np.float64)[:, None] + np.lib.stride_tricks.sliding_window_view(padded, MAX_SPAN)  # (N, L)
    flat = spans.ravel()
    highest = max(float(flat.max()), absent)
    total = highest + np.log(np.exp(flat - highest).sum() + np.exp(absent - highest))
    kept = min(KEPT, n * MAX_SPAN)
    best = np.argpartition(-flat, kept - 1)[:kept]
    found = [
        Candidate((int(i) // MAX_SPAN, int(i) // MAX_SPAN + int(i) % MAX_SPAN), float(flat[i] - total))
        for i in best
        if np.isfinite(flat[i])
    ]
    found.append(Candidate(None, float(absent - total)))
    return tuple(sorted(found, key=lambda c: (-c.score, c.words or (-1, -1))))
