"""One of the values that a template names: as printed, by another print of it, or ticked."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pipkie_cli.nouns import Choice, Value
from pipkie_cli.values.flags import EXTRA_TEXT, NOT_READ
from pipkie_cli.values.folding import fold, one_line
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one
from pipkie_cli.values.ticks import boxes

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"]}  # a key adds its own `enum`

_SIGNS: Final = re.compile(r"(?:(?<![^\W_])-|-(?=[^\W_])|[^\w+-]|_)+")  # all but those of `A+` and `A-`
MAX_PRINTED = 1000  # characters of one answer


def parse(raw: str, context: ValueContext, choices: tuple[Choice, ...] = ()) -> Value:
    """The value that is printed or ticked. Case, accents and punctuation don't matter; a misread letter does."""
    if len(raw) > MAX_PRINTED or not choices:
        return NOT_READ
    text = one_line(raw)
    exact = _prints(choices).get(_plain(text), ())
    if exact:
        return only_one(exact)
    if found := boxes(text):
        ticked = [value for box in found if box.ticked for value in _named(box.label, choices)]
        return only_one(ticked)
    return only_one(_named(text, choices), EXTRA_TEXT)


def plain_print(text: str) -> str:
    """What counts of a print: two with the same are one; "" where no eye sees anything."""
    return _plain(one_line(text))


def _plain(text: str) -> str:
    """Folded words with one blank between them; where there are none, the signs."""
    folded = fold(text)
    return " ".join(_SIGNS.sub(" ", folded).split()) or folded.strip()


@lru_cache(maxsize=256)
def _prints(choices: tuple[Choice, ...]) -> Mapping[str, tuple[str, ...]]:
    """Every print of every choice -> the values that it can mean."""
    prints: dict[str, dict[str, None]] = {}
    for choice in choices:
        for text in (choice.value, *choice.printed):
            prints.setdefault(plain_print(text), {})[choice.value] = None
    return {text: tuple(values) for text, values in prints.items()}


def _named(text: str, choices: tuple[Choice, ...]) -> Sequence[str]:
    """The values whose print stands in the text as whole words, in order; one inside a longer one does not count."""
    words = f" {_plain(text)} "
    found: list[tuple[int, tuple[str, ...]]] = []
    for printed in sorted(_prints(choices), key=len, reverse=True):
        if (at := words.find(f" {printed} ")) >= 0:
            found.append((at, _prints(choices)[printed]))
            words = words.replace(f" {printed} ", " " * (len(printed) + 2))
    return [value for _, values in sorted(found) for value in values]
