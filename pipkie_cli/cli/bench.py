"""`pipkie bench`: measure what things cost on this machine. Without another command's name: what pages cost."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from pipkie_cli.cli import options as shared
from pipkie_cli.cli.bench_pip import bench_pip
from pipkie_cli.cli.bench_run import bench_run

if TYPE_CHECKING:
    from pipkie_cli.nouns import Input


def build() -> typer.Typer:
    """The group of commands."""
    app = shared.group(
        "Measure what things cost on this machine: a table, then one line of JSON with every figure.\n\n"
        "`pipkie bench PATH...` is `pipkie bench pages PATH...`. Example: pipkie bench samples --limit 4",
        _PagesByDefault,
    )
    app.command("pages", no_args_is_help=True)(bench_pages)
    app.command("pip")(bench_pip)
    app.command("run", no_args_is_help=True)(bench_run)
    return app


class _PagesByDefault(TyperGroup):
    """What does not begin with a command's name is for `pages`: its paths stood there before there were others."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = not args or args[0] in self.commands or args[0] == "--help"
        return super().parse_args(ctx, args if named else ["pages", *args])


def bench_pages(
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

    Example: pipkie bench pages samples --limit 4
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
