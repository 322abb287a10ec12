"""The document type that an e-invoice states, against the one that the cues on its pages chose."""

from collections.abc import Sequence

from pipkie_cli.facts.invoice_xml import STATED_TYPES
from pipkie_cli.nouns import Template, TypeChoice


def choose_stated(choice: TypeChoice, stated: str | None, templates: Sequence[Template]) -> TypeChoice:
    """The template of the stated type, sure, if it is among the candidates; else the choice as it was.

    A template of the user's own that names business terms stays: who wrote it for some seller's invoices knew what they
    are. One that names none would leave all that the XML holds aside.
    """
    named = next((template for template in templates if template.name == stated), None)
    chosen = choice.template
    if named is None or (chosen is not None and chosen.name not in STATED_TYPES and _names_terms(chosen)):
        return choice
    return TypeChoice(named, 1.0, choice.scores)


def _names_terms(template: Template) -> bool:
    return any(one.term for key in template.keys for one in (key, *key.columns))
