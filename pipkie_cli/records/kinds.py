"""How values of each type leave for tables: as text, number, date ...; and what fits there."""

from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal

Kind = Literal["text", "amount", "number", "integer", "boolean", "date", "time", "datetime"]
Scalar = str | int | float | bool | None  # as JSON has it
Cell = Scalar | date | time | datetime

KINDS: Mapping[str, Kind] = {  # type of a key -> kind; whatever is not here is text: identifiers stay as they are
    "amount": "amount",
    "number": "number",
    "percent": "number",
    "integer": "integer",
    "boolean": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
}
NUMERIC = frozenset({"amount", "number", "integer"})
LENGTHS = {"date": (10,), "time": (5, 8), "datetime": (16, 19)}  # of ISO 8601 as records have it
MAX_INTEGER = 2**63 - 1


def cell(kind: Kind, value: Scalar) -> Cell:
    """A value of a record as a cell of this kind. Raises ValueError where it does not fit; text takes everything."""
    if value is None:
        return None
    if kind == "text":
        return value if isinstance(value, str) else plain(value)
    if kind == "boolean":
        if isinstance(value, bool):
            return value
    elif kind in NUMERIC:
        if isinstance(value, int | float) and not isinstance(value, bool) and (kind != "integer" or _is_whole(value)):
            return int(value) if kind == "integer" else value
    elif isinstance(value, str) and len(value) in LENGTHS[kind]:
        return _moment(kind, value)
    raise ValueError(f"no {kind}")


def own_kind(value: str | int | float | bool) -> Kind:
    """The kind that a value shows by itself. A text is text, whatever it looks like: nothing is guessed."""
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def common_kind(kinds: frozenset[Kind]) -> Kind:
    """One kind for values of several: numbers stay numbers, else all become text."""
    if len(kinds) == 1:
        return next(iter(kinds))
    return "number" if kinds and kinds <= NUMERIC else "text"


def plain(value: Cell) -> str:
    """A cell as people and programs read it: decimals exactly, without exponent; dates in ISO 8601; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        digits = repr(value)  # the shortest that means this number: what the record's JSON has
        digits = f"{Decimal(digits):f}" if "e" in digits else digits
        return "0" if value == 0 else digits.removesuffix(".0")
    if isinstance(value, datetime | time):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_whole(value: int | float) -> bool:
    return abs(value) <= MAX_INTEGER and value == int(value)


def _moment(kind: Kind, value: str) -> date | time | datetime:
    if kind == "date":
        return date.fromisoformat(value)
    return time.fromisoformat(value) if kind == "time" else datetime.fromisoformat(value)
