"""Currencies: a printed sign, code or name -> its ISO 4217 code."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.currencies import currencies_named, currencies_of
from pipkie_cli.values.flags import AMBIGUOUS_CURRENCY, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical
from pipkie_cli.values.locale import ValueContext

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": "^[A-Z]{3}$"}

_TOKEN: Final = re.compile(r"[^\W\d_]{0,3}\$[^\W\d_]{0,3}|[^\W\d_]+/?|[^\w\s.,:;()'*/+#-]")
_WORDS_TOO: Final = frozenset(
    ("ALL", "TOP", "TRY", "CUP", "PEN", "MAD", "GEL", "LAK", "SOS", "MOP", "COP", "BAM", "STD")
)


def parse(raw: str, context: ValueContext) -> Value:
    """The code of the printed currency. A sign of many (`$`, `kr`) is decided by the document or the template, else
    null with `ambiguous_currency`."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = canonical(raw).strip()
    named = currencies_named(text)
    tokens = [text] if currencies_of(text) else _TOKEN.findall(text)
    if not any(char.isdigit() for char in text) and len(tokens) > 1:  # a sentence: `ALL PRICES IN USD`
        tokens = [token for token in tokens if token not in _WORDS_TOO]
    found = [named] if named else [codes for token in tokens if (codes := currencies_of(token))]
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
