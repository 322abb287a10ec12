"""The real road, with a cache of read pages: the rooms' own doors, in the order of `pipeline`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.facts import read_facts
from pipkie_cli.nouns import Answer, Input, Key, RunOptions, TableAnswer, Template, Value
from pipkie_cli.pages import PageCache, ReadDocument, read_pages
from pipkie_cli.pipeline import context_of, prepare_pages, read, settled, type_values
from pipkie_cli.templates import choose_type

if TYPE_CHECKING:
    from pipkie_cli.models import AnyBackend


@dataclass(slots=True)
class PipelineRoad:
    """Reads documents (or takes their pages from the cache) and asks the model."""

    options: RunOptions
    backend: "AnyBackend"
    shipped: tuple[Template, ...]  # the candidates of a run without --template, for the chosen type
    cache: PageCache | None = None

    def read(self, document: Labelled) -> ReadDocument:
        """Raises DocumentErrors, OutputError (cache)."""
        found = read_pages(Input(document.path, document.shown), self.options, cache=self.cache)
        if not self.options.facts:
            return found
        return replace(found, facts=read_facts(document.path, found.id, self.options.passwords))

    def ask(self, document: ReadDocument, template: Template) -> dict[str, Given]:
        """One answer for every key of the template; its tables are left out."""
        keys = tuple(key for key in template.keys if not key.columns)
        return dict(self.ask_all(document, replace(template, keys=keys), ()).keys)

    def ask_all(self, document: ReadDocument, template: Template, traps: Sequence[Key]) -> Asked:
        """A key's slots never see another key's, so the traps change no answer; and no value, for what they bring up
        is kept out of what the document says about decimal marks and dates."""
        asked = replace(template, keys=(*template.keys, *traps))
        options = replace(self.options, templates=(asked,), template_given=True)
        prepared = prepare_pages(document.id, document.pages, document.problems, options)
        reading = read(prepared, self.backend)
        trap_names = {key.name for key in traps}
        own = [one for one in reading.answers if one.key not in trap_names]
        context = context_of(prepared, own, reading.tables)
        values = type_values(prepared, own, context, reading.tables)
        printed = replace(reading, answers=tuple(own))
        answers, tables, values = settled(replace(prepared, facts=document.facts), printed, values, context)
        return Asked(
            keys={one.key: _given(one, values.get(one.key)) for one in answers},
            tables={table.key: _given_rows(table, values) for table in tables},
            traps={one.key: _given(one, None) for one in reading.answers if one.key in trap_names},
        )

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
