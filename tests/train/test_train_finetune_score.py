"""Held-out documents are judged as `pipkie eval` judges them, keys and cells alike."""

from pathlib import Path

import pytest
from finetune_tiny import ITEMS, NOTE

from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.nouns import DocumentId, Locale, Template
from pipkie_cli.pages import ReadDocument
from pipkie_cli.train import finetune_score
from pipkie_cli.train.finetune_score import score_documents

TEMPLATE = Template("note", "Note", (*NOTE.keys, ITEMS), Locale(decimal="."), (), (), "0" * 12, "note.yaml")
RULES = SetRules("notes", locale=TEMPLATE.locale, columns={"what": "items.name"})
READ = ReadDocument(DocumentId("a.pdf", "", 1), (), ())
NOTHING = Given(None, None, 0.9, None)


def said(text: str) -> Given:
    return Given(text, text, 0.8, None)


GIVEN = Asked(
    {"number": said("A-1"), "day": NOTHING, "total": NOTHING},
    {"items": ({"name": said("Tea"), "price": said("9.00")}, {"name": said("Cake"), "price": NOTHING})},
)
ROWS = ({"name": "Tea", "price": "1.50"}, {"name": "Cake", "price": "2.00"})


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A road that always gives the same."""

    class Road:
        def __init__(self, *_: object) -> None: ...

        def ask_all(self, *_: object) -> Asked:
            return GIVEN

    monkeypatch.setattr(finetune_score, "PipelineRoad", Road)


def scored(**label: object) -> dict[str, float]:
    one = Labelled(Path("a.pdf"), "a.pdf", "note", printed={}, **{"values": {}, "tables": {}, **label})  # type: ignore[arg-type]
    return dict(score_documents([(one, READ)], TEMPLATE, RULES, None).by_key)  # type: ignore[arg-type]


def test_keys_and_cells() -> None:
    """A key is right or wrong; a column has the F1 of its cells: one price of two given, none right."""
    assert scored(values={"number": ("A-1",), "total": ()}, tables={"items": ROWS}) == {
        "number": 1.0,
        "total": 1.0,
        "items.name": 1.0,
        "items.price": 0.0,
    }


def test_values_of_a_list_count_where_no_rows_are_labelled() -> None:
    """Two given, one wanted, one right."""
    assert scored(values={"what": ("Tea",)}) == {"items.name": pytest.approx(2 / 3)}
    assert scored(values={"what": ("Milk",)}, tables={"items": ROWS[:1]})["items.name"] == pytest.approx(2 / 3)


def test_rows_of_a_table_that_is_not_there_are_invented() -> None:
    """Each counts against its column."""
    assert scored(tables={"items": ()}) == {"items.name": 0.0, "items.price": 0.0}
