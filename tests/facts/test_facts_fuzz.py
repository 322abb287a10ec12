"""Whatever bytes a document holds, its facts are read or refused; nothing else happens."""

import contextlib
import decimal
import random
from decimal import Decimal

import pytest
from e_invoices import cii, pdf_with, ubl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipkie_cli.facts import Facts
from pipkie_cli.facts.attachments import read_attachments
from pipkie_cli.facts.invoice_xml import decimal_of, read_invoice_xml
from pipkie_cli.facts.payment import payment_facts
from pipkie_cli.facts.tree import BadXml
from pipkie_cli.facts.typed import agree, type_fact
from pipkie_cli.nouns import Box, Code, Fact, Key, Place, Problem, Value

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLACE = Place(1, (Box(0, 0, 1, 1),))
SWISS_HEAD = "SPC\n0200\n1\nCH4431999123000889012\n"
TYPES = ("text", "date", "datetime", "amount", "number", "integer", "percent", "currency", "iban", "boolean", "barcode")


@FEW
@given(st.sampled_from([cii(), ubl()]), st.integers(0, 10_000), st.binary(max_size=8))
def test_mutated_xml(data: bytes, at: int, inserted: bytes) -> None:
    """Bytes put in anywhere: read, no invoice, or BadXml."""
    at %= len(data)
    with contextlib.suppress(BadXml):
        read_invoice_xml(data[:at] + inserted + data[at + len(inserted) // 2 :])


@FEW
@given(st.text(max_size=200), st.sampled_from(["", "BCD\n002\n1\nSCT\n", SWISS_HEAD, SWISS_HEAD + "\n" * 26 + "EPD\n"]))
def test_any_text_in_a_code(text: str, head: str) -> None:
    """Any content states nothing, or terms with a text."""
    assert all(fact.text and fact.place == PLACE for fact in payment_facts(Code("QR Code", head + text, PLACE)))


@FEW
@given(st.sampled_from(TYPES), st.text(max_size=60) | st.from_regex(r"[+-]?[0-9.]{1,60}", fullmatch=True))
def test_any_text_as_a_fact(type_name: str, text: str) -> None:
    """Every fact gets a value or a flag, in any type, and can be compared with any print."""
    key = Key("k", type_name, "k", term="BT-1")
    value = type_fact(key, Fact("BT-1", text, text, "embedded_xml"))
    assert value.value is not None or value.flags
    for printed in (Value(text), Value(1e-15), Value(123456789012345.0), Value(True), Value(None, (), (text, "1.5"))):
        agree(key, value, printed, text, True)


@FEW
@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_amounts_come_back_exactly(number: Decimal) -> None:
    """What the XML writes is what the record holds, to the cent, and a print of it agrees."""
    key = Key("k", "amount", "k")
    value = type_fact(key, Fact("BT-112", f"{number:f}", f"{number:f}", "embedded_xml"))
    assert Decimal(str(value.value)) == number
    assert agree(key, value, Value(float(number)), "", False)


def test_the_process_changes_nothing() -> None:
    """A decimal context of a careless program neither rounds nor traps."""
    key = Key("k", "amount", "k")
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact, decimal.Rounded])):
        value = type_fact(key, Fact("BT-112", "1234567.89", "1234567.89", "embedded_xml"))
        assert value == Value(1234567.89)
        assert agree(key, Value(1234567.8951), Value(1234567.9), "", False)
        assert not agree(key, Value(1234567.8951), Value(1234567.89), "", True)
        assert agree(key, Value(1e-05), Value(1e-05), "", False)


@pytest.mark.parametrize("text", ["-0.00", "0", "+0", ".0", "0."])
def test_zero_has_no_sign(text: str) -> None:
    """JSON has -0.0; nobody means it."""
    assert str(type_fact(Key("k", "amount", "k"), Fact("BT-113", text, text, "embedded_xml")).value) == "0.0"


def test_a_million_digits_cost_nothing() -> None:
    """A number longer than any amount is none."""
    assert decimal_of("1" * 1_000_000) is None


def test_mutated_pdfs() -> None:
    """Cut and scrambled files hold what is left of them."""
    data = pdf_with(("factur-x.xml", cii()), deflate=True)
    dice = random.Random(11)
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(dice.randrange(1, 30)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        read_attachments(bytes(broken[: dice.randrange(len(broken))]))
        read_attachments(bytes(broken))


def test_facts_of_a_part() -> None:
    """Codes belong to the part that holds their page, the XML to the first."""
    on = {page: Place(page, PLACE.boxes) for page in (1, 2, 3)}
    facts = Facts(
        facts=(Fact("BT-1", "R", "R", "embedded_xml"), Fact("BT-115", "5", "5", "barcode", on[3])),
        rows={"BG-25": ((Fact("BT-153", "x", "x", "embedded_xml"),),)},
        codes=(Code("EAN-13", "1", on[1]), Code("EAN-13", "2", on[2])),
        n_embedded=1,
        n_read=1,
    )
    first, second = facts.of_part((1,), True), facts.of_part((2, 3), False)
    assert ([fact.term for fact in first.facts], [code.text for code in first.codes]) == (["BT-1"], ["1"])
    assert (first.rows, first.n_read) == (facts.rows, 1)
    assert ([fact.term for fact in second.facts], [code.text for code in second.codes]) == (["BT-115"], ["2"])
    assert (dict(second.rows), second.problems) == ({}, ())
    unread = (Problem("embedded_files", "1 embedded file was not read"),)
    assert [part.with_problems(unread) for part in (first, second)] == [(), ()]  # it was read, with the first
