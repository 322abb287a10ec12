"""An e-invoice inside a PDF, from the file to the record."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from e_invoices import Line as Item
from e_invoices import cii, pdf_with, ubl, zugferd_1
from make import Line
from stand_ins import KeyValueBackend

from pipkie_cli.nouns import Input, Key, Locale, RunOptions, Template
from pipkie_cli.pipeline import process

COLUMNS = (Key("description", "text", "d", term="BT-153"), Key("amount", "amount", "a", term="BT-131"))
KEYS = (
    Key("number", "text", "number", required=True, term="BT-1"),
    Key("day", "date", "day", term="BT-2"),
    Key("total", "amount", "total", required=True, term="BT-112"),
    Key("items", "table", "items", columns=COLUMNS),
)
TEMPLATE = Template("bill", "Bill", KEYS, Locale(), (), (), "0123456789ab", "bill.yaml")
PAGE = (
    Line(50, 60, "Bill of Acme Tools Ltd, Main Street 3, 12345 Berlin, for Otto Kern"),
    Line(50, 90, "number: R-17"),
    Line(50, 120, "total: 124,95"),
)


def record_of(folder: Path, data: bytes, **options: Any) -> dict[str, Any]:
    path = folder / "a.pdf"
    path.write_bytes(data)
    return process(Input(path, "a.pdf"), RunOptions((TEMPLATE,), template_given=True, **options), KeyValueBackend())[0]


@pytest.mark.parametrize("xml", [cii(), zugferd_1(), ubl()], ids=["cii", "1.0", "ubl"])
@pytest.mark.parametrize("name", ["factur-x.xml", "ZUGFeRD-invoice.xml", "xrechnung.xml", "whatever.dat"])
def test_the_record_has_what_the_xml_states(tmp_path: Path, xml: bytes, name: str) -> None:
    """Every mapped key and row is filled from the XML, whatever its name and syntax."""
    record = record_of(tmp_path, pdf_with((name, xml), lines=PAGE))
    assert record["values"] == {
        "number": "R-17",
        "day": "2026-05-04",
        "total": 124.95,
        "items": [{"description": "Bolts M8", "amount": 10.0}, {"description": "Workshop day", "amount": 95.0}],
    }
    assert {field["source"] for name, field in record["fields"].items() if name != "items"} == {"embedded_xml"}
    assert record["fields"]["number"]["page"] == 1
    assert record["fields"]["number"]["boxes"]
    assert record["fields"]["day"] | {"raw": ""} == {
        "raw": "", "confidence": 1.0, "page": None, "boxes": [], "source": "embedded_xml", "flags": [],
    }  # fmt: skip
    assert (record["status"], record["problems"]) == ("ok", [])


def test_a_difference_goes_to_review(tmp_path: Path) -> None:
    """The page prints another total: both values are told."""
    record = record_of(tmp_path, pdf_with(("factur-x.xml", cii(total="999.00")), lines=PAGE))
    (problem,) = record["problems"]
    assert record["status"] == "review"
    assert (problem["code"], problem["keys"]) == ("differs_from_print", ["total"])
    assert "999.0" in problem["message"]
    assert "124.95" in problem["message"]
    assert record["values"]["total"] == 999.0


def test_without_facts_only_the_page_counts(tmp_path: Path) -> None:
    """Measurements of what is read leave the XML out."""
    record = record_of(tmp_path, pdf_with(("factur-x.xml", cii()), lines=PAGE), facts=False)
    assert (record["values"]["day"], record["values"]["items"]) == (None, [])
    assert record["fields"]["number"]["source"] == "text"
    assert [problem["code"] for problem in record["problems"]] == ["embedded_files"]


def test_other_files_beside_it_are_told(tmp_path: Path) -> None:
    """The e-invoice is no unread file; a time sheet beside it is."""
    record = record_of(tmp_path, pdf_with(("hours.csv", b"1;2"), ("factur-x.xml", cii()), lines=PAGE))
    assert [problem["message"] for problem in record["problems"]] == [
        "1 embedded files were not read, the e-invoice was"
    ]
    assert record["status"] == "ok"


def test_a_hostile_xml_leaves_the_page(tmp_path: Path) -> None:
    """The record is read off the page, and says that the XML was refused."""
    bomb = b'<!DOCTYPE a [<!ENTITY x "xxxxxxxx">]><a>&x;</a>'
    record = record_of(tmp_path, pdf_with(("factur-x.xml", bomb), lines=PAGE))
    assert record["values"]["number"] == "R-17"
    assert "e_invoice_unreadable" in [problem["code"] for problem in record["problems"]]
    assert record["status"] == "review"


def test_two_invoices_in_one_file(tmp_path: Path) -> None:
    """The newest format counts, also behind an older one; two numbers are a doubt, one is none."""
    both = record_of(tmp_path, pdf_with(("ZUGFeRD-invoice.xml", zugferd_1()), ("factur-x.xml", cii()), lines=PAGE))
    assert both["status"] == "ok"
    other = cii(number="R-18", lines=(Item("x", "1", "1", "1"),))
    record = record_of(tmp_path, pdf_with(("a.xml", cii()), ("b.xml", other), lines=PAGE))
    assert record["values"]["number"] == "R-17"
    assert "several_e_invoices" in [problem["code"] for problem in record["problems"]]


def test_a_picture_has_no_attachments(tmp_path: Path) -> None:
    """A document of another format is read as ever."""
    from make import big_print, picture, png

    record = record_of(tmp_path, png(picture(big_print(PAGE), (1400, 500))))
    assert record["fields"]["number"]["source"] == "ocr"


def test_the_xml_decides_the_document_type(tmp_path: Path) -> None:
    """A page that fits no template has its e-invoice all the same; without the XML nothing fits."""
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_with(("factur-x.xml", cii()), lines=PAGE))
    templates = (replace(TEMPLATE, name="receipt", keys=KEYS[:1]), replace(TEMPLATE, name="invoice"))
    options = RunOptions(templates)
    record = process(Input(path, "a.pdf"), options, KeyValueBackend())[0]
    assert (record["document_type"], record["type_score"], record["values"]["total"]) == ("invoice", 1.0, 124.95)
    record = process(Input(path, "a.pdf"), replace(options, facts=False), KeyValueBackend())[0]
    assert record["document_type"] is None
