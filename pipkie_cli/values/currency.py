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


def parse(raw: str, context: ValueContext) -> Value:
    """The code of the printed currency. A sign of many (`$`, `kr`) is decided by the document or the template, else
    null with `ambiguous_currency`."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = canonical(raw).strip()
    named = currencies_named(text)
    found = [named] if named else [codes for token in _TOKEN.findall(text) if (codes := currencies_of(token))]
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
