"""Text: as printed, on one line, without what no eye sees."""

from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import NOT_READ
from pipkie_cli.values.folding import one_line
from pipkie_cli.values.locale import ValueContext

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"]}


def parse(raw: str, context: ValueContext) -> Value:
    """The text with every run of white space as one space, composed (NFC), without control and zero-width signs."""
    text = one_line(raw)
    return Value(text) if text else NOT_READ
