"""`pipkie templates test`: one template over labelled documents, for people and for continuous integration."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared


def measure_template(
    template: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A template's name or a .yaml file.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with documents/ and labels.jsonl.")],
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="PART", help="The part of split.json to take (default: all documents)."),
    ] = None,
    at_least: Annotated[
        float,
        typer.Option(
            "--at-least",
            metavar="SHARE",
            min=0,
            max=1,
            show_default=False,
            help="Share of the labelled values, 0 to 1, that must be right for exit code 0 (default: 1).",
        ),
    ] = 1.0,
    model: shared.ModelName = "mini",
    cache: shared.CacheFolder = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Read labelled documents by one template: print how many values of each key are right and which are wrong.

    The last line is one JSON object. Exit code 9 when fewer values are right than --at-least asks, 3 when a document
    could not be read.

    Example: pipkie templates test order.yaml orders --at-least 0.95
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import ExitCode
    from pipkie_cli.evaluate import plan_evaluation, run_evaluations, tally

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    plan = plan_evaluation(folder, split, None, template, model, facts=True)
    with console.progress(len(plan.documents), quiet or verbose > 0) as step:  # -v writes lines through a bar
        result = tally(run_evaluations([plan], cache, step))
    console.print_data(stdout, console.report_lines(result.table(), result.figures))
    if result.failed:
        raise typer.Exit(ExitCode.DOCUMENTS_FAILED)
    if result.share < at_least:
        raise typer.Exit(ExitCode.WRONG_VALUES)
