"""Templates as files, for the tests that load them."""

from pathlib import Path

GOOD = """\
name: supplier_invoice            # lower case, digits, underscore
title: Supplier invoice
detect:
  words: [invoice, rechnung]
  not: [pro forma]
locale: {languages: [de, "no"], dates: dmy, decimal: ",", currency: null}
keys:
  invoice_number: {prompt: the number, aliases: [Invoice no., 0123, 12:30, yes], type: text, required: true}
  issue_date: date
  grand_total: {type: amount, description: with tax}
"""

RICH = """\
name: bill
keys:
  number: {type: text, pattern: 'R-\\d+', term: BT-1}
  net_total: amount
  line_items: {type: table, columns: {amount: {type: amount, term: BT-131}}}
rules:
  - sum(line_items.amount)   == net_total
  - net_total > 0
"""


def write(folder: Path, text: str | bytes, name: str = "t.yaml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
