"""Labelled documents through the road: every answer next to its label.

`Road` is what is measured; `road.py` has the real one, tests bring their own. A document that fails counts as every
key unanswered, under its error code: a measure that leaves failures out would flatter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pipkie_cli.errors import DocumentError
from pipkie_cli.evaluate.causes import with_causes
from pipkie_cli.evaluate.compare import judge
from pipkie_cli.evaluate.datasets import Labelled, Row, SetRules, labels_template
from pipkie_cli.evaluate.judged import NOTHING, Asked, Given, Judged, Kind, nothing_right
from pipkie_cli.evaluate.tables import answer_tree, judge_column, judge_table
from pipkie_cli.evaluate.traps import traps_for
from pipkie_cli.evaluate.trees import tree_accuracy
from pipkie_cli.nouns import Key, Template
from pipkie_cli.pages import ReadDocument


class Road(Protocol):
    """The pipeline, cut where a cache of read pages fits in."""

    def read(self, document: Labelled) -> ReadDocument:
        """Read a document's pages; raises DocumentError."""

    def ask_all(self, read: ReadDocument, template: Template, traps: Sequence[Key]) -> Asked:
        """One answer for every key of the template and every trap key, and the rows of tables, in one pass.

        The template's answers and values are what they are without the traps.
        """

    def choose(self, read: ReadDocument) -> str | None:
        """The name of the document type chosen among the shipped templates; None where none fits."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One document: what was asked and answered. `failure` is the error code of a document that was not read."""

    document: Labelled
    judged: tuple[Judged, ...]
    chosen_type: str | None
    failure: str | None = None
    tree_accuracy: float | None = None  # of the whole answer, where the set has it as a tree
    given: Asked = field(default_factory=lambda: Asked({}))  # what the road said, for whoever judges it by other labels

    @property
    def loss(self) -> float:
        return sum(one.loss for one in self.judged)


def measure(
    documents: Iterable[Labelled], road: Road, template: Template | None, rules: SetRules
) -> Iterator[Measured]:
    """Measure documents one after the other, in their order; without a template each is asked its own labels."""
    for document in documents:
        asked = template or labels_template(document)
        try:
            read = road.read(document)
        except DocumentError as error:
            nothing = Asked({})
            yield Measured(
                document,
                judge_document(document, nothing, asked, rules),
                None,
                error.code,
                _tree(document, nothing, rules),
            )
            continue
        traps = [trap for trap in traps_for(read.pages) if trap.name not in rules.no_traps]
        given = road.ask_all(read, asked, traps)
        judged = [
            *judge_document(document, given, asked, rules),
            *(Judged(key.name, "trap", (), given.traps[key.name], nothing_right()) for key in traps),
        ]
        printed = {rules.template_key(label): texts for label, texts in document.printed.items()}
        yield Measured(
            document,
            tuple(with_causes(judged, read.pages, printed)),
            road.choose(read),
            tree_accuracy=_tree(document, given, rules),
            given=given,
        )


def judge_document(document: Labelled, given: Asked, template: Template, rules: SetRules) -> tuple[Judged, ...]:
    """Every labelled key, cell and value of a column against what was answered."""
    keys = {key.name: key for key in template.keys}
    judged: list[Judged] = []
    for label, expected in document.values.items():
        key, column = _asked_as(label, keys, rules)
        if key is None:
            continue
        if column is not None:
            judged += judge_column(label, column, expected, given.tables.get(key.name, ()), rules)
        elif not key.columns:
            judged.append(_judged(document, label, key, given.keys.get(key.name, NOTHING), rules))
    for label, rows in _labelled_tables(document, keys):
        judged += judge_table(keys[label], rows, given.tables.get(label, ()), rules)
    return tuple(judged)


def _asked_as(label: str, keys: dict[str, Key], rules: SetRules) -> tuple[Key | None, Key | None]:
    """The key that asks for a label, and the column where a row of a table is what it labels."""
    if label not in rules.columns:
        return keys.get(rules.template_key(label)), None
    table, _, name = rules.columns[label].partition(".")
    columns = {column.name: column for column in keys[table].columns} if table in keys else {}
    return (keys[table], columns[name]) if name in columns else (None, None)


def _labelled_tables(document: Labelled, keys: dict[str, Key]) -> Iterator[tuple[str, Sequence[Row]]]:
    """Tables that are labelled and asked; a table labelled null is one without rows."""
    for label, key in keys.items():
        if key.columns and label in document.tables:
            yield label, document.tables[label]
        elif key.columns and document.values.get(label) == ():
            yield label, ()


def _judged(document: Labelled, label: str, key: Key, given: Given, rules: SetRules) -> Judged:
    expected, printed = document.values[label], document.printed.get(label, ())
    judgement = judge(key, expected, printed, given.raw, given.value, rules)
    kind: Kind = "labelled" if expected else "absent"
    return Judged(key.name, kind, tuple(expected), given, judgement, unverified=label in document.unverified)


def _tree(document: Labelled, given: Asked, rules: SetRules) -> float | None:
    if document.nested is None:
        return None
    return tree_accuracy(answer_tree(given, rules), document.nested)


def not_asked(documents: Sequence[Labelled], template: Template | None, rules: SetRules) -> dict[str, int]:
    """Labelled keys that the template does not ask for, with the number of their labels."""
    if template is None:
        return {}
    keys = {key.name: key for key in template.keys}
    counts: dict[str, int] = {}
    for document in documents:
        for label in (*document.values, *document.tables):
            if _asked_as(label, keys, rules)[0] is None:
                counts[label] = counts.get(label, 0) + 1
    return counts
