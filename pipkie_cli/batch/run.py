"""The runner: every planned input through the pipeline, one record each, in the order of the plan."""

import time
from collections.abc import Callable, Sequence

from pipkie_cli.batch.output import Output
from pipkie_cli.batch.summary import Failure, Summary, failure_of
from pipkie_cli.nouns import Input, RunOptions


def run_batch(
    inputs: Sequence[Input],
    options: RunOptions,
    output: Output,
    progress: Callable[[], None] = lambda: None,
    clock: Callable[[], float] = time.monotonic,
) -> Summary:
    """Read every input in this process with one backend and finish the output.

    `progress` is called after each document. Raises what ends a run (ModelError, OutputError); the output then keeps
    the records written so far.
    """
    from pipkie_cli.models import load_backend
    from pipkie_cli.pipeline import process
    from pipkie_cli.records import is_invalid, record_line

    backend = load_backend(options.model)
    counts = {"ok": 0, "review": 0, "failed": 0}
    failures: list[Failure] = []
    n_pages = n_invalid = 0
    started = clock()
    for item in inputs:
        record = process(item, options, backend)
        output.write(record_line(record))
        counts[record["status"]] += 1
        n_pages += len(record["document"]["pages"])
        if record["status"] == "failed":
            failures.append(failure_of(record))
        else:
            n_invalid += is_invalid(record)
        progress()
    seconds = clock() - started
    if not len(inputs) == sum(counts.values()) == output.n_records:
        raise RuntimeError(f"{len(inputs)} inputs but {output.n_records} records and counts {counts}")
    output.finish()
    return Summary(len(inputs), counts["ok"], counts["review"], tuple(failures), n_pages, seconds, n_invalid)
