"""`pipkie explain` shows what a document states beside its print, and what of it was taken."""

from pathlib import Path

from make import INVOICE, first_free, stream, text_pdf
from stand_ins import KeyValueBackend

from pipkie_cli.cli.explain import story
from pipkie_cli.nouns import Input, Key, Locale, RunOptions, Template
from pipkie_cli.pipeline import walk

XML = b"""<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>A-9</ID>
<InvoiceLine><LineExtensionAmount>5.00</LineExtensionAmount><Item><Name>Bolts</Name></Item></InvoiceLine>
<InvoiceLine><LineExtensionAmount>7.00</LineExtensionAmount><Item><Name>Nuts</Name></Item></InvoiceLine></Invoice>"""
COLUMNS = (Key("description", "text", "d", term="BT-153"), Key("amount", "amount", "a", term="BT-131"))
KEYS = (Key("number", "text", "number", term="BT-1"), Key("items", "table", "items", columns=COLUMNS))


def test_facts_are_told(tmp_path: Path) -> None:
    """The terms and rows of the XML, the value that was taken from it beside what was read, the rows as recorded."""
    path = tmp_path / "a.pdf"
    number = first_free()
    path.write_bytes(
        text_pdf(
            INVOICE,
            catalog_entries=f"/Names << /EmbeddedFiles << /Names [(a.xml) {number} 0 R] >> >>",
            more_objects=[
                f"<< /Type /Filespec /F (a.xml) /EF << /F {number + 1} 0 R >> >>",
                stream(XML, "/Type /EmbeddedFile"),
            ],
        )
    )
    template = Template("bill", "Bill", KEYS, Locale(), (), (), "0123456789ab", "bill.yaml")
    trace = walk(Input(path, "a.pdf"), RunOptions((template,), template_given=True), KeyValueBackend())
    lines = list(story(trace, KEYS))
    for line in (
        "what the document states:",
        '  BT-1: "A-9" (embedded_xml)',
        "  BG-25: 2 rows",
        '  taken: "A-9" from embedded_xml, value A-9',
        "key items (table): 2 rows",
        "  [0]        1.00        Bolts        5.0",
    ):
        assert line in lines
