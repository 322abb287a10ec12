"""Labelled documents through the road: every answer next to its label.

`Road` is what is measured; `road.py` has the real one, tests bring their own. A document that fails counts as every
key unanswered, under its error code: a measure that leaves failures out would flatter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from pipkie_cli.errors import DocumentError
from pipkie_cli.evaluate.compare import Judgement, Typed, judge
from pipkie_cli.evaluate.datasets import Labelled, SetRules
from pipkie_cli.evaluate.page_cache import ReadDocument
from pipkie_cli.evaluate.traps import traps_for
from pipkie_cli.nouns import Key, Place, Template

Kind = Literal["labelled", "absent", "trap"]  # has a value; is known to have none; a key of another document type


@dataclass(frozen=True, slots=True)
class Given:
    """What the road said to one key: text as printed, typed value, confidence, place."""

    raw: str | None
    value: Typed
    confidence: float
    place: Place | None
    flags: tuple[str, ...] = ()


class Road(Protocol):
    """The pipeline, cut where a cache of read pages fits in."""

    def read(self, document: Labelled) -> ReadDocument:
        """Read a document's pages; raises DocumentError."""

    def ask(self, read: ReadDocument, template: Template) -> dict[str, Given]:
        """One answer for every key of the template, in one pass."""

    def choose(self, read: ReadDocument) -> str | None:
        """The name of the document type chosen among the shipped templates; None where none fits."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with its answer and the judgement on it."""

    key: str
    kind: Kind
    expected: tuple[str, ...]
    given: Given
    judgement: Judgement

    @property
    def right(self) -> bool:
        return self.judgement.exact if self.kind == "labelled" else self.given.raw is None

    @property
    def loss(self) -> float:
        """How bad it is, 0 to 2: a wrong value is worse than none, a sure one worse than a doubtful one."""
        if self.kind != "labelled":
            return 1 + self.given.confidence if self.given.raw is not None else 0.0
        if self.judgement.exact:
            return 0.0
        return 1 - self.judgement.anls + (self.given.confidence if self.given.raw is not None else 0.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """One document: what was asked and answered. `failure` is the error code of a document that was not read."""

    document: Labelled
    judged: tuple[Judged, ...]
    chosen_type: str | None
    failure: str | None = None

    @property
    def loss(self) -> float:
        return sum(one.loss for one in self.judged)


NOTHING = Given(raw=None, value=None, confidence=0.0, place=None)


def measure(documents: Iterable[Labelled], road: Road, template: Template, rules: SetRules) -> Iterator[Measured]:
    """Measure documents one after the other, in their order."""
    for document in documents:
        try:
            read = road.read(document)
        except DocumentError as error:
            yield Measured(document, _judge_all(document, {}, template, rules), None, error.code)
            continue
        judged = _judge_all(document, road.ask(read, template), template, rules)
        traps = traps_for(read.pages)
        given = road.ask(read, trap_template(template, traps)) if traps else {}
        yield Measured(document, judged + _judge_traps(traps, given), road.choose(read))


def trap_template(template: Template, traps: tuple[Key, ...]) -> Template:
    """A template of trap keys, asked in a pass of its own: the template's answers stay what they are without it."""
    return replace(template, name="traps", title="keys of other document types", keys=traps, digest="0" * 12)


def _judge_all(document: Labelled, given: dict[str, Given], template: Template, rules: SetRules) -> tuple[Judged, ...]:
    keys = {key.name: key for key in template.keys}
    judged = []
    for label_key, expected in document.values.items():
        key = keys.get(rules.template_key(label_key))
        if key is not None:
            printed = document.printed.get(label_key, ())
            judged.append(_judged(key, expected, printed, given.get(key.name, NOTHING), rules))
    return tuple(judged)


def _judged(key: Key, expected: Sequence[str], printed: Sequence[str], given: Given, rules: SetRules) -> Judged:
    judgement = judge(key, expected, printed, given.raw, given.value, rules)
    return Judged(key.name, "labelled" if expected else "absent", tuple(expected), given, judgement)


def _judge_traps(traps: Sequence[Key], given: dict[str, Given]) -> tuple[Judged, ...]:
    nothing_right = Judgement(0.0, False, False)
    return tuple(Judged(key.name, "trap", (), given[key.name], nothing_right) for key in traps)


def not_asked(documents: Sequence[Labelled], template: Template, rules: SetRules) -> dict[str, int]:
    """Labelled keys that the template does not ask for, with the number of their labels."""
    keys = {key.name for key in template.keys}
    counts: dict[str, int] = {}
    for document in documents:
        for label_key in document.values:
            if rules.template_key(label_key) not in keys:
                counts[label_key] = counts.get(label_key, 0) + 1
    return counts
