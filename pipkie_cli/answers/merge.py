"""One answer per key from the candidates of all windows.

Every window gives probabilities of its spans and of ABSENT. Their odds against ABSENT, p(span) / p(ABSENT), are what
windows can be compared by: P(span) = odds / (1 + all odds of all windows), which for one window is p(span) again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipkie_cli.answers.confidence import calibrated, read_right
from pipkie_cli.answers.provenance import place_of, text_of, trim
from pipkie_cli.answers.ticked import with_options
from pipkie_cli.answers.typed import fits_type
from pipkie_cli.nouns import Answer, Calibration, Candidate, Key, Window, Word
from pipkie_cli.words import is_currency_word

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
        answer_key(key, windows, [of_window[row] for of_window in candidates], calibration)
        for row, key in enumerate(windows[0].keys)
    )


def answer_key(
    key: Key, windows: Sequence[Window], candidates: Sequence[Sequence[Candidate]], calibration: Calibration
) -> Answer:
    """The answer of one key or cell, from its candidates in every window that asked it."""
    groups, all_odds = _grouped(key, windows, candidates)
    absent = Answer(key.name, None, calibrated(1 / (1 + all_odds), calibration.absent), None, None)
    ranked = _ranked(key, groups, math.exp(calibration.absent_margin))
    present = [_present(key, group, group.odds / (1 + all_odds), calibration) for group in ranked[:RUNNERS_UP]]
    if not ranked or ranked[0].odds <= math.exp(calibration.absent_margin):
        return replace(absent, runners_up=tuple(present))
    return replace(present[0], runners_up=(*present[1:], absent))


def _ranked(key: Key, groups: Sequence[_Group], least_odds: float) -> list[_Group]:
    """The likeliest first; but one that cannot be of the key's type stands behind the likeliest that can, where that is
    likelier than ABSENT: a VAT number is no amount. Where none can, what is printed stays, to be flagged as unparsable.
    """
    ranked = sorted(groups, key=lambda group: -group.odds)
    fitting = (one for one in ranked if one.odds > least_odds and fits_type(key.type, text_of(one.words), key.choices))
    best = next(fitting, None)
    return [best, *(one for one in ranked if one is not best)] if best else ranked


def _grouped(
    key: Key, windows: Sequence[Window], candidates: Sequence[Sequence[Candidate]]
) -> tuple[tuple[_Group, ...], float]:
    """The groups of equal text, and the odds of everything that is not ABSENT, named or not.

    A place that two overlapping windows share counts once, with the higher of its odds.
    """
    groups: dict[str, _Group] = {}
    places: dict[tuple[int, Word, Word], float] = {}
    all_odds = 0.0
    for window, of_window in zip(windows, candidates, strict=True):
        p_absent = max(LEAST_ABSENT, *(math.exp(one.score) for one in of_window if one.words is None))
        all_odds += (1 - p_absent) / p_absent
        for one in of_window:
            span = window.words[one.words[0] : one.words[1] + 1] if one.words else ()
            words = trim(span)
            if not words:
                continue
            odds = math.exp(one.score) / p_absent
            place = (window.page_index, span[0], span[-1])
            before = places.get(place, 0.0)
            places[place] = max(odds, before)
            all_odds -= min(odds, before)
            group = groups.setdefault(_said(key, words), _Group())
            group.odds += places[place] - before
            if odds > group.best:
                group.best, group.window, group.words = odds, window, words
    return tuple(groups.values()), all_odds


def _said(key: Key, words: Sequence[Word]) -> str:
    """What candidates must have in common to be one value: the text, an amount's without the sign of its currency."""
    if key.type == "amount":
        words = [word for word in words if not is_currency_word(word.text)] or words
    return text_of(words).casefold()


def _present(key: Key, group: _Group, probability: float, calibration: Calibration) -> Answer:
    assert group.window is not None
    words = with_options(group.window, group.words) if key.type == "boolean" else group.words
    source = "ocr" if any(word.source == "ocr" for word in words) else "text"
    pointed_right = calibrated(probability, calibration.ocr if source == "ocr" else calibration.text)
    return Answer(
        key=key.name,
        text=text_of(words),
        confidence=pointed_right * read_right(words, key.type, calibration.misread),
        place=place_of(group.window, words),
        source="ocr" if source == "ocr" else "text",
    )
