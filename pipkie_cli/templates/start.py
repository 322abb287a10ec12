"""The file that somebody starts a template of her own from: it loads as it is, and its comments say what to change."""

from textwrap import fill

from pipkie_cli.errors import TemplateError
from pipkie_cli.templates.load_fields import name_fault

WIDEST = 118  # characters of a line
START = """\
# What to read from one kind of document. Change it, look at what comes out, change it again.
# Mistakes, each with its line:            pipkie templates check {name}.yaml
# Values, and a picture of their places:   pipkie templates try {name}.yaml DOCUMENT

name: {name}
title: {title}

# What stands on such documents and on few others, in any language: titles first. By these words a document's type is
# found where several templates may fit. Words under `not:` speak against it.
detect:
  words: [{title}]
  not: []

# Hints for what a page leaves open. null: decide from the document, and flag what stays open.
locale:
  languages: [en]
  dates: null       # dmy, mdy or ymd: what 03/04/2026 means
  decimal: null     # '.' or ',': what 1.234 means
  currency: null    # such as EUR, where none is printed

# One entry for every value. Types:
{types}.
keys:
  document_number:
    type: text
    required: true                            # a document without it is for review
    prompt: document number                   # what is asked, in plain words
    aliases: [Number, No., Reference]         # labels as they are printed, commonest first: they help most
    description: The number of the document.  # for whoever uses the values
  document_date: date                         # name: type is enough; the prompt is then "document date"
  total: {{type: amount, aliases: [Total amount, Amount due]}}

# A table is a key with columns; aliases of a column are what may stand over it. To have one, delete the #:
#  line_items:
#    type: table
#    columns:
#      description: {{type: text, aliases: [Item, Article]}}
#      quantity: number
#      amount: {{type: amount, aliases: [Total]}}

# What must hold. A document that breaks it is for review, and the record says by how much. To have some, delete the #:
#rules:
#  - document_date >= 2000-01-01
#  - sum(line_items.amount) == total
"""


def start_text(name: str) -> str:
    """A template of this name, in YAML with comments. Raises TemplateError where it cannot be a name."""
    from pipkie_cli.values import TYPES

    if fault := name_fault(name, "the template's name"):
        raise TemplateError(*fault)
    types = fill(", ".join((*TYPES, "table")), WIDEST, initial_indent="# ", subsequent_indent="# ")
    return START.format(name=name, title=name.replace("_", " ").capitalize(), types=types)
