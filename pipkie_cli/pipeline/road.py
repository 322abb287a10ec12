"""One file's whole road, and the boundary at which a document's errors end."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError, PipkieError
from pipkie_cli.nouns import Input, RunOptions, Value
from pipkie_cli.pipeline.prepared import Prepared, asked, prepare, read_parts
from pipkie_cli.pipeline.reading import Asking, Reading, drive, reading_of
from pipkie_cli.pipeline.settle import context_of, finish, read_page_numbers, type_values

if TYPE_CHECKING:
    from pipkie_cli.models import AnyBackend
    from pipkie_cli.pages import PageCache, Pictures
    from pipkie_cli.values import ValueContext

log = logging.getLogger(__name__)


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
    return drive(records_of(item, options, backend, cache), backend)


def records_of(
    item: Input, options: RunOptions, backend: "AnyBackend", cache: "PageCache | None" = None
) -> Asking[list[dict[str, Any]]]:
    """The same, for whoever asks the model: yields what `backend.prepare` gave, and wants a call that says what
    `backend.forward` gives for each of them. What that call raises ends this document as an error of its own does.

    Pages are drawn by libraries that know no threads: of all the roads of a process one may be walked at a time.
    """
    pictures = _pictures(item, options, backend)
    records: list[dict[str, Any]] = []
    parts = read_parts(item, options, cache, pictures)
    try:
        while (record := (yield from _next_record(parts, item, options, backend))) is not None:
            records.append(record)
    finally:
        if pictures is not None:
            pictures.close()
    return records


def _pictures(item: Input, options: RunOptions, backend: "AnyBackend") -> "Pictures | None":
    if backend.reads == "words":
        return None
    from pipkie_cli.pages import Pictures

    return Pictures(item, options)


def _next_record(
    parts: Iterator[Prepared], item: Input, options: RunOptions, backend: "AnyBackend"
) -> Asking[dict[str, Any] | None]:
    """The record of the next document of the file; None when there is no more, as after an error before the first."""
    prepared: Prepared | None = None
    try:
        prepared = next(parts, None)
        if prepared is None:
            return None
        prepared = asked(prepared, options)
        trace = yield from _walk_on(prepared, options, backend)
        return trace.record
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
    pictures = _pictures(item, options, backend)
    try:
        prepared = prepare(item, replace(options, split="never"), pictures)
        return drive(_walk_on(prepared, options, backend), backend)
    finally:
        if pictures is not None:
            pictures.close()


def _walk_on(prepared: Prepared, options: RunOptions, backend: "AnyBackend") -> Asking[Trace]:
    reading = yield from reading_of(prepared, options, backend)
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
        read_pages=read_page_numbers(prepared.pages),
        problems=prepared.problems,
        part=prepared.part,
    )
