"""What a model is asked and what it says -> answers: one forward per window, or per sheet of pictures.

`reading_of` asks and does not call the model: it yields prepared inputs, and is sent a call that gives the answers.
`drive` calls the model at once, for whoever has one document and one model.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pipkie_cli.errors import DamagedFile
from pipkie_cli.nouns import Answer, Candidate, Problem, RunOptions, Sheet, TableAnswer, Written
from pipkie_cli.pipeline.prepared import Prepared

if TYPE_CHECKING:
    from pipkie_cli.models import AnyBackend, Backend, PixelBackend

SHEETS_AT_ONCE = 4  # of one document that wait for their forward: each holds its pages as pixels

T = TypeVar("T")
Answers: TypeAlias = Sequence[Any]  # what `forward` gives, for each of the inputs
Asking: TypeAlias = Generator[tuple[Any, ...], Callable[[], Answers], T]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model said, and the answers made of it. Of a model that points at words per window, per key and cell of
    it, candidates best first; of one that reads pixels per sheet, per key, what it wrote."""

    candidates: tuple[tuple[tuple[Candidate, ...], ...], ...]
    answers: tuple[Answer, ...]  # of the keys that are no tables
    tables: tuple[TableAnswer, ...] = ()
    rivals: tuple[Answer, ...] = ()  # different numbers of different pages, each sure: several documents in one
    written: tuple[tuple[Written, ...], ...] = ()
    sheets: tuple[tuple[int, ...], ...] = ()  # indices of the pages of each
    problems: tuple[Problem, ...] = ()  # of pages that were drawn for the model
    undrawn: frozenset[int] = frozenset()  # indices of the pages of which there is no picture


def drive(
    asking: Asking[T], backend: "AnyBackend", answer: "Callable[[Any, Sequence[Any]], Answers] | None" = None
) -> T:
    """Let the model answer everything at once; `answer` (default: `answered`) says what shares a forward."""
    said = answer or answered
    try:
        inputs = next(asking)
        while True:
            inputs = asking.send(lambda inputs=inputs: said(backend, inputs))  # type: ignore[misc]
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


def answered(backend: "AnyBackend", inputs: Iterable[Any]) -> tuple[Any, ...]:
    """What the model says to each input, alone in its forward."""
    if backend.reads == "words":
        return tuple(backend.forward(one) for one in inputs)
    return tuple(backend.forward([one])[0] for one in inputs)


def read(prepared: Prepared, options: RunOptions, backend: "AnyBackend") -> Reading:
    """windows or pictures -> answers."""
    return drive(reading_of(prepared, options, backend), backend)


def reading_of(prepared: Prepared, options: RunOptions, backend: "AnyBackend") -> Asking[Reading]:
    """The same, for whoever asks the model."""
    if backend.reads == "words":
        return _pointed(prepared, backend)
    return _written(prepared, options, backend)


def _nothing(prepared: Prepared) -> Reading:
    """No template, no word or picture of any page: there was nothing to ask, every key is absent."""
    keys = prepared.choice.template.keys if prepared.choice.template else ()
    absent = tuple(Answer(key.name, None, 1.0, None, None) for key in keys if not key.columns)
    return Reading((), absent, tuple(TableAnswer(key.name, ()) for key in keys if key.columns))


def _pointed(prepared: Prepared, backend: "Backend") -> Asking[Reading]:
    """windows -> answers: one forward per window, so that a record never depends on what else is read."""
    from pipkie_cli.answers import answer_keys, answer_tables, rival_answers

    if not prepared.windows:
        return _nothing(prepared)
    said: list[tuple[tuple[Candidate, ...], ...]] = []
    for window in prepared.windows:
        reply = yield (backend.prepare(window),)
        said += reply()
    candidates = tuple(said)
    answers = answer_keys(prepared.windows, candidates, backend.calibration)
    tables = answer_tables(prepared.windows, candidates, backend.calibration)
    name = _number_key(prepared)
    rivals = rival_answers(name, prepared.windows, candidates, backend.calibration) if name else ()
    before = prepared.pages[0].page_index if prepared.part else 0  # pages of the file before this part
    if not before:
        return Reading(candidates, answers, tables, rivals)
    return Reading(
        candidates,
        tuple(_moved(answer, before) for answer in answers),
        tuple(
            replace(table, rows=tuple(tuple(_moved(cell, before) for cell in row) for row in table.rows))
            for table in tables
        ),
        tuple(_moved(answer, before) for answer in rivals),
    )


def _moved(answer: Answer, pages: int) -> Answer:
    """An answer of a part on the pages of its file."""
    place = answer.place and replace(answer.place, page_number=answer.place.page_number + pages)
    return replace(answer, place=place, runners_up=tuple(_moved(other, pages) for other in answer.runners_up))


def _written(prepared: Prepared, options: RunOptions, backend: "PixelBackend") -> Asking[Reading]:
    """pictures -> answers: as many pages a forward as the model takes; tables are not asked. Raises DocumentErrors."""
    from pipkie_cli.answers import answer_written, rival_sheets

    template = prepared.choice.template
    if template is None:
        return _nothing(prepared)
    assert prepared.pictures is not None
    sheets: list[tuple[int, ...]] = []
    written: list[tuple[Written, ...]] = []
    left = sheets_of(prepared, options, backend)
    while some := tuple(islice(left, SHEETS_AT_ONCE)):
        sheets += (tuple(picture.page_index for picture in sheet.pictures) for sheet in some)
        inputs = tuple(backend.prepare(sheet) for sheet in some)
        del some  # the pixels
        reply = yield inputs
        del inputs
        written += reply()
    told = prepared.pictures.told(page.page_index for page in prepared.pages)
    if not sheets and len(told.undrawn) == len(prepared.pages):
        reason = told.problems[-1].message if told.problems else "it has none"
        hint = "save or scan it again"
        raise DamagedFile(f"{prepared.document.path}: no page can be drawn ({reason})", hint=hint)
    keys = tuple(key for key in template.keys if not key.columns)
    name = _number_key(prepared)
    return Reading(
        (),
        answer_written(keys, written, backend.calibration),
        tuple(TableAnswer(key.name, (), asked=False) for key in template.keys if key.columns),
        rival_sheets(name, keys, written, backend.calibration) if name else (),
        tuple(written),
        tuple(sheets),
        told.problems,
        told.undrawn,
    )


def sheets_of(prepared: Prepared, options: RunOptions, backend: "PixelBackend") -> Iterator[Sheet]:
    """What a model that reads pixels is asked of a document that has a template."""
    from pipkie_cli.prompts import make_sheets

    template = prepared.choice.template
    assert template is not None
    assert prepared.pictures is not None
    pictures = prepared.pictures.of([page.page_index for page in prepared.pages], prepared.document.sha256)
    most = options.max_pixels or template.max_pixels
    return make_sheets(pictures, template.keys, prepared.page_count, backend.max_pictures, most)


def _number_key(prepared: Prepared) -> str | None:
    from pipkie_cli.templates import number_key

    return number_key(prepared.choice.template) if prepared.choice.template else None
