"""Currencies: a printed sign, code or name -> its ISO 4217 code."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.currencies import currencies_named, currencies_of, printed_currencies
from pipkie_cli.values.flags import AMBIGUOUS_CURRENCY, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical
from pipkie_cli.values.locale import ValueContext

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": "^[A-Z]{3}$"}

_WORDS_TOO: Final = re.compile(r"\b(?:ALL|TOP|TRY|CUP|PEN|MAD|GEL|LAK|SOS|MOP|COP|BAM|STD)\b")  # codes that are words


def _printed(text: str) -> list[tuple[str, ...]]:
    """Every currency in the text, each as the codes that it can mean."""
    if codes := currencies_of(text):
        return [codes]
    if not any(char.isdigit() for char in text):
        if codes := currencies_named(text):
            return [codes]
        text = _WORDS_TOO.sub(" ", text)  # a sentence: `ALL PRICES IN USD`
    return printed_currencies(text)


def parse(raw: str, context: ValueContext) -> Value:
    """The code of the printed currency. A sign of many (`$`, `kr`) is decided by the document or the template, else
    null with `ambiguous_currency`."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = canonical(raw).strip()
    found = _printed(text)
    if not found:
        return NOT_READ
    shared = [code for code in found[0] if all(code in codes for codes in found)]
    if len(shared) == 1:
        return Value(shared[0])
    if not shared:  # several different ones
        return Value(None, (AMBIGUOUS_CURRENCY,), tuple(dict.fromkeys(c for codes in found for c in codes)))
    if context.currency in shared:
        return Value(context.currency)
    return Value(None, (AMBIGUOUS_CURRENCY,), tuple(shared))
