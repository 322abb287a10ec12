"""The road, on one screen: prepare -> read -> finish. `process` walks it for one file and always returns its records.

    path -> pages -> words -> template -> windows        prepare
         -> one forward per window -> answers            read
         -> typed values -> record                       finish

Comes in: a planned input, the user's options, a loaded backend. Goes out: a record for each document in it, or with
`walk` every stop of one.
Never writes, never decides which documents are read or when.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError, PipkieError
from pipkie_cli.nouns import (
    POPPLER_FAILED,
    Answer,
    Candidate,
    DocumentId,
    Input,
    Key,
    Locale,
    Page,
    Problem,
    RunOptions,
    TableAnswer,
    Template,
    TypeChoice,
    Value,
    Window,
)

if TYPE_CHECKING:
    from pipkie_cli.facts import Facts
    from pipkie_cli.models import AnyBackend
    from pipkie_cli.pages import PageCache
    from pipkie_cli.values import ValueContext

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document before the model sees it: its words, its type, and what is asked of it."""

    document: DocumentId
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]
    choice: TypeChoice
    windows: tuple[Window, ...]  # () when no template fits, or before one is chosen
    facts: "Facts | None" = None  # what the document states exactly; None: it was not asked
    part: int | None = None  # which document of a file that was split, from 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model said: per window, per key and cell of it, candidates best first; and the answers made of them."""

    candidates: tuple[tuple[tuple[Candidate, ...], ...], ...]
    answers: tuple[Answer, ...]  # of the keys that are no tables
    tables: tuple[TableAnswer, ...] = ()
    rivals: tuple[Answer, ...] = ()  # different numbers of different pages, each sure: several documents in one


@dataclass(frozen=True, slots=True)
class Trace:
    """Every stop of one document's road (`pipkie explain` prints it)."""

    prepared: Prepared
    reading: Reading
    context: "ValueContext"
    values: dict[str, Value]  # of keys and cells, by name
    record: dict[str, Any]


def process(
    item: Input, options: RunOptions, backend: "AnyBackend", cache: "PageCache | None" = None
) -> list[dict[str, Any]]:
    """The records of one file, one a document in it, whatever happens: the boundary at which a document's errors end.

    Raises only what ends the run: TemplateError, ModelError, OutputError, InputError.
    """
    records: list[dict[str, Any]] = []
    parts = read_parts(item, options, cache)
    while (record := _next_record(parts, item, options, backend)) is not None:
        records.append(record)
    return records


def _next_record(
    parts: "Iterator[Prepared]", item: Input, options: RunOptions, backend: "AnyBackend"
) -> dict[str, Any] | None:
    """The record of the next document of the file; None when there is no more, as after an error before the first."""
    prepared: Prepared | None = None
    try:
        prepared = next(parts, None)
        if prepared is None:
            return None
        prepared = _asked(prepared, options)
        return _walk_on(prepared, options, backend).record
    except DocumentError as error:
        log.info("%s failed: %s", item.shown, error.code)
        return _failed(item, error, prepared, backend)
    except PipkieError:
        raise
    except Exception as error:  # the other of the two nets: one document must not end the run
        # the message of a foreign exception may quote the page: only its class leaves, the rest at debug level
        log.debug("%s: unforeseen error", item.shown, exc_info=True)
        message = f"this document shows a bug in pipkie ({type(error).__name__})"
        hint = "please report it; `pipkie explain` with this file writes the traceback"
        return _failed(item, PipkieError(message, hint), prepared, backend)


def walk(item: Input, options: RunOptions, backend: "AnyBackend") -> Trace:
    """The whole road for one document, keeping every stop. Raises PipkieErrors."""
    return _walk_on(prepare(item, replace(options, split="never")), options, backend)


def _walk_on(prepared: Prepared, options: RunOptions, backend: "AnyBackend") -> Trace:
    reading = read(prepared, backend)
    context = context_of(prepared, reading.answers, reading.tables)
    values = type_values(prepared, reading.answers, context, reading.tables)
    record = finish(prepared, reading, values, context, options, backend.revision)
    return Trace(prepared, reading, context, values, record)


def _failed(item: Input, error: PipkieError, prepared: Prepared | None, backend: "AnyBackend") -> dict[str, Any]:
    from pipkie_cli.records import failed_record

    if prepared is None:
        return failed_record(item.shown, error, model=backend.revision)
    return failed_record(
        item.shown,
        error,
        model=backend.revision,
        document=prepared.document,
        read_pages=_read_pages(prepared.pages),
        problems=prepared.problems,
        part=prepared.part,
    )


