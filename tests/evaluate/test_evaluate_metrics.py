"""The measures, against figures worked out by hand."""

from itertools import combinations, pairwise
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pipkie_cli.evaluate import metrics


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("HELLO  World", ["hello world"], 1.0),  # case and white space do not count
        ("hallo", ["hello"], 0.8),  # 1 of 5
        ("9.00", ["RM 9.00"], 1 - 3 / 7),  # three insertions, 7 characters
        ("abcd", ["abxy"], 0.0),  # a distance of exactly one half is no hit
        ("abcde", ["abxye"], 0.6),
        ("kitten", ["dog", "sitting"], 1 - 3 / 7),  # the best of several right answers
        (None, ["x"], 0.0),
        ("x", [], 0.0),
        ("", [""], 1.0),
    ],
)
def test_anls(answer: str | None, references: list[str], expected: float) -> None:
    """ANLS is one minus the normalised distance to the nearest right answer, and nothing from one half on."""
    assert metrics.anls(answer, references) == pytest.approx(expected)


@given(st.text(alphabet="abcß漢", max_size=12), st.text(alphabet="abcß漢", max_size=12))
def test_distance_is_levenshteins(a: str, b: str) -> None:
    """The distance is the one that a well-known library counts."""
    assert metrics.edit_distance(a, b) == Levenshtein.distance(a, b)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("  INDAH GIFT & HOME  DECO. ", "Indah Gift & Home Deco", True),
        ("(R-17)", "r-17", True),
        ("STRASSE", "straße", True),
        ("＃１２", "12", True),  # full-width forms
        ("R-17", "R17", False),  # inside the text punctuation counts
        ("€ 5", "5", False),
        ("--", "", True),
    ],
)
def test_fold(a: str, b: str, same: bool) -> None:
    """Folding takes away case, white space and punctuation at the ends, and nothing inside."""
    assert (metrics.fold(a) == metrics.fold(b)) is same


def test_invented_rate_counts_values_on_absent_keys() -> None:
    """One value on four absent keys is a quarter; of no question there is no rate."""
    assert metrics.invented_rate([None, "17", None, None]) == 0.25
    assert isnan(metrics.invented_rate([]))


def test_f1_of_counts() -> None:
    """3 right of 4 given and 6 wanted: precision 3/4, recall 1/2, F1 0.6."""
    assert metrics.f1(right=3, given=4, wanted=6) == pytest.approx(0.6)
    assert isnan(metrics.f1(0, 0, 0))


def test_calibration_error_by_hand() -> None:
    """Two bins: 0.9 and 0.95 with one right of two (gap 0.425), 0.2 wrong (gap 0.2): (2 * 0.425 + 0.2) / 3."""
    judged = [(0.9, True), (0.95, False), (0.2, False)]
    assert metrics.calibration_error(judged) == pytest.approx((2 * 0.425 + 0.2) / 3)
    assert metrics.calibration_error([(1.0, True), (0.0, False)]) == 0.0
    assert metrics.calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == pytest.approx(0.0)
    assert isnan(metrics.calibration_error([]))


def test_coverage_takes_the_longest_safe_prefix() -> None:
    """With precision 0.75: 0.9 right, 0.8 wrong, 0.7 right, 0.6 right is 3 of 4 and all is taken: 4 of 8 wanted."""
    given_ = [(0.6, True), (0.9, True), (0.8, False), (0.7, True)]
    assert metrics.coverage_at_precision(given_, wanted=8, precision=0.75) == 0.5
    assert metrics.coverage_at_precision(given_, wanted=8) == 0.125  # at 99 % only the first
    assert metrics.coverage_at_precision([(0.9, True), (0.9, False)], wanted=2) == 0.0  # one confidence, one threshold
    assert isnan(metrics.coverage_at_precision([], wanted=0))


def test_mean_of_nothing_is_nan() -> None:
    """A mean of nothing is not 0, which would read as a bad result."""
    assert metrics.mean([1.0, 0.5]) == 0.75
    assert isnan(metrics.mean([]))


def test_micro_f1_adds_counts_before_it_divides() -> None:
    """1 right of 1 given and 1 wanted, 1 of 5 and 3: F1 is 4 / 10; the mean of the two F1 would be 0.62."""
    assert metrics.micro_f1([(1, 1, 1), (1, 5, 3)]) == pytest.approx(2 * 2 / (6 + 4))
    assert isnan(metrics.micro_f1([]))


def test_each_value_answers_one_wanted_value() -> None:
    """Two equal answers need two equal labels; the order of either does not matter."""
    pairs = metrics.pair_up(["a", "a", "b"], ["b", "a", "c"], lambda one, other: one == other)
    assert pairs == [(0, 1), (2, 0)]


@pytest.mark.parametrize(
    ("right", "pairs"),
    [
        ([[2, 0], [0, 2]], [(0, 0), (1, 1)]),
        ([[0, 2], [3, 0]], [(1, 0)]),  # crossing rows: the better of them; the order is kept
        ([[0, 3, 0], [0, 0, 3]], [(0, 1), (1, 2)]),  # the first wanted row was missed
        ([[3], [0]], [(0, 0)]),  # the second given row was invented
        ([[0, 0], [0, 1]], [(0, 0), (1, 1)]),  # a row wrong in every cell stands for the wanted one
        ([], []),
        ([[], []], []),
    ],
)
def test_rows_are_aligned_by_right_cells(right: list[list[int]], pairs: list[tuple[int, int]]) -> None:
    """The most right cells in sum, the order of the rows kept, and as many rows paired as that allows."""
    assert metrics.align_rows(right) == pairs


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=4))
def test_no_other_alignment_is_better(right: list[list[int]]) -> None:
    """Against every way to keep order."""
    best = 0
    for size in range(min(len(right), 3) + 1):
        for rows in combinations(range(len(right)), size):
            for columns in combinations(range(3), size):
                best = max(best, sum(right[i][j] for i, j in zip(rows, columns, strict=True)))
    pairs = metrics.align_rows(right)
    assert sum(right[i][j] for i, j in pairs) == best
    assert pairs == sorted(pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(pairs))


def test_the_curve_has_a_point_per_confidence() -> None:
    """0.9 right; 0.8 one right and one wrong together; 0.6 right: of 5 wanted values."""
    given_ = [(0.8, True), (0.6, True), (0.9, True), (0.8, False)]
    curve = metrics.coverage_curve(given_, wanted=5)
    assert curve == [(0.9, 0.2, 1.0), (0.8, 0.6, pytest.approx(2 / 3)), (0.6, 0.8, 0.75)]
    assert metrics.coverage_curve([], wanted=0) == []
