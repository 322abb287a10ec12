"""Tables, columns, labels of one's own, doubtful labels: what is judged and what every figure counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.evaluate.compare import judge
from pipkie_cli.evaluate.datasets import Labelled, SetRules
from pipkie_cli.evaluate.judged import Asked, Given, Judged
from pipkie_cli.evaluate.measure import Measured, measure, not_asked
from pipkie_cli.evaluate.report import ALL_LABELS, figures_of, summary_of, table_of, thinned
from pipkie_cli.evaluate.tables import judge_column, judge_table
from pipkie_cli.nouns import DocumentId, Key, Locale, Page, Template
from pipkie_cli.pages import ReadDocument

ITEMS = Key("items", "table", "items", columns=(Key("name", "text", "item"), Key("price", "amount", "price")))
KEYS = (Key("shop", "text", "shop"), Key("total", "amount", "total"), ITEMS)
TEMPLATE = Template("bill", "Bill", KEYS, Locale(), (), (), "0" * 12, "bill.yaml")
RULES = SetRules("mine", locale=Locale(decimal="."))


def said(text: str | None, value: float | None = None, confidence: float = 0.9) -> Given:
    return Given(text, text if value is None else value, confidence, None)


def row(name: str | None, price: float | None) -> dict[str, Given]:
    return {"name": said(name), "price": said(None if price is None else f"{price:.2f}", price)}


class ToldRoad:
    """Says what it is told about each document; there are no words, so every trap is asked and found absent."""

    def __init__(self, answers: Mapping[str, Asked]) -> None:
        self.answers = answers
        self.templates: list[Template] = []

    def read(self, document: Labelled) -> ReadDocument:
        page = Page(0, 600.0, 800.0, 0, (), "text", None)
        return ReadDocument(DocumentId(document.shown, "", 1), (page,), ())

    def ask_all(self, read: ReadDocument, template: Template, traps: Sequence[Key]) -> Asked:
        self.templates.append(template)
        absent = {key.name: Given(None, None, 1.0, None) for key in traps}
        return replace(self.answers[read.id.path], traps=absent)

    def choose(self, read: ReadDocument) -> str | None:
        return None


def labelled(shown: str, values: Mapping[str, tuple[str, ...]], **more: Any) -> Labelled:
    return Labelled(Path(shown), shown, "bill", values, {}, **more)


def counts(judged: Sequence[Judged]) -> list[tuple[str, tuple[str, ...], str | None, bool]]:
    return [(one.key, one.expected, one.given.raw, one.right) for one in judged]


def test_cells_of_aligned_rows() -> None:
    """The second row was missed, a third invented: every labelled or given cell is judged once."""
    wanted = ({"name": "Tea", "price": "2.00"}, {"name": "Cake", "price": "3.00"}, {"name": "Milk", "price": "1.00"})
    given = (row("tea", 2.0), row("Milk", 1.1), row("Total", 6.0))
    assert counts(list(judge_table(ITEMS, wanted, given, RULES))) == [
        ("items.name", ("Tea",), "tea", True),
        ("items.price", ("2.00",), "2.00", True),
        ("items.name", ("Cake",), None, False),
        ("items.price", ("3.00",), None, False),
        ("items.name", ("Milk",), "Milk", True),
        ("items.price", ("1.00",), "1.10", False),
        ("items.name", (), "Total", False),
        ("items.price", (), "6.00", False),
    ]


def test_cells_that_are_empty_or_not_labelled() -> None:
    """A value where null is labelled is invented, none there does not count; a missing cell is no label."""
    wanted = ({"name": "Tea", "price": None}, {"name": "Cake"})
    given = (row("Tea", 2.0), row("Cake", 3.0))
    assert counts(list(judge_table(ITEMS, wanted, given, RULES))) == [
        ("items.name", ("Tea",), "Tea", True),
        ("items.price", (), "2.00", False),
        ("items.name", ("Cake",), "Cake", True),
    ]
    assert list(judge_table(ITEMS, ({"name": "Tea"},), (row("Tea", 9.0),), RULES))[1:] == []  # no price is labelled
    assert [one.expected for one in judge_table(ITEMS, (), (row("Tea", None),), RULES)] == [()]  # a table there is not


def test_columns_whose_rows_nobody_labelled() -> None:
    """Two labels "1": one of two right answers each, the wrong one invented, in any order."""
    given = (row("b", 1.0), row("a", 1.0), row("x", 1.0))
    judged = list(judge_column("prices", ITEMS.columns[1], ("1", "2", "1.00"), given, RULES))
    assert counts(judged) == [
        ("prices", ("1",), "1.00", True),
        ("prices", ("2",), None, False),
        ("prices", ("1.00",), "1.00", True),
        ("prices", (), "1.00", False),
    ]


@pytest.fixture(scope="module")
def measured() -> tuple[Measured, ...]:
    """Two bills: cells, a column without rows, a doubtful label, a tree."""
    documents = (
        labelled(
            "a",
            {"shop": ("ACME",), "total": ("5.00",)},
            tables={"items": ({"name": "Tea", "price": "2.00"},)},
            unverified=frozenset({"shop"}),
            group="1",
            nested={"sum": {"all": "5.00"}},
        ),
        labelled("b", {"shop": ("BETA",), "total": (), "item_names": ("Cake", "Milk")}, group="2"),
    )
    road = ToldRoad(
        {
            "a": Asked({"shop": said("X"), "total": said("5.00", 5.0)}, {"items": (row("Tea", 9.0),)}),
            "b": Asked({"shop": said("BETA"), "total": said("1", 1.0)}, {"items": (row("Milk", None),)}),
        }
    )
    rules = SetRules(
        "mine", keys={"sum.all": "total"}, locale=Locale(decimal="."), columns={"item_names": "items.name"}
    )
    return tuple(measure(documents, road, TEMPLATE, rules))


def test_figures_of_tables_and_entities(measured: tuple[Measured, ...]) -> None:
    """Cells: 1 right of 2. Entities: shop b, total a, Milk right of shop a, b, total a and b, Milk given, 5 wanted."""
    figures = figures_of(measured)
    assert figures["cells"]["f1"] == 0.5
    assert figures["cells"]["columns"]["items.price"] == {"right": 0, "given": 1, "wanted": 1, "f1": 0.0}
    entities = figures["entities"]
    assert (entities["right"], entities["given"], entities["wanted"]) == (3, 5, 5)
    assert entities["f1"] == pytest.approx(0.6)
    assert entities["columns"] == {"item_names": pytest.approx(2 / 3, abs=1e-6)}
    assert figures["keys"]["shop"]["n"] == 2  # cells and entities of columns stay out of the table of keys
    assert list(figures["keys"]) == ["shop", "total"]
    lines = table_of(figures)
    assert "entity F1 (micro): 60.0 % (3 right, 5 given, 5 wanted); without columns 57.1 %" in lines  # 2 right, 4, 3
    assert "cells of items.name: F1 100.0 (1 right of 1)" in lines
    assert "cells of all columns: F1 50.0" in lines


def test_both_counts_where_labels_are_doubtful(measured: tuple[Measured, ...]) -> None:
    """As labelled, and without the label that nobody found on its page."""
    figures = figures_of(measured)
    assert figures["mean"]["exact"] == pytest.approx((0.5 + 1) / 2)
    assert figures["verified"]["left_out"] == 1
    assert figures["verified"]["mean"]["exact"] == 1.0
    two_thirds = pytest.approx(2 / 3, abs=1e-6)
    assert figures["answers"] == {"n": 3, "anls": two_thirds, "exact": two_thirds, "typed": two_thirds}
    assert "without the 1 labels that were not found on their page: exact 100.0 % (mean of keys)" in table_of(figures)


def test_groups_trees_and_the_curve(measured: tuple[Measured, ...]) -> None:
    """A layout is a group; the tree of the answer is compared whole; the curve is thinned, its end kept."""
    figures = figures_of(measured)
    assert figures["groups"] == {"1": {"documents": 1, "exact": 0.5}, "2": {"documents": 1, "exact": 1.0}}
    # the truth costs 7: sum, subtree, all, 4 letters; the items beside it cost 11: 4 nodes, "Tea" and "9.00"
    assert measured[0].tree_accuracy == 0.0
    assert measured[1].tree_accuracy is None
    assert figures["coverage_curve"] == [(0.9, 1.0, pytest.approx(2 / 3, abs=1e-3))]
    assert thinned([(1.0, 0.1, 1.0), (0.9, 0.2, 1.0), (0.8, 0.3, 1.0)], points=2) == [(1.0, 0.1, 1.0), (0.8, 0.3, 1.0)]


def test_the_summary_has_a_line_per_set(measured: tuple[Measured, ...]) -> None:
    """Documents, ANLS, exact, entity F1, F1 of cells, invented values, calibration, coverage."""
    lines = summary_of({"mine": figures_of(measured), "other": figures_of([])})
    assert lines[1].split()[:6] == ["mine", "2", "75.0", "75.0", "60.0", "50.0"]
    assert lines[2].split() == ["other", "0", *7 * "-"]


def test_documents_are_asked_their_own_labels() -> None:
    """Without a template every document has a template of its labels, and all of them are one row."""
    documents = (labelled("a", {"Date:": ("1/2/99",), "Fax": ()}), labelled("b", {"Name": ("Ann", "Smith")}))
    road = ToldRoad({"a": Asked({"Date:": said("1/2/99"), "Fax": said(None)}), "b": Asked({"Name": said("Ann Smith")})})
    rules = SetRules("forms", joined=True, own_keys=True)
    measured = tuple(measure(documents, road, None, rules))
    assert [[key.prompt for key in template.keys] for template in road.templates] == [["Date:", "Fax"], ["Name"]]
    figures = figures_of(measured, own_keys=True)
    assert list(figures["keys"]) == [ALL_LABELS]
    assert (figures["keys"][ALL_LABELS]["n"], figures["mean"]["exact"]) == (2, 1.0)  # the whole list is right too
    assert not_asked(documents, None, rules) == {}
    assert figures_of(measured)["keys"].keys() == {"Date:", "Fax", "Name"}


def test_what_a_template_leaves_out_is_named() -> None:
    """Keys, tables and columns alike."""
    document = labelled("a", {"phone": ("1",), "item_names": ("x",)}, tables={"items": ({"name": "x"},)})
    rules = SetRules("mine", columns={"item_names": "lines.name"})
    assert not_asked([document], TEMPLATE, rules) == {"phone": 1, "item_names": 1}


def test_blanks_count_for_nothing_where_transcriptions_have_none() -> None:
    """An option of the set: label and answer are compared without their blanks."""
    key = KEYS[0]
    loose, strict = SetRules("mine", spaces=False), SetRules("mine")
    assert judge(key, ("KOREANRESTAURANT",), (), "Korean  Restaurant", "Korean  Restaurant", loose).exact
    assert judge(key, ("KOREANRESTAURANT",), (), "Korean Restaurant", None, loose).anls == 1.0
    assert not judge(key, ("KOREANRESTAURANT",), (), "Korean Restaurant", None, strict).exact
