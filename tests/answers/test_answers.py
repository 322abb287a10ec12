"""One answer per key: equal texts add up, windows are merged by odds, ABSENT wins where it is likelier."""

import math
from dataclasses import replace

import pytest

from pipkie_cli.answers import answer_keys
from pipkie_cli.nouns import Box, Calibration, Candidate, Key, Window, Word

KEYS = (Key("total", "amount", "total"),)


def window(texts: list[str], page_index: int = 0, turn: int = 0, source: str = "text") -> Window:
    words = tuple(
        Word(text, Box(i / 10, 0.1, i / 10 + 0.05, 0.2), i // 3, i // 3, source)  # type: ignore[arg-type]
        for i, text in enumerate(texts)
    )
    return Window(page_index, 2, 100, 100, turn, words, KEYS)  # type: ignore[arg-type]


def guess(words: tuple[int, int] | None, p: float) -> Candidate:
    return Candidate(words, math.log(p))


def test_one_window_keeps_its_probabilities() -> None:
    """For one window and no calibration the confidence is the model's probability."""
    (answer,) = answer_keys([window(["a", "b"])], [[[guess((0, 0), 0.7), guess((1, 1), 0.1), guess(None, 0.2)]]])
    assert answer.text == "a"
    assert answer.confidence == pytest.approx(0.7)
    assert [r.text for r in answer.runners_up] == ["b", None]


def test_equal_texts_add_up() -> None:
    """A total printed twice is one value: two places of 0.3 beat another text with 0.35."""
    candidates = [[[guess((0, 0), 0.35), guess((1, 1), 0.3), guess((2, 2), 0.3), guess(None, 0.05)]]]
    (answer,) = answer_keys([window(["8.00", "9.00", "9.00"])], candidates)
    assert answer.text == "9.00"
    assert answer.confidence == pytest.approx(0.6)


def test_absent_wins_where_it_is_likelier_than_any_text() -> None:
    """ABSENT is an answer with its own probability; what was second best is kept for explain."""
    (answer,) = answer_keys([window(["a"])], [[[guess(None, 0.8), guess((0, 0), 0.2)]]])
    assert answer.text is None
    assert answer.place is None
    assert answer.confidence == pytest.approx(0.8)
    assert answer.runners_up[0].text == "a"


def test_windows_are_merged_by_odds() -> None:
    """A page that surely lacks the key does not outvote the page that holds it."""
    windows = [window(["a"]), window(["b"], page_index=1)]
    candidates = [[[guess((0, 0), 0.9), guess(None, 0.1)]], [[guess(None, 0.99), guess((0, 0), 0.01)]]]
    (answer,) = answer_keys(windows, candidates)
    assert answer.text == "a"
    assert answer.place is not None
    assert answer.place.page_number == 1
    assert answer.confidence == pytest.approx(9 / (1 + 9 + 1 / 99))


def test_an_order_of_windows_does_not_matter() -> None:
    """Merging is symmetric."""
    windows = [window(["a"]), window(["b"], page_index=1)]
    candidates = [[[guess((0, 0), 0.6), guess(None, 0.4)]], [[guess((0, 0), 0.7), guess(None, 0.3)]]]
    forward = answer_keys(windows, candidates)[0]
    backward = answer_keys(windows[::-1], candidates[::-1])[0]
    assert (forward.text, forward.confidence) == (backward.text, pytest.approx(backward.confidence))


def test_a_value_over_lines_has_a_box_per_line_on_the_page_as_displayed() -> None:
    """Boxes are one per printed line and turned back to the page as displayed."""
    (answer,) = answer_keys([window(["1", "2", "3", "4"], turn=180)], [[[guess((2, 3), 0.9), guess(None, 0.1)]]])
    assert answer.text == "3 4"
    assert answer.place is not None
    assert answer.place.boxes[0].left == pytest.approx(1 - 0.25)
    assert answer.place.boxes[0].top == pytest.approx(0.8)
    assert len(answer.place.boxes) == 2


def test_lone_marks_at_the_ends_are_no_part_of_a_value() -> None:
    """The colon between label and value is cut off; a value of marks alone is no value."""
    (answer,) = answer_keys([window([":", "A-1", "-"])], [[[guess((0, 2), 0.9), guess(None, 0.1)]]])
    assert answer.text == "A-1"
    (answer,) = answer_keys([window(["--"])], [[[guess((0, 0), 0.9), guess(None, 0.1)]]])
    assert answer.text is None


def test_calibration_differs_by_source_and_the_margin_guards_absent() -> None:
    """Doubtful photos get another confidence than clean text; a margin asks for more than a bare majority."""
    calibration = Calibration(text=(1.0, 0.0), ocr=(1.0, -1.0), absent_margin=math.log(3))
    candidates = [[[guess((0, 0), 0.8), guess(None, 0.2)]]]
    text = answer_keys([window(["a"])], candidates, calibration)[0]
    ocr = answer_keys([window(["a"], source="ocr")], candidates, calibration)[0]
    assert text.confidence == pytest.approx(0.8)
    assert ocr.confidence < text.confidence
    narrow = [[[guess((0, 0), 0.6), guess(None, 0.4)]]]
    assert answer_keys([window(["a"])], narrow, calibration)[0].text is None


def test_words_that_ocr_doubts_make_a_value_doubtful() -> None:
    """A name with two unsure letters may be misread, whatever the model thinks of its place; a number less so; the
    words of a text layer are what they are."""
    calibration = Calibration(misread=(0.5, 0.1))
    unsure = window(["Ann", "Example"], source="ocr")
    unsure = replace(unsure, words=tuple(replace(word, score=0.8) for word in unsure.words))
    candidates = [[[guess((0, 1), 0.9), guess(None, 0.1)]]]
    for type_name, rate in (("text", 0.5), ("amount", 0.1)):
        asked = replace(unsure, keys=(Key("k", type_name, "k"),))
        (answer,) = answer_keys([asked], candidates, calibration)
        assert answer.confidence == pytest.approx(0.9 * math.exp(-rate * 10 * 0.2))
    (answer,) = answer_keys([window(["Ann", "Example"])], candidates, calibration)
    assert answer.confidence == pytest.approx(0.9)


def test_a_text_that_cannot_be_of_the_type_stands_behind_one_that_can() -> None:
    """A VAT number is no amount: the next candidate is taken if it is likelier than ABSENT, at its own confidence."""
    texts = ["DE123456789", "198,00"]
    likely = [[[guess((0, 0), 0.6), guess((1, 1), 0.3), guess(None, 0.1)]]]
    (answer,) = answer_keys([window(texts)], likely)
    assert answer.text == "198,00"
    assert answer.confidence == pytest.approx(0.3)
    assert answer.runners_up[0].text == "DE123456789"
    unlikely = [[[guess((0, 0), 0.6), guess((1, 1), 0.1), guess(None, 0.3)]]]
    (answer,) = answer_keys([window(texts)], unlikely)
    assert answer.text == "DE123456789"  # what is printed stays, to be flagged as unparsable


def test_a_place_in_two_overlapping_windows_counts_once() -> None:
    """A long page is read in windows that overlap: a value in both is no likelier for it."""
    both = window(["9.00"])
    candidates = [[[guess((0, 0), 0.6), guess(None, 0.4)]], [[guess((0, 0), 0.5), guess(None, 0.5)]]]
    (answer,) = answer_keys([both, both], candidates)
    assert answer.confidence == pytest.approx(0.6)


def test_an_amount_is_the_same_with_and_without_its_currency() -> None:
    """Two readings of one place add up; the likelier one is what is shown as printed."""
    words = ["£", "778.20", "700.00"]
    candidates = [[[guess((1, 1), 0.35), guess((0, 1), 0.2), guess((2, 2), 0.4), guess(None, 0.05)]]]
    (answer,) = answer_keys([window(words)], candidates)
    assert answer.text == "778.20"
    assert answer.confidence == pytest.approx(0.55)
