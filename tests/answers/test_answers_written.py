"""What a model wrote on the sheets of a document becomes one answer per key."""

import math

import pytest

from pipkie_cli.answers import answer_written, rival_sheets
from pipkie_cli.nouns import Answer, Box, Calibration, Key, Place, Written

NUMBER = Key("number", "text", "number")
TOTAL = Key("total", "amount", "total")
UNKNOWN = Written(None, math.log(0.9))


def text(said: str, probability: float, page: int = 1, passes: int = 1, *flags: str) -> Written:
    return Written(said, math.log(probability), Place(page, (Box(0, 0, 1, 1),)), flags, passes)


def answer(key: Key, *written: Written, calibration: Calibration = Calibration()) -> Answer:  # noqa: B008  # frozen
    """Of one key, from a sheet each."""
    (found,) = answer_written([key], [(one,) for one in written], calibration)
    return found


def test_a_key_is_absent_where_every_sheet_says_so() -> None:
    """With the probability that all of them are right."""
    found = answer(NUMBER, UNKNOWN, UNKNOWN)
    assert (found.text, found.source, found.place) == (None, None, None)
    assert found.confidence == pytest.approx(0.81)


def test_a_sheet_speaks_for_its_own_pages() -> None:
    """The sheet that holds the key is believed, however sure the others are of themselves."""
    found = answer(NUMBER, UNKNOWN, text("N-17", 0.6, 3), UNKNOWN)
    assert (found.text, found.source) == ("N-17", "pixels")
    assert found.confidence == pytest.approx(0.6)
    assert found.place is not None
    assert found.place.page_number == 3


def test_the_likeliest_text_is_taken_and_the_others_follow() -> None:
    """The same text, in whatever case, counts once, where it is likeliest."""
    found = answer(NUMBER, text("x", 0.2), text("ab", 0.5, 2), text("AB", 0.7, 3))
    assert (found.text, found.confidence) == ("AB", pytest.approx(0.7))
    assert [(one.text, one.source) for one in found.runners_up] == [("x", "pixels")]


def test_a_text_that_cannot_be_of_the_type_stands_behind() -> None:
    """An address is no amount; where nothing is one, what was written stays, to be flagged."""
    assert answer(TOTAL, text("Main Street", 0.9), text("12.50", 0.4)).text == "12.50"
    assert answer(TOTAL, text("Main Street", 0.9), text("Nowhere", 0.4)).text == "Main Street"


def test_an_empty_value_is_none() -> None:
    """Nor is one of blanks and of what no page prints."""
    found = answer(NUMBER, text(" \u200b\n", 0.8))
    assert (found.text, found.confidence) == (None, pytest.approx(0.8))


def test_flags_come_along() -> None:
    """Those of the model, and that a value took several passes."""
    assert answer(NUMBER, text("a", 0.5, 1, 3, "value_truncated")).flags == ("value_truncated", "refined")


def test_pixels_have_a_calibration_of_their_own() -> None:
    """Scale and shift of what was written; ABSENT has the one that every model has."""
    fitted = Calibration(text=(9.0, 9.0), ocr=(9.0, 9.0), pixels=(1.0, -1.0), absent=(1.0, 1.0))
    odds = math.exp(math.log(0.6 / 0.4) - 1)
    assert answer(NUMBER, text("a", 0.6), calibration=fitted).confidence == pytest.approx(odds / (1 + odds))
    odds = math.exp(math.log(0.9 / 0.1) + 1)
    assert answer(NUMBER, UNKNOWN, calibration=fitted).confidence == pytest.approx(odds / (1 + odds))


def test_without_a_sheet_every_key_is_surely_absent() -> None:
    """No page was drawn, so none holds it."""
    (found,) = answer_written([NUMBER], [], Calibration())
    assert found.text is None


def test_sheets_may_name_different_documents() -> None:
    """Each sure of its own number: one that is a part of the other is the same."""
    sure = [(text("N-17", 0.95),), (text("n 17", 0.95, 2),), (text("X-99", 0.95, 3),)]
    assert [one.text for one in rival_sheets("number", [NUMBER], sure)] == ["N-17", "X-99"]
    assert rival_sheets("number", [NUMBER], sure[:2]) == ()
    assert rival_sheets("number", [NUMBER], [*sure[:1], (text("X-99", 0.5),)]) == ()
    assert rival_sheets("other", [NUMBER], sure) == ()
