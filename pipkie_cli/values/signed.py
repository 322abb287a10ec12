"""Text around digits: minus signs in all their forms, currency, marks that say nothing. Shared by amount and number."""

import re
from decimal import Decimal
from typing import Final, NamedTuple

from pipkie_cli.nouns import Value
from pipkie_cli.values.currencies import take_from_end, take_from_start
from pipkie_cli.values.flags import AMBIGUOUS_NUMBER, REPAIRED_DIGITS, TOO_MANY_DIGITS
from pipkie_cli.values.folding import canonical
from pipkie_cli.values.numerals import Numeral

_BLANK: Final = " \u00a0"
_SAYS_NOTHING: Final = _BLANK + "*:=#~_"
_NO_CENTS: Final = re.compile(r"(?<=[0-9]) ?(?P<mark>[.,]) ?-{1,3}$")  # `12.-`, `5,--`: the dash stands for zero cents
# A sign in the place of a digit: `28,5~`, `_6.57`. Lines to write on are longer; tills set stars beside whole amounts.
_UNREADABLE: Final = re.compile(r"(?<![~_])[~_](?=[0-9])|(?<=[0-9])[~_](?![~_])|(?<=[.,][0-9])[*#~_]")
_ONLY: Final = re.compile(r"(?<=[0-9]) ?/ ?[-=]{1,2}$")  # `Rs. 500/-`, `500/=`: and no cents
_BULLET: Final = re.compile(r"^[·•∙] ?(?=[0-9]+[.,][0-9]{2}(?![0-9]))")  # `·80.00` is no fraction
_RAISED_POINT: Final = re.compile(r"(?<=[0-9])[·∙](?=[0-9])")  # £5·55
_CREDIT: Final = re.compile(r"(?<![^\W\d_])(?:cr\.?|\( ?cr\.? ?\))$", re.IGNORECASE)
_DEBIT: Final = re.compile(r"(?<![^\W\d_])(?:d[rb]\.?|\( ?d[rb]\.? ?\))$", re.IGNORECASE)
_NO_WHOLE: Final = re.compile(r"-[.,][0-9]{2}(?![0-9])")
MAX_SIGNIFICANT = 15  # decimal digits that every double gives back (IEEE 754)


class Signed(NamedTuple):
    """The digits, and what stood around them."""

    core: str
    minus: int  # minus signs, brackets and CR: more than one is no plain statement
    debit: bool
    credit: bool
    dash_for_zero: bool  # `-.50`: minus, or the Swiss and German dash for "no francs"
    currencies: tuple[tuple[str, ...], ...]  # each as the codes it can mean


def peel(text: str) -> Signed:
    """Take sign and currency off both ends, in any order, until only digits and marks (or a stranger) are left."""
    rest = _ONLY.sub("", canonical(text).strip(_BLANK))
    if _UNREADABLE.search(rest):
        return Signed(rest, 0, False, False, False, ())
    rest = _RAISED_POINT.sub(".", _BULLET.sub("", rest.strip(_SAYS_NOTHING)))
    minus, debit, credit, dash_for_zero = 0, False, False, False
    currencies: list[tuple[str, ...]] = []
    while True:
        before = rest
        if rest.startswith("(") and rest.endswith(")"):
            rest, minus = rest[1:-1], minus + 1
        elif rest.startswith("-"):
            dash_for_zero = dash_for_zero or _NO_WHOLE.match(rest) is not None
            rest, minus = rest[1:], minus + 1
        elif rest.startswith("+"):
            rest = rest[1:]
        elif rest.endswith("+"):  # bank statements: `12,50+`
            rest = rest[:-1]
        elif _NO_CENTS.search(rest):
            rest = _NO_CENTS.sub(r"\g<mark>00", rest)
        elif rest.endswith("-"):
            rest, minus = rest[:-1], minus + 1
        elif _CREDIT.search(rest):
            rest, minus, credit = _CREDIT.sub("", rest), minus + 1, True
        elif _DEBIT.search(rest):
            rest, debit = _DEBIT.sub("", rest), True
        else:
            for take in (take_from_start, take_from_end):
                codes, rest = take(rest)
                if codes:
                    currencies.append(codes)
        rest = rest.strip(_SAYS_NOTHING)
        if rest == before:
            return Signed(rest, minus, debit, credit, dash_for_zero, tuple(currencies))


def _significant(number: Decimal) -> int:
    """Decimal digits between the first and the last that is not zero, and the zeros up to the ones."""
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    return max(len(digits), number.adjusted() + 1)


def to_value(numeral: Numeral, minus: int, always_float: bool, both_signs: bool = False) -> Value | None:
    """A typed number from a numeral and its minus signs; None if there is nothing to read.

    An int where no fraction is printed, unless always_float; else the double nearest to the decimal, which prints as
    that decimal. both_signs: the signs leave open whether the number is negative, so both are readings.
    No Decimal arithmetic: it would round by the process's decimal context.
    """
    if not numeral.readings:
        return None
    repaired = (REPAIRED_DIGITS,) if numeral.repaired else ()
    numbers = [reading.number for reading in numeral.readings]
    if any(_significant(number) > MAX_SIGNIFICANT for number in numbers):
        return Value(None, (TOO_MANY_DIGITS,))
    signed = [n for number in numbers for n in _with_signs(number, minus, both_signs)]
    if len(signed) > 1:
        return Value(None, (AMBIGUOUS_NUMBER, *repaired), tuple(dict.fromkeys(f"{number:f}" for number in signed)))
    fraction = always_float or numeral.readings[0].fraction_digits > 0
    return Value(float(str(signed[0])) if fraction else int(signed[0]), repaired)


def _with_signs(number: Decimal, minus: int, both: bool) -> tuple[Decimal, ...]:
    if not number:  # zero has no sign
        return (number,)
    return (number.copy_negate(), number) if both else (number.copy_negate(),) if minus else (number,)
