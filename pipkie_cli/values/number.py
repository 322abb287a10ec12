"""Numbers: quantities, rates, counts, with or without a unit. The value is the number alone."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import AMBIGUOUS_NUMBER, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.numerals import read_numeral
from pipkie_cli.values.signed import peel, to_value

SCHEMA: Final[Mapping[str, Any]] = {"type": ["number", "null"]}

_TIMES: Final = re.compile(r"^[xX×]\s*(?=[0-9])")
_UNIT: Final = re.compile(
    r"(?<=[0-9.,])(?P<gap>[ \u00a0]*)(?P<unit>[^\W\d_][^\W\d_./ ²³-]{0,14}[²³23]?\.?|%|°[CF]?|[×@‰])$"
)
# Units that are factors: reading the number alone would be another value.
_FACTOR_WORDS: Final = """
    k m t tsd tausend mio mia mill million millions millionen mrd milliarden bn billion billions thousand hundred
    dozen dz dutzend lakh lac crore cr mille milliers millones mil tys mln mld
"""
_FACTORS: Final = frozenset(_FACTOR_WORDS.split())
_MISREAD_ONE: Final = re.compile(r"[0-9]+l$")


def parse(raw: str, context: ValueContext) -> Value:
    """A number: an int where no fraction is printed, else a float of exact decimal meaning; the unit is left out."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = _TIMES.sub("", canonical(raw).strip())
    unit = _UNIT.search(text)
    core, gap, name = (text[: unit.start()], unit["gap"], unit["unit"]) if unit else (text, "", "")
    if name and _is_digit_like(name, gap):
        core, name = text, ""
    if name == "m":  # metre; `M` is a million
        name = ""
    if fold(name.rstrip(".")) in _FACTORS:
        return NOT_READ
    if _MISREAD_ONE.fullmatch(core):  # `1l`: one litre, or eleven
        return Value(None, (AMBIGUOUS_NUMBER,), (core[:-1], f"{core[:-1]}1"))
    signed = peel(core)
    if signed.currencies or signed.credit or signed.debit:
        return NOT_READ
    numeral = read_numeral(signed.core, context.decimal, context.grouping)
    unclear = signed.minus > 1 or (signed.dash_for_zero and signed.core.startswith(","))
    return to_value(numeral, signed.minus, always_float=False, both_signs=unclear) or NOT_READ


def _is_digit_like(unit: str, gap: str) -> bool:
    return not gap and set(unit) <= set("OolI|")
