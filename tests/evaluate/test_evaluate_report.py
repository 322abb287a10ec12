"""From answers to figures, on a road that answers as it is told."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pipkie_cli.errors import DamagedFile, OutputError
from pipkie_cli.evaluate.datasets import Labelled, SetRules
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.evaluate.measure import Measured, measure, not_asked
from pipkie_cli.evaluate.output import with_caption, worst_first, write_answers
from pipkie_cli.evaluate.report import figures_of, table_of
from pipkie_cli.evaluate.traps import TRAPS
from pipkie_cli.nouns import Box, DocumentId, Key, Locale, Page, Template, Word
from pipkie_cli.pages import ReadDocument

KEYS = (Key("company", "text", "company"), Key("total", "amount", "total"))
TEMPLATE = Template("receipt", "Receipt", KEYS, Locale(), (), (), "0" * 12, "receipt.yaml")
RULES = SetRules("mine", locale=Locale(decimal="."))


class ToldRoad:
    """Answers by the document's name; an unknown name is a damaged file. Traps get what `trap` says."""

    def __init__(self, answers: dict[str, dict[str, Given]], trap: Given) -> None:
        self.answers, self.trap = answers, trap

    def read(self, document: Labelled) -> ReadDocument:
        if document.shown not in self.answers:
            raise DamagedFile(f"{document.shown} is damaged")
        words = (Word("contract", Box(0, 0, 1, 1), 0, 0, "text"),)
        page = Page(0, 600.0, 800.0, 0, words, "text", None)
        return ReadDocument(DocumentId(document.shown, "", 1), (page,), ())

    def ask_all(self, read: ReadDocument, template: Template, traps: Sequence[Key]) -> Asked:
        absent = Given(None, None, 1.0, None)
        caught = {key.name: self.trap if place == 0 else absent for place, key in enumerate(traps)}
        return Asked(self.answers[read.id.path], traps=caught)

    def choose(self, read: ReadDocument) -> str | None:
        return "receipt" if read.id.path == "a" else None


def labelled(shown: str, **values: tuple[str, ...]) -> Labelled:
    return Labelled(Path(shown), shown, "receipt", values, {})


DOCUMENTS = (
    labelled("a", company=("ACME LTD",), total=("9.00",)),
    labelled("b", company=("BETA",), total=(), phone=("1",)),
    labelled("c", company=("GAMMA",)),
)
ROAD = ToldRoad(
    {
        "a": {"company": Given("Acme Ltd", "Acme Ltd", 0.9, None), "total": Given("9.00", 9, 0.8, None)},
        "b": {"company": Given("BETX", "BETX", 0.95, None), "total": Given("3.00", 3, 0.6, None)},
    },
    Given("17", "17", 0.7, None),
)


@pytest.fixture(scope="module")
def measured() -> tuple[Measured, ...]:
    """Three documents: one right, one with a wrong and an invented value, one that cannot be read."""
    return tuple(measure(DOCUMENTS, ROAD, TEMPLATE, RULES))


@pytest.fixture(scope="module")
def figures(measured: tuple[Measured, ...]) -> dict[str, Any]:
    return figures_of(measured)


def test_figures_by_hand(figures: dict[str, Any]) -> None:
    """company: 1, 0.75 and nothing of 3; total: one right, and one invented of one absent."""
    company, total = figures["keys"]["company"], figures["keys"]["total"]
    assert (company["n"], company["given"], total["n"]) == (3, 2, 1)
    assert company["anls"] == pytest.approx(1.75 / 3, abs=1e-6)
    assert company["exact"] == pytest.approx(1 / 3, abs=1e-6)
    assert company["f1"] == pytest.approx(2 * 1 / (2 + 3), abs=1e-6)
    assert total["anls"] == total["typed"] == 1.0
    assert (total["absent"], total["invented"]) == (1, 1)
    assert figures["mean"]["anls"] == pytest.approx((1.75 / 3 + 1) / 2, abs=1e-6)
    assert figures["absent"] == {"n": 1, "invented": 1, "rate": 1.0}


def test_a_failed_document_counts_as_unanswered(figures: dict[str, Any]) -> None:
    """Its keys are asked, its error code is reported, it has no type."""
    assert figures["documents"] == 3
    assert figures["failed"] == {"damaged_file": 1}
    assert figures["types"] == {"receipt": {"none": 1, "receipt": 1}}


