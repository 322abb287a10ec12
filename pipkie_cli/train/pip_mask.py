"""Which slots of a sample are masked, and what each weighs. NumPy, no model.

The loss of LLaDA (arXiv 2502.09992, algorithms 1 and 2): a ratio t ~ U(0, 1) per sample, every answer token masked with
probability p = (1 - EPSILON) t + EPSILON, cross entropy of the masked ones weighted by 1/p. PIP (arXiv 2601.19613)
takes it over for its mask pre-training; how it masks when it fine-tunes is not published, so `Recipe.all_masked` says.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

EPSILON = 1e-3  # least ratio; LLaDA's
Bools = np.ndarray[Any, np.dtype[np.bool_]]
Floats = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """One masking of a sample with S answer slots."""

    masked: Bools  # (S,) at least one of them
    weights: Floats  # (S,) of the cross entropy; 0 where nothing is masked
    share: float  # this sample's part of the divisor that all samples of a step share


def draw_ratio(n_slots: int, rng: np.random.Generator) -> float:
    """p of a sample, EPSILON to 1, and one slot at least: a lone slot weighted 1/EPSILON would drown a whole step."""
    return max(float((1 - EPSILON) * rng.random() + EPSILON), 1 / n_slots)


def mask_text(n_slots: int, rng: np.random.Generator, complementary: bool) -> tuple[Masked, ...]:
    """Stage mask: one masking of a text, or two that together mask every slot once.

    The sample's loss is 1/S sum CE/p, and a step's loss the mean over samples: so a long text weighs no more.
    """
    ratio = draw_ratio(n_slots, rng)
    masked = _drawn(n_slots, ratio, rng)
    if not complementary or masked.all():
        return (_text(masked, ratio),)
    return _text(masked, ratio), _text(~masked, max(1 - ratio, 1 / n_slots))


def _text(masked: Bools, ratio: float) -> Masked:
    return Masked(masked, (masked / (ratio * len(masked))).astype(np.float32), 1.0)


def mask_values(fills: Bools, rng: np.random.Generator, all_masked: float, fill_weight: float) -> Masked:
    """Stage kv: mostly everything masked, as when values are read; else as in stage mask.

    `fills` (S,) are slots behind the end of their value. A step's loss is divided by its number of slots.
    """
    ratio = 1.0 if rng.random() < all_masked else draw_ratio(len(fills), rng)
    masked = _drawn(len(fills), ratio, rng)
    weights = np.where(fills, fill_weight, 1.0) * masked / ratio
    return Masked(masked, weights.astype(np.float32), float(len(fills)))


def _drawn(n_slots: int, ratio: float, rng: np.random.Generator) -> Bools:
    """Each with probability `ratio`; one at least, else the sample teaches nothing."""
    masked = rng.random(n_slots) < ratio
    if not masked.any():
        masked[rng.integers(n_slots)] = True
    return masked
