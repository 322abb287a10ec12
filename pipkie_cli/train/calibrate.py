"""Confidence, first half: that a model points at the right words. Platt scaling on pages that training did not see.

The other half, that OCR read these words without a mistake, is in `calibrate_reading.py`.
"""

import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipkie_cli.answers import answer_keys
from pipkie_cli.models import Backend
from pipkie_cli.nouns import Answer, Calibration, Example, Key, Word
from pipkie_cli.prompts import fold
from pipkie_cli.synth import make_example
from pipkie_cli.train.real import RealPage
from pipkie_cli.train.stream import window_of
from pipkie_cli.train.validate import questions_of
from pipkie_cli.words import join_words

HELD_OUT_SEEDS = 1 << 62  # synthetic seeds from here on are never trained on
SYNTHETIC = "synthetic"  # the group of all made-up pages: as a whole it weighs as much as all real groups together
GROUP_ANSWERS = 10  # answers that a shop or seller counts for at most: half of the receipts kept back are of one shop
STEPS = 200
PRIOR = 2.0  # weight that keeps scale near 1 and shift near 0 where there are few answers
SOURCE_PRIOR = 10.0  # ... that keeps text layers and OCR near what both have in common
INVENTED = 0.10  # share of absent keys that may get a value: most are synthetic ones made to mislead
EDGE = 1e-6

Pair = tuple[float, float]  # scale, shift


class Sample(NamedTuple):
    """One answer of a backend without calibration."""

    group: str
    probability: float
    right: bool


@dataclass(slots=True)
class Judged:
    """Answers of one backend without calibration, with what was right."""

    text: list[Sample]
    ocr: list[Sample]
    absent: list[Sample]
    margins_absent: list[float]  # log-odds of the best text where the key is absent
    margins_present: list[float]  # ... where the page holds the key and the best text is right


def calibrate(
    backend: Backend,
    pages: Sequence[RealPage],
    shipped: Mapping[str, Mapping[str, Key]],
    n_synthetic: int,
    misread: Pair = (0.0, 0.0),
) -> dict[str, object]:
    """The sidecar's `calibration`; `misread` comes from `calibrate_reading.py`."""
    judged = Judged([], [], [], [], [])
    for page in pages:
        _judge(backend, Example(page.page, page.page_count, questions_of(page, shipped)), page.group, judged)
    for number in range(n_synthetic):
        _judge(backend, make_example(HELD_OUT_SEEDS + number), SYNTHETIC, judged)
    return _fitted(judged, misread)


def calibrate_on(
    backend: Backend, examples: Iterable[tuple[str, Example]], misread: Pair = (0.0, 0.0)
) -> dict[str, object]:
    """The sidecar's `calibration`, fitted on examples with their groups, of which SYNTHETIC is that of made-up ones."""
    judged = Judged([], [], [], [], [])
    for group, example in examples:
        _judge(backend, example, group, judged)
    return _fitted(judged, misread)


def _fitted(judged: Judged, misread: Pair) -> dict[str, object]:
    """Text layers and OCR apart, each held near what both have in common: how sure a model may be on pages of strangers
    does not depend on where the words come from, and there are few strangers."""
    both = _platt(judged.text + judged.ocr)
    fitted = Calibration(
        text=_platt(judged.text, both, SOURCE_PRIOR),
        ocr=_platt(judged.ocr, both, SOURCE_PRIOR),
        absent=_platt(judged.absent),
        absent_margin=_margin(judged.margins_absent),
        misread=misread,
    )
    return asdict(fitted)


def _judge(backend: Backend, example: Example, group: str, judged: Judged) -> None:
    questions = [question for question in example.questions if not question.row]  # cells are judged by their keys' fit
    random.Random(0).shuffle(questions)
    if not questions or not example.page.words:
        return
    window = window_of(example, [question.key for question in questions])
    guesses = backend.forward(backend.prepare(window))
    certain = Calibration(absent_margin=-math.inf)
    for question, forced, free in zip(
        questions,
        answer_keys([window], [guesses], certain),
        answer_keys([window], [guesses]),
        strict=True,
    ):
        spans = [span for span in question.spans if span[1] < len(window.words)]
        if question.spans and not spans:
            continue
        is_right = _is_right(window.words, forced, spans)
        best_odds = _log_odds(forced, free)
        if spans:
            if is_right:
                judged.margins_present.append(best_odds)
        else:
            judged.margins_absent.append(best_odds)
        if free.text is None:
            judged.absent.append(Sample(group, free.confidence, not spans))
        else:
            (judged.ocr if free.source == "ocr" else judged.text).append(Sample(group, free.confidence, is_right))


def _is_right(words: Sequence[Word], answer: Answer, spans: Sequence[tuple[int, int]]) -> bool:
    if answer.text is None:
        return not spans
    return fold(answer.text) in {fold(join_words(words[first : last + 1])) for first, last in spans}


def _log_odds(forced: Answer, free: Answer) -> float:
    """log of p(best text) / p(ABSENT), from the confidences of an uncalibrated pair of answers."""
    absent = free if free.text is None else next(one for one in free.runners_up if one.text is None)
    if forced.text is None:
        return -math.inf
    return math.log(max(forced.confidence, EDGE) / max(absent.confidence, EDGE))


def _margin(margins_absent: Sequence[float]) -> float:
    """The least margin, not below 0, at which at most INVENTED of the absent keys get a value."""
    ordered = sorted(margins_absent, reverse=True)
    allowed = int(INVENTED * len(ordered))
    if not ordered or ordered[min(allowed, len(ordered) - 1)] <= 0:
        return 0.0
    return float(min(ordered[allowed] + 1e-6, 5.0))


def _platt(samples: Sequence[Sample], prior: Pair = (1.0, 0.0), prior_weight: float = PRIOR) -> Pair:
    """Scale and shift of the log-odds that make the samples likeliest (Newton's method, held near the prior)."""
    if not samples:
        return prior
    p = np.clip([one.probability for one in samples], EDGE, 1 - EDGE)
    x = np.stack([np.log(p / (1 - p)), np.ones(len(p))], 1)  # (n, 2)
    y = np.array([float(one.right) for one in samples])
    weights = _weights(samples)
    near = np.array(prior)
    at: npt.NDArray[np.float64] = near.copy()
    for _ in range(STEPS):
        q = 1 / (1 + np.exp(-x @ at))
        gradient = x.T @ (weights * (q - y)) + prior_weight * (at - near)
        curvature = (x * (weights * q * (1 - q))[:, None]).T @ x + prior_weight * np.eye(2)
        at = at - np.clip(np.linalg.solve(curvature, gradient), -0.5, 0.5)
    return (round(float(at[0]), 4), round(float(at[1]), 4))


def _weights(samples: Sequence[Sample]) -> npt.NDArray[np.float64]:
    """No real group counts for more than GROUP_ANSWERS answers, the synthetic one for no more than all real ones."""
    sizes = Counter(one.group for one in samples)
    weight = {group: min(1.0, GROUP_ANSWERS / size) for group, size in sizes.items()}
    real = sum(weight[group] * size for group, size in sizes.items() if group != SYNTHETIC)
    if SYNTHETIC in sizes:
        weight[SYNTHETIC] = min(1.0, real / sizes[SYNTHETIC]) if real else 1.0
    return np.array([weight[one.group] for one in samples])
