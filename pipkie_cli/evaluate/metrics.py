"""The measures, as pure functions of texts, confidences and counts: no document, no file, no model.

Every figure that pipkie publishes about its answers is one of these; docs/measuring.md says which question each
one answers.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from math import nan
from typing import TypeVar

ANLS_THRESHOLD = 0.5  # of the normalised distance; the literature's value (Biten et al. 2019) and DESIGN 9's
T = TypeVar("T")
S = TypeVar("S")
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


def micro_f1(counts: Iterable[tuple[int, int, int]]) -> float:
    """Entity F1 over documents or keys, each as (right, given, wanted): counts are added up before they are divided, so
    a frequent key weighs more than a rare one. An entity is a key with one value; it is right when both are."""
    rows = list(counts)
    return f1(sum(row[0] for row in rows), sum(row[1] for row in rows), sum(row[2] for row in rows))


def pair_up(given: Sequence[T], wanted: Sequence[S], same: Callable[[T, S], bool]) -> list[tuple[int, int]]:
    """Which given value answers which wanted one: each counts once, in the order given."""
    free = list(range(len(wanted)))
    pairs = []
    for place, one in enumerate(given):
        found = next((other for other in free if same(one, wanted[other])), None)
        if found is not None:
            free.remove(found)
            pairs.append((place, found))
    return pairs


def align_rows(right: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """The pairs of (given row, wanted row) with the most right cells in sum, the order of both kept.

    `right[i][j]` is the number of right cells if given row i answers wanted row j. Rows that share no right cell are
    paired too where order allows: a row read wrongly in every cell is one wrong row, not one missing and one invented.
    """
    n_given, n_wanted = len(right), len(right[0]) if right else 0
    best = [[(0, 0)] * (n_wanted + 1) for _ in range(n_given + 1)]  # (right cells, pairs) of the rows from here on
    for i in range(n_given - 1, -1, -1):
        for j in range(n_wanted - 1, -1, -1):
            cells, pairs = best[i + 1][j + 1]
            best[i][j] = max((cells + right[i][j], pairs + 1), best[i + 1][j], best[i][j + 1])
    found = []
    i = j = 0
    while i < n_given and j < n_wanted:
        cells, pairs = best[i + 1][j + 1]
        if best[i][j] == (cells + right[i][j], pairs + 1):
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


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
    return max((taken for _, taken, right in _thresholds(given) if right >= precision * taken), default=0) / wanted


def coverage_curve(given: Sequence[tuple[float, bool]], wanted: int) -> list[tuple[float, float, float]]:
    """(threshold, coverage, precision) for every confidence that occurs, from the surest down: what one gets who takes
    every answer at least as sure as the threshold. Coverage is a share of `wanted` values."""
    return (
        [(threshold, taken / wanted, right / taken) for threshold, taken, right in _thresholds(given)] if wanted else []
    )


def _thresholds(given: Sequence[tuple[float, bool]]) -> Iterator[tuple[float, int, int]]:
    """(confidence, answers taken, right ones among them) from the surest down; equal confidences go in together."""
    taken = right = 0
    for confidence, group in groupby(sorted(given, key=lambda pair: -pair[0]), key=lambda pair: pair[0]):
        for _, is_right in group:
            taken += 1
            right += is_right
        yield confidence, taken, right
