"""What an e-invoice says it is decides the document type, where the user's own templates do not."""

import pytest
from e_invoices import cii, order_x, ubl

from pipkie_cli.facts import choose_stated
from pipkie_cli.facts.invoice_xml import read_invoice_xml
from pipkie_cli.nouns import Key, Locale, Template, TypeChoice


def template(name: str, term: str | None = None) -> Template:
    return Template(name, name, (Key("number", "text", "number", term=term),), Locale(), (), (), "0" * 12, "")


INVOICE, CREDIT, OWN = template("invoice", "BT-1"), template("credit_note", "BT-1"), template("acme_invoice", "BT-1")
RECEIPT = template("receipt")
ALL = (INVOICE, CREDIT, OWN, RECEIPT)


@pytest.mark.parametrize(
    ("data", "stated"),
    [
        (cii(), "invoice"), (cii(kind="326"), "invoice"), (cii(kind="381"), "credit_note"), (cii(kind="325"), None),
        (ubl(), "invoice"), (ubl(credit=True), "credit_note"), (order_x(), "purchase_order"),
        (order_x(kind="230"), "purchase_order"), (order_x(kind="231"), "order_confirmation"),
    ],
)  # fmt: skip
def test_the_type_that_is_stated(data: bytes, stated: str | None) -> None:
    """By the code of the document's type and the root; a pro forma invoice is none of the types that are shipped."""
    terms = read_invoice_xml(data)
    assert terms is not None
    assert terms.document_type == stated


@pytest.mark.parametrize(
    ("chosen", "stated", "templates", "taken"),
    [
        (None, "invoice", ALL, INVOICE),  # the page says nothing: a MINIMUM invoice with a bookkeeping page
        (RECEIPT, "invoice", ALL, INVOICE),
        (INVOICE, "credit_note", ALL, CREDIT),
        (OWN, "invoice", ALL, OWN),  # the user knows better
        (RECEIPT, None, ALL, RECEIPT),
        (RECEIPT, "purchase_order", ALL, RECEIPT),  # no such template among the candidates
        (None, "invoice", (RECEIPT,), None),
    ],
)
def test_what_is_taken(
    chosen: Template | None, stated: str | None, templates: tuple[Template, ...], taken: Template | None
) -> None:
    """The stated type is sure; a choice that stands keeps its score."""
    choice = TypeChoice(chosen, 0.4, {"invoice": 0.3})
    found = choose_stated(choice, stated, templates)
    assert found.template is taken
    assert found.score == (0.4 if taken is chosen else 1.0)
    assert found.scores == choice.scores
