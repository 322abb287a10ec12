"""Labelled rows, and labelled columns without rows, find their cells on the printed rows of a document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tiny import page_of

from pipkie_cli.evaluate import Labelled, Row, SetRules
from pipkie_cli.facts import in_order
from pipkie_cli.nouns import Key, Locale, Page
from pipkie_cli.train.finetune_tables import TablesFound, has_table, locate_tables

TABLE = Key(
    "items",
    "table",
    "items",
    columns=(
        Key("name", "text", "item"),
        Key("count", "number", "quantity"),
        Key("price", "amount", "unit price"),
        Key("amount", "amount", "amount"),
    ),
)
RULES = SetRules("notes", locale=Locale(decimal="."))
LISTED = SetRules(
    "notes", locale=Locale(decimal="."), columns={"what": "items.name", "many": "items.count", "sums": "items.amount"}
)
LINES = (
    "Shop of 2024",
    "1 Steel hammer 2 7.00 14.00",
    "with wooden handle",
    "2 Iron nails 100 0.05 5.00",
    "Total 19.00",
)
ITEMS: tuple[Row, ...] = (
    {"name": "Steel hammer with wooden handle", "count": "2", "price": "7.00", "amount": "14.00"},
    {"name": "Iron nails", "count": "100", "price": "0.05", "amount": "5.00"},
)


def located(
    pages: Sequence[Page], rows: Sequence[Row] | None = None, rules: SetRules = RULES, **values: tuple[str, ...]
) -> TablesFound:
    tables = {} if rows is None else {"items": tuple(rows)}
    label = Labelled(Path("a.pdf"), "a.pdf", "note", values, {}, tables)
    return locate_tables(label, pages, (TABLE,), rules, "")


def cells(lines: Sequence[str], found: TablesFound) -> list[dict[str, str]]:
    words = page_of(lines).words
    return [
        {
            name: " | ".join(" ".join(w.text for w in words[a : b + 1]) for a, b in spans)
            for name, spans in row.cells.items()
        }
        for row in found.rows[0]
    ]


def counted(found: TablesFound) -> dict[str, tuple[int, int, int]]:
    return {name: (one["labels"], one["found"], one["absent"]) for name, one in found.counts.items()}


def test_rows_are_found_with_what_goes_on_below() -> None:
    """Every column on the row that prints the item, a wrapped text on all its rows, and no cell elsewhere."""
    found = located([page_of(LINES)], ITEMS)
    assert cells(LINES, found) == [
        {},
        {"name": "Steel hammer", "count": "2", "price": "7.00", "amount": "14.00"},
        {"name": "with wooden handle"},
        {"name": "Iron nails", "count": "100", "price": "0.05", "amount": "5.00"},
        {},
    ]
    assert not any(row.unsure for row in found.rows[0])
    assert counted(found) == {f"items.{name}": (2, 2, 0) for name in ("name", "count", "price", "amount")}
    assert found.lost == ()


def test_normalised_labels_find_what_is_printed_otherwise() -> None:
    """As corrected records have them: 1234.5 is 1.234,50 on the page."""
    lines = ("Hammer 3 411,50 1.234,50", "Summe 1.234,50")
    rules = SetRules("records", normalised=True, locale=Locale(decimal=","))
    found = located([page_of(lines)], [{"name": "Hammer", "count": "3", "price": "411.5", "amount": "1234.5"}], rules)
    assert cells(lines, found) == [{"name": "Hammer", "count": "3", "price": "411,50", "amount": "1.234,50"}, {}]


def test_of_equal_values_the_one_in_its_column_is_meant() -> None:
    """Row 2 prints its position, its quantity and twice the same amount: row 1 says where the columns stand."""
    lines = ("1 Saw 4 9.00 36.00", "2 Axe 2 5.00 5.00")
    items = [
        {"name": "Saw", "count": "4", "price": "9.00", "amount": "36.00"},
        {"name": "Axe", "count": "2", "price": "5.00", "amount": "5.00"},
    ]
    found = located([page_of(lines)], items)
    second = found.rows[0][1]
    assert {name: spans[0][0] - second.words[0] for name, spans in second.cells.items()} == {
        "name": 1,
        "count": 2,
        "price": 3,
        "amount": 4,
    }


def test_what_could_be_two_things_is_not_asked() -> None:
    """A position or a quantity, where no row tells which column is which."""
    found = located([page_of(("2 Axe 2 5.00",))], [{"name": "Axe", "count": "2", "amount": "5.00"}])
    (row,) = found.rows[0]
    assert set(row.cells) == {"name", "amount"}
    assert row.unsure == {"count", "price"}


def test_null_cells_are_absent_and_missing_ones_unasked() -> None:
    """As everywhere in labels."""
    found = located([page_of(("Axe 5.00",))], [{"name": "Axe", "count": None, "amount": "5.00"}])
    (row,) = found.rows[0]
    assert (set(row.cells), row.unsure) == ({"name", "amount"}, {"price"})
    assert counted(found) == {"items.name": (1, 1, 0), "items.count": (1, 0, 1), "items.amount": (1, 1, 0)} | {
        "items.count": (0, 0, 1)
    }


def test_where_an_item_was_not_found_nothing_is_asked() -> None:
    """The OCR lost the saw: rows between its neighbours may be it, the total is none."""
    lines = ("Axe 1 5.00 5.00", "Sxxx 1 ?.00", "Nails 3 2.00 6.00", "Total 20.00")
    items = [
        {"name": "Axe", "count": "1", "price": "5.00", "amount": "5.00"},
        {"name": "Saw", "count": "1", "price": "9.00", "amount": "9.00"},
        {"name": "Nails", "count": "3", "price": "2.00", "amount": "6.00"},
    ]
    found = located([page_of(lines)], items)
    assert [sorted(row.unsure) for row in found.rows[0]][1:] == [["amount", "count", "name", "price"], [], []]


def test_a_text_that_is_not_read_is_not_asked_near_its_item() -> None:
    """The numbers of the row are learnt all the same."""
    lines = ("Head", "Qqqq 2 7.00 14.00", "Nails 3 2.00 6.00")
    found = located(
        [page_of(lines)],
        [
            {**ITEMS[0], "name": "Garden chair"},
            {**ITEMS[1], "name": "Nails", "count": "3", "price": "2.00", "amount": "6.00"},
        ],
    )
    assert [set(row.unsure) for row in found.rows[0]] == [{"name"}, {"name"}, set()]
    assert set(found.rows[0][1].cells) == {"count", "price", "amount"}


def test_a_text_of_two_misread_letters_is_its_item_s() -> None:
    """As OCR prints it, whole or wrapped."""
    lines = ("Steel hanmer 2 7.00 14.00", "wlth wooden handle")
    assert [one.get("name") for one in cells(lines, located([page_of(lines)], ITEMS[:1]))] == [
        "Steel hanmer",
        "wlth wooden handle",
    ]


def test_rows_of_a_table_of_texts_alone() -> None:
    """There is no number to hold on to."""
    table = Key("items", "table", "items", columns=(Key("name", "text", "item"), Key("place", "text", "place")))
    label = Labelled(
        Path("a"), "a", "note", {}, {}, {"items": ({"name": "Anna", "place": "Rome"}, {"name": "Bo", "place": "Ulm"})}
    )
    lines = ("Guests from Rome", "Anna Rome", "Bo Ulm")
    found = locate_tables(label, [page_of(lines)], (table,), RULES, "")
    assert cells(lines, found) == [{}, {"name": "Anna", "place": "Rome"}, {"name": "Bo", "place": "Ulm"}]


def test_items_go_on_across_pages() -> None:
    """Their order is that of the pages."""
    pages = [page_of(("Axe 1 5.00 5.00",)), page_of(("carried forward 5.00", "Saw 2 9.00 18.00"))]
    items = [
        {"name": "Axe", "count": "1", "price": "5.00", "amount": "5.00"},
        {"name": "Saw", "count": "2", "price": "9.00", "amount": "18.00"},
    ]
    found = located(pages, items)
    assert [[bool(row.cells) for row in rows] for rows in found.rows] == [[True], [False, True]]


def test_a_table_labelled_null_is_asked_in_vain() -> None:
    """Every row of every page is no item."""
    found = located([page_of(LINES)], None, RULES, items=())
    assert [(dict(row.cells), set(row.unsure)) for row in found.rows[0]] == [({}, set())] * 5
    assert counted(found)["items.name"] == (0, 0, 1)


@pytest.mark.parametrize("rows", [None, [{"name": "Zebra", "amount": "77.77"}]])
def test_a_table_that_is_not_labelled_or_not_there_is_not_asked(rows: list[dict[str, str]] | None) -> None:
    """Nothing is known of its rows."""
    found = located([page_of(LINES)], rows)
    assert found.rows == ((),)
    assert found.lost == (() if rows is None else ("items",))


def test_lists_of_columns_find_their_rows() -> None:
    """Texts first, then numbers beside them: the 1 of the date, and the total, are nobody's."""
    lines = ("1 May", "1 Tea 4.00", "Cake", "2 x 1.50 3.00", "1 Jam 4.00", "Total 4.00")
    found = located(
        [page_of(lines)], None, LISTED, what=("Tea", "Cake", "Jam"), many=("1", "1"), sums=("4.00", "3.00", "4.00")
    )
    assert cells(lines, found) == [
        {},
        {"name": "Tea", "count": "1", "amount": "4.00"},
        {"name": "Cake"},
        {"amount": "3.00"},
        {"name": "Jam", "count": "1", "amount": "4.00"},
        {},
    ]
    assert {name for row in found.rows[0] for name in row.unsure} == {"price"}
    assert counted(found) == {"items.name": (3, 3, 0), "items.count": (2, 2, 0), "items.amount": (3, 3, 0)}


