"""`pipkie bench`: measure what pages cost on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipkie_cli.cli import options as shared

if TYPE_CHECKING:
    from pipkie_cli.nouns import Input


def bench(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Documents: files, folders, globs, or labelled folders.")
    ],
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", min=1, show_default=False, help="Documents taken of each PATH (default: 6)."
        ),
    ] = 6,
    template: Annotated[
        str,
        typer.Option(
            "--template", "-t", metavar="NAME|FILE", show_default=False, help="The template asked (default: receipt)."
        ),
    ] = "receipt",
    model: shared.ModelName = "mini",
    memory_pages: Annotated[
        int,
        typer.Option(
            "--memory-pages",
            metavar="N",
            min=0,
            show_default=False,
            help="Pages of a run whose peak memory is measured; takes minutes (default: 0, no such run).",
        ),
    ] = 0,
    decoding_pages: Annotated[
        int,
        typer.Option(
            "--decoding-pages",
            metavar="N",
            min=0,
            show_default=False,
            help="Pages on which one pass is compared with word by word; a minute each (default: 2).",
        ),
    ] = 2,
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
    from pipkie_cli.evaluate import plan_bench, run_bench

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    options = shared.run_options([template], None, model)
    plan = plan_bench([_inputs(path) for path in paths], limit, options, memory_pages, decoding_pages, wheel)
    report = run_bench(plan, (lambda _: None) if quiet else (lambda what: console.say(f"measuring {what}")))
    console.print_data(stdout, console.report_lines(report.table(), report.figures))


def _inputs(path: str) -> "tuple[Input, ...]":
    from pipkie_cli.batch import plan_inputs

    labelled = Path(path, "documents")  # of a labelled folder only the documents are meant
    return plan_inputs([str(labelled) if labelled.is_dir() else path]).inputs
