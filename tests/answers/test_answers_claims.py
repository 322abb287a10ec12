"""Pages that name different documents are told, if each is sure."""

import math

from pipkie_cli.answers import rival_answers
from pipkie_cli.nouns import Box, Candidate, Key, Window, Word

KEY = Key("number", "text", "number", required=True)


def window(page_index: int, text: str) -> Window:
    word = Word(text, Box(0.1, 0.1, 0.2, 0.12), 0, 0, "text")
    return Window(page_index, 3, 600, 800, 0, (word,), (Key("other", "text", "other"), KEY))


def guess(probability: float) -> tuple[tuple[Candidate, ...], ...]:
    one = (Candidate((0, 0), math.log(probability)), Candidate(None, math.log(1 - probability)))
    return one, one


def rivals(*pages: tuple[int, str, float]) -> list[str | None]:
    windows = [window(index, text) for index, text, _ in pages]
    found = rival_answers("number", windows, [guess(probability) for _, _, probability in pages])
    return [one.text for one in found]


def test_two_sure_numbers_are_rivals() -> None:
    """Each is told once, with its page; the same number in other print is no rival."""
    assert rivals((0, "R-17", 0.99), (1, "R-18", 0.99), (2, "r17", 0.99)) == ["R-17", "R-18"]
    found = rival_answers("number", [window(0, "A1"), window(2, "B2")], [guess(0.99)] * 2)
    assert [one.place.page_number for one in found if one.place] == [1, 3]


def test_a_doubtful_number_a_part_of_one_and_another_window_of_the_page_are_none() -> None:
    """One page claims one document, and a doubt is no claim."""
    assert rivals((0, "R-17", 0.99), (1, "R-18", 0.6)) == []
    assert rivals((0, "R-17", 0.99), (1, "R-17/2", 0.99)) == []
    assert rivals((0, "R-17", 0.99), (0, "R-18", 0.99)) == []
    assert rivals((0, "R-17", 0.99)) == []


def test_a_key_that_is_not_asked_has_no_rivals() -> None:
    """A table's name, a name of another template."""
    assert rival_answers("line_items", [window(0, "A"), window(1, "B")], [guess(0.99)] * 2) == ()
    assert rival_answers("number", [], []) == ()
