"""Looks at held-out documents: figures and confidences, with a backend that knows what it writes."""

import math
from pathlib import Path

import pytest
from pip_tiny import write_slips

from pipkie_cli.errors import InputError
from pipkie_cli.nouns import Calibration, Sheet, Written
from pipkie_cli.train import Recipe, plan_pip
from pipkie_cli.train.pip_score import fit_calibration, score_documents
from pipkie_cli.train.pip_sources import LabelledSource


class Writer:
    """Writes every total rightly but the third document's, and a day where there is none on the first."""

    reads, revision, calibration, max_pictures = "pixels", "writer", Calibration(), 1

    def __init__(self, sure: float = 0.9) -> None:
        self.count, self.score = 0, math.log(sure)

    def prepare(self, sheet: Sheet) -> tuple[int, Sheet]:
        self.count += 1
        return self.count - 1, sheet

    def forward(self, batch):
        return tuple(tuple(self._write(number, key.name) for key in sheet.keys) for number, sheet in batch)

    def _write(self, number: int, key: str) -> Written:
        if key == "total":
            return Written("9.99" if number == 2 else f"{number % 3 + 1}.50", self.score)
        return Written(f"2024-03-0{number % 3 + 1}" if number % 2 or number == 0 else None, self.score)


@pytest.fixture
def source(tmp_path: Path) -> LabelledSource:
    """All eight slips."""
    slips = write_slips(tmp_path / "slips")
    plan = plan_pip("m", "kv", [slips], tmp_path / "o", Recipe(), templates=[str(slips / "slip.yaml")])
    assert isinstance(plan.learn, LabelledSource)
    assert isinstance(plan.held_out, LabelledSource)
    documents = sorted((*plan.learn.documents, *plan.held_out.documents), key=lambda one: one.shown)
    return LabelledSource(tuple(documents), (plan.learn.keys[0],) * 8, plan.learn.rules, 1)


def test_a_look_counts_as_the_project_measures(source: LabelledSource) -> None:
    """Means of keys; one value in four null labels is invented; of two with equal exact matches ANLS decides."""
    figures = score_documents(Writer(), source)
    assert figures["exact"] == pytest.approx((7 / 8 + 7 / 8) / 2)
    assert figures["invented"] == pytest.approx(1 / 4)
    assert figures["exact"] < figures["score"] < figures["exact"] + 1e-3


def test_a_document_that_cannot_be_opened_measures_nothing(source: LabelledSource) -> None:
    source.documents[7].path.write_bytes(b"torn")
    assert score_documents(Writer(), source)["exact"] == pytest.approx(6 / 7)


def test_where_no_document_can_be_opened_nothing_is_measured(source: LabelledSource) -> None:
    """Not 0.000, of which nobody could tell why."""
    for one in source.documents:
        one.path.unlink()
    with pytest.raises(InputError, match=r"no held-out sample can be opened; the last one: .*s7\.png"):
        score_documents(Writer(), source)


def test_confidences_are_fitted(source: LabelledSource) -> None:
    """A writer that is surer than it is right is taken down, one that is less sure up."""
    boaster, doubter = (fit_calibration(Writer(sure), source).pixels for sure in (0.999999, 0.3))

    def confidence(pair: tuple[float, float], sure: float) -> float:
        return 1 / (1 + math.exp(-(pair[0] * math.log(sure / (1 - sure)) + pair[1])))

    assert confidence(boaster, 0.999999) < 0.99
    assert confidence(doubter, 0.3) > 0.5
