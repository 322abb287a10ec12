"""Whether a printed text can be a value of a key's type at all, whatever the document's own marks are."""

from functools import lru_cache

from pipkie_cli.nouns import Choice

NEUTRAL = frozenset({"text"})  # types that any text fits
UNFIT = frozenset({"unparsable", "extra_text"})


@lru_cache(maxsize=50_000)
def fits_type(type_name: str, text: str, choices: tuple[Choice, ...] = ()) -> bool:
    """False where `text` cannot be read as the type, or only with something left over. Ambiguous texts fit, and
    codes whose check digits are wrong: they are of the type, but misread."""
    from pipkie_cli.values import ValueContext, parse_value

    return type_name in NEUTRAL or UNFIT.isdisjoint(parse_value(type_name, text, ValueContext(), choices).flags)
