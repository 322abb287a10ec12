"""Numbers: quantities, rates, counts, with or without a unit. The value is the number alone."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.numerals import Numeral, read_numeral
from pipkie_cli.values.signed import peel, to_value

SCHEMA: Final[Mapping[str, Any]] = {"type": ["number", "null"]}

_BEFORE: Final = re.compile(r"^(?:[xX×]|%)\s*(?=[0-9])")  # `x 3`, `%19`
_UNIT: Final = re.compile(
    r"(?<=[0-9.,])(?P<gap>[ \u00a0]*)(?P<unit>[cdkm]?m[23]|[^\W\d_]{1,15}[²³]?\.?|%|°[CF]?|[×@‰])$"
)
# Units that are factors: reading the number alone would be another value.
_FACTOR_WORDS: Final = """
    k tsd tausend mio mia mill million millions millionen mrd milliarden bn billion billions thousand hundred
    dozen dz dutzend lakh lac crore cr mille milliers millones mil tys mln mld
"""
_FACTORS: Final = frozenset(_FACTOR_WORDS.split())
_FACTOR_LETTERS: Final = frozenset("KMTB")  # beside the tonne and the metre: `5 t`, `5 m`


def parse(raw: str, context: ValueContext) -> Value:
    """A number: an int where no fraction is printed, else a float of exact decimal meaning; the unit is left out."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = _BEFORE.sub("", canonical(raw).strip())
    unit = _UNIT.search(text)
    core, gap, name = (text[: unit.start()], unit["gap"], unit["unit"]) if unit else (text, "", "")
    if name and not gap and set(name) <= set("OolI"):  # digits misread as letters, unless it is a litre
        core, name = text, ""
    elif name.rstrip(".") in _FACTOR_LETTERS or fold(name.rstrip(".")) in _FACTORS:
        return NOT_READ
    numeral, minus, unclear = _read(core, context)
    if core.endswith("l"):  # `1l`: one litre, or eleven
        both = (_read(core[:-1], context)[0], _read(core[:-1] + "1", context)[0])
        numeral = Numeral(tuple(reading for one in both for reading in one.readings))
    return to_value(numeral, minus, always_float=False, both_signs=unclear) or NOT_READ


def _read(core: str, context: ValueContext) -> tuple[Numeral, int, bool]:
    """The numeral, its minus signs, and whether they leave the sign open."""
    signed = peel(core)
    if signed.credit or signed.debit:  # an account has sides, a number has none
        return Numeral(()), 0, False
    numeral = read_numeral(signed.core, context.decimal, context.grouping)
    return numeral, signed.minus, signed.minus > 1 or (signed.dash_for_zero and signed.core.startswith(","))
