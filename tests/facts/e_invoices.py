"""E-invoices in every syntax, made of the same deal: two lines, 19 % tax, a part paid before."""

import zlib
from collections.abc import Sequence
from hashlib import md5
from typing import NamedTuple

from make import INVOICE, first_free, raw_pdf, stream, text_pdf
from make import Line as Print

CII_SPACES = (
    'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" '
    'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" '
    'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"'
)
OLD_SPACES = (
    'xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0" '
    'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12" '
    'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15"'
)
UBL_SPACES = (
    'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" '
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
)


class Line(NamedTuple):
    name: str
    quantity: str
    price: str
    amount: str


LINES = (Line("Bolts M8", "20.0000", "0.50", "10.00"), Line("Workshop day", "1", "95.00", "95.00"))


def cii(
    lines: Sequence[Line] = LINES,
    number: str = "R-17",
    total: str = "124.95",
    kind: str = "380",
    more_line: str = "",
    date: str = '<udt:DateTimeString format="102">20260504</udt:DateTimeString>',
) -> bytes:
    """Factur-X, ZUGFeRD 2, XRechnung."""
    items = "".join(
        f"""<ram:IncludedSupplyChainTradeLineItem>
        <ram:AssociatedDocumentLineDocument><ram:LineID>{at}</ram:LineID></ram:AssociatedDocumentLineDocument>
        <ram:SpecifiedTradeProduct><ram:Name>{line.name}</ram:Name></ram:SpecifiedTradeProduct>
        <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>{line.price}</ram:ChargeAmount>
        </ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
        <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">{line.quantity}</ram:BilledQuantity>
        </ram:SpecifiedLineTradeDelivery>
        <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>
        <ram:RateApplicablePercent>19</ram:RateApplicablePercent></ram:ApplicableTradeTax>
        <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>{line.amount}</ram:LineTotalAmount>
        </ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
        </ram:IncludedSupplyChainTradeLineItem>"""
        for at, line in enumerate(lines, 1)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <rsm:CrossIndustryInvoice {CII_SPACES}>
    <rsm:ExchangedDocument><ram:ID>{number}</ram:ID><ram:TypeCode>{kind}</ram:TypeCode>
      <ram:IssueDateTime>{date}</ram:IssueDateTime></rsm:ExchangedDocument>
    <rsm:SupplyChainTradeTransaction>{items}{more_line}
      <ram:ApplicableHeaderTradeAgreement>
        <ram:SellerTradeParty><ram:Name>Acme Tools Ltd</ram:Name>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">201/113/40209</ram:ID></ram:SpecifiedTaxRegistration>
          <ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE136695976</ram:ID></ram:SpecifiedTaxRegistration>
        </ram:SellerTradeParty>
        <ram:BuyerTradeParty><ram:Name>Otto Kern</ram:Name></ram:BuyerTradeParty>
        <ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO-9</ram:IssuerAssignedID>
        </ram:BuyerOrderReferencedDocument>
      </ram:ApplicableHeaderTradeAgreement>
      <ram:ApplicableHeaderTradeDelivery/>
      <ram:ApplicableHeaderTradeSettlement>
        <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
        <ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode>
          <ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE88200800000970375700</ram:IBANID>
          </ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
        <ram:ApplicableTradeTax><ram:CalculatedAmount>19.95</ram:CalculatedAmount>
          <ram:BasisAmount>105.00</ram:BasisAmount><ram:RateApplicablePercent>19</ram:RateApplicablePercent>
        </ram:ApplicableTradeTax>
        <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>
          <udt:DateTimeString format="102">20260603</udt:DateTimeString></ram:DueDateDateTime>
        </ram:SpecifiedTradePaymentTerms>
        <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
          <ram:TaxBasisTotalAmount>105.00</ram:TaxBasisTotalAmount>
          <ram:TaxTotalAmount currencyID="CHF">18.90</ram:TaxTotalAmount>
          <ram:TaxTotalAmount currencyID="EUR">19.95</ram:TaxTotalAmount>
          <ram:GrandTotalAmount>{total}</ram:GrandTotalAmount>
          <ram:DuePayableAmount>24.95</ram:DuePayableAmount>
        </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
      </ram:ApplicableHeaderTradeSettlement>
    </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>""".encode()


_OLD_NAMES = (  # ZUGFeRD 2 -> ZUGFeRD 1.0
    (CII_SPACES, OLD_SPACES),
    ("rsm:CrossIndustryInvoice", "rsm:CrossIndustryDocument"),
    ("rsm:ExchangedDocument", "rsm:HeaderExchangedDocument"),
    ("rsm:SupplyChainTradeTransaction", "rsm:SpecifiedSupplyChainTradeTransaction"),
    ("ApplicableHeaderTrade", "ApplicableSupplyChainTrade"),
    ("SpecifiedLineTrade", "SpecifiedSupplyChainTrade"),
    ("SettlementHeaderMonetary", "SettlementMonetary"),
    ("SettlementLineMonetary", "SettlementMonetary"),
    ("RateApplicablePercent", "ApplicablePercent"),
    ("IssuerAssignedID", "ID"),
)


def zugferd_1() -> bytes:
    """The same in ZUGFeRD 1.0."""
    text = cii().decode()
    for new, old in _OLD_NAMES:
        text = text.replace(new, old)
    return text.encode()


def order_x(kind: str = "220") -> bytes:
    """An order that refers to no other."""
    text = cii(kind=kind).decode().replace("CrossIndustryInvoice", "SCRDMCCBDACIOMessageStructure")
    text = text.replace("data:standard:SCRDM", "data:SCRDM").replace("BilledQuantity", "RequestedQuantity")
    start, end = text.index("<ram:BuyerOrderReferencedDocument>"), text.index("</ram:BuyerOrderReferencedDocument>")
    return (text[:start] + text[end + len("</ram:BuyerOrderReferencedDocument>") :]).encode()


def ubl(credit: bool = False) -> bytes:
    """UBL 2.1, an invoice or a credit note."""
    root, quantity = ("CreditNote", "CreditedQuantity") if credit else ("Invoice", "InvoicedQuantity")
    items = "".join(
        f"""<cac:{root}Line><cbc:ID>{at}</cbc:ID><cbc:{quantity} unitCode="C62">{line.quantity}</cbc:{quantity}>
        <cbc:LineExtensionAmount currencyID="EUR">{line.amount}</cbc:LineExtensionAmount>
        <cac:Item><cbc:Name>{line.name}</cbc:Name></cac:Item>
        <cac:Price><cbc:PriceAmount currencyID="EUR">{line.price}</cbc:PriceAmount></cac:Price></cac:{root}Line>"""
        for at, line in enumerate(LINES, 1)
    )
    due = "" if credit else "<cbc:DueDate>2026-06-03</cbc:DueDate>"
    means_due = "<cbc:PaymentDueDate>2026-06-03</cbc:PaymentDueDate>" if credit else ""
    return f"""<{root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:{root}-2" {UBL_SPACES}>
    <cbc:ID>R-17</cbc:ID><cbc:IssueDate>2026-05-04</cbc:IssueDate>{due}
    <cbc:{root}TypeCode>{381 if credit else 380}</cbc:{root}TypeCode>
    <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
    <cac:OrderReference><cbc:ID>PO-9</cbc:ID></cac:OrderReference>
    <cac:AccountingSupplierParty><cac:Party>
      <cac:PartyTaxScheme><cbc:CompanyID>201/113/40209</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>FC</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
      <cac:PartyTaxScheme><cbc:CompanyID>DE136695976</cbc:CompanyID>
        <cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
      <cac:PartyLegalEntity><cbc:RegistrationName>Acme Tools Ltd</cbc:RegistrationName></cac:PartyLegalEntity>
    </cac:Party></cac:AccountingSupplierParty>
    <cac:AccountingCustomerParty><cac:Party><cac:PartyLegalEntity>
      <cbc:RegistrationName>Otto Kern</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>
    </cac:AccountingCustomerParty>
    <cac:PaymentMeans>{means_due}<cac:PayeeFinancialAccount><cbc:ID>DE88200800000970375700</cbc:ID>
      </cac:PayeeFinancialAccount></cac:PaymentMeans>
    <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">19.95</cbc:TaxAmount><cac:TaxSubtotal>
      <cbc:TaxableAmount currencyID="EUR">105.00</cbc:TaxableAmount>
      <cbc:TaxAmount currencyID="EUR">19.95</cbc:TaxAmount>
      <cac:TaxCategory><cbc:Percent>19</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
    <cac:TaxTotal><cbc:TaxAmount currencyID="CHF">18.90</cbc:TaxAmount></cac:TaxTotal>
    <cac:LegalMonetaryTotal>
      <cbc:TaxExclusiveAmount currencyID="EUR">105.00</cbc:TaxExclusiveAmount>
      <cbc:TaxInclusiveAmount currencyID="EUR">124.95</cbc:TaxInclusiveAmount>
      <cbc:PayableAmount currencyID="EUR">24.95</cbc:PayableAmount></cac:LegalMonetaryTotal>
    {items}</{root}>""".encode()


def pdf_with(
    *files: tuple[str, bytes], lines: Sequence[Print] = INVOICE, by: str = "names", deflate: bool = False
) -> bytes:
    """A page with embedded files: listed in /EmbeddedFiles ("names"), or on /AF of the catalogue alone ("af")."""
    number = first_free()
    objects: list[bytes | str] = []
    specs = []
    for name, data in files:
        at = number + len(objects)
        specs.append((name, at))
        objects.append(f"<< /Type /Filespec /F ({name}) /AFRelationship /Alternative /EF << /F {at + 1} 0 R >> >>")
        content = zlib.compress(data) if deflate else data
        objects.append(stream(content, "/Type /EmbeddedFile" + (" /Filter /FlateDecode" if deflate else "")))
    names = " ".join(f"({name}) {at} 0 R" for name, at in specs)
    references = " ".join(f"{at} 0 R" for _, at in specs)
    entries = f"/Names << /EmbeddedFiles << /Names [{names}] >> >>" if by == "names" else f"/AF [{references}]"
    return text_pdf(lines, catalog_entries=entries, more_objects=objects)


def encrypted_pdf_with(data: bytes, password: str) -> bytes:
    """One blank page and one embedded file, RC4 with 40 bits (PDF 32000-1, 7.6.3: revision 2 of the handler)."""
    padding = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
    user = (password.encode() + padding)[:32]
    owner = _rc4(md5(user).digest()[:5], user)
    key = md5(user + owner + (-4 & 0xFFFFFFFF).to_bytes(4, "little") + b"0" * 16).digest()[:5]
    number = 5
    stream_key = md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    return raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >> >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
            f"<< /Type /Filespec /F (a) /EF << /F {number} 0 R >> >>",
            stream(_rc4(stream_key, data), "/Type /EmbeddedFile"),
            f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{owner.hex()}> /U <{_rc4(key, padding).hex()}> >>",
        ],
        extra_trailer=f"/Encrypt 6 0 R /ID [<{(b'0' * 16).hex()}> <{(b'0' * 16).hex()}>] ",
    )


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
