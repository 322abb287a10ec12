"""The digest of a template, part of journals and records: of what it says, not of how."""

from pathlib import Path

import pytest
from yaml_files import GOOD, write

from pipkie_cli.templates import load_template

SAME = """\
# another comment
title: Supplier invoice
name: supplier_invoice
keys:
  invoice_number:
    required: true
    type: text
    aliases: ["Invoice no.", '0123', "12:30", yes]
    prompt: "the   number"
  issue_date: {type: date, prompt: issue date}
  grand_total: {description: with tax, type: amount}
locale: {currency: ~, decimal: ",", dates: dmy, languages: [de, no]}
detect: {not: [pro forma], words: [invoice, rechnung]}
"""


def test_the_digest_is_of_what_the_template_says(tmp_path: Path) -> None:
    """Comments, layout, quotes, order of fields, short or long form: the same digest of 12 hex digits."""
    one, other = load_template(write(tmp_path, GOOD)), load_template(write(tmp_path, SAME, "other.yaml"))
    assert one.digest == other.digest
    assert one.label == f"supplier_invoice@{one.digest}"
    assert len(one.digest) == 12
    assert set(one.digest) <= set("0123456789abcdef")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: supplier_invoice", "name: other_invoice"),
        ("title: Supplier", "title: Another"),
        ("[invoice, rechnung]", "[invoice]"),
        ("[pro forma]", "[proforma]"),
        ("dates: dmy", "dates: mdy"),
        ("required: true", "required: no"),
        ("prompt: the number", "prompt: number"),
        ("0123", "123"),
        ("issue_date: date", "issue_date: text"),
        ("with tax", "without tax"),
        (
            "  issue_date: date\n  grand_total: {type: amount, description: with tax}\n",
            "  grand_total: {type: amount, description: with tax}\n  issue_date: date\n",
        ),
    ],
)
def test_the_digest_changes_with_every_content(tmp_path: Path, old: str, new: str) -> None:
    """Anything that may change a record changes the digest, the order of keys too."""
    assert old in GOOD
    changed = load_template(write(tmp_path, GOOD.replace(old, new), "changed.yaml"))
    assert changed.digest != load_template(write(tmp_path, GOOD)).digest


def test_a_shipped_digest_is_the_same_on_every_machine(tmp_path: Path) -> None:
    """The digest is part of journals and records: a change of its form is a change of the contract."""
    assert load_template(write(tmp_path, "name: a\nkeys: {b: text}\n")).digest == "6cb497a92f0b"


def test_a_template_without_rules_and_the_like_keeps_its_digest(tmp_path: Path) -> None:
    """The digests of versions that knew no rules, choices, patterns and terms: records of both can be compared."""
    assert load_template(write(tmp_path, GOOD)).digest == "b6d494e02191"
    table = "name: a\nkeys: {b: {type: table, columns: {c: text, d: amount}}}\n"
    assert load_template(write(tmp_path, table)).digest == "f9ca2a39e5ba"
