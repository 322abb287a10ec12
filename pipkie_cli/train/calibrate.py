"""Confidence: Platt scaling of the probabilities of a checkpoint, on pages that training did not see."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

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
STEPS = 200
PRIOR = 2.0  # weight that keeps scale near 1 and shift near 0 where there are few answers
INVENTED = 0.10  # share of absent keys that may get a value: most are synthetic ones made to mislead
EDGE = 1e-6

Sample = tuple[float, bool]  # probability, whether it was right


@dataclass(slots=True)
class Judged:
    """Answers of one backend without calibration, with what was right."""

    text: list[Sample]
    ocr: list[Sample]
    absent: list[Sample]
    margins_absent: list[float]  # log-odds of the best text where the key is absent
    margins_present: list[float]  # ... where the page holds the key and the best text is right


def calibrate(
    backend: Backend, pages: Sequence[RealPage], shipped: Mapping[str, Mapping[str, Key]], n_synthetic: int
) -> dict[str, object]:
    """The sidecar's `calibration`."""
    judged = Judged([], [], [], [], [])
    for example in _examples(pages, shipped, n_synthetic):
        _judge(backend, example, judged)
    margin = _margin(judged.margins_absent)
    fitted = Calibration(
        text=_platt(judged.text), ocr=_platt(judged.ocr), absent=_platt(judged.absent), absent_margin=margin
    )
    return asdict(fitted)


def _examples(
    pages: Sequence[RealPage], shipped: Mapping[str, Mapping[str, Key]], n_synthetic: int
) -> Iterator[Example]:
    for page in pages:
        yield Example(page.page, page.page_count, questions_of(page, shipped))
    for number in range(n_synthetic):
        yield make_example(HELD_OUT_SEEDS + number)


def _judge(backend: Backend, example: Example, judged: Judged) -> None:
    questions = list(example.questions)
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
            judged.absent.append((free.confidence, not spans))
        else:
            (judged.ocr if free.source == "ocr" else judged.text).append((free.confidence, is_right))


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


def _platt(samples: Sequence[Sample]) -> tuple[float, float]:
    """Scale and shift of the log-odds that make the samples likeliest (Newton's method, with a weak prior)."""
    if not samples:
        return (1.0, 0.0)
    p = np.clip([probability for probability, _ in samples], EDGE, 1 - EDGE)
    x = np.stack([np.log(p / (1 - p)), np.ones(len(p))], 1)  # (n, 2)
    y = np.array([float(right) for _, right in samples])
    prior = np.array([1.0, 0.0])
    at: npt.NDArray[np.float64] = prior.copy()
    for _ in range(STEPS):
        q = 1 / (1 + np.exp(-x @ at))
        gradient = x.T @ (q - y) + PRIOR * (at - prior)
        curvature = (x * (q * (1 - q))[:, None]).T @ x + PRIOR * np.eye(2)
        at = at - np.clip(np.linalg.solve(curvature, gradient), -0.5, 0.5)
    return (round(float(at[0]), 4), round(float(at[1]), 4))
