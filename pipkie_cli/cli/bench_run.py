"""`pipkie bench run`: a whole batch, and which part of it the others wait for."""

from typing import Annotated

import typer

from pipkie_cli.cli import extract_options as run
from pipkie_cli.cli import options as shared


def bench_run(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Documents: files, folders, globs.")],
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=1, help="Only the first N documents (default: all)."),
    ] = None,
    template: shared.TemplateNames = None,
    templates: shared.TemplateFolder = None,
    model: shared.ModelName = "mini",
    decode: shared.DecodeHow = "pip",
    passes: shared.Passes = 1,
    max_pixels: shared.MaxPixels = None,
    max_pages: shared.MaxPages = 50,
    workers: run.Workers = None,
    devices: run.Devices = "auto",
    timeout: run.Timeout = 300.0,
    max_memory: run.MaxMemory = 4000,
    cache: shared.CacheFolder = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Read documents as `pipkie extract` does, write nothing, and say where the time goes.

    Prints pages a second in all and of each stage, how full workers and devices are, and what the others wait for;
    then one line of JSON with every figure.

    Example: pipkie bench run samples --workers 2
    """
    from pipkie_cli.batch import Limits, bearable, choose_devices, default_workers, plan_inputs
    from pipkie_cli.cli import console
    from pipkie_cli.evaluate import run_bench_run

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    options = shared.run_options(template, templates, model, max_pages, cache=cache)
    options = shared.with_pixels(options, decode, passes, max_pixels)
    inputs = plan_inputs(paths).inputs[:limit]
    chosen = choose_devices(devices, options.model)
    n_workers = bearable(max(workers or default_workers(len(inputs)), len(chosen)))
    limits = Limits(n_workers, timeout, max_memory << 20, chosen)
    with console.progress(len(inputs), quiet or verbose > 0) as step:
        found = run_bench_run(inputs, options, limits, step)
    console.print_data(stdout, console.report_lines(found.table(), found.figures))
