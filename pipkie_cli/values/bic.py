"""Codes of banks (BIC, ISO 9362): eight or eleven signs, with a country in the middle."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import WIDE_SPACE, canonical
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$"}

# In capitals, as printed: in lower case every third word of eight letters would pass.
_BIC: Final = re.compile(r"(?<![^\W_])[A-Z]{4} ?[A-Z]{2} ?[A-Z0-9]{2}(?: ?(?:XXX|[0-9]{3})|[A-Z0-9]{3})?(?![^\W_])")
_LABELS: Final = re.compile(
    r"\b(?:BIC|B\.I\.C\.|SWIFT|S\.W\.I\.F\.T\.)(?:[ -]?(?:CODE|NR|NO|ADDRESS)\b\.?)?", re.IGNORECASE
)


def parse(raw: str, context: ValueContext) -> Value:
    """The one code in the text; a code has no check digit, so only its form and its country are tested."""
    from stdnum import bic

    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = " ".join(_LABELS.sub(" ", canonical(raw).replace(WIDE_SPACE, " ")).split())
    codes = [match[0].replace(" ", "") for match in _BIC.finditer(text)]
    value = only_one(code for code in codes if bic.is_valid(code))
    if value.value is None:
        return value
    return Value(value.value, (EXTRA_TEXT,)) if re.search(r"\w", _BIC.sub(" ", text)) else value
