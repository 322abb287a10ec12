"""Causes of wrong answers, on a page of two lines."""

import pytest

from pipkie_cli.evaluate.causes import CAUSES, with_causes
from pipkie_cli.evaluate.compare import Judgement
from pipkie_cli.evaluate.judged import Given, Judged
from pipkie_cli.nouns import Box, Page, Word

TEXT = "Sold to Miller & Sons Ltd Invoice 4711 of 3 May Grand tota1 18.50"
PAGE = Page(
    0, 600, 800, 0, tuple(Word(text, Box(0, 0, 1, 1), 0, 0, "ocr") for text in TEXT.split()), "ocr", "pillow"
)  # places do not matter here


@pytest.mark.parametrize(
    ("expected", "got", "anls", "cause"),
    [
        ("", "4711", 0.0, "invented"),
        ("3 May", "3 may", 1.0, "marks or type"),
        ("Miller & Sons Ltd", "Miller & Sons", 0.7, "cut short"),
        ("Miller & Sons", "to Miller & Sons Ltd", 0.6, "too long"),
        ("Grand total", "Grand tota1", 0.9, "misread"),
        ("Smith Brothers", "Miller & Sons Ltd", 0.0, "not on the page"),
        ("Smith Brothers", None, 0.0, "not on the page"),
        ("Sons Miller", None, 0.0, "scattered"),
        ("4711", None, 0.0, "no answer"),
        ("4711", "18.50", 0.0, "another place"),
        ("Grand total 18.50", None, 0.0, "no answer"),  # most of it was read
    ],
)
def test_the_cause_of_a_wrong_answer(expected: str, got: str | None, anls: float, cause: str) -> None:
    """What was read of the page decides whether the model, the OCR or the label is to blame."""
    given = Given(got, got, 0.9, None)
    judged = Judged(
        "key", "labelled" if expected else "trap", (expected,) if expected else (), given, Judgement(anls, False, False)
    )
    (found,) = with_causes([judged], [PAGE], {})
    assert found.cause == cause
    assert cause in CAUSES


def test_right_answers_have_none_and_prints_count() -> None:
    """A normalised label is looked for as it is printed."""
    right = Judged("number", "labelled", ("4711",), Given("4711", "4711", 0.9, None), Judgement(1.0, True, True))
    wrong = Judged("date", "labelled", ("2020-05-03",), Given(None, None, 0.9, None), Judgement(0.0, False, False))
    found = with_causes([right, wrong], [PAGE], {"date": ("3 May",)})
    assert [one.cause for one in found] == ["", "no answer"]
