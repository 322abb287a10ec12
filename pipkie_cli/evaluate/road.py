"""The real road, cut where a cache of read pages fits in: the rooms' own doors, in the order of `pipeline`."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.measure import Given
from pipkie_cli.evaluate.page_cache import PageCache, ReadDocument
from pipkie_cli.nouns import Input, RunOptions, Template
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
        options = replace(self.options, templates=(template,), template_given=True)
        prepared = prepare_pages(document.id, document.pages, document.problems, options)
        answers = read(prepared, self.backend).answers
        values = type_values(prepared, answers, context_of(prepared, answers))
        return {
            one.key: Given(
                raw=one.text,
                value=values[one.key].value if one.key in values else None,
                confidence=one.confidence,
                place=one.place,
                flags=one.flags + (values[one.key].flags if one.key in values else ()),
            )
            for one in answers
        }

    def choose(self, document: ReadDocument) -> str | None:
        chosen = choose_type(document.pages, self.shipped).template
        return chosen.name if chosen else None
