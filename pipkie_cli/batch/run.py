"""The runner: every planned input through a worker, its records journalled, the output put together in order."""

import dataclasses
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from pipkie_cli import __version__
from pipkie_cli.batch.journal import Entry
from pipkie_cli.batch.output import Output, StreamOutput
from pipkie_cli.batch.storage import has_threads
from pipkie_cli.batch.summary import Failure, Summary
from pipkie_cli.batch.supervisor import Limits, Supervisor
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.nouns import Input, RunOptions, Template

Retry = Literal["never", "failed", "all"]
MAX_ATTEMPTS = 3  # runs that read a document which fails each time
CHANGES_NO_RECORD = ("model", "cache", "cache_bytes")  # fields of the options; what the model is, its revision says
_BLOCK_BYTES = 1 << 20


class Engine(Protocol):
    """Reads inputs: `Supervisor` on this machine, `Cluster` on many. A context; leaving it ends all that it started."""

    def __enter__(self) -> "Engine": ...

    def __exit__(self, *_: object) -> None: ...

    def outcomes(self, inputs: Sequence[Input]) -> Iterator[tuple[Input, Outcome]]:
        """Every input with its outcome, as they come. Raises what ends a run."""


EngineOf = Callable[
    [RunOptions, Limits, Sequence[int]], Engine
]  # the last: descriptors that its children must not keep


def run_batch(
    inputs: Sequence[Input],
    options: RunOptions,
    output: Output,
    limits: Limits,
    *,
    retry: Retry = "failed",
    engine: EngineOf | None = None,
    progress: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.monotonic,
) -> Summary:
    """Read what the output's journal does not know yet, and finish the output.

    `engine` makes what reads (default: workers on this machine). `progress` is called for each input. Raises what ends
    a run (ModelError, OutputError); what is done stays in the journal, and the same call goes on with it.
    """
    started = clock()
    run = run_key(options)
    done = {item.shown: entry for item in inputs if (entry := _reusable(item, output, run, retry)) is not None}
    for _ in done:
        progress()
    todo = [item for item in inputs if item.shown not in done]
    if isinstance(output, StreamOutput):
        output.begin([item.shown for item in inputs])
    told = {path: entry.told for path, entry in done.items()}
    n_pages = 0
    if todo:
        with (engine or _here)(options, limits, output.descriptors()) as reader:
            for item, outcome in reader.outcomes(todo):
                if item.url is not None:
                    known = dataclasses.replace(outcome.told, stamp=item.stamp)
                    outcome = dataclasses.replace(outcome, told=known)
                elif outcome.told.sha256 is None:  # it failed before it was read as a document
                    known = dataclasses.replace(outcome.told, sha256=content_hash(item.path))
                    outcome = dataclasses.replace(outcome, told=known)
                attempts = 1 + (0 if retry == "all" else _attempts(output.known(item.shown), run, outcome.told))
                output.add(item.shown, run, attempts, outcome)
                told[item.shown] = outcome.told
                n_pages += outcome.told.n_pages
                progress()
    n_records = output.finish([item.shown for item in inputs])
    statuses = [status for one in told.values() for status in one.statuses]
    if set(told) != {item.shown for item in inputs} or n_records != len(statuses):
        raise RuntimeError(f"{len(inputs)} inputs but {n_records} records and {len(statuses)} statuses")
    failures = tuple(
        Failure(item.shown, *failure) for item in inputs if (failure := told[item.shown].failure) is not None
    )
    return Summary(
        len(inputs),
        statuses.count("ok"),
        statuses.count("review"),
        failures,
        n_pages,
        clock() - started,
        sum(one.n_invalid for one in told.values()),
        len(done),
        n_records,
        sum((Counter(one.problems) for one in told.values()), Counter()),
        {path: one.sha256 for path, one in told.items()},
    )


def _here(options: RunOptions, limits: Limits, held: Sequence[int]) -> Supervisor:
    """Workers on this machine; where a store runs threads, they are no forks of this process."""
    return Supervisor(options, limits, held, "spawn") if has_threads() else Supervisor(options, limits, held)


def run_key(options: RunOptions) -> str:
    """A digest of all that decides about records beside the document: templates, model, version, options."""
    from pipkie_cli.models import model_revision

    said: dict[str, Any] = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name not in CHANGES_NO_RECORD
    }
    said["templates"] = [template.label for template in options.templates if isinstance(template, Template)]
    said["passwords"] = len(options.passwords)  # not they: a key in a file could be guessed at
    said["model"], said["pipkie"] = model_revision(options.model), __version__
    return hashlib.sha256(repr(sorted(said.items())).encode()).hexdigest()[:16]


def _reusable(item: Input, output: Output, run: str, retry: Retry) -> Entry | None:
    """What an earlier run made of this input, if it is still good: same content, same templates, model and options."""
    entry = output.known(item.shown)
    if entry is None or entry.run != run or retry == "all":
        return None
    if entry.told.failure is not None and retry == "failed" and entry.attempts < MAX_ATTEMPTS:
        return None
    if item.url is not None:  # to fetch it for its hash would cost as much as to read it
        return entry if entry.told.stamp == item.stamp is not None else None
    return entry if entry.told.sha256 == content_hash(item.path) else None


def _attempts(entry: Entry | None, run: str, told: Told) -> int:
    """How often this content was read before with these options."""
    if entry is None or entry.run != run:
        return 0
    return entry.attempts if (entry.told.sha256, entry.told.stamp) == (told.sha256, told.stamp) else 0


def content_hash(path: Path) -> str | None:
    """SHA-256 of a file's content; None where it cannot be read."""
    digest = hashlib.sha256()
    try:
        if not path.is_file():  # a FIFO would hold the run up
            return None
        with path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    return digest.hexdigest()
