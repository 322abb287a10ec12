"""One question with its answer and the judgement on it: what every figure is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pipkie_cli.evaluate.compare import Judgement, Typed
from pipkie_cli.nouns import Place

Kind = Literal[
    "labelled",  # a key with a value
    "absent",  # a key that is known to have none
    "trap",  # a key of another document type
    "cell",  # one cell of a table whose rows are labelled
    "entity",  # one value of a column whose values are labelled, but not their rows
]
ROW_WEIGHT = 0.25  # of a cell against a key when documents are ranked: a long table would outweigh everything


@dataclass(frozen=True, slots=True)
class Given:
    """What the road said to one key or cell: text as printed, typed value, confidence, place."""

    raw: str | None
    value: Typed
    confidence: float
    place: Place | None
    flags: tuple[str, ...] = ()


NOTHING = Given(raw=None, value=None, confidence=0.0, place=None)


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything the road said in one pass: an answer per key and trap key, and the rows of tables by column."""

    keys: Mapping[str, Given]
    tables: Mapping[str, tuple[Mapping[str, Given], ...]] = field(default_factory=dict)
    traps: Mapping[str, Given] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with its answer and the judgement on it. A cell or entity without `expected` was invented."""

    key: str
    kind: Kind
    expected: tuple[str, ...]
    given: Given
    judgement: Judgement
    unverified: bool = False  # the label was not found in the text of the page by whoever made the set
    cause: str = ""  # of a wrong answer: a name of causes.CAUSES

    @property
    def right(self) -> bool:
        return self.judgement.exact if self.expected else self.given.raw is None

    @property
    def loss(self) -> float:
        """How bad it is, 0 to 2: a wrong value is worse than none, a sure one worse than a doubtful one."""
        weight = ROW_WEIGHT if self.kind in ("cell", "entity") else 1.0
        if not self.expected:
            return weight * (1 + self.given.confidence) if self.given.raw is not None else 0.0
        if self.judgement.exact:
            return 0.0
        sure = self.given.confidence if self.given.raw is not None else 0.0
        return weight * (1 - self.judgement.anls + sure)


def nothing_right() -> Judgement:
    """The judgement on an answer that no label can make right."""
    return Judgement(0.0, False, False)
