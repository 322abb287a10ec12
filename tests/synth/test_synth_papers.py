"""Papers of the shipped templates: asked as the template asks, with the template's own columns."""

import random

import pytest

from pipkie_cli.nouns import Example, Key
from pipkie_cli.synth import example as maker
from pipkie_cli.synth import is_matter_of_taste
from pipkie_cli.synth.papers import paper_templates
from pipkie_cli.synth.shipped import NEVER_ASKED

N = 60


@pytest.fixture(scope="module")
def papers() -> list[Example]:
    kinds = dict(maker._KINDS)
    maker._KINDS.clear()
    maker._KINDS["paper"] = 1.0
    try:
        return [maker.make_example(seed) for seed in range(N)]
    finally:
        maker._KINDS.clear()
        maker._KINDS.update(kinds)


def test_most_keys_are_those_of_a_template(papers: list[Example]) -> None:
    """Every paper is asked for keys of one template, most of them as they are, present and absent ones."""
    own = {key: template.name for template in paper_templates() for key in template.keys}
    present = [own.get(q.key) for paper in papers for q in paper.questions if q.spans and not q.row]
    absent = [q for paper in papers for q in paper.questions if not q.spans and q.key in own]
    assert sum(name is not None for name in present) > 0.5 * len(present)
    assert len(set(present)) > 7
    assert len(absent) > N


def test_the_columns_are_those_of_the_template(papers: list[Example]) -> None:
    """No other column is asked of a paper's rows; some rows have values, some have none."""
    columns = {column for template in paper_templates() for key in template.keys for column in key.columns}
    cells = [q for paper in papers for q in paper.questions if q.row]
    assert sum(q.key in columns for q in cells) > 0.9 * len(cells)
    assert {bool(q.spans) for q in cells} == {True, False}


def test_what_the_figures_measure_is_never_made() -> None:
    """Orders of advertising and filings are measured as kinds that the model never saw."""
    assert not NEVER_ASKED & {template.name for template in paper_templates()}


def test_the_same_seed_makes_the_same_paper() -> None:
    """Samples can be made again."""
    draft, other = (maker._draft(random.Random(7), "paper") for _ in range(2))
    maker.write_paper(draft)
    maker.write_paper(other)
    assert draft.inks == other.inks


@pytest.mark.parametrize(
    ("prompt", "cells", "taste"),
    [
        ("price", {"amount": 1}, True),
        ("unit price", {"amount": 1}, False),
        ("price", {"amount": 1, "unit_price": 1}, False),
        ("price", {}, False),
    ],
)
def test_a_price_beside_no_other_sum_is_a_matter_of_taste(prompt: str, cells: dict[str, int], taste: bool) -> None:
    """It may mean the sum of the row: training does not say that it is not there."""
    assert is_matter_of_taste(Key("unit_price", "amount", prompt), cells) is taste
