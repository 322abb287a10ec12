"""International bank account numbers (ISO 13616): without blanks, with the right length, form and check digits."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import BAD_CHECKSUM, EXTRA_TEXT, MAX_CHARS, NOT_READ, REPAIRED_DIGITS
from pipkie_cli.values.folding import WIDE_SPACE, canonical
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"}

_START: Final = re.compile(r"(?<![A-Z0-9])[A-Z]{2}[ -]?[0-9OIL|]{2}")
_LABELS: Final = re.compile(r"\bI\.?B\.?A\.?N\b\.?|\b(?:NO|NR|KONTO|ACCOUNT)\b\.?")
_LOOK_ALIKES: Final = str.maketrans("OIL|", "0111")
_WORD_END: Final = re.compile(r"(?<=[A-Z0-9|])(?![A-Z0-9|])")
SHORTEST, LONGEST = 15, 34  # signs: Norway, and the most that ISO 13616 allows
MAX_PRINTED = 45  # characters: 34 of the longest form, in groups of four
_SEPARATORS: Final = re.compile(r"[ .-]")


def parse(raw: str, context: ValueContext) -> Value:
    """The one number in the text. Wrong check digits: null. A letter where the country's form has a digit is read as
    the digit that it looks like, if then the check digits are right, and flagged."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = " ".join(_LABELS.sub(" ", canonical(raw).replace(WIDE_SPACE, " ").upper()).split())
    read = [_longest(text, match.start()) for match in _START.finditer(text)]
    good = [one for one in read if one.number]
    if not good:
        return Value(None, (BAD_CHECKSUM,)) if any(one.in_form for one in read) else NOT_READ
    value = only_one(one.number for one in good)
    if value.value is None:
        return value
    flags = (REPAIRED_DIGITS,) if good[0].repaired else ()
    rest = text
    for one in reversed(good):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    return Value(value.value, (*flags, EXTRA_TEXT) if re.search(r"\w", rest) else flags)


class _Found(NamedTuple):
    """What stands at a place: a number, or one that only lacks right check digits (`in_form`), or neither."""

    start: int
    end: int
    number: str = ""
    repaired: bool = False
    in_form: bool = False


def _longest(text: str, start: int) -> _Found:
    """The longest IBAN that begins at `start` and ends where a word of the text does."""
    ends = [match.end() for match in _WORD_END.finditer(text, start, min(len(text), start + MAX_PRINTED))]
    in_form = False
    for end in reversed(ends):
        compact = _SEPARATORS.sub("", text[start:end])
        if not SHORTEST <= len(compact) <= LONGEST:
            continue
        mended = compact[:2] + compact[2:].translate(_LOOK_ALIKES)
        for number in dict.fromkeys((compact, mended)):
            if _is_iban(number):
                return _Found(start, end, number, number != compact)
        in_form = in_form or any(_is_iban(_with_right_digits(form)) for form in (compact, mended))
    return _Found(start, start, in_form=in_form)


def _with_right_digits(number: str) -> str:
    from stdnum import iban

    return number[:2] + iban.calc_check_digits(number) + number[4:] if number.isalnum() and number.isascii() else ""


def _is_iban(number: str) -> bool:
    """Length and form of the country, and check digits modulo 97. Check digits of a country's own are not asked."""
    from stdnum import iban

    return iban.is_valid(number, check_country=False)
