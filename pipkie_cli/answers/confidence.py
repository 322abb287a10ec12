"""Probability -> confidence."""

import math

EDGE = 1e-6  # probabilities are kept this far from 0 and 1


def calibrated(probability: float, scale_shift: tuple[float, float]) -> float:
    """sigmoid(scale * logit(p) + shift): Platt scaling on the log-odds. 0 to 1, growing with `probability`."""
    p = min(max(probability, EDGE), 1 - EDGE)
    scale, shift = scale_shift
    return 1 / (1 + math.exp(-(scale * math.log(p / (1 - p)) + shift)))
