"""`pipkie eval --facts`: what e-invoices inside the documents state counts; without it only the pages do."""

import json
from pathlib import Path

from command_line import Pipkie
from make import INVOICE, first_free, stream, text_pdf

XML = b'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>A-9</ID></Invoice>'
TEMPLATE = "name: bill\nkeys:\n  number: {type: text, term: BT-1}\n"


def test_facts_are_measured_on_request(pipkie: Pipkie, desk: Path) -> None:
    """The same document is wrong by its page and right by its XML; read pages may come from a cache."""
    folder = desk / "set"
    (folder / "documents").mkdir(parents=True)
    number = first_free()
    pdf = text_pdf(
        INVOICE,
        catalog_entries=f"/Names << /EmbeddedFiles << /Names [(a.xml) {number} 0 R] >> >>",
        more_objects=[
            f"<< /Type /Filespec /F (a.xml) /EF << /F {number + 1} 0 R >> >>",
            stream(XML, "/Type /EmbeddedFile"),
        ],
    )
    (folder / "documents" / "a.pdf").write_bytes(pdf)
    row = {"file": "documents/a.pdf", "document_type": "bill", "values": {"number": "A-9"}}
    (folder / "labels.jsonl").write_text(json.dumps(row))
    (desk / "bill.yaml").write_text(TEMPLATE)
    exact = []
    for more in ((), ("--facts",), ("--facts", "--cache", "kept"), ("--facts", "--cache", "kept")):
        ended = pipkie("eval", "--data", "set", "-t", "bill.yaml", *more)
        figures = json.loads(ended.out.splitlines()[-1])
        exact.append((figures["facts"], figures["keys"]["number"]["exact"]))
    assert exact == [(False, 0.0), (True, 1.0), (True, 1.0), (True, 1.0)]
