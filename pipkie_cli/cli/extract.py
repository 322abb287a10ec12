"""`pipkie extract`: the main job."""

import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import typer

from pipkie_cli.cli import extract_options as own
from pipkie_cli.cli import options as shared
from pipkie_cli.errors import ExitCode, InputError, UsageError

if TYPE_CHECKING:
    from pipkie_cli.batch import EngineOf, Limits, Output, Plan, Retry, Summary
    from pipkie_cli.nouns import RunOptions

log = logging.getLogger(__name__)


def extract(
    paths: own.Paths = None,
    template: shared.TemplateNames = None,
    templates: shared.TemplateFolder = None,
    output: own.OutputPath = None,
    files_from: own.FilesFrom = None,
    null: own.NullNames = False,
    model: shared.ModelName = "mini",
    decode: shared.DecodeHow = "pip",
    passes: shared.Passes = 1,
    max_pixels: shared.MaxPixels = None,
    dry_run: own.DryRun = False,
    strict: own.Strict = False,
    fail_on: own.FailOn = "any",
    workers: own.Workers = None,
    engine: own.EngineName = "local",
    ray_address: own.RayAddress = None,
    devices: own.Devices = "auto",
    timeout: own.Timeout = 300.0,
    max_memory: own.MaxMemory = 4000,
    retry: own.RetryWhat = "failed",
    split: shared.Split = "never",
    min_confidence: shared.MinConfidence = 0.5,
    max_pages: shared.MaxPages = 50,
    password: shared.Passwords = None,
    cache: shared.CacheFolder = None,
    cache_limit: own.CacheLimit = 2000,
    report: own.Report = None,
    move_done: own.MoveDone = None,
    move_failed: own.MoveFailed = None,
    log_file: own.LogFile = None,
    log_format: own.LogFormat = "text",
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Read documents and write one checked JSON record for each.

    Example: pipkie extract samples --templates samples/templates -o records.jsonl
    """
    from pipkie_cli.batch import (
        Limits,
        Retry,
        check_places,
        choose_devices,
        default_output,
        is_url,
        left_out_line,
        plan_inputs,
    )
    from pipkie_cli.cli import console

    url = output if output and is_url(output) else None
    place = Path(output) if output and output != "-" and url is None else None
    check_places(place, log_file, report)
    console.set_up(verbose, quiet, log_file, log_format)
    stdout = console.take_stdout()
    allowed = _allowed(fail_on)
    reader = _engine(engine, ray_address, devices)
    if retry not in get_args(Retry):
        raise UsageError(f"--retry {retry} is not known", hint=f"use {', '.join(get_args(Retry))}")
    options = shared.run_options(
        template, templates, model, max_pages, password, min_confidence, split, cache, cache_limit << 20
    )
    options = shared.with_pixels(options, decode, passes, max_pixels)
    given = [*(paths or ()), *(_listed(files_from, null) if files_from else ())]
    if not given and not files_from:
        raise UsageError(
            "no PATH was given", hint="name files or folders, or --files-from FILE; see pipkie extract --help"
        )
    target = place if output else default_output(paths or ["."])
    plan = plan_inputs(given, target, (move_done, move_failed))
    if (move_done or move_failed) and any(item.url for item in plan.inputs):
        raise UsageError("documents of a store are not moved", hint="leave out --move-done and --move-failed")
    if dry_run:
        console.print_data(stdout, _dry_lines(plan, options))
        return
    if plan.left_out and not quiet:
        console.say(console.printable(left_out_line(plan.left_out)))
    if not plan.inputs:
        if not quiet:
            console.say("0 documents: nothing to read, nothing was written")
        return
    chosen = choose_devices(devices, options.model) if engine == "local" else ()
    n_workers = _workers(workers, len(plan.inputs), engine, ray_address)
    limits = Limits(max(n_workers, len(chosen)), timeout, max_memory << 20, chosen)
    records = _open(stdout, url, target)
    beside = (url or str(target)) if records.resumable else None  # nothing is put beside /dev/null
    summary = _run(plan, options, records, limits, cast(Retry, retry), reader, show_progress=not quiet and not verbose)
    code = summary.exit_code(strict, allowed)
    listed = _settle(plan, summary, records.shown, beside, code, report, move_done, move_failed)
    log.info(summary.line(records.shown))
    if not quiet or code is ExitCode.DOCUMENTS_FAILED:
        more = [f"  all of them are listed in {listed}"] if listed else []
        lines = (summary.line(records.shown), *summary.failed_lines(), *more)
        console.say("\n".join(map(console.printable, lines)))
    if strict and summary.n_invalid:
        console.say(summary.invalid_line())
    raise typer.Exit(code)


def _allowed(fail_on: str) -> float:
    """The share of documents that may fail without an exit code of its own."""
    try:
        share = {"never": 1.0, "any": 0.0}[fail_on] if fail_on in ("never", "any") else float(fail_on)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"--fail-on {fail_on} is not known", hint="use never, any or a share such as 0.05")
    return share


def _engine(name: str, address: str | None, devices: str) -> "EngineOf | None":
    """What reads the documents; None is this machine's workers."""
    from pipkie_cli.batch import Cluster, check_ray

    if name not in ("local", "ray"):
        raise UsageError(f"--engine {name} is not known", hint="use local or ray")
    if name == "local" and address is not None:
        raise UsageError("--ray-address is for --engine ray", hint="add --engine ray")
    if name == "local":
        return None
    if devices not in ("auto", "cpu", "cuda"):
        raise UsageError(f"--devices {devices} goes with --engine local", hint="Ray gives each actor a GPU of its own")
    check_ray()
    return partial(Cluster, address=address, devices=devices)


def _workers(wanted: int | None, n_inputs: int, engine: str, address: str | None) -> int:
    from pipkie_cli.batch import bearable, cluster_workers, default_workers

    if engine == "ray":
        return wanted or cluster_workers(address, n_inputs)
    return bearable(wanted or default_workers(n_inputs))


def _listed(files_from: str, null: bool) -> list[str]:
    from pipkie_cli.batch import listed_paths

    try:
        if files_from == "-":  # by its number: Python has no sys.stdin where it began closed
            with open(0, "rb", closefd=False) as stdin:
                data = stdin.read()
        else:
            data = Path(files_from).read_bytes()
    except OSError as error:
        raise InputError(f"{files_from} cannot be read: {error.strerror}", hint="check the path") from error
    return listed_paths(data, null)


def _settle(
    plan: "Plan",
    summary: "Summary",
    shown: str,
    target: str | None,
    code: int,
    report: Path | None,
    move_done: Path | None,
    move_failed: Path | None,
) -> str | None:
    """What the user wants besides records; returns the list of failed inputs."""
    from pipkie_cli.batch import list_failed, move_inputs, write_report
    from pipkie_cli.cli import console

    listed = list_failed(summary, plan.inputs, target) if target is not None else None
    if report is not None:
        write_report(summary, shown, code, report)
    if move_done is not None or move_failed is not None:
        for item in move_inputs(plan.inputs, summary, move_done, move_failed):
            console.say(console.printable(f"{item.shown} was changed since it was read: it stays for the next run"))
    return listed


def _dry_lines(plan: "Plan", options: "RunOptions") -> Iterator[str]:
    from pipkie_cli.cli import console

    names = ", ".join(template.name for template in options.templates)
    for item in plan.inputs:
        yield console.printable(f"{item.shown}: {names}")


def _open(stdout: int, url: str | None, target: Path | None) -> "Output":
    """Where records go: a store, a file, else standard output."""
    from pipkie_cli.batch import StoreOutput, open_output, open_stream

    if url is not None:
        return StoreOutput(url)
    return open_stream(stdout) if target is None else open_output(target)


def _run(
    plan: "Plan",
    options: "RunOptions",
    records: "Output",
    limits: "Limits",
    retry: "Retry",
    engine: "EngineOf | None",
    show_progress: bool,
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
            return run_batch(plan.inputs, options, records, limits, retry=retry, engine=engine, progress=count)
        except BaseException:
            if records.resumable:
                console.say(
                    f"{n_done} of {len(plan.inputs)} documents are done; the same command goes on with the rest"
                )
            raise
        finally:
            records.close()
