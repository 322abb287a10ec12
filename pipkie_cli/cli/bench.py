"""`pipkie bench`: measure what pages cost on this machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipkie_cli.cli import options as shared

if TYPE_CHECKING:
    from pipkie_cli.nouns import Input


def bench(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Documents: files, folders, globs, or labelled folders.")
    ],
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="Documents taken of each PATH (default: 6).")
    ] = 6,
    template: Annotated[
        str, typer.Option("--template", "-t", metavar="NAME|FILE", help="The template asked (default: receipt).")
    ] = "receipt",
    model: shared.ModelName = "mini",
    memory_pages: Annotated[
        int,
        typer.Option(
            "--memory-pages", metavar="N", min=0, help="Length of the memory run; takes minutes (default: 0, none)."
        ),
    ] = 0,
    wheel: Annotated[
        Path | None, typer.Option("--wheel", metavar="FILE", help="A built wheel whose size is reported too.")
    ] = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Measure CPU seconds and memory on this machine: a table, then one line of JSON with every figure.

    Example: pipkie bench samples --limit 4
    """
    from pipkie_cli.cli import console
    from pipkie_cli.evaluate import BenchPlan, run_bench

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    options = shared.run_options([template], None, model)
    plan = BenchPlan(_inputs(paths, limit), options, memory_pages, wheel)
    figures = run_bench(plan, (lambda _: None) if quiet else (lambda what: console.say(f"measuring {what}")))
    console.print_data(stdout, _lines(figures))


def _inputs(paths: list[str], limit: int) -> "tuple[Input, ...]":
    from pipkie_cli.batch import plan_inputs
    from pipkie_cli.evaluate import sample_inputs

    inputs: list[Input] = []
    for path in paths:
        labelled = Path(path, "documents")  # of a labelled folder only the documents are meant
        inputs += sample_inputs(plan_inputs([str(labelled) if labelled.is_dir() else path], None).inputs, limit)
    return tuple(inputs)


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    import orjson

    from pipkie_cli.cli import console
    from pipkie_cli.evaluate import bench_table

    yield from map(console.printable, bench_table(figures))
    yield orjson.dumps(figures).decode()
