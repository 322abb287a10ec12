"""The options beside a yes or no are part of its text."""

import pytest

from pipkie_cli.answers.ticked import with_options
from pipkie_cli.nouns import Box, Key, Window, Word


def line_of(text: str) -> tuple[Word, ...]:
    return tuple(
        Word(word, Box(at / 20, 0.1, at / 20 + 0.04, 0.12), 0, 0, "text") for at, word in enumerate(text.split())
    )


@pytest.mark.parametrize(
    ("line", "at", "wanted"),
    [
        ("Police informed? Yes | X No Injuries", 2, "Yes | X No"),
        ("Police informed? Yes | X No", 5, "Yes | X No"),
        ("Insured: yes since May", 1, "yes"),
        ("☐ Ja ☒ Nein (bitte)", 1, "☐ Ja ☒ Nein"),
    ],
)
def test_the_row_of_options_is_the_answer(line: str, at: int, wanted: str) -> None:
    """Whichever word of it was pointed at; other words of the line are not."""
    words = line_of(line)
    window = Window(0, 1, 600, 800, 0, words, (Key("informed", "boolean", "informed"),))
    assert " ".join(word.text for word in with_options(window, words[at : at + 1])) == wanted
