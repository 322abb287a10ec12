"""A fact as a value of a key's type, and whether a printed value says the same."""

import re
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Context, Decimal

from pipkie_cli.facts.invoice_xml import decimal_of
from pipkie_cli.nouns import Fact, Key, Value

DECIMALS = ("amount", "number", "percent")
MAX_SIGNIFICANT = 15  # decimal digits that every double gives back (IEEE 754)
LEAST_DECIMALS = 2  # of a printed amount: the XML's third is rounded off, its second never
LEAST_PART = 4  # letters and digits of a text that may stand for a longer one

_EXACT = Context(prec=100)  # whatever the process's own context is
_PIECE = re.compile(r"[^\W_]+")


def type_fact(key: Key, fact: Fact) -> Value:
    """The value, exact: decimals and dates from the form that the standard fixes, everything else as printed text is.

    None with a flag where the fact is no value of the type.
    """
    from pipkie_cli.values import ValueContext, parse_value

    if key.type in (*DECIMALS, "integer"):
        return _number(key.type, fact.plain)
    if key.type in ("date", "datetime"):
        return _moment(key.type, fact.plain)
    if key.type == "barcode" and fact.source == "barcode":  # its own check digits were right, else it were not decoded
        value = parse_value("text", fact.plain, ValueContext())  # without control characters, which no database takes
        return value if value.value is not None else Value(None, ("unparsable",))
    return parse_value(key.type, fact.plain, ValueContext(), key.choices)


def _number(type_name: str, text: str) -> Value:
    number = decimal_of(text)
    if number is None:
        return Value(None, ("unparsable",))
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if number and max(len(digits), number.adjusted() + 1) > MAX_SIGNIFICANT:
        return Value(None, ("too_many_digits",))
    is_whole = number == int(number)
    if type_name == "integer" and not is_whole:
        return Value(None, ("unparsable",))
    if type_name != "amount" and is_whole:
        return Value(int(number))  # XML writes 20.0000 for twenty pieces
    return Value(float(number) or 0.0)  # zero has no sign


def _moment(type_name: str, text: str) -> Value:
    try:
        if type_name == "date":
            return Value(date.fromisoformat(text[:10]).isoformat())
        return Value(datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec="minutes"))
    except ValueError:
        return Value(None, ("unparsable",))


def agree(key: Key, fact: Value, printed: Value, raw: str, is_credit: bool = False) -> bool:
    """Whether a printed text, typed as `printed`, says what the fact says.

    Texts: the same letters and digits, or one is a part of the other at the borders of words (a name with its
    address). An ambiguous print agrees where one of its readings does. On credit notes the sign counts for nothing.
    """
    said = [printed.value] if printed.value is not None else list(printed.readings)
    if isinstance(fact.value, bool):
        return fact.value in said
    if isinstance(fact.value, int | float):
        numbers = [_decimal(one) for one in said]
        return any(one is not None and _same_number(one, Decimal(str(fact.value)), is_credit) for one in numbers)
    if fact.value is None:
        return False
    return any(same_text(str(fact.value), str(one)) for one in said or [raw])


def _decimal(said: str | int | float | bool) -> Decimal | None:
    if isinstance(said, float | int) and not isinstance(said, bool):
        return Decimal(str(said))  # 1e-05 too
    return decimal_of(str(said))


def _same_number(printed: Decimal, fact: Decimal, is_credit: bool) -> bool:
    """Equal, or printed with fewer decimals: a price of 3.3333 is printed as 3.33."""
    if is_credit:
        printed, fact = printed.copy_abs(), fact.copy_abs()
    decimals = max(LEAST_DECIMALS, -int(printed.as_tuple().exponent))
    if printed == fact or -int(fact.as_tuple().exponent) <= decimals:
        return printed == fact
    return printed == fact.quantize(Decimal((0, (1,), -decimals)), ROUND_HALF_UP, _EXACT)


def same_text(one: str, other: str) -> bool:
    """The same letters and digits, or one is a part of the other at the borders of words."""
    pieces, others = _PIECE.findall(one.casefold()), _PIECE.findall(other.casefold())
    letters, other_letters = "".join(pieces), "".join(others)
    if letters == other_letters:
        return True
    shorter, longer = sorted((pieces, others), key=len)
    if len("".join(shorter)) < LEAST_PART:
        return False
    return any(longer[at : at + len(shorter)] == shorter for at in range(len(longer) - len(shorter) + 1))
