"""XML that wants to harm is refused before it costs anything."""

import time
from pathlib import Path

import pytest
from e_invoices import cii

from pipkie_cli.facts import invoice_xml, tree
from pipkie_cli.facts.invoice_xml import INVOICE_LINES, read_invoice_xml
from pipkie_cli.facts.tree import BadXml, find_all, parse_xml

LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">
<!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
<!ENTITY lol2 "&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;">]><lolz>&lol2;</lolz>"""


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/evil.dtd"><a/>',
        b'<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a/>',
        b"<!DOCTYPE a><a/>",
        b"<a>&undeclared;</a>",
        b"<a><b></a>",
        b"",
        b"   ",
        b"\x00\x01\x02",
        b"<a>" * 100 + b"</a>" * 100,
        b'<?xml version="1.0" encoding="no-such"?><a/>',
        b'<?xml version="1.0" encoding="shift_jis"?><a/>',
        b"<a>\xff\xfe</a>",
    ],
)
def test_refused(data: bytes) -> None:
    """Document types, entities, depth, broken or unreadable bytes: BadXml, whose message quotes nothing."""
    with pytest.raises(BadXml) as raised:
        parse_xml(data)
    assert "passwd" not in str(raised.value)


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """More bytes or elements than the limits are refused."""
    monkeypatch.setattr(tree, "MAX_XML_BYTES", 20)
    with pytest.raises(BadXml, match="too large"):
        parse_xml(b"<a>" + b" " * 20 + b"</a>")
    monkeypatch.setattr(tree, "MAX_XML_BYTES", 10_000)
    monkeypatch.setattr(tree, "MAX_ELEMENTS", 50)
    with pytest.raises(BadXml, match="elements"):
        parse_xml(b"<a>" + b"<b/>" * 60 + b"</a>")


def test_xinclude_and_stylesheets_are_text(tmp_path: Path) -> None:
    """Nothing outside of the bytes is opened, whatever the file asks for."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    data = (
        f'<?xml-stylesheet href="{secret.as_uri()}"?><a xmlns:xi="http://www.w3.org/2001/XInclude">'
        f'<xi:include href="{secret.as_uri()}" parse="text"/></a>'
    ).encode()
    assert parse_xml(data).text == ""


def test_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large invoice takes well under a millisecond a line; the limit on lines holds."""
    monkeypatch.setattr(invoice_xml, "MAX_LINES", 1_000)
    line = (cii().decode().split("<ram:IncludedSupplyChainTradeLineItem>")[1]).split("</ram:Inc")[0]
    many = f"<ram:IncludedSupplyChainTradeLineItem>{line}</ram:IncludedSupplyChainTradeLineItem>" * 1_200
    start = time.process_time()
    terms = read_invoice_xml(cii(lines=(), more_line=many))
    assert terms is not None
    assert (len(terms.rows[INVOICE_LINES]), terms.is_cut) == (1_000, True)
    assert time.process_time() - start < 5


def test_places_of_lines_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are none (texts, sums) cost time too: what is behind the limit is not looked at, and that is told."""
    whole = read_invoice_xml(cii())
    monkeypatch.setattr(invoice_xml, "MAX_PLACES", 1)
    terms = read_invoice_xml(cii())
    assert whole is not None
    assert terms is not None
    assert [(len(one.rows[INVOICE_LINES]), one.is_cut) for one in (whole, terms)] == [(2, False), (1, True)]


def test_statements_of_one_term_are_counted_and_measured() -> None:
    """Notes without end, and one that is a book."""
    note = "<ram:IncludedNote><ram:Content>{}</ram:Content></ram:IncludedNote>"
    notes = note.format("x" * 10_001) + "".join(note.format(f"n{number}") for number in range(300))
    data = cii().replace(b"</rsm:ExchangedDocument>", notes.encode() + b"</rsm:ExchangedDocument>")
    terms = read_invoice_xml(data)
    assert terms is not None
    texts = [fact.text for fact in terms.facts if fact.term == "BT-22"]
    assert texts == [f"n{number}" for number in range(200)]


def test_paths_with_conditions() -> None:
    """Names, alternatives, conditions on attributes and on texts further down."""
    root = parse_xml(
        b'<r xmlns:n="urn:x"><n:p><id k="A">1</id><id k="B">2</id><q><t>VAT</t></q></n:p>'
        b"<p><q><t>FC</t></q></p><o/></r>"
    )
    assert [node.text for node in find_all(root, "p/id")] == ["1", "2"]
    assert [node.text for node in find_all(root, "p/id[@k=B]")] == ["2"]
    assert [node.text for node in find_all(root, "p[q/t=FC]/q/t")] == ["FC"]
    assert [node.text for node in find_all(root, "p[q/t!=FC]/id[@k!=A]")] == ["2"]
    assert [node.name for node in find_all(root, "p|o")] == ["p", "p", "o"]


CONTAINER = "SupplyChainTradeTransaction"
SETTLEMENT = "ApplicableHeaderTradeSettlement"


@pytest.mark.parametrize(
    "inside",
    [
        "<a/>" * 100_000,
        f"<{CONTAINER}/>" * 100_000,
        f"<{CONTAINER}><{SETTLEMENT}/></{CONTAINER}>" * 50_000,
        f"<{CONTAINER}><{SETTLEMENT}>{'<SpecifiedTradePaymentTerms/>' * 100_000}</{SETTLEMENT}></{CONTAINER}>",
        f"<{CONTAINER}>{'<IncludedSupplyChainTradeLineItem/>' * 100_000}</{CONTAINER}>",
        f"<{CONTAINER}><IncludedSupplyChainTradeLineItem>{'<SpecifiedLineTradeAgreement/>' * 100_000}"
        f"</IncludedSupplyChainTradeLineItem></{CONTAINER}>",
    ],
)
def test_many_elements_that_say_nothing(inside: str) -> None:
    """A hundred paths lead through them; each is gone to once a path at most, not the file once a path."""
    space = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
    start = time.process_time()
    terms = read_invoice_xml(f'<CrossIndustryInvoice xmlns="{space}">{inside}</CrossIndustryInvoice>'.encode())
    assert terms is not None
    assert terms.facts == ()
    assert time.process_time() - start < 10
