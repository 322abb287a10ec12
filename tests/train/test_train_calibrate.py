"""Confidence: the scale and shift that made probabilities wrong are found again."""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tiny import VALUES, page_of, real_page

from pipkie_cli.answers import answer_keys
from pipkie_cli.nouns import Answer, Calibration, Candidate, Example, Key, Question, Window
from pipkie_cli.train.align import find_spans
from pipkie_cli.train.calibrate import (
    GROUP_ANSWERS,
    INVENTED,
    SYNTHETIC,
    Judged,
    Sample,
    _judge,
    _log_odds,
    _margin,
    _platt,
    _weights,
    calibrate,
)

TOTAL = Key("total", "amount", "total")


def samples(scale: float, shift: float, n: int = 6000) -> list[Sample]:
    """Each of a group of its own. Probabilities of a model whose true odds are sigmoid(scale * logit + shift)."""
    random = np.random.default_rng(0)
    logits = random.normal(1, 2, n)
    right = random.random(n) < 1 / (1 + np.exp(-(scale * logits + shift)))
    return [
        Sample(str(number), float(1 / (1 + np.exp(-x))), bool(y))
        for number, (x, y) in enumerate(zip(logits, right, strict=True))
    ]


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (0.5, -0.7), (1.8, 1.0)])
def test_platt_finds_scale_and_shift(scale: float, shift: float) -> None:
    """Within what 6000 answers can tell."""
    found_scale, found_shift = _platt(samples(scale, shift))
    assert found_scale == pytest.approx(scale, abs=0.1)
    assert found_shift == pytest.approx(shift, abs=0.15)


def test_few_answers_change_little() -> None:
    """The prior holds where there is nothing to learn from: all right, all wrong, none, certain ones."""
    assert _platt([]) == (1.0, 0.0)
    assert _platt([], (0.7, 0.1)) == (0.7, 0.1)
    assert _platt([Sample("a", 0.9, True)])[0] == pytest.approx(1.0, abs=0.1)
    for right in (True, False):
        scale, shift = _platt([Sample(str(n % 30), p, right) for n, p in enumerate([1.0, 0.0, 0.5] * 30)])
        assert math.isfinite(scale)
        assert math.isfinite(shift)
        assert abs(scale) < 3


@pytest.mark.parametrize("n", [1, 10, 49, 50, 51, 1000])
def test_the_margin_lets_few_absent_keys_through(n: int) -> None:
    """At most INVENTED of them lie above it, and with a smaller one it would be more."""
    random = np.random.default_rng(1)
    margins = [float(one) for one in random.normal(1.5, 1, n)]
    margin = _margin(margins)
    assert sum(one > margin for one in margins) <= INVENTED * n
    assert margin == 0.0 or sum(one >= margin - 1e-5 for one in margins) > INVENTED * n


def test_the_margin_is_bounded() -> None:
    """Never below zero: the likelier guess is then ABSENT anyway; never so high that nothing is ever found."""
    assert _margin([]) == 0.0
    assert _margin([-3.0] * 100) == 0.0
    assert _margin([-math.inf] * 10) == 0.0
    assert _margin([5.0, *([-1.0] * 99)]) == 0.0  # one of a hundred may pass
    assert _margin([50.0] * 10) == 5.0


class StandIn:
    """Guesses every key's value as it is labelled, or the last word, with the probability it is told."""

    revision, calibration = "stand-in@1", Calibration()

    def __init__(self, p: float, right: bool = True) -> None:
        self.p, self.right = p, right

    def prepare(self, window: Window) -> Window:
        return window

    def forward(self, window: Any) -> tuple[tuple[Candidate, ...], ...]:
        last = len(window.words) - 1
        spans = [find_spans(window.words, str(VALUES.get(key.name, ""))) for key in window.keys]
        return tuple(self._guesses(found[0] if found and self.right else (last, last), bool(found)) for found in spans)

    def _guesses(self, span: tuple[int, int], present: bool) -> tuple[Candidate, ...]:
        p = self.p if present else 1 - self.p
        guesses = (Candidate(span, math.log(p)), Candidate(None, math.log(1 - p)))
        return tuple(sorted(guesses, key=lambda one: -one.score))


def judge(backend: StandIn, questions: Sequence[Question]) -> Judged:
    judged = Judged([], [], [], [], [])
    _judge(backend, Example(page_of(), 1, tuple(questions)), "g", judged)
    return judged


