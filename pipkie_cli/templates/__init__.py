"""YAML files -> `Template`, and which template fits a document.

In: template names, YAML files, a folder of them; for `choose_type` the words of the first pages. Out: frozen `Template`
nouns, the JSON Schema of a record's `values`, a `TypeChoice`, the text of a template to start from; `matches_pattern`
says whether a value matches a pattern, by the engine that checked the pattern at load. Every fault of a template is a
`TemplateError` that names file and line. Never: looks into a document file, runs anything that a template says, writes.
"""

from pipkie_cli.templates.classify import choose_type
from pipkie_cli.templates.find import find_templates, shipped_folder
from pipkie_cli.templates.load import load_template
from pipkie_cli.templates.parts import number_key, split_pages
from pipkie_cli.templates.pattern import matches_pattern
from pipkie_cli.templates.schema import check_schema, values_schema
from pipkie_cli.templates.start import start_text

__all__ = [
    "check_schema",
    "choose_type",
    "find_templates",
    "load_template",
    "matches_pattern",
    "number_key",
    "shipped_folder",
    "split_pages",
    "start_text",
    "values_schema",
]
