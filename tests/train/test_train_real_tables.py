"""Labelled line items find their cells on the printed rows."""

from tiny import page_of

from pipkie_cli.train.real_tables import real_rows

LINES = [
    "Pos Item Qty Price Amount",
    "1 Steel hammer 2 7.00 14.00",
    "with wooden handle",
    "2 Nails 100 0.05 5.00",
    "Total 19.00",
]
ITEMS = [
    {"description": "Steel hammer with wooden handle", "quantity": "2", "unit_price": "7.00", "amount": "14.00"},
    {"description": "Nails", "quantity": "100", "unit_price": "0.05", "amount": "5.00"},
]


def cells(lines: list[str], items: list[dict[str, str]]) -> list[dict[str, str]]:
    words = page_of(lines).words
    return [
        {name: " ".join(w.text for w in words[spans[0][0] : spans[0][1] + 1]) for name, spans in row.cells.items()}
        for row in real_rows(words, items)
    ]


def test_items_are_found_row_by_row() -> None:
    """Numbers on the item's row, the description on all the rows that it is wrapped over, nothing elsewhere."""
    assert cells(LINES, ITEMS) == [
        {},
        {"description": "Steel hammer", "quantity": "2", "unit_price": "7.00", "amount": "14.00"},
        {"description": "with wooden handle"},
        {"description": "Nails", "quantity": "100", "unit_price": "0.05", "amount": "5.00"},
        {},
    ]


def test_what_could_be_two_things_is_not_asked() -> None:
    """A quantity of 1 in the first position, and a price that is the amount."""
    item = {"description": "Nails", "quantity": "1", "unit_price": "5.00", "amount": "5.00"}
    (row,) = real_rows(page_of(["1 Nails 1 5.00 5.00"]).words, [item])
    assert row.unsure == {"quantity", "unit_price"}
    assert set(row.cells) == {"description", "amount"}


def test_an_item_that_is_not_found_makes_its_rows_unsure() -> None:
    """Its amount may stand on a row that looks like another thing: that row is not taught to be empty."""
    lost = {"description": "Something that is not printed at all", "quantity": "7", "amount": "19.00"}
    rows = real_rows(page_of(LINES).words, [*ITEMS, lost])
    assert rows[-1].unsure == {"description", "quantity", "unit_price", "amount"}
    assert not rows[0].unsure


def test_a_page_without_the_items_has_no_rows() -> None:
    """Nothing is asked of a page on which no labelled item is found."""
    assert real_rows(page_of(["Thank you", "Goodbye 1.00"]).words, ITEMS) == ()
