"""`pipkie eval`: measure labelled folders and published sets."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipkie_cli.cli import options as shared

if TYPE_CHECKING:
    from pipkie_cli.evaluate import Measurements


def evaluate(
    data: Annotated[
        list[str],
        typer.Option(
            "--data",
            metavar="DIR[:PART]",
            help="A folder with documents/ and labels.jsonl, or a published set; may be given several times.",
        ),
    ],
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="PART", help="The part to measure of every DIR without one (default: all)."),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template", "-t", metavar="NAME|FILE", help="The template asked (default: that of each known set)."
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="Measure a sample of N documents of each set, always the same one."
        ),
    ] = None,
    model: shared.ModelName = "mini",
    decode: shared.DecodeHow = "pip",
    passes: shared.Passes = 1,
    max_pixels: shared.MaxPixels = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Write answers.jsonl, wrong.txt and report.html there."),
    ] = None,
    draw: Annotated[
        bool, typer.Option("--draw", help="With -o: also write pictures of the documents with a wrong answer.")
    ] = False,
    types: Annotated[
        bool,
        typer.Option("--types", help="Only measure how often the right document type is chosen; no value is read."),
    ] = False,
    cache: shared.CacheFolder = None,
    facts: Annotated[
        bool,
        typer.Option(
            "--facts",
            help="Also take what e-invoices inside the documents state (default: only what is read off the pages).",
        ),
    ] = False,
    audit: Annotated[
        Path | None,
        typer.Option(
            "--audit", metavar="FILE", help="Labels that are wrong: figures are given as labelled and without."
        ),
    ] = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Measure how well labelled documents are read: a table, then one line of JSON with every figure.

    Example: pipkie eval --data receipts:dev --data forms --template receipt -o looked_at --draw
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import UsageError
    from pipkie_cli.evaluate import plan_evaluation, plan_types, run_evaluations, run_types

    if draw and output is None:
        raise UsageError("--draw needs a folder for the pictures", hint="add -o DIR")
    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    if types:
        if template is not None or output is not None or facts or audit is not None:
            hint = "leave them out: all templates are weighed, by what the pages print"
            raise UsageError("--types goes without --template, --facts, --audit and -o", hint=hint)
        lots = [plan_types(*folder_and_part(one, split), limit) for one in data]
        with console.progress(sum(len(lot.documents) for lot in lots), quiet or verbose > 0) as step:
            chosen = run_types(lots, cache, step)
        console.print_data(stdout, console.report_lines(chosen.table(), chosen.figures))
        return
    plans = [plan_evaluation(*folder_and_part(one, split), limit, template, model, facts, audit) for one in data]
    plans = [replace(one, options=shared.with_pixels(one.options, decode, passes, max_pixels)) for one in plans]
    n_documents = sum(len(plan.documents) for plan in plans)
    with console.progress(n_documents, quiet or verbose > 0) as step:  # -v writes lines through a bar
        measurements = run_evaluations(plans, cache, step)
    if output is not None:
        _write(measurements, output, draw, quiet)
    console.print_data(stdout, console.report_lines(measurements.table(), measurements.figures))


def folder_and_part(data: str, split: str | None) -> tuple[Path, str | None]:
    """DIR:PART as folder and part. A folder that exists is one, whatever colons its name has."""
    folder, colon, part = data.rpartition(":")
    if not colon or Path(data).exists():
        return Path(data), split
    return Path(folder), part


def _write(measurements: "Measurements", output: Path, draw: bool, quiet: bool) -> None:
    from pipkie_cli.cli import console

    measurements.write(output)
    drawn = measurements.draw_wrong(output) if draw else 0
    if not quiet:
        told = f"answers.jsonl, wrong.txt and report.html are in {output}"
        console.say(told + (f", {drawn} pictures too" if draw else ""))
