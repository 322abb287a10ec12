"""Rows of amounts that add up to a printed sum are the items of a receipt."""

from tiny import page_of

from pipkie_cli.train.receipt_rows import receipt_rows

BESIDE = ["SHOP", "Doc No 17", "Staff A", "2 Green tea 2.10 4.20 SR", "Brown bread 3.00", "Total 7.20", "Cash 10.00"]
ABOVE = ["Hours", "Item Qty Price Amount", "Green tea", "2 2.10 4.20", "Brown bread", "1 3.00 3.00", "Total 7.20"]
BELOW = ["Hours", "Item Qty Price Amount", "2 2.10 4.20", "Green tea", "1 3.00 3.00", "Brown bread", "Total 7.20"]


def cells(lines: list[str]) -> list[dict[str, str]]:
    words = page_of(lines).words
    return [
        {name: " ".join(w.text for w in words[spans[0][0] : spans[0][1] + 1]) for name, spans in row.cells.items()}
        for row in receipt_rows(words)
    ]


def test_texts_beside_their_numbers() -> None:
    """The words before the numbers are the description; a count times a price that is the amount names both."""
    assert cells(BESIDE)[3:] == [
        {"amount": "4.20", "quantity": "2", "unit_price": "2.10", "description": "Green tea"},
        {"amount": "3.00", "description": "Brown bread"},
        {},
        {},
    ]


def test_texts_above_and_below_their_numbers() -> None:
    """The heads of the columns, or the sums, tell on which side of the numbers the texts stand."""
    numbers = [
        {"amount": "4.20", "quantity": "2", "unit_price": "2.10"},
        {"amount": "3.00", "quantity": "1", "unit_price": "3.00"},
    ]
    texts = [{"description": "Green tea"}, {"description": "Brown bread"}]
    assert cells(ABOVE)[2:-1] == [texts[0], numbers[0], texts[1], numbers[1]]
    assert cells(BELOW)[2:-1] == [numbers[0], texts[0], numbers[1], texts[1]]


def test_amounts_that_do_not_add_up_prove_nothing() -> None:
    """An amount was misread, or a row is no item: nothing is claimed of the whole receipt."""
    assert receipt_rows(page_of([*BESIDE[:4], "Brown bread 8.00", *BESIDE[5:]]).words) == ()
    assert receipt_rows(page_of(["Thank you"]).words) == ()


def test_what_is_open_is_not_asked() -> None:
    """Lines near the items that are none of them, and a count that does not lead to the amount."""
    rows = receipt_rows(page_of(["SHOP", "A", "B", "C", "3 Green tea 7.20", "Total 7.20"]).words)
    assert [bool(row.unsure) for row in rows] == [False, True, True, True, True, False]
    assert rows[4].unsure == {"quantity"}
