"""What a set is asked: a measuring template of its own, a shipped template, or each document its own labels.

The measuring templates in `templates/` hold the keys of sets that no shipped template suits. Their prompts and aliases,
and those of the shipped tv_ad_invoice and registration_form, were written from the sets' lists of keys alone, but for
the aliases of tv_ad_invoice, which the train part of adbuy prints. The model learnt from none of these sets, nor from
the keys of these two templates (`synth/questions.py`), so what they measure is zero-shot.
"""

from pathlib import Path

from pipkie_cli.evaluate.datasets.labelled import Labelled
from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.templates import find_templates, load_template

TEMPLATES = Path(__file__).parent / "templates"


def measuring_template(name: str) -> Template:
    """The template of this name: a set's own before a shipped one of the same name. Raises TemplateError."""
    own = TEMPLATES / f"{name}.yaml"
    return load_template(own) if own.is_file() else find_templates([name], None)[0]


def labels_template(document: Labelled) -> Template:
    """A template of a document's own labels, each asked by its text: forms have no keys in common."""
    keys = tuple(Key(name=label, type="text", prompt=label) for label in document.values)
    return Template("labels", "Labels of the document", keys, Locale(), (), (), "0" * 12, document.shown)
