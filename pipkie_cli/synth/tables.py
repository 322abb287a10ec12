"""The printed material of made-up documents, read once from the room's data files: fields, labels, phrases."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "ms")  # ms: English as on Malaysian receipts
_DATA = Path(__file__).parent / "data"
_TYPES = {
    "date": "date", "amount": "amount", "number": "number", "quantity": "number",
    "percent": "number", "weight": "number",
    "mileage": "number", "usage": "number", "currency": "currency",
}  # fmt: skip


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
    """The fields that any page may be asked for, by name, in the order of the files."""
    return _fields_in("fields.txt", "fields_forms.txt")


@cache
def more_fields() -> dict[str, Field]:
    """Fields of single layouts, by name: on other pages they may mean what an everyday field means."""
    return _fields_in("fields_more.txt")


def _fields_in(*files: str) -> dict[str, Field]:
    found = {}
    for head, rows in (section for file in files for section in _sections(file)):
        name, rest = head.split("]")
        kind, *areas = rest.split()
        prompts = rows.pop("ask")
        found[name.strip("[ ")] = Field(name.strip("[ "), kind, frozenset(areas), prompts, rows)
    return found


@cache
def fields_of(area: str) -> tuple[Field, ...]:
    """The fields that documents of one area may state."""
    return tuple(field for field in (*fields().values(), *more_fields().values()) if area in field.areas)


@cache
def office_labels(language: str) -> tuple[tuple[str, str], ...]:
    """(label, kind of its value) of typed office forms."""
    return tuple(
        (label, head.strip("[] ")) for head, rows in _sections("labels.txt") for label in rows.get(language, rows["en"])
    )


@cache
def subjects() -> tuple[dict[str, str], ...]:
    """What compound labels are about: the form that a compound needs, by language."""
    rows = (_DATA / "subjects.txt").read_text(encoding="utf-8").splitlines()
    return tuple(
        dict(zip(LANGUAGES, (part.strip() for part in row.split("|")), strict=False)) for row in rows if row[:1] != "#"
    )


@cache
def attributes() -> tuple[Field, ...]:
    """What compound labels state; `{}` in prompts and labels is the subject."""
    found = []
    for head, rows in _sections("attributes.txt"):
        name, kind = head.strip("[").split("]")
        found.append(Field(name, kind.strip(), frozenset(), rows["en"], rows))
    return tuple(found)


@cache
def compound(subject: int, attribute: int) -> Field:
    """The field of a subject and an attribute, such as the end of a contract, labelled in every language."""
    about, of = subjects()[subject], attributes()[attribute]
    labels = {
        language: tuple(
            _inserted(pattern, about.get(language, about["en"]), language) for pattern in of.labels_in(language)
        )
        for language in LANGUAGES
    }
    name = f"{about['en']}_{of.name}"
    return Field(name, of.kind, frozenset(), tuple(label.lower() for label in labels["en"]), labels)


def _inserted(pattern: str, subject: str, language: str) -> str:
    if language == "fr" and subject[0].lower() in "aeéèiouhœ":
        pattern = pattern.replace("de {}", "d'{}")
    text = pattern.format(subject)
    return text[0].upper() + text[1:]


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