def test_a_value_of_a_list_that_is_not_found_leaves_its_rows_unasked() -> None:
    """Of its own column, between the values before and after it."""
    lines = ("Tea 4.00", "Cxke 3.00", "Jam 2.00", "Total 9.00")
    found = located([page_of(lines)], None, LISTED, what=("Tea", "Cake", "Jam"), sums=("4.00", "3.00", "2.00"), many=())
    assert [sorted(row.unsure) for row in found.rows[0]] == [["price"], ["name", "price"], ["price"], ["price"]]
    assert found.counts["items.count"]["absent"] == 1


def test_has_table() -> None:
    """Rows, null, or a list of a column."""

    def label(values: Mapping[str, Any], tables: Mapping[str, Any]) -> Labelled:
        return Labelled(Path("a"), "a", "note", values, {}, tables)

    assert has_table(label({}, {"items": ()}), TABLE, RULES)
    assert has_table(label({"items": ()}, {}), TABLE, RULES)
    assert has_table(label({"what": ("Tea",)}, {}), TABLE, LISTED)
    assert not has_table(label({"what": ("Tea",)}, {"others": ()}), TABLE, RULES)


@pytest.mark.parametrize(
    ("scores", "pairs"),
    [
        ([[1, 0, 0], [0, 0, 1]], {0: 0, 1: 2}),
        ([[0, 0, 2], [1, 0, 1]], {0: 2}),  # the second item may not stand above the first
        ([[1, 1, 1]], {0: 0}),
        ([[0, 0], [0, 1]], {1: 1}),
        ([[1, 1], [1, 1], [1, 1]], {0: 0, 1: 1}),
        ([[], []], {}),
        ([], {}),
    ],
)
def test_order_is_kept(scores: list[list[float]], pairs: dict[int, int]) -> None:
    """The most in sum, the first of equals, nothing that is worth nothing."""
    assert in_order(scores) == pairs
