"""Scores of first word, last word and ABSENT -> candidates of one key. NumPy, float64."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mini.features import MiniInputs
from pipkie_cli.nouns import Candidate

Array = npt.NDArray[Any]

MAX_SPAN = 32  # words of the longest value; a printed address has up to 25
LONGEST = {  # words of the longest value of a type
    "date": 6, "time": 4, "datetime": 8, "amount": 4, "number": 4, "integer": 3, "percent": 3, "currency": 2,
    "email": 4, "url": 4, "phone": 8, "iban": 10, "bic": 4, "tax_id": 8, "country": 6, "boolean": 6,
}  # fmt: skip
GAP_COST = 1.5  # of the logarithm: a value rarely goes on behind a wide gap of its line
KEPT = 12  # candidates of a key: equal texts are added up later, so more than a person would look at


def decode(first: Array, last: Array, absent: Array, inputs: MiniInputs) -> tuple[tuple[Candidate, ...], ...]:
    """first, last (K, N), absent (K,) -> candidates of every key and cell, as their types allow."""
    cost = gap_costs(inputs.gaps)  # the page's: the same for every key
    return tuple(
        candidates(first[k], last[k], float(absent[k]), cost, LONGEST.get(inputs.asked[k], MAX_SPAN))
        for k in range(len(absent))
    )


def gap_costs(gaps: Array) -> Array:
    """(N, MAX_SPAN): what the gaps inside every span cost; `gaps` (N,): how many stand on the page before each word."""
    ends = np.concatenate([gaps, np.full(MAX_SPAN - 1, gaps[-1])])
    cost: Array = GAP_COST * (np.lib.stride_tricks.sliding_window_view(ends, MAX_SPAN) - gaps[:, None])
    return cost


def candidates(
    first: Array, last: Array, absent: float, cost: Array | None = None, longest: int = MAX_SPAN
) -> tuple[Candidate, ...]:
    """first, last (N,), absent: scores of one key -> the KEPT likeliest spans and ABSENT, best first.

    Scores are log-probabilities among all spans of at most `longest` words and ABSENT, less `cost` (N, MAX_SPAN).
    """
    n = len(first)
    padded = np.concatenate([last.astype(np.float64), np.full(MAX_SPAN - 1, -np.inf)])
    spans = first.astype(np.float64)[:, None] + np.lib.stride_tricks.sliding_window_view(padded, MAX_SPAN)  # (N, L)
    if cost is not None:
        spans = spans - cost
    spans[:, longest:] = -np.inf
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
