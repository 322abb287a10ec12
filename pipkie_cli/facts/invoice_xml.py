"""The XML of an e-invoice -> business terms of EN 16931, as it writes them. The content tells what it is, not its name.

Read: CII (Factur-X, ZUGFeRD 2, XRechnung), ZUGFeRD 1.0, UBL 2 Invoice and CreditNote, Order-X. An order has no invoice
number: its own number is the purchase order reference (BT-13), that of a seller's response the sales order reference
(BT-14).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import islice

from pipkie_cli.facts import cii, ubl
from pipkie_cli.facts.limits import MAX_FACT_CHARS, MAX_FACTS, MAX_LINES, MAX_PLACES
from pipkie_cli.facts.tree import Node, find_all, parse_xml
from pipkie_cli.nouns import Fact

INVOICE_LINES = "BG-25"
TAX_BREAKDOWN = "BG-23"
RESPONSES = ("231", "320", "455")  # order responses, UNTDID 1001: the seller wrote them
CREDITS = ("81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "532")  # credit notes, UNTDID 1001
NO_INVOICES = (
    "130",
    "202",
    "203",
    "325",
    "82",
)  # data sheets, payment claims, pro forma invoices; 82: of metered services, perhaps a utility bill
ORDER_RANK = 3  # of Order-X, which is no invoice: behind all that are
STATED_TYPES = ("invoice", "credit_note", "purchase_order", "order_confirmation")

_DATE_FORMATS = {"102": "%Y%m%d", "203": "%Y%m%d%H%M", "204": "%Y%m%d%H%M%S"}  # UNTDID 2379: those that name a day

_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})")

Paths = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Syntax:
    """One way to write an invoice."""

    name: str
    rank: int  # of two in one file the lower is read: the newer one says more
    document: Paths
    tax: Paths
    line: Paths
    taxes: str
    lines: str


_CII = _Syntax("CII", 0, cii.DOCUMENT, cii.TAX, cii.LINE, cii.TAXES, cii.LINES)
_UBL = _Syntax("UBL", 1, ubl.DOCUMENT, ubl.TAX, ubl.LINE, ubl.TAXES, ubl.LINES)
_OLD = _Syntax("ZUGFeRD 1.0", 2, cii.DOCUMENT, cii.TAX, cii.LINE, cii.TAXES, cii.LINES)
_ORDER = _Syntax("Order-X", ORDER_RANK, cii.DOCUMENT, cii.TAX, cii.LINE, cii.TAXES, cii.LINES)
_ROOTS: tuple[tuple[str, str, _Syntax], ...] = (  # name of the root, what its namespace begins with
    ("CrossIndustryInvoice", "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:", _CII),
    ("CrossIndustryDocument", "urn:ferd:CrossIndustryDocument:invoice:", _OLD),
    ("SCRDMCCBDACIOMessageStructure", "urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:", _ORDER),
    ("Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-", _UBL),
    ("CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-", _UBL),
)

Row = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class InvoiceTerms:
    """What one XML says: terms of the document, rows of its repeated groups, whether it gives money back."""

    syntax: str
    rank: int
    facts: tuple[Fact, ...]
    rows: dict[str, tuple[Row, ...]]  # INVOICE_LINES, TAX_BREAKDOWN -> a row each
    is_credit: bool
    document_type: str | None  # the shipped template for what the XML says it is; None where it is something else
    is_cut: bool = False  # it has more lines than are read


def read_invoice_xml(data: bytes) -> InvoiceTerms | None:
    """The terms, or None where the XML is well-formed but no e-invoice. Raises BadXml."""
    root = parse_xml(data)
    syntax = next((one for name, space, one in _ROOTS if root.name == name and root.namespace.startswith(space)), None)
    if syntax is None:
        return None
    facts = tuple(_facts(root, syntax.document))
    if syntax is _ORDER:
        facts = tuple(_as_order(facts))
    facts = _one_tax_total(facts, root, syntax)
    taxes = tuple(_rows(root, syntax.taxes, syntax.tax, _is_tax))
    lines = tuple(_rows(root, syntax.lines, syntax.line, _is_line))
    kinds = [fact.text for fact in facts if fact.term == "BT-3"]
    return InvoiceTerms(
        syntax=syntax.name,
        rank=syntax.rank,
        facts=(*facts, *(taxes[0] if len(taxes) == 1 else ())),  # of several rates none is the document's
        rows={INVOICE_LINES: lines[:MAX_LINES], TAX_BREAKDOWN: taxes[:MAX_LINES]},
        is_credit=root.name == "CreditNote" or any(kind in CREDITS for kind in kinds),
        document_type=_document_type(root, syntax, kinds[0] if kinds else ""),
        is_cut=max(len(lines), len(taxes)) > MAX_LINES or _n_places(root, syntax) > MAX_PLACES,
    )


def _n_places(root: Node, syntax: _Syntax) -> int:
    """Where a row of a table may be, filled or not."""
    return max(sum(1 for _ in find_all(root, place)) for place in (syntax.lines, syntax.taxes))


def _document_type(root: Node, syntax: _Syntax, kind: str) -> str | None:
    if syntax is _ORDER:
        return "order_confirmation" if kind in RESPONSES else "purchase_order"
    if root.name == "CreditNote" or kind in CREDITS:
        return "credit_note"
    return None if kind in NO_INVOICES else "invoice"


def _facts(node: Node, paths: Paths) -> Iterator[Fact]:
    """Every term that stands below the node, each as often as it does."""
    for term, path in paths:
        path, _, attribute = path.partition("/@")
        found = 0
        for one in find_all(node, path):
            text = one.attributes.get(attribute, "").strip() if attribute else one.text
            if text and len(text) <= MAX_FACT_CHARS:
                yield Fact(term, text, _plain(one, text), "embedded_xml")
                found += 1
            if found == MAX_FACTS:
                break


def _plain(node: Node, text: str) -> str:
    """A date in ISO 8601, whatever format the file states; anything else as it stands."""
    if node.name not in ("DateTimeString", "DateString"):
        return text
    form = _DATE_FORMATS.get(node.attributes.get("format", ""))
    try:
        if form is not None:
            moment = datetime.strptime(text, form)
            return moment.date().isoformat() if form == "%Y%m%d" else moment.isoformat(timespec="minutes")
        return date.fromisoformat(text[:10]).isoformat()  # no format: ZUGFeRD 1.0 drafts wrote 2013-03-05T00:00:00
    except ValueError:
        return text


def _as_order(facts: Sequence[Fact]) -> Iterator[Fact]:
    """An order's own number under the term by which an invoice refers to it; a change names the order it changes."""
    is_response = any(fact.term == "BT-3" and fact.text in RESPONSES for fact in facts)
    own = "BT-14" if is_response else "BT-13"
    is_named = any(fact.term == own for fact in facts)
    for fact in facts:
        if fact.term != "BT-1":
            yield fact
        elif not is_named:
            yield Fact(own, fact.text, fact.plain, fact.source)


