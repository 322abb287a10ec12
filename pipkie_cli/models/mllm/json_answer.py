"""The JSON answer of a model that writes word by word: read whatever it wrote, never trust it.

Comes in: text that a model made from a page that a stranger made. So: one scan from left to right, no recursion, no
`eval`, limits on everything. Models write fences and prose around the object, single quotes, bare words, quotes inside
quotes, trailing commas, and stop in the middle; all of that is read as far as it is clear. Numbers stay as written:
193.00 is not 193.0.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

MAX_ANSWER: Final = 65_536  # letters that are looked at: 25 values take 2,000
MAX_VALUE: Final = 4_096  # letters of one value; more is no value of a document
MAX_ENTRIES: Final = 4_096
TRUNCATED: Final = "value_truncated"  # the answer ended inside this value or before it, or no slot ended it
UNREADABLE: Final = "answer_unreadable"  # no object, or no plain value at this key
CONTRADICTED: Final = "answer_contradicted"  # the object names the key twice, with different values; the first is taken
MISSING: Final = "answer_missing"  # a whole object without this key
NOTHING: Final = frozenset({"", "null", "none", "unknown", "n/a", "undefined"})  # values that say: not on the page

_SPACE = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s,]*")
_BARE_KEY = re.compile(r"[^\s:,{}\[\]\"']{1,200}(?=\s*:)")
_BARE_VALUE = re.compile(r"[^,}\]\n\r]*")
_CLOSES = re.compile(r"\s*(?:[,}\]]|$)")  # what follows the quote that ends a value
_CLOSES_KEY = re.compile(r"\s*:")
_CLOSES_ANY = re.compile(r"\s*[,:}\]]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": " ", "r": " ", "t": " ", "b": "", "f": " "}


@dataclass(frozen=True, slots=True)
class Said:
    """What the answer says of one key. `text` None: not on the page, or, with a flag, not to be read."""

    text: str | None
    start: int = 0  # letters of the answer that hold the value, without quotes; equal where there are none
    end: int = 0
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    said: Said


def json_answer(names: Sequence[str], values: Sequence[str | None]) -> str:
    """The answer that the reader below expects at best, and that training teaches: null for what is not there."""
    return json.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False)


def read_json_answer(answer: str, names: Sequence[str], cut: bool = False) -> tuple[Said, ...]:
    """What an answer says of every name, in their order. `cut`: the model was stopped before it had ended."""
    answer = answer[:MAX_ANSWER]
    start = answer.find("{")
    if start < 0:
        return tuple(Said(None, flags=(TRUNCATED if cut and not answer.strip() else UNREADABLE,)) for _ in names)
    entries, whole = _entries(answer, start + 1)
    found = _by_name(entries, names)
    rest = Said(None, flags=(MISSING if whole else TRUNCATED,))
    return tuple(found.get(name, rest) for name in names)


def _by_name(entries: Sequence[_Entry], names: Sequence[str]) -> dict[str, Said]:
    """The entries under the names that were asked: exact ones first, else those that differ in case and marks only."""
    exact = set(names)
    folded: dict[str, str | None] = {}
    for name in names:
        key = _fold(name)
        folded[key] = None if key in folded else name  # two names that fold alike are taken exactly or not at all
    found: dict[str, Said] = {}
    for entry in entries:
        asked = entry.name if entry.name in exact else folded.get(_fold(entry.name))
        if asked is None:
            continue
        first = found.setdefault(asked, entry.said)
        if first.text != entry.said.text and CONTRADICTED not in first.flags:
            found[asked] = replace(first, flags=(*first.flags, CONTRADICTED))
    return found


def _fold(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _entries(text: str, at: int) -> tuple[list[_Entry], bool]:
    """The entries of the object whose brace stands before `at`, and whether it was ended."""
    entries: list[_Entry] = []
    while len(entries) < MAX_ENTRIES:
        at = _end(_BETWEEN, text, at)
        if at >= len(text):
            return entries, False
        if text[at] == "}":
            return entries, True
        name, at = _key(text, at)
        if name is None:
            return entries, False
        said, at = _value(text, _end(_SPACE, text, at))
        entries.append(_Entry(name, said))
    return entries, False


def _end(pattern: "re.Pattern[str]", text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _key(text: str, at: int) -> tuple[str | None, int]:
    """The key at `at` and the place behind its colon; None where there is none."""
    if text[at] in "\"'":
        end = _quote_end(text, at, _CLOSES_KEY)
        if end is None:
            return None, len(text)
        name, behind = _unescape(text[at + 1 : end]), end + 1
    else:
        match = _BARE_KEY.match(text, at)
        if match is None:
            return None, len(text)
        name, behind = match.group(), match.end()
    return name, _end(_SPACE, text, behind) + 1


def _value(text: str, at: int) -> tuple[Said, int]:
    """The value at `at` and the place behind it."""
    if at >= len(text):
        return Said(None, flags=(TRUNCATED,)), at
    if text[at] in "\"'":
        end = _quote_end(text, at, _CLOSES)
        if end is None:
            return _said(_unescape(text[at + 1 :]), at + 1, len(text), (TRUNCATED,)), len(text)
        return _said(_unescape(text[at + 1 : end]), at + 1, end), end + 1
    if text[at] in "{[":
        return _nested(text, at)
    match = _BARE_VALUE.match(text, at)
    end = match.end() if match else at
    return _said(text[at:end], at, end, (TRUNCATED,) if end == len(text) else ()), end


def _said(text: str, start: int, end: int, flags: tuple[str, ...] = ()) -> Said:
    value = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if len(value) > MAX_VALUE:
        return Said(None, start, end, (*flags, UNREADABLE))
    return Said(None if value.casefold() in NOTHING else value, start, end, flags)


def _quote_end(text: str, at: int, closes: "re.Pattern[str]") -> int | None:
    """Where the quote at `at` is closed: by the first of its kind behind which the object goes on."""
    quote, here = text[at], at + 1
    while here < len(text):
        if text[here] == "\\":
            here += 2
        elif text[here] == quote and closes.match(text, here + 1):
            return here
        else:
            here += 1
    return None


def _nested(text: str, at: int) -> tuple[Said, int]:
    """A list or object where a value was asked: a list of one plain value is that value, else nothing is read."""
    depth, here = 0, at
    while here < len(text):
        letter = text[here]
        if letter in "\"'":
            end = _quote_end(text, here, _CLOSES_ANY)
            here = len(text) if end is None else end + 1
            continue
        depth += (letter in "{[") - (letter in "}]")
        here += 1
        if depth == 0:
            break
    if depth:
        return Said(None, at, here, (TRUNCATED,)), here
    inner = _end(_SPACE, text, at + 1)
    if text[at] == "[" and text[inner] not in "[{]":
        said, end = _value(text, inner)
        if _end(_SPACE, text, end) == here - 1:
            return said, here
    return Said(None, at, here, (UNREADABLE,)), here


def _unescape(text: str) -> str:
    """JSON's escapes resolved, lone surrogates left out: they cannot be written to a record."""

    def letter(match: "re.Match[str]") -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if len(code) == 5 else _PLAIN.get(code, code)

    said = _ESCAPE.sub(letter, text)
    return said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
