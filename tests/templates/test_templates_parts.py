"""Where the documents of one file begin."""

from collections.abc import Sequence

import pytest

from pipkie_cli.nouns import Box, Key, Locale, Page, Template, Word
from pipkie_cli.templates import find_templates, number_key, split_pages

SHIPPED = find_templates([], None)


def page(*lines: str, width: float = 0.8) -> Page:
    """A page of these lines, `# ` in large print; with a small width the print is that of a till."""
    words = []
    for number, line in enumerate(lines):
        height = 0.02 if line.startswith("# ") else 0.01
        texts = line.removeprefix("# ").split()
        step = width / len(texts) if texts else 0
        words += [
            Word(
                text,
                Box(0.1 + at * step, 0.05 + 0.03 * number, 0.1 + (at + 1) * step, 0.05 + 0.03 * number + height),
                number,
                number,
                "ocr",
            )
            for at, text in enumerate(texts)
        ]
    return Page(0, 600, 800, 0, tuple(words), "ocr", "pillow")


def invoice(number: str, *more: str) -> Page:
    return page("Acme Ltd", "# INVOICE", f"Invoice no. {number}", "Invoice date 1 May 2024", "Amount due 9.00", *more)


def slip(shop: str) -> Page:
    return page(
        f"{shop} Supermarket Receipt",
        "Milk 1 l 1.20",
        "Bread dark 2.30",
        "Total 3.50",
        "Cash 5.00",
        "Change 1.50",
        "Thank you for shopping",
        width=0.15,
    )


LETTER = page("Dear Ann", "please find enclosed what we owe to each other", "kind regards, Ben")
GOES_ON = page("Position 7 3.00", "carried forward 3.00")
BLANK = page()

FILES = {
    "an invoice of two pages": ([invoice("17"), GOES_ON], [0]),
    "two invoices": ([invoice("17"), invoice("18")], [0, 1]),
    "two invoices of two pages": ([invoice("17"), GOES_ON, invoice("18"), GOES_ON], [0, 2]),
    "an invoice whose head is repeated": ([invoice("17"), invoice("17")], [0]),
    "pages are counted in print": (
        [invoice("17", "Page 1 of 2"), page("Page 2 of 2", "# INVOICE", "Invoice no. 18")],
        [0],
    ),
    "counted anew": ([page("Seite 1 von 2"), page("Seite 2 von 2"), page("Seite 1/1", "sonst nichts")], [0, 2]),
    "an invoice behind a letter": ([LETTER, invoice("17")], [0, 1]),
    "slips of a till": ([slip("North"), slip("South"), slip("South")], [0, 1, 2]),
    "a blank back": ([invoice("17"), BLANK, invoice("18"), BLANK], [0, 2]),
    "an order behind an invoice": (
        [
            invoice("17"),
            page("# PURCHASE ORDER", "Purchase order number 4711", "Order date 1 May", "Ship to Ann", "Supplier Ben"),
        ],
        [0, 1],
    ),
    "nothing but letters": ([LETTER, LETTER, LETTER], [0]),
    "no page": ([], [0]),
}


def starts(parts: Sequence[Sequence[Page]]) -> list[int]:
    return [sum(map(len, parts[:number])) for number in range(len(parts))]


@pytest.mark.parametrize("name", FILES)
def test_documents_are_told_apart(name: str) -> None:
    """Pages that belong together stay together, and another document begins another part."""
    pages, expected = FILES[name]
    parts = split_pages(pages, SHIPPED, "auto")
    assert starts(parts) == expected
    assert [page for part in parts for page in part] == pages


def test_page_and_never_do_as_they_are_told() -> None:
    """Every page by itself, whatever stands there; or all of them in one part."""
    pages = [invoice("17"), GOES_ON, BLANK]
    assert split_pages(pages, SHIPPED, "page") == tuple((one,) for one in pages)
    assert split_pages(pages * 2, SHIPPED, "never") == (tuple(pages * 2),)


def test_the_number_of_a_document_is_its_first_required_number() -> None:
    """Of shipped templates: what names an invoice, an order, a contract; a receipt is named by none."""
    names = {one.name: number_key(one) for one in SHIPPED}
    assert (names["invoice"], names["credit_note"]) == ("invoice_number", "credit_note_number")
    assert (names["tv_ad_invoice"], names["receipt"]) == ("contract_num", None)
    own = Template("a", "A", (Key("nr", "text", "policy number"),), Locale(), (), (), "0" * 12, "a.yaml")
    assert number_key(own) is None
