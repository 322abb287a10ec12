"""A labelled value is found where it is printed, and nowhere else."""

import pytest
from tiny import words_of

from pipkie_cli.train.align import MAX_SPAN_WORDS, find_spans

WORDS = words_of(("ACME Tools Sdn. Bhd.", "Total : 12.50", "Cash 12.50", "No. 4 High Street, Kajang", "12.05"))
TEXTS = [word.text for word in WORDS]


def test_every_place_that_prints_the_value_counts() -> None:
    """A total printed twice has two right answers; a number that only looks like it has none."""
    assert find_spans(WORDS, "12.50") == ((6, 6), (8, 8))


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("acme tools sdn bhd", ["ACME", "Tools", "Sdn.", "Bhd."]),  # case and marks do not matter
        ("No 4, High Street, Kajang", ["No.", "4", "High", "Street,", "Kajang"]),
        ("ACNE Tools Sdn. Bhd.", ["ACME", "Tools", "Sdn.", "Bhd."]),  # OCR misread one letter
        ("Kajang", ["Kajang"]),
    ],
)
def test_a_value_is_a_run_of_words(value: str, printed: list[str]) -> None:
    """One span, from its first to its last word."""
    ((first, last),) = find_spans(WORDS, value)
    assert TEXTS[first : last + 1] == printed


@pytest.mark.parametrize("value", ["", " - ", "99.00", "BETA TOOLS LTD", "Kajang High Street"])
def test_what_is_not_printed_is_not_found(value: str) -> None:
    """Nothing, another value, the words in another order."""
    assert find_spans(WORDS, value) == ()


def test_the_best_likeness_wins() -> None:
    """The value itself beats a place that is one letter off."""
    words = words_of(("INV-2018-00471", "INV-2018-00417"))
    assert find_spans(words, "INV-2018-00417") == ((1, 1),)


def test_marks_between_words_belong_to_no_value_at_its_ends() -> None:
    """A lone colon may lie inside a value but never begins or ends one."""
    words = words_of((": ACME : Tools :",))
    assert find_spans(words, "ACME Tools") == ((1, 3),)


def test_long_values_end() -> None:
    """No span is longer than MAX_SPAN_WORDS, whatever is labelled."""
    words = words_of((" ".join("ab" for _ in range(60)),))
    assert all(last - first < MAX_SPAN_WORDS for first, last in find_spans(words, "ab" * 39))
    assert find_spans(words, "ab" * 60) == ()
