"""The real road, cut where a cache of read pages fits in: the rooms' own doors, in the order of `pipeline`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.evaluate.page_cache import PageCache, ReadDocument
from pipkie_cli.nouns import Answer, Input, RunOptions, TableAnswer, Template, Value
from pipkie_cli.pipeline import context_of, prepare_pages, read, read_pages, type_values
from pipkie_cli.templates import choose_type

if TYPE_CHECKING:
    from pipkie_cli.models import Backend


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
        context = context_of(prepared, reading.answers, reading.tables)
        values = type_values(prepared, reading.answers, context, reading.tables)
        keys = {one.key: _given(one, values.get(one.key)) for one in reading.answers}
        return Asked(keys, {table.key: _given_rows(table, values) for table in reading.tables})

    def choose(self, document: ReadDocument) -> str | None:
        chosen = choose_type(document.pages, self.shipped).template
        return chosen.name if chosen else None


def _given_rows(table: TableAnswer, values: Mapping[str, Value]) -> tuple[dict[str, Given], ...]:
    cells = {id(cell): _given(cell, values.get(name)) for name, cell in table.named_cells()}
    return tuple({cell.key: cells[id(cell)] for cell in row} for row in table.rows)


def _given(answer: Answer, value: Value | None) -> Given:
    return Given(
        raw=answer.text,
        value=value.value if value else None,
        confidence=answer.confidence,
        place=answer.place,
        flags=answer.flags + (value.flags if value else ()),
    )
