"""Addresses of web pages: as printed, scheme and host in lower case. A scheme that is not printed is not made up."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.countries import iso_countries
from pipkie_cli.values.flags import EXTRA_TEXT, NOT_READ
from pipkie_cli.values.folding import one_line
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": r"^\S+\.\S+$"}

_LABEL: Final = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_URL: Final = re.compile(
    rf"(?<![\w@./-])((?:https?|ftp)://)?((?:{_LABEL}\.)+(?:[^\W\d_]{{2,24}}|xn--[a-z\d-]+))(?![\w@-]|\.\w)(:\d{{1,5}})?([/?#]\S*)?",
    re.IGNORECASE,
)
_NETWORK: Final = re.compile(r"((?:https?|ftp)://)((?:\d{1,3}\.){3}\d{1,3})(:\d{1,5})?([/?#]\S*)?", re.IGNORECASE)
_CLOSING: Final = ".,;:!?'\"»”"
_GENERIC_ENDINGS: Final = """
    com org net info biz eu uk gov edu int mil io app dev shop online store cloud digital agency group company gmbh
    berlin hamburg koeln bayern wien tirol swiss paris london cat name pro mobi tech media solutions services global
    bank insurance energy health email site web xyz world international
"""
_GENERIC: Final = frozenset(_GENERIC_ENDINGS.split())
_LABELS: Final = re.compile(r"\b(?:web(?:site|seite)?|internet|homepage|url|site|online)\b\.?", re.IGNORECASE)
MAX_URL = 2000  # characters


@lru_cache(maxsize=1)
def _endings() -> frozenset[str]:
    return _GENERIC | {code.lower() for code in iso_countries()}


def parse(raw: str, context: ValueContext) -> Value:
    """The one address in the text. Without scheme, `www.` or path it needs an ending that domains have."""
    if len(raw) > MAX_URL:
        return NOT_READ
    text = one_line(raw)
    text = re.sub(r"^((?:https?|ftp)) ?: ?// ?", r"\1://", text, flags=re.IGNORECASE)  # a blank that OCR set
    matches = [match for match in (*_URL.finditer(text), *_NETWORK.finditer(text)) if _is_address(match)]
    value = only_one(_written(match) for match in matches)
    if value.value is None:
        return value
    for match in reversed(matches):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return Value(value.value, (EXTRA_TEXT,)) if re.search(r"\w", _LABELS.sub(" ", text)) else value


def _is_address(match: re.Match[str]) -> bool:
    scheme, host = match[1], match[2]
    if scheme or host.lower().startswith("www."):
        return host.count(".") > (0 if scheme else 1)
    ending = host.rpartition(".")[2]
    return ending.lower() in _endings() and (ending.islower() or host.isupper())  # `z.B`, `Co.De`


def _written(match: re.Match[str]) -> str:
    scheme, host, port, path = (part or "" for part in match.groups())
    path = path.rstrip(_CLOSING)
    while path.endswith(")") and path.count(")") > path.count("("):
        path = path[:-1].rstrip(_CLOSING)
    return f"{scheme.lower()}{host.lower()}{port}{path}"
