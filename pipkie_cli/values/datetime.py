"""Days with a time of the day -> ISO 8601 without a zone: `2024-03-05T14:30`. Neither is filled in for the other."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.date import parse as parse_date
from pipkie_cli.values.flags import AMBIGUOUS_TIME, MAX_CHARS, NOT_READ
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.time import clocks, folded, without

SCHEMA: Final[Mapping[str, Any]] = {
    "type": ["string", "null"],
    "pattern": "^[0-9]{4}-[01][0-9]-[0-3][0-9]T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
}

_COMPACT: Final = re.compile(r"(\d{8})[t ]?(\d\d)(\d\d)(\d\d)?(?: ?z)?")
# OCR glues the time to the year (`Sep1.20173:05:24pm`), ISO 8601 puts a letter between them.
_GLUED: Final = re.compile(r"(?<=\D(?:19|20)\d\d)(?=\d{1,2}:\d\d)|(?<=\d)t(?=\d\d:\d\d)")


def parse(raw: str, context: ValueContext) -> Value:
    """The printed day and the printed clock; the zone is left out. Either missing: null."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = _GLUED.sub(" ", folded(raw))
    if compact := _COMPACT.fullmatch(text):
        day, *clock = (part for part in compact.groups() if part)
        text = f"{day} {':'.join(clock)}"
    found = clocks(text, dotted=True)
    times = tuple(dict.fromkeys(time.text for time in found))
    if not times or None in times:
        return NOT_READ
    date = parse_date(without(text, found), context)
    days = (date.value,) if date.value else date.readings
    if not days:
        return date
    readings = tuple(f"{day}T{time}" for day in days for time in times)
    if len(readings) == 1:
        return Value(readings[0], date.flags)
    return Value(None, (*date.flags, AMBIGUOUS_TIME) if len(times) > 1 else date.flags, readings)
