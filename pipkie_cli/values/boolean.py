"""Yes or no: a word of some twenty languages, or a check box. A dash, `n/a`, or both ticked is neither."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import AMBIGUOUS_VALUE, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import fold, one_line
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.ticks import boxes

SCHEMA: Final[Mapping[str, Any]] = {"type": ["boolean", "null"]}

_YES_WORDS: Final = """
    yes y true ja j wahr oui vrai si s vero sim verdadeiro tak prawda ano da evet igen kylla jah taip ya x checked on
    angekreuzt はい 是 예 네 да так ναι
"""
_NO_WORDS: Final = """
    no n false nein falsch non faux falso nao nee onwaar nie ne nej nei hayir nem ei tidak unchecked off
    いいえ 否 아니오 нет ні
"""
_YES, _NO = frozenset(_YES_WORDS.split()), frozenset(_NO_WORDS.split())
_PARTED: Final = re.compile(r"[ /|,]+")
_PARTS: Final = frozenset("|/,;")
_TICK_ALONE: Final = frozenset("✓✔☑☒✗✘×🗸🗹")


def parse(raw: str, context: ValueContext) -> Value:
    """True or false as printed. A ticked box with `no` beside it says false; an open one beside a word says nothing."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = one_line(raw)
    if text in _TICK_ALONE:
        return Value(True)
    found = [(box.ticked, _said(box.label)) for box in boxes(text)]
    if len(found) == 1:
        ticked, said = found[0]
        return Value(ticked) if said is None else Value(said) if ticked else NOT_READ
    if found:
        return _only({said for ticked, said in found if ticked})
    crossed = _crossed(text.split())
    if crossed is not None:
        return Value(crossed)
    whole = _said(text)
    return Value(whole) if whole is not None else _only({_said(word) for word in _PARTED.split(text)} | {None})


def _crossed(words: list[str]) -> bool | None:
    """Which of two options has a cross beside it: `Yes | X No`, `X Yes No`, `Yes No X`; None where that is open."""
    said = [_said(word) if fold(word) != "x" and word not in _PARTS else None for word in words]
    crosses = [at for at, word in enumerate(words) if fold(word) == "x"]
    if len(crosses) != 1 or {True, False} - set(said):
        return None
    (at,) = crosses
    before = said[at - 1] if at else None
    after = said[at + 1] if at + 1 < len(words) else None
    return after if before is None else before if after is None else None


def _said(word: str) -> bool | None:
    folded = fold(word).strip(" .,;:!()")
    return True if folded in _YES else False if folded in _NO else None


def _only(said: set[bool | None]) -> Value:
    if {True, False} <= said:
        return Value(None, (AMBIGUOUS_VALUE,), ("true", "false"))
    return Value(said.pop()) if len(said) == 1 and None not in said else NOT_READ