def prepare(item: Input, options: RunOptions) -> Prepared:
    """path -> windows, of the file's first document."""
    return _asked(next(read_parts(item, options)), options)


def read_parts(item: Input, options: RunOptions, cache: "PageCache | None" = None) -> Iterator[Prepared]:
    """path -> words and facts, document by document; one of them unless the user wants files to be split.

    Nothing is chosen or asked yet: that is `_asked`'s, so that what is wrong with one document ends that one alone.
    """
    from pipkie_cli.facts import CodeReader, read_facts
    from pipkie_cli.pages import read_pages
    from pipkie_cli.templates import split_pages

    codes = CodeReader(options.templates) if options.facts else None
    found = read_pages(item, options, codes, cache)
    facts = read_facts(item.path, found.id, options.passwords, codes) if options.facts else None
    e_invoice = options.split == "auto" and facts is not None and facts.document_type is not None  # a whole document
    parts = split_pages(found.pages, options.templates, "never" if e_invoice else options.split)
    for number, part in enumerate(parts, 1):
        own = facts.of_part([page.page_index + 1 for page in part], number == 1) if facts and len(parts) > 1 else facts
        told = own.with_problems(found.problems) if own else found.problems
        nothing = TypeChoice(None, 0.0)
        yield Prepared(found.id, part, told, nothing, (), own, number if len(parts) > 1 else None)


def _asked(part: Prepared, options: RunOptions) -> Prepared:
    """words and facts -> document type and windows."""
    stated = part.facts.document_type if part.facts else None
    prepared = prepare_pages(part.document, part.pages, part.problems, options, part.part, stated=stated)
    return replace(prepared, facts=part.facts)


def prepare_pages(
    document: DocumentId,
    pages: tuple[Page, ...],
    problems: tuple[Problem, ...],
    options: RunOptions,
    part: int | None = None,
    *,
    stated: str | None = None,
) -> Prepared:
    """words -> windows; those of a part count its pages as if they were a file.

    `stated` is the document type that an e-invoice inside the file says it is.
    """
    from pipkie_cli.facts import choose_stated
    from pipkie_cli.prompts import make_windows

    choice = choose_template(pages, options, str(PurePath(document.path).parent))
    if stated and not options.template_given:
        choice = choose_stated(choice, stated, options.templates)
    name = choice.template.name if choice.template else "none"
    log.info("%s: %d of %d pages read, template %s", document.path, len(pages), document.page_count, name)
    counted = pages if part is None else tuple(replace(page, page_index=at) for at, page in enumerate(pages))
    page_count = document.page_count if part is None else len(pages)
    windows = make_windows(counted, choice.template, page_count) if choice.template else ()
    page_problems = tuple(problem for page in pages for problem in (*page.problems, *_second_choice(page)))
    return Prepared(document, pages, problems + page_problems, choice, windows, part=part)


def _second_choice(page: Page) -> tuple[Problem, ...]:
    """A page drawn by pdfium because poppler failed on it: other pixels, perhaps other words, so the record says so."""
    if page.rasterizer != POPPLER_FAILED:
        return ()
    return (Problem("poppler_failed", f"page {page.page_index + 1}: poppler could not draw it, pdfium did"),)


def read(prepared: Prepared, backend: "AnyBackend") -> Reading:
    """windows -> answers: one forward per window, so that a record never depends on what else is read."""
    from pipkie_cli.answers import answer_keys, answer_tables, rival_answers
    from pipkie_cli.models import words_only
    from pipkie_cli.templates import number_key

    keys = prepared.choice.template.keys if prepared.choice.template else ()
    if not prepared.windows:  # no template, or no word on any page: nothing to ask, every key is absent
        absent = (Answer(key.name, None, 1.0, None, None) for key in keys if not key.columns)
        return Reading((), tuple(absent), tuple(TableAnswer(key.name, ()) for key in keys if key.columns))
    pointing = words_only(backend)
    candidates = tuple(pointing.forward(pointing.prepare(window)) for window in prepared.windows)
    answers = answer_keys(prepared.windows, candidates, backend.calibration)
    tables = answer_tables(prepared.windows, candidates, backend.calibration)
    name = number_key(prepared.choice.template) if prepared.choice.template else None
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


def context_of(prepared: Prepared, answers: Sequence[Answer], tables: Sequence[TableAnswer] = ()) -> "ValueContext":
    """What the whole document says about decimal mark, order of dates and currency."""
    from pipkie_cli.values import value_context

    template = prepared.choice.template
    raws = [(key.type, answer.text or "") for _, key, answer in _present(template, answers, tables)]
    return value_context(raws, template.locale if template else Locale(), page_text(prepared.pages))


