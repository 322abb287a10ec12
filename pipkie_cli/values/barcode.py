"""Numbers printed under bar codes. Those of GS1 (EAN, UPC, ITF-14, SSCC) have a check digit; others stay as printed."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import BAD_CHECKSUM, MAX_CHARS, NOT_READ, UNCHECKED
from pipkie_cli.values.folding import one_line
from pipkie_cli.values.locale import ValueContext

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "minLength": 1}

_LABELS: Final = re.compile(
    r"^(?:(?:gtin|ean|upc|jan|itf|sscc|gln)(?:-?(?:8|12|13|14|18|128))?(?![^\W_])|bar ?code)"
    r"[ .:-]*(?:(?:no|nr)\b[.: ]*)?",
    re.IGNORECASE,
)
_DIGITS_APART: Final = re.compile(r"\d[\d -]*\d")
GS1_LENGTHS = (8, 12, 13, 14, 18)  # EAN-8, UPC-A, EAN-13 and GLN, ITF-14, SSCC (GS1 General Specifications, 7.9)


def parse(raw: str, context: ValueContext) -> Value:
    """A GS1 number without blanks if its check digit is right, null if it is wrong; any other code as printed."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = _LABELS.sub("", one_line(raw).strip(" *"))
    if not re.search(r"[^\W_]", text):
        return NOT_READ
    digits = "".join(filter(str.isdigit, text))
    if not text.isascii() or not _DIGITS_APART.fullmatch(text) or len(digits) not in GS1_LENGTHS:
        return Value(text, (UNCHECKED,))
    return Value(digits) if _check_digit(digits[:-1]) == digits[-1] else Value(None, (BAD_CHECKSUM,))


def _check_digit(digits: str) -> str:
    """From the right, digits count three and one in turn; the check digit makes the sum a multiple of ten."""
    total = sum(int(digit) * (1 if at % 2 else 3) for at, digit in enumerate(reversed(digits)))
    return str(-total % 10)
