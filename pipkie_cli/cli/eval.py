"""`pipkie eval`: measure a labelled folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipkie_cli.cli import options as shared

if TYPE_CHECKING:
    from pipkie_cli.evaluate import Measurement


def evaluate(
    data: Annotated[
        Path,
        typer.Option("--data", metavar="DIR", help="A folder with documents/, labels.jsonl and maybe split.json."),
    ],
    split: Annotated[
        str | None, typer.Option("--split", metavar="PART", help="The part of split.json to measure (default: all).")
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template", "-t", metavar="NAME|FILE", help="The template asked (default: that of a known set)."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Measure a sample of N documents, always the same one."),
    ] = None,
    model: shared.ModelName = "mini",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Write answers.jsonl and wrong.txt (worst first) there."),
    ] = None,
    draw: Annotated[
        bool, typer.Option("--draw", help="With -o: also write pictures of the documents with a wrong answer.")
    ] = False,
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="DIR", help="Keep read pages there, and do not read the same file twice."),
    ] = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Measure how well labelled documents are read: a table, then one line of JSON with every figure.

    Example: pipkie eval --data receipts --split dev --template receipt -o looked_at --draw
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import UsageError
    from pipkie_cli.evaluate import plan_evaluation, run_evaluation

    if draw and output is None:
        raise UsageError("--draw needs a folder for the pictures", hint="add -o DIR")
    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    plan = plan_evaluation(data, split, limit, template, model)
    with console.progress(len(plan.documents), quiet or verbose > 0) as step:  # -v writes lines through a bar
        measurement = run_evaluation(plan, cache, step)
    if output is not None:
        _write(measurement, output, draw, quiet)
    console.print_data(stdout, console.report_lines(measurement.table(), measurement.figures))


def _write(measurement: "Measurement", output: Path, draw: bool, quiet: bool) -> None:
    from pipkie_cli.cli import console

    measurement.write_answers(output)
    drawn = measurement.draw_wrong(output / "pictures") if draw else 0
    if not quiet:
        console.say(f"answers.jsonl and wrong.txt are in {output}" + (f", {drawn} pictures too" if draw else ""))
