"""Glued words are cut where two things meet, and joined again as they were printed."""

import pytest

from pipkie_cli.nouns import Box, Word
from pipkie_cli.words import join_words, split_words


def parts(text: str) -> list[str]:
    return [word.text for word in split_words([Word(text, Box(0.1, 0.1, 0.5, 0.12), 0, 0, "text")])[0]]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Date:25/12/2018", ["Date:", "25/12/2018"]),
        ("RM12.50", ["RM", "12.50"]),
        ("TOTAL9.00", ["TOTAL", "9.00"]),
        ("25/12/201812:30", ["25/12/2018", "12:30"]),
        ("05/08/20-05/12/20", ["05/08/20", "-", "05/12/20"]),  # a value is a run of words: neither date was one
        ("1.2.2020–31.12.2020", ["1.2.2020", "–", "31.12.2020"]),
        ("https://a.example", ["https://a.example"]),
        ("12:30", ["12:30"]),
        ("1242/1255/8733", ["1242/1255/8733"]),
        ("192.168.1.1-192.168.1.9", ["192.168.1.1-192.168.1.9"]),
        ("10.00-12.00", ["10.00-12.00"]),
        ("2020-05-08", ["2020-05-08"]),
    ],
)
def test_where_a_word_is_cut(text: str, cut: list[str]) -> None:
    """Nothing is lost, and a split page splits no further."""
    words = split_words([Word(text, Box(0.1, 0.1, 0.5, 0.12), 0, 0, "text")])[0]
    assert [word.text for word in words] == cut
    assert join_words(words) == text
    assert split_words(words)[0] == words