def _one_tax_total(facts: Sequence[Fact], root: Node, syntax: _Syntax) -> tuple[Fact, ...]:
    """BT-110 is the tax in the currency of the invoice; the other one is in that of its accounts (BT-111)."""
    totals = [fact for fact in facts if fact.term == "BT-110"]
    if len(totals) < 2:
        return tuple(facts)
    currency = next((fact.text for fact in facts if fact.term == "BT-5"), None)
    path = next(path for term, path in syntax.document if term == "BT-110")
    nodes = [node for node in find_all(root, path) if node.text]
    others = {id(fact) for fact, node in zip(totals, nodes, strict=False) if _in_other_currency(node, currency)}
    return tuple(Fact("BT-111", fact.text, fact.plain, fact.source) if id(fact) in others else fact for fact in facts)


def _in_other_currency(node: Node, currency: str | None) -> bool:
    return node.attributes.get("currencyID", currency) != currency


def _rows(root: Node, place: str, paths: Paths, belongs: Callable[[Node, Row], bool]) -> Iterator[Row]:
    rows = (
        row
        for node in islice(find_all(root, place), MAX_PLACES)
        if node.children and belongs(node, row := tuple(_facts(node, paths)))
    )
    return islice(rows, MAX_LINES + 1)


def _is_tax(node: Node, row: Row) -> bool:
    return any(fact.term in ("BT-116", "BT-117", "BT-119") for fact in row)


def _is_line(node: Node, row: Row) -> bool:
    """A line that is sold: not one that only holds a text, and not the head of a group, whose sum its lines have."""
    reason = next(find_all(node, "AssociatedDocumentLineDocument/LineStatusReasonCode"), None)
    if reason is not None and reason.text in ("GROUP", "INFORMATION"):
        return False
    return any(fact.term in ("BT-131", "BT-153") for fact in row)


def decimal_of(text: str) -> Decimal | None:
    """A number as XML writes it (xs:decimal); None for anything else."""
    return Decimal(text) if _DECIMAL.fullmatch(text) else None
