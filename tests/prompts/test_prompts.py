"""Windows hold what fits into one forward, and keys are asked in a stable way."""

import itertools

import pytest

from pipkie_cli.nouns import Box, Key, Locale, Page, Template, Word
from pipkie_cli.prompts import alias_text, fold, label_phrases, make_windows
from pipkie_cli.prompts.window import MAX_WORDS, OVERLAP

TEMPLATE = Template("t", "T", (Key("total", "amount", "total"),), Locale(), (), (), "0", "t.yaml")


def page_of(n_words: int, page_index: int = 0) -> Page:
    words = tuple(Word(f"w{i}", Box(0, 0, 0.1, 0.1), i, i, "text") for i in range(n_words))
    return Page(page_index, 100, 100, 0, words, "text", None)


@pytest.mark.parametrize("n_words", [1, MAX_WORDS, MAX_WORDS + 1, 3 * MAX_WORDS])
def test_windows_cover_every_word_and_overlap(n_words: int) -> None:
    """No word is lost, no window is too long, and a value of OVERLAP words is whole in one window."""
    windows = make_windows([page_of(n_words)], TEMPLATE)
    spans = [(int(w.words[0].text[1:]), int(w.words[-1].text[1:])) for w in windows]
    assert spans[0][0] == 0
    assert spans[-1][1] == n_words - 1
    assert all(last - first < MAX_WORDS for first, last in spans)
    assert all(before[1] - after[0] + 1 == OVERLAP for before, after in itertools.pairwise(spans))


def test_pages_keep_their_number_and_blank_ones_give_no_window() -> None:
    """A blank page has nothing to read; the others say which page of how many they are."""
    windows = make_windows([page_of(3), page_of(0, 1), page_of(2, 2)], TEMPLATE)
    assert [(w.page_index, w.page_count) for w in windows] == [(0, 3), (2, 3)]


def test_fold_joins_printings_of_one_label() -> None:
    """Case, accents, blanks and punctuation do not make another label."""
    assert fold("N° de Facture :") == fold("nº DE FACTURE") == "nodefacture"
    assert fold("Fällig am") == "falligam"


def test_alias_text_falls_back_to_the_prompt() -> None:
    """A key without aliases is still asked with two texts."""
    assert alias_text(Key("a", "text", "the a")) == "the a"
    assert alias_text(Key("a", "text", "the a", ("b", "c"))) == "b, c"
    assert label_phrases(Key("a", "text", "Total", ("TOTAL", "Sum"))) == ("total", "sum")
