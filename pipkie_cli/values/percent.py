"""Rates in per cent, as printed: `19 %` is 19, never 0.19. Per mille is no per cent."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import AMBIGUOUS_NUMBER, EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.numerals import read_numeral
from pipkie_cli.values.signed import peel, to_value

SCHEMA: Final[Mapping[str, Any]] = {"type": ["number", "null"]}

_PER_CENT: Final = re.compile(
    r"[%٪﹪]|\b(?:per ?cent[oi]?|pour ?cent|por ?ciento|por ?cento|prozent|procent[ai]?|pct|v\. ?h\.?|p\. ?c\.)(?!\w)",
    re.IGNORECASE,
)
# Words beside a rate that say what it is a rate of, and change no digit of it.
_BESIDE: Final = """
    vat gst pst hst qst tax rate sales mwst ust mehrwertsteuer umsatzsteuer steuer steuersatz satz tva taux iva btw ptu
    moms mva dph pdv kdv alv afa incl inkl inclusive excl exkl zzgl plus discount rabatt skonto remise sconto descuento
    desconto korting rabat at a of de di do no
"""
_SAYS_NOTHING: Final = frozenset(_BESIDE.split())
# A label, up to the number. Letters that touch the number are no label: the l of `l9 %` may be a 1.
_BEFORE: Final = re.compile(r"^[^\W\d_][^\d%$€£¥]*?[^\w$€£¥](?=[-+(]?[.,]?\d)")
_WORD: Final = re.compile(r"[^\W\d_]+")


def parse(raw: str, context: ValueContext) -> Value:
    """The rate, an int where no fraction is printed. Without a sign a number below one may be a share: ambiguous."""
    if len(raw) > MAX_CHARS or "‰" in raw:
        return NOT_READ
    text = canonical(raw).strip(" \u00a0:;@=*")
    signs = list(_PER_CENT.finditer(text))
    if len(signs) > 1:
        return NOT_READ
    before, after = (text[: signs[0].start()], text[signs[0].end() :]) if signs else (text, "")
    if signs and not any(char.isdigit() for char in before):  # Turkish `%19 KDV`
        before, after = _head(after), f"{before} {_tail(after)}"
    label = _BEFORE.match(before)
    beside = f"{label[0] if label else ''} {after}"
    core = before[label.end() if label else 0 :]
    if any(char.isdigit() for char in beside) or after.strip() == "-":
        return NOT_READ
    # `(5 %)` in a column is minus five, in a sentence five.
    in_brackets = core.startswith("(") and not re.search(r"\w", beside)
    value = _rate(core, context, bool(signs), in_brackets)
    strangers = [word for word in _WORD.findall(fold(beside)) if word not in _SAYS_NOTHING]
    if strangers and value.value is not None:
        return Value(value.value, (*value.flags, EXTRA_TEXT))
    return value


def _head(text: str) -> str:
    """`19 MwSt` -> `19`: what stands before the first word."""
    match = _WORD.search(text)
    return text[: match.start()] if match else text


def _tail(text: str) -> str:
    return text[len(_head(text)) :]


def _rate(core: str, context: ValueContext, signed_by_print: bool, in_brackets: bool) -> Value:
    signed = peel(core.lstrip("("))
    if signed.currencies or signed.credit or signed.debit:
        return NOT_READ
    numeral = read_numeral(signed.core, context.decimal, context.grouping)
    value = to_value(numeral, signed.minus, always_float=False, both_signs=signed.minus > 1 or in_brackets) or NOT_READ
    if not signed_by_print and isinstance(value.value, float) and 0 < abs(value.value) < 1:
        share = numeral.readings[0].number
        minus = "-" if signed.minus else ""
        return Value(None, (AMBIGUOUS_NUMBER, *value.flags), (f"{minus}{share:f}", f"{minus}{_hundredfold(share)}"))
    return value


def _hundredfold(share: Any) -> str:
    """A decimal with its point two places to the right; no arithmetic, which would round by the process's context."""
    whole, _, fraction = f"{share:f}".partition(".")
    fraction = fraction.ljust(2, "0")
    moved = (whole + fraction[:2]).lstrip("0") or "0"
    rest = fraction[2:].rstrip("0")
    return f"{moved}.{rest}" if rest else moved