def test_traps_count_pages_that_were_asked(figures: dict[str, Any]) -> None:
    """The page names a contract: one trap fewer, on the two documents that were read; one value on each."""
    asked = 2 * (len(TRAPS) - 1)
    assert figures["traps"] == {"n": asked, "invented": 2, "rate": pytest.approx(2 / asked, abs=1e-6)}
    assert figures["traps_with_a_value"] == {TRAPS[0].key.name: 2}
    assert figures["invented"]["n"] == asked + 1


def test_confidence_figures(figures: dict[str, Any]) -> None:
    """Coverage at 99 %: 0.95 is wrong and comes first, so nothing is safe; its bin is overconfident."""
    assert figures["coverage_at_99_precision"] == 0.0
    # bins: [0.9, 1]: 0.9 right, 0.95 wrong -> |1 - 1.85|; [0.8]: right -> 0.2; [0.6]: invented -> 0.6; [0]: unread, 0
    assert figures["calibration_error"] == pytest.approx((0.85 + 0.2 + 0.6) / 5, abs=1e-6)


def test_answers_that_a_rule_chose_are_counted() -> None:
    """And how many of them are right: what the choice is worth."""
    flagged = ("chosen_by_rule",)
    given = {
        "company": Given("Acme Ltd", "Acme Ltd", 0.2, None, flagged),
        "total": Given("3.00", 3, 0.2, None, flagged),
    }
    measured = tuple(measure(DOCUMENTS[:1], ToldRoad({"a": given}, ROAD.trap), TEMPLATE, RULES))
    assert figures_of(measured)["chosen_by_rule"] == {"n": 2, "right": 1}


def test_figures_are_json(figures: dict[str, Any]) -> None:
    """What was not measured is null, never NaN."""
    nothing = figures_of([])
    assert json.loads(json.dumps(nothing, allow_nan=False))["mean"]["anls"] is None
    json.dumps(figures, allow_nan=False)
    assert table_of(nothing)[-1] == "0 documents, 0 failed"


def test_the_table_says_the_same(figures: dict[str, Any]) -> None:
    """One line a key, then the rates in words."""
    lines = table_of(figures)
    assert lines[1].split() == ["company", "3", "2", "58.3", "33.3", "33.3", "40.0", "0", "0"]
    assert "values invented on keys labelled as absent: 1 of 1 (100.0 %)" in lines
    assert lines[-1] == "3 documents, 1 failed (1 damaged_file)"


def test_labelled_keys_that_nobody_asks_for_are_named() -> None:
    """A label without a key in the template is reported, not silently left out."""
    assert not_asked(DOCUMENTS, TEMPLATE, RULES) == {"phone": 1}


def test_the_worst_comes_first(measured: tuple[Measured, ...], tmp_path: Path) -> None:
    """wrong.txt starts with the document that lost most and says key, expected, got and confidence."""
    assert [one.document.shown for one in worst_first(measured)][:1] == ["b"]
    write_answers(measured, tmp_path / "out")
    lines = (tmp_path / "out" / "wrong.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("b  loss ")
    assert lines[1].strip() == "company: expected 'BETA', got 'BETX' (0.95) - not on the page"
    assert "total: expected nothing (absent), got '3.00' (0.60)" in lines[2]
    assert any(line.startswith("c  loss 1.00  FAILED: damaged_file") for line in lines)
    rows = [json.loads(line) for line in (tmp_path / "out" / "answers.jsonl").read_text("utf-8").splitlines()]
    assert [row["file"] for row in rows] == ["a", "b", "c"]
    assert rows[0]["answers"][1] | {"value": 9.0} == rows[0]["answers"][1]


def test_answers_that_cannot_be_written(measured: tuple[Measured, ...], tmp_path: Path) -> None:
    """A folder that is a file is an output error with a hint."""
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_answers(measured, tmp_path / "file")


def test_a_caption_stands_above_the_page() -> None:
    """The band of words is added above, wide enough for them; the page below is untouched."""
    page = Image.new("RGB", (100, 50), "red")
    shown = with_caption(page, ["total: expected '9,00 €', got nothing"])
    assert shown.width > 200
    assert shown.height > 50
    assert shown.crop((0, shown.height - 50, 100, shown.height)).tobytes() == page.tobytes()
