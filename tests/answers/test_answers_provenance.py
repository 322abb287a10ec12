"""Text of a value: as printed, without what belongs to the label or to the line it is written on."""

import pytest

from pipkie_cli.answers.provenance import text_of
from pipkie_cli.nouns import Box, Word

BOX = Box(0.1, 0.1, 0.2, 0.12)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((":29/03/2018",), "29/03/2018"),
        (("_27",), "27"),
        (("__12", "Main", "Street_"), "12 Main Street"),
        ((":", "12:30"), "12:30"),
        (("file_name",), "file_name"),
        (("Total:",), "Total:"),  # a colon behind is no label's, or the span is wrong: shown as it is
        (("__",), "__"),
    ],
)
def test_label_colons_and_underlines_are_not_part_of_a_value(words: tuple[str, ...], text: str) -> None:
    assert text_of(tuple(Word(word, BOX, 0, 0, "ocr") for word in words)) == text
