"""`pipkie bench pip`: one pass of a multimodal model against writing word by word."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared


def bench_pip(
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            metavar="DIR",
            show_default=False,
            help="A checkpoint that was trained for one pass (default: random weights of --size).",
        ),
    ] = None,
    size: Annotated[
        str,
        typer.Option(
            "--size",
            metavar="small|medium|2b|7b",
            show_default=False,
            help="Random weights in the form of Qwen2-VL, built here; 2b and 7b need a GPU (default: small).",
        ),
    ] = "small",
    keys: Annotated[
        str,
        typer.Option("--keys", metavar="N,N", show_default=False, help="Numbers of keys asked (default: 1,5,25)."),
    ] = "1,5,25",
    slots: Annotated[
        str,
        typer.Option(
            "--slots", metavar="N,N", show_default=False, help="Tokens of a value, with its end (default: 8)."
        ),
    ] = "8",
    documents: Annotated[
        str,
        typer.Option("--documents", metavar="N,N", show_default=False, help="Documents in one batch (default: 1)."),
    ] = "1",
    rounds: Annotated[
        int,
        typer.Option("--rounds", metavar="N", show_default=False, help="The fastest of N counts (default: 2)."),
    ] = 2,
    device: Annotated[
        str,
        typer.Option("--device", metavar="cpu|cuda:N", show_default=False, help="Where it runs (default: cpu)."),
    ] = "cpu",
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Compare one pass with five ways to write the same values word by word: time and peak memory of each.

    Prints a table, then one line of JSON with every figure. Some minutes on a CPU.

    Example: pipkie bench pip --keys 25
    """
    from pipkie_cli.cli import console
    from pipkie_cli.evaluate import pip_table, plan_pip_bench, run_pip_bench

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    asked, lengths, batches = _numbers("keys", keys), _numbers("slots", slots), _numbers("documents", documents)
    plan = plan_pip_bench(model, size, device, asked, lengths, batches, rounds)
    figures = run_pip_bench(plan, (lambda _: None) if quiet else (lambda what: console.say(f"measuring {what}")))
    console.print_data(stdout, console.report_lines(pip_table(figures), figures))


def _numbers(name: str, given: str) -> tuple[int, ...]:
    """Raises UsageError."""
    from pipkie_cli.errors import UsageError

    parts = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise UsageError(f"--{name} {given} is no list of numbers", hint=f"as in --{name} 1,5,25")
    return tuple(map(int, parts))
