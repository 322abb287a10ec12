"""QR codes that ask for a payment -> business terms: the Swiss QR bill, the EPC code ("GiroCode").

Swiss Implementation Guidelines QR-bill 2.x (SIX), with the billing information of Swico (S1); EPC069-12 v2.1. A code
that breaks its form states nothing: half of a payment is worse than none.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from pipkie_cli.facts.invoice_xml import decimal_of
from pipkie_cli.nouns import Code, Fact

PAYMENT_TERMS = frozenset({"BT-1", "BT-2", "BT-5", "BT-31", "BT-83", "BT-84", "BT-85", "BT-86", "BT-115"})
# number, date and VAT number of the seller, currency, remittance information, account, its holder, BIC, amount due

_NEW_LINE = re.compile(r"\r\n|\n|\r")
_QR = "QR"

_SWISS_LINES = 31  # at least: up to the trailer; what follows may be left out
_SWISS_AMOUNT = re.compile(r"\d{1,9}\.\d{2}")
_SWISS_IBAN = re.compile(r"(?:CH|LI)\d{2}[A-Z0-9]{17}")

_SLASH = re.compile(r"(?<!\\)/")
_ESCAPED = re.compile(r"\\([/\\])")

_EPC_AMOUNT = re.compile(r"EUR(\d{1,9}(?:\.\d{1,2})?)")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_EPC_LINES = 7  # at least: up to the IBAN


def payment_facts(code: Code) -> tuple[Fact, ...]:
    """What the code states; () where it is no payment code."""
    if not code.kind.startswith(_QR):
        return ()
    lines = [line.strip() for line in _NEW_LINE.split(code.text)]
    stated = _swiss(lines) if lines[0] == "SPC" else _epc(lines) if lines[0] == "BCD" else ()
    return tuple(Fact(term, text, plain, "barcode", code.place) for term, text, plain in stated if text)


Stated = tuple[str, str, str]  # term, as in the code, in plain form


def _swiss(lines: Sequence[str]) -> list[Stated]:
    """SPC, version 02xx, coding UTF-8: one value a line, empty lines for what is left out (guidelines, 4.2.2)."""
    if len(lines) < _SWISS_LINES or not lines[1].startswith("02") or lines[2] != "1" or lines[30] != "EPD":
        return []
    iban, name, amount, currency, kind, reference, message = (lines[at] for at in (3, 5, 18, 19, 27, 28, 29))
    iban = iban.replace(" ", "")
    if not _SWISS_IBAN.fullmatch(iban) or currency not in ("CHF", "EUR") or kind not in ("QRR", "SCOR", "NON"):
        return []
    if amount and not _SWISS_AMOUNT.fullmatch(amount):
        return []
    stated = [("BT-84", lines[3], iban), ("BT-85", name, name), ("BT-5", currency, currency)]
    if amount and decimal_of(amount):  # 0.00 is a notice that nothing is to be paid by this slip
        stated.append(("BT-115", amount, amount))
    said = reference if kind != "NON" else message
    stated.append(("BT-83", said, said))
    return [*stated, *_swico(lines[31] if len(lines) > _SWISS_LINES else "")]


def _swico(text: str) -> Iterator[Stated]:
    """Billing information `//S1/10/number/11/date/30/VAT number ...` (Swico S1 1.2); a slash in a value is `\\\\/`."""
    if not text.startswith("//S1/"):
        return
    pieces = [_ESCAPED.sub(r"\1", piece) for piece in _SLASH.split(text[5:])]
    for tag, value in zip(pieces[::2], pieces[1::2], strict=False):
        if tag == "10":
            yield "BT-1", value, value
        elif tag == "11" and (day := _short_date(value)):
            yield "BT-2", value, day
        elif tag == "30" and re.fullmatch(r"\d{9}", value):
            yield "BT-31", value, f"CHE{value}"


def _short_date(text: str) -> str | None:
    """YYMMDD of this century as ISO 8601."""
    try:
        return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:])).isoformat() if len(text) == 6 else None
    except ValueError:
        return None


def _epc(lines: Sequence[str]) -> list[Stated]:
    """BCD, version 001 or 002, SCT: BIC, name, IBAN, amount, purpose, reference, text (EPC069-12, 4)."""
    if len(lines) < _EPC_LINES or lines[1] not in ("001", "002") or lines[3] != "SCT":
        return []
    bic, name, iban = lines[4:7]
    amount, _, reference, text = (*lines[7:11], *[""] * 4)[:4]
    plain_iban = iban.replace(" ", "").upper()
    paid = _EPC_AMOUNT.fullmatch(amount)
    if not _IBAN.fullmatch(plain_iban) or (amount and not paid) or (reference and text):
        return []
    said = reference or text
    stated = [("BT-84", iban, plain_iban), ("BT-85", name, name), ("BT-86", bic, bic), ("BT-83", said, said)]
    if paid:
        stated += [("BT-115", amount, paid[1]), ("BT-5", "EUR", "EUR")]
    return stated
