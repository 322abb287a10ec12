"""Every syntax of an e-invoice says the same in business terms of EN 16931."""

import pytest
from e_invoices import CII_SPACES, LINES, Line, cii, order_x, ubl, zugferd_1

from pipkie_cli.facts.invoice_xml import INVOICE_LINES, TAX_BREAKDOWN, InvoiceTerms, read_invoice_xml

WANTED = {
    "BT-1": "R-17",
    "BT-2": "2026-05-04",
    "BT-5": "EUR",
    "BT-9": "2026-06-03",
    "BT-13": "PO-9",
    "BT-27": "Acme Tools Ltd",
    "BT-31": "DE136695976",
    "BT-32": "201/113/40209",
    "BT-44": "Otto Kern",
    "BT-84": "DE88200800000970375700",
    "BT-109": "105.00",
    "BT-110": "19.95",
    "BT-111": "18.90",
    "BT-112": "124.95",
    "BT-115": "24.95",
    "BT-119": "19",
}


def read(data: bytes) -> InvoiceTerms:
    terms = read_invoice_xml(data)
    assert terms is not None
    return terms


def said(terms: InvoiceTerms, term: str) -> list[str]:
    return [fact.plain for fact in terms.facts if fact.term == term]


@pytest.mark.parametrize("data", [cii(), zugferd_1(), ubl(), ubl(credit=True)], ids=["cii", "1.0", "ubl", "credit"])
def test_every_syntax_says_the_same(data: bytes) -> None:
    """CII, ZUGFeRD 1.0 and UBL give the same terms for the same deal."""
    terms = read(data)
    assert {term: said(terms, term) for term in WANTED} == {term: [text] for term, text in WANTED.items()}


@pytest.mark.parametrize("data", [cii(), zugferd_1(), ubl(), ubl(credit=True)], ids=["cii", "1.0", "ubl", "credit"])
def test_lines_are_rows(data: bytes) -> None:
    """Each line has its number, name, quantity with unit, price and amount, in the file's order."""
    rows = [{fact.term: fact.text for fact in row} for row in read(data).rows[INVOICE_LINES]]
    assert [Line(row["BT-153"], row["BT-129"], row["BT-146"], row["BT-131"]) for row in rows] == list(LINES)
    assert [(row["BT-126"], row["BT-130"]) for row in rows] == [("1", "C62"), ("2", "C62")]
    assert [[fact.text for fact in row if fact.term == "BT-119"] for row in read(data).rows[TAX_BREAKDOWN]] == [["19"]]


def test_raw_stays_as_the_file_writes_it() -> None:
    """The text is the file's own; only its plain form is ISO."""
    (date,) = [fact for fact in read(cii()).facts if fact.term == "BT-2"]
    assert (date.text, date.plain, date.source, date.place) == ("20260504", "2026-05-04", "embedded_xml", None)


@pytest.mark.parametrize(
    ("date", "plain"),
    [
        ('<udt:DateTimeString format="203">202605041230</udt:DateTimeString>', "2026-05-04T12:30"),
        ("<udt:DateTimeString>2026-05-04T00:00:00</udt:DateTimeString>", "2026-05-04"),
        ('<udt:DateTimeString format="102">20260231</udt:DateTimeString>', "20260231"),  # no such day
        ('<udt:DateTimeString format="616">202618</udt:DateTimeString>', "202618"),  # a week
    ],
)
def test_dates_in_other_formats(date: str, plain: str) -> None:
    """A day is read as the file states its format; what names no day stays text, and types to null."""
    assert said(read(cii(date=date)), "BT-2") == [plain]


def test_an_order_has_no_invoice_number() -> None:
    """An order's own number is what an invoice would call the order reference; a response's is the seller's."""
    assert (said(read(order_x()), "BT-1"), said(read(order_x()), "BT-13")) == ([], ["R-17"])
    assert said(read(order_x(kind="231")), "BT-14") == ["R-17"]
    assert len(read(order_x()).rows[INVOICE_LINES]) == 2


def test_credit_notes_are_known() -> None:
    """By type code in CII, by the root in UBL."""
    assert [read(data).is_credit for data in (cii(), cii(kind="381"), ubl(), ubl(credit=True))] == [
        False,
        True,
        False,
        True,
    ]


def test_heads_of_groups_and_texts_are_no_lines() -> None:
    """A line that only holds a text is no item, nor is the head of a group, whose sum its lines have already."""
    more = """<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>3</ram:LineID>
    <ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument>
    <ram:SpecifiedTradeProduct><ram:Name>All of it</ram:Name></ram:SpecifiedTradeProduct>
    </ram:IncludedSupplyChainTradeLineItem><ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>
    <ram:LineID>4</ram:LineID><ram:IncludedNote><ram:Content>Thank you</ram:Content></ram:IncludedNote>
    </ram:AssociatedDocumentLineDocument></ram:IncludedSupplyChainTradeLineItem>"""
    assert len(read(cii(more_line=more)).rows[INVOICE_LINES]) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"<a/>",
        b"<Invoice xmlns='urn:some:other:Invoice-2'><ID>1</ID></Invoice>",
        b"<CrossIndustryInvoice><ID>1</ID></CrossIndustryInvoice>",
    ],
)
def test_other_xml_is_no_invoice(data: bytes) -> None:
    """A root of that name in another namespace is another thing."""
    assert read_invoice_xml(data) is None


def test_encodings_and_byte_order_marks() -> None:
    """UTF-16, Latin-1 and a byte order mark before or blanks before the declaration are read."""
    text = cii().decode().replace("Otto Kern", "Otto Kärn")
    for data in (
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("UTF-8", "UTF-16").encode("utf-16"),
        text.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        text.replace("UTF-8", "windows-1252").encode("cp1252"),
        b"\r\n  " + text.encode(),
    ):
        assert said(read(data), "BT-44") == ["Otto Kärn"]
    assert CII_SPACES in text
