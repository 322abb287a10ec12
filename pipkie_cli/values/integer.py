"""Whole numbers: counts, quantities. The type decides where one reading alone is whole: `1.234` is 1234."""

from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import AMBIGUOUS_NUMBER, NOT_READ
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.number import parse as parse_number

SCHEMA: Final[Mapping[str, Any]] = {"type": ["integer", "null"]}


def _whole(reading: str) -> int | None:
    """The number as an int, if nothing but zeros stands behind its decimal point."""
    before, _, after = reading.partition(".")
    return None if after.strip("0") else int(before)


def parse(raw: str, context: ValueContext) -> Value:
    """A number without a fraction (`5`, `5.00`); `1,5` is none, and `1.000` may be one or a thousand."""
    number = parse_number(raw.replace("#", " "), context)
    if AMBIGUOUS_NUMBER in number.flags:
        whole = tuple(dict.fromkeys(n for reading in number.readings if (n := _whole(reading)) is not None))
        if len(whole) == 1:
            return Value(whole[0], tuple(flag for flag in number.flags if flag != AMBIGUOUS_NUMBER))
        return Value(None, number.flags, tuple(map(str, whole))) if whole else NOT_READ
    if number.value is None or isinstance(number.value, int):
        return number
    return Value(int(number.value), number.flags) if float(number.value).is_integer() else NOT_READ
