"""The printed material of made-up documents, read once from the room's data files: fields, labels, phrases."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "ms")  # ms: English as on Malaysian receipts
_DATA = Path(__file__).parent / "data"
_TYPES = {"date": "date", "amount": "amount", "number": "number", "quantity": "number", "currency": "currency"}


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a document may state: how people ask for it and how it is labelled in print."""

    name: str
    kind: str  # of value, a name of `values.KINDS`
    areas: frozenset[str]  # kinds of document that state it
    prompts: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]  # by language

    @property
    def type(self) -> str:
        """The value type that a template would give this key."""
        return _TYPES.get(self.kind, "text")

    def labels_in(self, language: str) -> tuple[str, ...]:
        """Printed labels; English ones where the language has none of its own."""
        return self.labels.get(language) or self.labels.get("en") or self.prompts


@cache
def fields() -> dict[str, Field]:
    """Every field by its name, in the order of the file."""
    found = {}
    for head, rows in _sections("fields.txt"):
        name, rest = head.split("]")
        kind, *areas = rest.split()
        prompts = rows.pop("ask")
        found[name.strip("[ ")] = Field(name.strip("[ "), kind, frozenset(areas), prompts, rows)
    return found


@cache
def fields_of(area: str) -> tuple[Field, ...]:
    """The fields that documents of one area may state."""
    return tuple(field for field in fields().values() if area in field.areas)


@cache
def phrases(section: str, language: str) -> tuple[str, ...]:
    """Printed phrases of a section; English ones where the language has none of its own."""
    rows = _phrases()[section]
    return rows.get(language) or rows["en"]


@cache
def _phrases() -> dict[str, dict[str, tuple[str, ...]]]:
    return {head.strip("[] "): rows for head, rows in _sections("phrases.txt")}


def _sections(name: str) -> list[tuple[str, dict[str, tuple[str, ...]]]]:
    """Heads (`[name] …`) with their rows `key: a | b | c`."""
    sections: list[tuple[str, dict[str, tuple[str, ...]]]] = []
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            sections.append((line, {}))
        elif line and not line.startswith("#"):
            key, _, rest = line.partition(":")
            sections[-1][1][key] = tuple(part.strip() for part in rest.split("|") if part.strip())
    return sections
