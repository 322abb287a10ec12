"""Telephone numbers: E.164 (`+493012345678`) where the country is printed, else the digits as printed."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import WIDE_SPACE, canonical
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": r"^\+?[0-9]{3,15}( ext [0-9]{1,7})?$"}

_NUMBER: Final = re.compile(r"(?<![\w+])(?:\(?(?:\+|00)[ .]?\d|\(?\d)(?:[ ./()-]{0,3}\d)+(?!\d)")
_EXTENSION: Final = re.compile(
    r"[ ,;]*(?:\b(?:ext|extn|extension|durchwahl|dw|app|ramal|poste)\b[ .:]*|(?<=\d) ?x ?|#)(\d{1,7})$", re.IGNORECASE
)
_LABELS: Final = re.compile(
    r"(?<!\w)(?:tele(?:fon|phone|fono|foon|fax)|te?le?f?|phone|fone|fono|fon|fax|mob(?:il|ile|iel)?|handy|cell|gsm|t|f|m|p|ph|tfn|hotline|nr|no|numbers?)(?!\w)\.?",
    re.IGNORECASE,
)
MIN_NATIONAL, MAX_DIGITS = 5, 15  # digits; E.164 allows 15 with the country


def parse(raw: str, context: ValueContext) -> Value:
    """One number. A country is never inferred: `030 1234567` stays as it is, without its blanks."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = canonical(raw).replace(WIDE_SPACE, " ").strip()
    extension = _EXTENSION.search(text)
    suffix = f" ext {extension[1]}" if extension else ""
    body = text[: extension.start()] if extension else text
    body = re.sub(r"\b(?:[Tt]el|[Pp]h|[Ff]ax)[.:]*(?=[+(\d])", " ", body)
    found = [number for match in _NUMBER.finditer(body) if (number := _canonical(match[0]))]
    value = only_one(number + suffix for number in found)
    if value.value is None:
        return value
    rest = _LABELS.sub(" ", _NUMBER.sub(" ", body))
    return Value(value.value, (EXTRA_TEXT,)) if re.search(r"\w", rest) else value


def _canonical(printed: str) -> str | None:
    """E.164 for a number with its country, else its digits; None if it is no number of a telephone."""
    digits = "".join(filter(str.isdigit, printed))
    if printed.lstrip("( ").startswith(("+", "00")):
        return _international(printed)
    return digits if MIN_NATIONAL <= len(digits) <= MAX_DIGITS else None


def _international(printed: str) -> str | None:
    from phonenumbers import NumberParseException, PhoneNumberFormat, format_number, is_possible_number
    from phonenumbers import parse as parse_number

    plus = re.sub(r"^[( ]*(?:\+|00)[ .]?", "+", printed)
    try:
        number = parse_number(plus)
    except NumberParseException:
        return None
    return str(format_number(number, PhoneNumberFormat.E164)) if is_possible_number(number) else None