def test_answers_are_judged_by_what_they_print() -> None:
    """A found value counts for its source, ABSENT for itself; margins of keys that are there and are not, apart."""
    (span,) = find_spans(page_of().words, "55.50")
    present, absent = Question(TOTAL, (span,)), Question(Key("iban", "text", "iban"), ())
    odds = math.log(0.8 / 0.2)
    judged = judge(StandIn(0.8), [present, absent])
    assert judged.text == []
    assert judged.ocr == [("g", pytest.approx(0.8), True)]
    assert judged.absent == [("g", pytest.approx(0.8), True)]
    assert judged.margins_present == [pytest.approx(odds)]
    assert judged.margins_absent == [pytest.approx(-odds)]
    wrong = judge(StandIn(0.8, right=False), [present])
    assert wrong.ocr == [("g", pytest.approx(0.8), False)]
    assert wrong.margins_present == []
    assert judge(StandIn(0.4), [present]).absent == [("g", pytest.approx(0.6), False)]  # missed


def test_a_key_behind_the_window_is_not_judged() -> None:
    """What the window does not show can be neither right nor wrong."""
    page = page_of(["word " * 600])
    judged = Judged([], [], [], [], [])
    _judge(StandIn(0.8), Example(page, 1, (Question(TOTAL, ((598, 598),)),)), "g", judged)
    assert judged == Judged([], [], [], [], [])


def test_log_odds_of_a_page_without_words() -> None:
    """Nothing to guess: endlessly unlikely."""
    absent = Answer("total", None, 1.0, None, None)
    assert _log_odds(absent, absent) == -math.inf


def test_a_modest_backend_gets_bold() -> None:
    """One that is always right at 60 % is believed more afterwards, one that is always wrong less."""
    pages = [dataclasses.replace(real_page(), group=str(number)) for number in range(30)]
    window = Window(0, 1, 600, 800, 0, page_of().words, (TOTAL,))

    def confidence(backend: StandIn) -> float:
        fitted = calibrate(backend, pages, {}, n_synthetic=0)
        assert set(fitted) == {"text", "ocr", "pixels", "absent", "absent_margin", "misread"}
        (answer,) = answer_keys([window], [backend.forward(window)], Calibration(**fitted))  # type: ignore[arg-type]
        assert answer.text is not None
        return answer.confidence

    assert confidence(StandIn(0.6)) > 0.8
    assert confidence(StandIn(0.6, right=False)) < 0.3


def test_synthetic_documents_count_too() -> None:
    """Their seeds are those that training leaves alone, and the same ones every time."""
    backend = StandIn(0.6, right=False)
    assert calibrate(backend, [], {}, n_synthetic=2) == calibrate(backend, [], {}, n_synthetic=2)
    assert calibrate(backend, [], {}, n_synthetic=2) != calibrate(backend, [], {}, n_synthetic=0)


def test_a_shop_of_many_receipts_counts_like_others() -> None:
    """A group weighs GROUP_ANSWERS at most, made-up pages as much as all real ones, none more than its size."""
    judged = [Sample("big", 0.9, True)] * 100 + [Sample("small", 0.9, True)] * 4 + [Sample(SYNTHETIC, 0.9, False)] * 500
    weights = _weights(judged)
    assert weights[:100].sum() == pytest.approx(GROUP_ANSWERS)
    assert weights[100:104].sum() == pytest.approx(4)
    assert weights[104:].sum() == pytest.approx(GROUP_ANSWERS + 4)
    assert _weights([Sample(SYNTHETIC, 0.9, True)] * 3).tolist() == [1, 1, 1]
    one_shop = [Sample("big", 0.9, True)] * 400
    many = [Sample(str(number), 0.9, False) for number in range(60)]
    confidence = 1 / (1 + math.exp(-sum(a * b for a, b in zip(_platt(one_shop + many), (math.log(9), 1), strict=True))))
    assert confidence < 0.3


def test_cells_of_tables_are_not_judged() -> None:
    """A column asked of one row is no key of the page."""
    (span,) = find_spans(page_of().words, "55.50")
    assert judge(StandIn(0.8), [Question(TOTAL, (span,), row=(span[0],))]) == Judged([], [], [], [], [])


def test_misreading_is_handed_on() -> None:
    """What is known of the OCR goes into the sidecar as it is."""
    assert calibrate(StandIn(0.8), [], {}, 0, (0.7, 0.1))["misread"] == (0.7, 0.1)
