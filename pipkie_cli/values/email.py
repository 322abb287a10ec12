"""E-mail addresses: as printed, the domain in lower case (RFC 5321 leaves case before the @ to the receiver)."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical, one_line
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": r"^[^@\s]+@[^@\s]+\.[^@\s.]+$"}

_ATOM: Final = r"[\w!#$%&'*+/=?^`{|}~-]+"
_LABEL: Final = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_ADDRESS: Final = re.compile(
    rf"(?<![\w.@])({_ATOM}(?:\.{_ATOM})*)@({_LABEL}(?:\.{_LABEL})*\.(?:[^\W\d_]{{2,24}}|xn--[a-z\d-]+))(?![\w@-])"
)
_WORDED_AT: Final = re.compile(r" ?[\[({] ?(?:at|ät) ?[\])}] ?", re.IGNORECASE)  # printed so to keep robots off
_GAPS: Final = re.compile(r" ?(@) ?| (\.)(?=\w)")  # a blank beside the @ or before a full stop is the reader's
_LABELS: Final = re.compile(r"\b(?:mailto|e-?mail(?:-?adresse|-?address)?|correo|courriel|mail)\b\.?", re.IGNORECASE)
MAX_LOCAL = 64  # characters before the @ (RFC 5321, section 4.5.3.1)
MAX_ADDRESS = 254


def parse(raw: str, context: ValueContext) -> Value:
    """The one address in the text; a name or label beside it is understood, other text is flagged."""
    if len(raw) > 2 * MAX_CHARS:
        return NOT_READ
    text = _GAPS.sub(r"\1\2", _WORDED_AT.sub("@", canonical(one_line(raw))))
    matches = [m for m in _ADDRESS.finditer(text) if len(m[1]) <= MAX_LOCAL and len(m[0]) <= MAX_ADDRESS]
    value = only_one(f"{match[1]}@{match[2].lower()}" for match in matches)
    if value.value is None:
        return value
    rest = _LABELS.sub(" ", _ADDRESS.sub(" ", text))
    named = re.search(r"<\s*>", rest) is not None  # `Max Mustermann <max@example.org>`
    return value if named or not re.search(r"\w", rest) else Value(value.value, (EXTRA_TEXT,))