def type_values(
    prepared: Prepared, answers: Sequence[Answer], context: "ValueContext", tables: Sequence[TableAnswer] = ()
) -> dict[str, Value]:
    """The typed value of every key that the document holds, and of every cell, by its name: `line_items[3].amount`."""
    from pipkie_cli.values import parse_value

    return {
        name: parse_value(key.type, answer.text or "", context, key.choices)
        for name, key, answer in _present(prepared.choice.template, answers, tables)
    }


def _present(
    template: Template | None, answers: Sequence[Answer], tables: Sequence[TableAnswer]
) -> Iterator[tuple[str, Key, Answer]]:
    """Name, key (or column) and answer of every key and cell that is not ABSENT."""
    keys = {key.name: key for key in template.keys} if template else {}
    for answer in answers:
        if answer.text is not None:
            yield answer.key, keys[answer.key], answer
    for table in tables:
        columns = {column.name: column for column in keys[table.key].columns}
        for name, cell in table.named_cells():
            if cell.text is not None:
                yield name, columns[cell.key], cell


def finish(
    prepared: Prepared,
    reading: Reading,
    values: dict[str, Value],
    context: "ValueContext",
    options: RunOptions,
    model: str,
) -> dict[str, Any]:
    """answers and values -> record, with what the document states exactly in place of what was read."""
    from pipkie_cli.records import build_record

    answers, tables, values = settled(prepared, reading, values, context)
    return build_record(
        prepared.document,
        _read_pages(prepared.pages),
        prepared.choice,
        prepared.choice.template,
        answers,
        values,
        (*prepared.problems, *_several(reading.rivals)),
        model,
        options,
        tables,
        prepared.part,
    )


def _several(rivals: Sequence[Answer]) -> tuple[Problem, ...]:
    """What the record says where pages name different documents."""
    if not rivals:
        return ()
    claims = ", ".join(f"{one.text} (page {one.place.page_number})" for one in rivals if one.place)
    hint = "if these are several documents, read them with --split auto or page"
    return (
        Problem("several_documents", f"{rivals[0].key}: pages name different ones: {claims}; {hint}", (rivals[0].key,)),
    )


def with_facts(
    prepared: Prepared, reading: Reading, values: dict[str, Value]
) -> tuple[tuple[Answer, ...], tuple[TableAnswer, ...], dict[str, Value]]:
    """Answers, tables and values with what the document states exactly."""
    from pipkie_cli.facts import merge_facts

    template = prepared.choice.template
    if prepared.facts is None or template is None:
        return reading.answers, reading.tables, values
    return merge_facts(template, prepared.facts, reading.answers, reading.tables, values, prepared.pages)


def settled(
    prepared: Prepared, reading: Reading, values: dict[str, Value], context: "ValueContext"
) -> tuple[tuple[Answer, ...], tuple[TableAnswer, ...], dict[str, Value]]:
    """Answers, tables and values as the record has them: with facts, and where only another candidate keeps a rule."""
    from pipkie_cli.answers import choose_by_rules

    answers, tables, values = with_facts(prepared, reading, values)
    template = prepared.choice.template
    if template is None or not template.rules:
        return answers, tables, values
    answers, values = choose_by_rules(template, answers, values, context)
    return answers, tables, values


def _read_pages(pages: Sequence[Page]) -> list[int]:
    """The numbers, from 1, of the pages that were read."""
    from pipkie_cli.pages import is_unreadable

    return [page.page_index + 1 for page in pages if not is_unreadable(page)]


def choose_template(pages: Sequence[Page], options: RunOptions, folder: str = "") -> TypeChoice:
    """The document type: the only template there is, else the best by cues; one always if the user named them."""
    from pipkie_cli.templates import choose_type

    if len(options.templates) == 1:
        only = options.templates[0]
        return TypeChoice(only, 1.0, {only.name: 1.0})  # given, not chosen: there is nothing to doubt
    choice = choose_type(pages, options.templates, folder)
    if choice.template is None and options.template_given:
        best = max(options.templates, key=lambda template: choice.scores.get(template.name, 0.0))
        return TypeChoice(best, choice.scores.get(best.name, 0.0), choice.scores)
    return choice


def page_text(pages: Sequence[Page]) -> str:
    """All words in reading order, one printed line a line."""
    from pipkie_cli.words import join_words

    lines = (line for page in pages for _, line in groupby(page.words, key=lambda word: word.line))
    return "\n".join(join_words(line) for line in lines)
