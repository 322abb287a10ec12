"""The real road, with a cache of read pages: the rooms' own doors, in the order of `pipeline`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.judged import Asked, Given
from pipkie_cli.facts import read_facts
from pipkie_cli.nouns import Answer, Input, Key, Page, RunOptions, TableAnswer, Template, Value
from pipkie_cli.pages import PageCache, Pictures, ReadDocument, read_pages, without_ocr
from pipkie_cli.pipeline import Prepared, Reading, context_of, prepare_pages, read, settled, type_values
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
        if self.backend.reads == "pixels":
            found = replace(found, pictures=Pictures(Input(document.path, document.shown), self.options))
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
        if document.pictures is not None:
            return self._ask_pixels(document, document.pictures, template, traps)
        prepared, reading = self._ask(document, document.pages, replace(template, keys=(*template.keys, *traps)))
        trap_names = {key.name for key in traps}
        own = tuple(one for one in reading.answers if one.key not in trap_names)
        trapped = [one for one in reading.answers if one.key in trap_names]
        return _settled(replace(prepared, facts=document.facts), replace(reading, answers=own), trapped)

    def _ask_pixels(
        self, document: ReadDocument, pictures: Pictures, template: Template, traps: Sequence[Key]
    ) -> Asked:
        """Keys of one sheet see each other, so the traps have sheets of their own. What OCR read is for the measures
        alone: a run with one template has it neither."""
        pages = tuple(map(without_ocr, document.pages))
        try:
            prepared, reading = self._ask(document, pages, template)
            trapped = self._ask(document, pages, replace(template, keys=tuple(traps)))[1].answers if traps else ()
        finally:
            pictures.close()
        return _settled(replace(prepared, facts=document.facts), reading, trapped)

    def _ask(self, document: ReadDocument, pages: tuple[Page, ...], template: Template) -> tuple[Prepared, Reading]:
        options = replace(self.options, templates=(template,), template_given=True)
        prepared = prepare_pages(document.id, pages, document.problems, options, pictures=document.pictures)
        return prepared, read(prepared, options, self.backend)

    def choose(self, document: ReadDocument) -> str | None:
        chosen = choose_type(document.pages, self.shipped).template
        return chosen.name if chosen else None


def _settled(prepared: Prepared, reading: Reading, traps: Sequence[Answer]) -> Asked:
    """Answers as a record would have them, typed; those of traps as they were given."""
    context = context_of(prepared, reading.answers, reading.tables)
    values = type_values(prepared, reading.answers, context, reading.tables)
    answers, tables, values = settled(prepared, reading, values, context)
    return Asked(
        keys={one.key: _given(one, values.get(one.key)) for one in answers},
        tables={table.key: _given_rows(table, values) for table in tables},
        traps={one.key: _given(one, None) for one in traps},
    )


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
