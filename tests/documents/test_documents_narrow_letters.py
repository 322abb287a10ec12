"""Letters whose strokes fill their box leave ink all the same: none of a sample's text is lost."""

from pathlib import Path

import pytest

from pipkie_cli.documents import open_document

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize(
    "name", ["invoice_english.pdf", "invoice_german.pdf", "invoice_french.pdf", "membership_form.pdf"]
)
def test_every_letter_that_is_printed_is_visible(name: str) -> None:
    """The l of "Mill" at 9 pt is two pixels of nothing but ink where ink is looked for."""
    with open_document(SAMPLES / name, shown=name) as document:
        hidden = [
            (glyph.text, "".join(one.text for one in page.glyphs[max(0, at - 8) : at + 8]))
            for page in document.pages()
            for at, glyph in enumerate(page.glyphs)
            if not glyph.visible
        ]
    assert hidden == []
