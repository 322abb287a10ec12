"""All commands under one name."""

from collections.abc import Sequence
from typing import Annotated

import typer

from pipkie_cli import __version__
from pipkie_cli.cli import bench, models, templates
from pipkie_cli.cli.eval import evaluate
from pipkie_cli.cli.explain import explain
from pipkie_cli.cli.export import export
from pipkie_cli.cli.extract import extract
from pipkie_cli.cli.train import train


def run_app(arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit code. Raises PipkieErrors; usage errors are printed and returned as 2."""
    try:
        _build()(args=None if arguments is None else list(arguments), prog_name="pipkie")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _build() -> typer.Typer:
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False, no_args_is_help=True)
    app.callback()(_pipkie)
    app.command("extract", no_args_is_help=True)(extract)
    app.command("explain", no_args_is_help=True)(explain)
    app.command("export", no_args_is_help=True)(export)
    app.command("eval", no_args_is_help=True)(evaluate)
    app.add_typer(bench.build(), name="bench")
    app.command("train", no_args_is_help=True)(train)
    app.add_typer(models.build(), name="models")
    app.add_typer(templates.build(), name="templates")
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pipkie {__version__}")
        raise typer.Exit


def _pipkie(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Read folders of PDFs and pictures and extract the values of all keys of a template, one JSON record each.

    Example: pipkie extract samples -o records.jsonl
    """
