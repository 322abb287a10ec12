"""`pipkie extract`: the main job."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from pipkie_cli.cli import options as shared
from pipkie_cli.errors import UsageError

if TYPE_CHECKING:
    from pipkie_cli.batch import Limits, Output, Plan, Retry, Summary
    from pipkie_cli.nouns import RunOptions


def extract(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders (read recursively), globs.")],
    template: shared.TemplateNames = None,
    templates: shared.TemplateFolder = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|-",
            help="Where the records go, one JSON object a line; - is standard output (default: the folder's or file's "
            "name with .jsonl, in the current folder).",
        ),
    ] = None,
    model: shared.ModelName = "mini",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="List what would be read, and with which templates; read and write nothing."),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="End with exit code 8 if a record breaks the schema or a rule of its template."),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            min=1,
            max=1024,
            help="Documents read at the same time, each in a process of its own (default: what cores and free memory "
            "bear).",
        ),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            min=1,
            show_default=False,
            help="Time for one document before it is given up (default: 300).",
        ),
    ] = 300.0,
    max_memory: Annotated[
        int,
        typer.Option(
            "--max-memory",
            metavar="MIB",
            min=256,
            show_default=False,
            help="Memory of one worker before its document is given up (default: 4000).",
        ),
    ] = 4000,
    retry: Annotated[
        str,
        typer.Option(
            "--retry",
            metavar="never|failed|all",
            show_default=False,
            help="What of an earlier run into the same output is read again: nothing, documents that failed less than "
            "three times, everything (default: failed). New and changed documents always are.",
        ),
    ] = "failed",
    min_confidence: shared.MinConfidence = 0.5,
    max_pages: shared.MaxPages = 50,
    password: shared.Passwords = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Read documents and write one checked JSON record for each.

    Example: pipkie extract samples --templates samples/templates -o records.jsonl
    """
    from pipkie_cli.batch import Limits, Retry, default_output, default_workers, left_out_line, plan_inputs
    from pipkie_cli.cli import console

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    options = shared.run_options(template, templates, model, max_pages, password, min_confidence)
    target = default_output(paths) if output is None else Path(output)
    to_stdout = output == "-"
    plan = plan_inputs(paths, None if to_stdout else target)
    if dry_run:
        console.print_data(stdout, _dry_lines(plan, options))
        return
    if plan.left_out and not quiet:
        console.say(left_out_line(plan.left_out))
    if not plan.inputs:
        if not quiet:
            console.say("0 documents: nothing to read, nothing was written")
        return
    if retry not in get_args(Retry):
        raise UsageError(f"--retry {retry} is not known", hint=f"use {', '.join(get_args(Retry))}")
    limits = Limits(workers or default_workers(len(plan.inputs)), timeout, max_memory << 20)
    records = _open(stdout, target, to_stdout)
    summary = _run(plan, options, records, limits, cast(Retry, retry), show_progress=not quiet and not verbose)
    if not quiet or summary.failures:
        console.say("\n".join((summary.line(records.shown), *summary.failed_lines())))
    if strict and summary.n_invalid:
        console.say(summary.invalid_line())
    raise typer.Exit(summary.exit_code(strict))


def _dry_lines(plan: "Plan", options: "RunOptions") -> Iterator[str]:
    from pipkie_cli.cli import console

    names = ", ".join(template.name for template in options.templates)
    for item in plan.inputs:
        yield console.printable(f"{item.shown}: {names}")


def _open(stdout: int, target: Path, to_stdout: bool) -> "Output":
    from pipkie_cli.batch import open_output, open_stream

    return open_stream(stdout) if to_stdout else open_output(target)


def _run(
    plan: "Plan", options: "RunOptions", records: "Output", limits: "Limits", retry: "Retry", show_progress: bool
) -> "Summary":
    from pipkie_cli.batch import run_batch
    from pipkie_cli.cli import console

    n_done = 0
    with console.progress(len(plan.inputs), not show_progress) as step:  # -v writes lines through a bar

        def count() -> None:
            nonlocal n_done
            n_done += 1
            step()

        try:
            return run_batch(plan.inputs, options, records, limits, retry=retry, progress=count)
        except BaseException:
            if records.resumable:
                console.say(
                    f"{n_done} of {len(plan.inputs)} documents are done; the same command goes on with the rest"
                )
            raise
        finally:
            records.close()
