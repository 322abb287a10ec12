"""The real road, cut where a cache of read pages fits in: the rooms' own doors, in the order of `pipeline`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipkie_cli.answers import answer_tables
from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.evaluate.page_cache import PageCache, ReadDocument
from pipkie_cli.nouns import Answer, Input, RunOptions, Template, Value
from pipkie_cli.pipeline import context_of, prepare_pages, read, read_pages, type_values
from pipkie_cli.templates import choose_type
from pipkie_cli.values import parse_value

if TYPE_CHECKING:
    from pipkie_cli.models import Backend
    from pipkie_cli.values import ValueContext


@dataclass(slots=True)
class PipelineRoad:
    """Reads documents (or takes their pages from the cache) and asks the model. Counts what came from where."""

    options: RunOptions
    backend: "Backend"
    shipped: tuple[Template, ...]  # the candidates of a run without --template, for the chosen type
    cache: PageCache | None = None
    counts: dict[str, int] = field(default_factory=lambda: {"hits": 0, "misses": 0})

    def read(self, document: Labelled) -> ReadDocument:
        kept = self.cache.load(document.path, self.options.max_pages) if self.cache else None
        self.counts["misses" if kept is None else "hits"] += 1
        if kept is not None:
            return kept
        found = ReadDocument(*read_pages(Input(document.path, document.shown), self.options))
        if self.cache:
            self.cache.keep(document.path, self.options.max_pages, found)
        return found

    def ask(self, document: ReadDocument, template: Template) -> dict[str, Given]:
        keys = tuple(key for key in template.keys if not key.columns)
        return dict(self.ask_all(document, replace(template, keys=keys)).keys)

    def ask_all(self, document: ReadDocument, template: Template) -> Asked:
        options = replace(self.options, templates=(template,), template_given=True)
        prepared = prepare_pages(document.id, document.pages, document.problems, options)
        reading = read(prepared, self.backend)
        context = context_of(prepared, reading.answers)
        values = type_values(prepared, reading.answers, context)
        keys = {one.key: _given(one, values.get(one.key)) for one in reading.answers}
        tables: dict[str, tuple[dict[str, Given], ...]] = {}
        if any(key.columns for key in template.keys):
            for table in answer_tables(prepared.windows, reading.candidates, self.backend.calibration):
                types = _column_types(template, table.key)
                tables[table.key] = tuple(_given_row(row, types, context) for row in table.rows)
        return Asked(keys, tables)

    def choose(self, document: ReadDocument) -> str | None:
        chosen = choose_type(document.pages, self.shipped).template
        return chosen.name if chosen else None


def _column_types(template: Template, table: str) -> dict[str, str]:
    return {column.name: column.type for key in template.keys if key.name == table for column in key.columns}


def _given_row(row: Sequence[Answer], types: Mapping[str, str], context: "ValueContext") -> dict[str, Given]:
    return {
        one.key: _given(one, None if one.text is None else parse_value(types[one.key], one.text, context))
        for one in row
    }


def _given(answer: Answer, value: Value | None) -> Given:
    return Given(
        raw=answer.text,
        value=value.value if value else None,
        confidence=answer.confidence,
        place=answer.place,
        flags=answer.flags + (value.flags if value else ()),
    )
