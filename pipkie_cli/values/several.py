"""One value out of the ones that a text holds: several different ones are no answer."""

from collections.abc import Iterable

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import AMBIGUOUS_VALUE, NOT_READ


def only_one(found: Iterable[str], *flags: str) -> Value:
    """The value, if all that was found is the same; null where there are several, or none."""
    values = tuple(dict.fromkeys(found))
    if not values:
        return NOT_READ
    return Value(values[0], flags) if len(values) == 1 else Value(None, (AMBIGUOUS_VALUE,), values)
