"""`pipkie eval --types`: right document types are counted over a mixed lot."""

from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli.errors import DamagedFile
from pipkie_cli.evaluate import types
from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.nouns import Box, DocumentId, Input, Page, RunOptions, Word
from pipkie_cli.pages import ReadDocument

TEXTS = {
    "a": "INVOICE invoice number 17 invoice date 1 May amount due 9.00 bill to Ann",
    "b": "INVOICE invoice number 18 invoice date 2 May amount due 8.00 bill to Ben",
    "c": "Dear Ann, the weather is fine and nothing is due",
}


def labelled(name: str, document_type: str) -> Labelled:
    return Labelled(Path(name), name, document_type, {}, {})


def read(document: Input, options: RunOptions, cache: object) -> ReadDocument:
    if document.shown not in TEXTS:
        raise DamagedFile("no page can be read", hint="scan it again")
    words = tuple(
        Word(text, Box(0.05 * place, 0.1, 0.05 * place + 0.04, 0.11), 0, 0, "text")
        for place, text in enumerate(TEXTS[document.shown].split())
    )
    page = Page(0, 595, 842, 0, words, "text", None)
    return ReadDocument(DocumentId(document.shown, "0" * 64, 1), (page,), ())


def test_right_types_are_counted_per_set_and_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A labelled type without a template is right where none fits; a file that fails has no type."""
    monkeypatch.setattr(types, "read_pages", read)
    lots = [
        types.TypePlan("mixed", (labelled("a", "invoice"), labelled("b", "receipt"), labelled("c", "letter"))),
        types.TypePlan("broken", (labelled("x", "partial_invoice"), labelled("a", "corrected_invoice"))),
    ]
    told: list[None] = []
    found = types.run_types(lots, None, lambda: told.append(None))
    mixed, broken = found.figures["sets"]
    assert (mixed["documents"], mixed["right"]) == (3, 2)
    assert mixed["wrong"] == [{"label": "receipt", "chosen": "invoice", "count": 1}]
    assert broken["wrong"] == [{"label": "partial_invoice", "chosen": types.NONE, "count": 1}]
    assert (found.figures["all"]["right"], found.figures["all"]["accuracy"]) == (3, 0.6)
    assert len(told) == 5
    assert "mixed: 1 x receipt -> invoice" in found.table()


def test_types_take_no_template(pipkie: Pipkie, desk: Path) -> None:
    """All shipped templates are weighed: one that is named would be no choice."""
    for option in (("-t", "note.yaml"), ("--facts",), ("-o", "looked_at")):
        ended = pipkie("eval", "--data", "set", "--types", *option)
        assert (ended.code, "--types goes without --template, --facts, --audit and -o" in ended.err) == (2, True)
