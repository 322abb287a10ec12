"""Amounts of money: digits with sign and currency around them. The value is the number alone."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.currencies import WHOLE_CURRENCIES
from pipkie_cli.values.flags import EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.numerals import Numeral, read_numeral
from pipkie_cli.values.signed import Signed, peel, to_value

SCHEMA: Final[Mapping[str, Any]] = {"type": ["number", "null"]}

# Words that say what kind of amount it is, or per what; they change no digit.
_TAX_WORDS: Final = re.compile(
    r"(?:[ \u00a0(]*(?:ttc|ht|tva|mwst|ust|vat|gst|iva|btw|incl|inkl|excl|exkl|zzgl|netto|brutto|net|gross)\b\.?\)?)+$",
    re.IGNORECASE,
)
_PER_UNIT: Final = re.compile(
    r"[ \u00a0]?(?:/|\b(?:per|pro|je)\b)[ \u00a0]?(?!cent|mil)[^\W\d_]{1,8}\.?[²³]?$", re.IGNORECASE
)
# The letter of a tax rate behind a price on receipts (`1,99 B`). Not C D S H (credit, debit, Soll, Haben), K M
# (thousand, million): they would change the value.
_TAX_LETTER: Final = re.compile(r"(?<=[.,][0-9]{2})(?P<gap>[ \u00a0*]*)(?P<letter>[ABEFGILNOPQRTUVWXYZ])\*?$")
_DIGIT_SHAPED: Final = "OIBGZQ"


def _without_words(text: str) -> str:
    return _PER_UNIT.sub("", _TAX_WORDS.sub("", text))


def _read_core(signed: Signed, context: ValueContext) -> tuple[Numeral, bool]:
    """The numeral, and whether a stray letter behind it looked like a digit."""
    match = _TAX_LETTER.search(signed.core)
    if match is None or (match["letter"] in "BT" and not match["gap"] and signed.currencies):  # $12.50B: billions
        return read_numeral(signed.core, context.decimal, context.grouping), False
    core = signed.core[: match.start()]
    stray = match["letter"] in _DIGIT_SHAPED and not match["gap"]
    return read_numeral(core, context.decimal, context.grouping), stray


def _of_whole_currency(numeral: Numeral, codes: tuple[str, ...]) -> Numeral:
    """Without the readings that have a fraction, where the printed currency has none: `¥1.234` is 1234."""
    if len(numeral.readings) < 2 or not codes or not WHOLE_CURRENCIES.issuperset(codes):
        return numeral
    whole = tuple(r for r in numeral.readings if r.fraction_digits == 0)
    return numeral._replace(readings=whole or numeral.readings)


def _currency(signed: Signed, context: ValueContext) -> tuple[str, ...] | None:
    """The codes that the amount can be in: printed, else the document's; None if two different ones are printed."""
    document = () if context.currency is None else (context.currency,)
    if not signed.currencies:
        return document
    shared = set.intersection(*map(set, signed.currencies))
    return tuple(shared.intersection(document) or sorted(shared)) or None


def parse(raw: str, context: ValueContext) -> Value:
    """An amount as a float of exact decimal meaning; CR, brackets and minus anywhere make it negative.

    Two statements of a sign (`-5.00 CR`) are an ambiguity. At most 15 significant digits.
    """
    if len(raw) > MAX_CHARS:
        return NOT_READ
    signed = peel(_without_words(canonical(raw)))
    codes = _currency(signed, context)
    if codes is None:
        return NOT_READ
    if signed.credit and "INR" in codes:  # India prints Cr for ten million as well
        return NOT_READ
    numeral, stray = _read_core(signed, context)
    numeral = _of_whole_currency(numeral, codes)
    dash = signed.dash_for_zero and ("CHF" in codes or signed.core.startswith(","))
    unclear = signed.minus > 1 or (signed.minus == 1 and signed.debit) or dash
    value = to_value(numeral, signed.minus, always_float=True, both_signs=unclear)
    if value is None:
        return NOT_READ
    return Value(value.value, (*value.flags, EXTRA_TEXT), value.readings) if stray else value
