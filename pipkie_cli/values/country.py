"""Countries: a name in one of ten languages, or a code -> ISO 3166 alpha-2."""

import re
from collections.abc import Mapping
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.countries import LONGEST_NAME, countries_of, is_name
from pipkie_cli.values.flags import EXTRA_TEXT, MAX_CHARS, NOT_READ
from pipkie_cli.values.folding import canonical, one_line
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": "^[A-Z]{2}$"}

_LABEL: Final = re.compile(r"^(?:country|land|pays|pa[ií]s|paese|kraj|staat)\s*:\s*", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")


def parse(raw: str, context: ValueContext) -> Value:
    """The country that the text names. Within an address only full names count: `DE` and `IT` are words as well."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = _LABEL.sub("", canonical(one_line(raw)).replace("\u00a0", " ").strip())
    if codes := countries_of(text):
        return only_one(codes)
    return only_one(_named(_WORD.findall(text)), EXTRA_TEXT)


def _named(words: list[str]) -> list[str]:
    """The codes of every name among the words; where names overlap, the longest counts (Equatorial Guinea)."""
    found: list[str] = []
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            if codes := is_name(tuple(words[at : at + length])):
                found.extend(codes)
                at += length
                break
        else:
            at += 1
    return found
