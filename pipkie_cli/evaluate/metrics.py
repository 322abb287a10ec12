"""The measures, as pure functions of texts, confidences and counts: no document, no file, no model.

Every figure that pipkie publishes about its answers is one of these; docs/measuring.md says which question each
one answers.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import nan

ANLS_THRESHOLD = 0.5  # of the normalised distance; the literature's value (Biten et al. 2019) and DESIGN 9's
CALIBRATION_BINS = 10  # of equal width, the usual number (Guo et al. 2017)


def fold(text: str) -> str:
    """Text for comparing: NFKC, lower case, runs of white space to one space, no punctuation at the ends."""
    spaced = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    start, stop = 0, len(spaced)
    while start < stop and not _is_content(spaced[start]):
        start += 1
    while stop > start and not _is_content(spaced[stop - 1]):
        stop -= 1
    return spaced[start:stop]


def _is_content(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LNM" or category == "Sc"  # a currency sign is content; a dash, bracket or bar is not


def edit_distance(a: str, b: str) -> int:
    """Levenshtein distance: the fewest insertions, deletions and substitutions of one character."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


def anls(answer: str | None, references: Sequence[str]) -> float:
    """Average normalised Levenshtein similarity of one answer; None is "no value".

    NL(a, r) = distance(a, r) / max(len(a), len(r)); s(a, r) = 1 - NL where NL < 0.5, else 0; the result is the
    largest s over the references (Biten et al., "Scene Text Visual Question Answering", 2019, eq. 1). Texts are
    lower-cased and runs of white space count as one space; punctuation counts. A similarity of exactly 0.5 is 0.
    """
    if answer is None:
        return 0.0
    return max((_similarity(_plain(answer), _plain(reference)) for reference in references), default=0.0)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _similarity(a: str, b: str) -> float:
    longest = max(len(a), len(b))
    if longest == 0:
        return 1.0
    distance = edit_distance(a, b) / longest
    return 1.0 - distance if distance < ANLS_THRESHOLD else 0.0


def mean(figures: Iterable[float]) -> float:
    """The arithmetic mean; NaN of nothing, which a report shows as "-"."""
    values = list(figures)
    return sum(values) / len(values) if values else nan


def invented_rate(answers: Sequence[str | None]) -> float:
    """Share of questions whose key the page is known not to hold that got a value all the same."""
    return mean(float(answer is not None) for answer in answers)


def f1(right: int, given: int, wanted: int) -> float:
    """Harmonic mean of precision (right/given) and recall (right/wanted), that is 2 right / (given + wanted)."""
    return 2 * right / (given + wanted) if given + wanted else nan


def calibration_error(judged: Sequence[tuple[float, bool]], bins: int = CALIBRATION_BINS) -> float:
    """Expected calibration error of (confidence, right) pairs: 0 where a confidence of 0.8 is right 8 times in 10.

    Sum over bins of equal width of |share right - mean confidence| * n_bin / n (Guo et al., "On Calibration of
    Modern Neural Networks", 2017, eq. 3). A confidence on an edge belongs to the upper bin, 1.0 to the last.
    """
    if not judged:
        return nan
    filled: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        filled.setdefault(min(int(confidence * bins), bins - 1), []).append((confidence, right))
    gaps = (
        abs(sum(right for _, right in bin_) - sum(confidence for confidence, _ in bin_)) for bin_ in filled.values()
    )
    return sum(gaps) / len(judged)


def coverage_at_precision(given: Sequence[tuple[float, bool]], wanted: int, precision: float = 0.99) -> float:
    """Share of `wanted` values that could be taken unseen: the most answers, from the surest down, of which at least
    `precision` are right.

    `given` holds (confidence, right) of every answer with a value. Answers of equal confidence go in together, as a
    threshold would take them.
    """
    if not wanted:
        return nan
    best = taken = right = 0
    ordered = sorted(given, key=lambda pair: -pair[0])
    for _, group in groupby(ordered, key=lambda pair: pair[0]):
        for _, is_right in group:
            taken += 1
            right += is_right
        if right >= precision * taken:
            best = taken
    return best / wanted
