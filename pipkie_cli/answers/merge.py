"""One answer per key from the candidates of all windows.

Every window gives probabilities of its spans and of ABSENT. Their odds against ABSENT, p(span) / p(ABSENT), are what
windows can be compared by: P(span) = odds / (1 + all odds of all windows), which for one window is p(span) again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipkie_cli.answers.confidence import calibrated
from pipkie_cli.answers.provenance import place_of, trim
from pipkie_cli.nouns import Answer, Calibration, Candidate, Window, Word
from pipkie_cli.words import join_words

LEAST_ABSENT = 1e-12  # of p(ABSENT), so that odds stay finite
RUNNERS_UP = 4


@dataclass(slots=True)
class _Group:
    """All places of a document that print one text."""

    odds: float = 0.0
    best: float = -1.0  # odds of its likeliest place
    window: Window | None = None
    words: tuple[Word, ...] = field(default=())


def answer_keys(
    windows: Sequence[Window],
    candidates: Sequence[Sequence[Sequence[Candidate]]],
    calibration: Calibration = Calibration(),  # noqa: B008  # frozen
) -> tuple[Answer, ...]:
    """The answers of all keys of the windows' template, in its order.

    candidates[w][k]: those of key k in window w, always with one whose `words` is None (ABSENT).
    """
    if not windows:
        return ()
    return tuple(
        _answer(key.name, windows, [of_window[row] for of_window in candidates], calibration)
        for row, key in enumerate(windows[0].keys)
    )


def _answer(
    key: str, windows: Sequence[Window], candidates: Sequence[Sequence[Candidate]], calibration: Calibration
) -> Answer:
    groups, all_odds = _grouped(windows, candidates)
    p_absent = 1 / (1 + all_odds)
    absent = Answer(key, None, calibrated(p_absent, calibration.absent), None, None)
    present = sorted(
        (_present(key, group, group.odds / (1 + all_odds), calibration) for group in groups),
        key=lambda answer: -answer.confidence,
    )
    if not present:
        return absent
    likeliest = max(group.odds for group in groups)
    if math.log(max(likeliest, LEAST_ABSENT)) <= calibration.absent_margin:
        return replace(absent, runners_up=tuple(present[:RUNNERS_UP]))
    return replace(present[0], runners_up=(*present[1:RUNNERS_UP], absent))


def _grouped(windows: Sequence[Window], candidates: Sequence[Sequence[Candidate]]) -> tuple[tuple[_Group, ...], float]:
    """The groups of equal text, and the odds of everything that is not ABSENT, named or not."""
    groups: dict[str, _Group] = {}
    all_odds = 0.0
    for window, of_window in zip(windows, candidates, strict=True):
        p_absent = max(LEAST_ABSENT, *(math.exp(one.score) for one in of_window if one.words is None))
        all_odds += (1 - p_absent) / p_absent
        for one in of_window:
            if one.words is None:
                continue
            words = trim(window.words[one.words[0] : one.words[1] + 1])
            if not words:
                continue
            group = groups.setdefault(join_words(words).casefold(), _Group())
            odds = math.exp(one.score) / p_absent
            group.odds += odds
            if odds > group.best:
                group.best, group.window, group.words = odds, window, words
    return tuple(groups.values()), all_odds


def _present(key: str, group: _Group, probability: float, calibration: Calibration) -> Answer:
    assert group.window is not None
    source = "ocr" if any(word.source == "ocr" for word in group.words) else "text"
    return Answer(
        key=key,
        text=join_words(group.words),
        confidence=calibrated(probability, calibration.ocr if source == "ocr" else calibration.text),
        place=place_of(group.window, group.words),
        source="ocr" if source == "ocr" else "text",
    )
