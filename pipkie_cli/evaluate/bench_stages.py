"""What every stop of the road costs, from file to record, on whole documents. CPU and wall seconds a page."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, TypeVar

from pipkie_cli.errors import DocumentError
from pipkie_cli.models.mini import decode, one_pass_of
from pipkie_cli.nouns import Candidate, Input, Page, RunOptions, SourcePage, Value, Window
from pipkie_cli.pipeline import Prepared, Reading, context_of, finish, prepare_pages, read, type_values

if TYPE_CHECKING:
    from pipkie_cli.models import Backend
    from pipkie_cli.values import ValueContext

T = TypeVar("T")
Figures = dict[str, Any]
STAGES = ("documents", "words", "prompts", "text_stage", "page_stage", "decode", "values", "records")
MAX_PAGES = 3  # of one document, as in the other measures


class Clock:
    """Adds up what every stage takes."""

    def __init__(self) -> None:
        self.cpu_s = dict.fromkeys(STAGES, 0.0)
        self.wall_s = dict.fromkeys(STAGES, 0.0)

    def time(self, stage: str, action: Callable[[], T]) -> T:
        cpu, wall = process_time(), perf_counter()
        done = action()
        self.cpu_s[stage] += process_time() - cpu
        self.wall_s[stage] += perf_counter() - wall
        return done


def bench_stages(inputs: Sequence[Input], options: RunOptions, backend: "Backend") -> tuple[Figures, list[Page]]:
    """Documents of pictures and of text layers apart (None where there are none); and the pages that were read."""
    kinds: dict[str, list[tuple[Clock, int]]] = {"pictures": [], "text_pages": []}
    read: list[Page] = []
    for number, item in enumerate(inputs):
        if number == 0:
            _walk(item, options, backend, Clock())  # what the first call builds is not what a page costs
        clock = Clock()
        pages = _walk(item, options, backend, clock)
        if pages:
            kinds["text_pages" if all(page.text_source == "text" for page in pages) else "pictures"].append(
                (clock, len(pages))
            )
            read += pages
    return {name: _figures(timed) for name, timed in kinds.items()}, read


def _figures(timed: Sequence[tuple[Clock, int]]) -> Figures | None:
    pages = sum(count for _, count in timed)
    if not pages:
        return None
    return {
        "pages": pages,
        "cpu_s": {stage: sum(clock.cpu_s[stage] for clock, _ in timed) / pages for stage in STAGES},
        "wall_s": {stage: sum(clock.wall_s[stage] for clock, _ in timed) / pages for stage in STAGES},
    }


def _walk(item: Input, options: RunOptions, backend: "Backend", clock: Clock) -> tuple[Page, ...]:
    """One document's road, stop by stop; the pages that it read, none where it cannot be read."""
    from pipkie_cli.documents import open_document
    from pipkie_cli.words import read_words

    pages = []
    try:
        document = clock.time("documents", lambda: open_document(item.path, shown=item.shown, max_pages=MAX_PAGES))
        with document:
            sources = document.pages()
            while (source := clock.time("documents", lambda: _drawn(next(sources, None)))) is not None:
                pages.append(clock.time("words", lambda source=source: read_words(source)))  # type: ignore[misc]
            prepared = clock.time("prompts", lambda: prepare_pages(document.id, tuple(pages), (), options))
    except DocumentError:
        return ()
    reading = _read(prepared, options, backend, clock)
    context, values = clock.time("values", lambda: _typed(prepared, reading))
    clock.time("records", lambda: finish(prepared, reading, values, context, options, backend.revision))
    return tuple(pages)


def _typed(prepared: Prepared, reading: Reading) -> tuple["ValueContext", dict[str, Value]]:
    context = context_of(prepared, reading.answers, reading.tables)
    return context, type_values(prepared, reading.answers, context, reading.tables)


def _drawn(source: SourcePage | None) -> SourcePage | None:
    """A page of pixels alone with these drawn: decoding them belongs to the document, not to its words."""
    if source is None or source.glyphs:
        return source
    pixels = source.raster()
    return replace(source, raster=lambda: pixels)


def _read(prepared: Prepared, options: RunOptions, backend: "Backend", clock: Clock) -> Reading:
    from pipkie_cli.answers import answer_keys, answer_tables

    if not prepared.windows:
        return read(prepared, options, backend)  # nothing to ask: it costs nothing
    candidates = tuple(_candidates(window, backend, clock) for window in prepared.windows)
    return clock.time(
        "decode",
        lambda: Reading(
            candidates,
            answer_keys(prepared.windows, candidates, backend.calibration),
            answer_tables(prepared.windows, candidates, backend.calibration),
        ),
    )


def _candidates(window: Window, backend: "Backend", clock: Clock) -> tuple[tuple[Candidate, ...], ...]:
    """The text and the page stage apart where the backend has both, else all of it as the page stage."""
    inputs = clock.time("prompts", lambda: backend.prepare(window))
    model = one_pass_of(backend)
    if model is None:
        return clock.time("page_stage", lambda: backend.forward(inputs))
    texts = clock.time("text_stage", lambda: model.texts(inputs))
    scores = clock.time("page_stage", lambda: model.page_scores(inputs, texts))
    return clock.time("decode", lambda: decode(*scores, inputs))
