"""The options that `pipkie extract` alone has: what is read, with what means, and what a cron job wants to know."""

from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        show_default=False,
        help="Files, folders (read recursively), globs; s3://… and other URLs of stores.",
    ),
]
FilesFrom = Annotated[
    str | None,
    typer.Option("--files-from", metavar="FILE|-", help="Read further paths there, one a line; - is standard input."),
]
NullNames = Annotated[
    bool, typer.Option("-0", "--null", help="Paths of --files-from end with NUL (find -print0), not with a newline.")
]
OutputPath = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE|-",
        help="Where the records go, one JSON object a line: a file, s3://…, or - for standard output (default: the "
        "folder's or file's name with .jsonl, in the current folder).",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="List what would be read, and with which templates; read and write nothing."),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="End with exit code 8 if a record breaks the schema or a rule of its template."),
]
FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="never|any|RATE",
        show_default=False,
        help="When failed documents make the exit code 3: never, if there are any, or if they are more than this share "
        "of all, such as 0.05 (default: any).",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=1024,
        help="Documents read at the same time, each in a process of its own (default: what cores and memory bear).",
    ),
]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="local|ray",
        show_default=False,
        help="Where documents are read: on this machine, or on the nodes of a Ray cluster (default: local).",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        metavar="HOST:PORT|ray://…",
        help="The cluster of --engine ray (default: RAY_ADDRESS, else a Ray on this machine that ends with the run).",
    ),
]
Devices = Annotated[
    str,
    typer.Option(
        "--devices",
        metavar="auto|cpu|cuda:0,1",
        show_default=False,
        help="Where a multimodal model runs: each device holds it once, for all workers; cuda is every GPU, numbers "
        "count among those that CUDA_VISIBLE_DEVICES allows (default: auto, every GPU there is, else the CPU).",
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=1,
        show_default=False,
        help="Time for one document before it is given up (default: 300).",
    ),
]
MaxMemory = Annotated[
    int,
    typer.Option(
        "--max-memory",
        metavar="MIB",
        min=256,
        show_default=False,
        help="Memory of one worker before its document is given up (default: 4000).",
    ),
]
RetryWhat = Annotated[
    str,
    typer.Option(
        "--retry",
        metavar="never|failed|all",
        show_default=False,
        help="What of an earlier run into the same output is read again: nothing, documents that failed less than "
        "three times, everything (default: failed). New and changed documents always are.",
    ),
]
CacheLimit = Annotated[
    int,
    typer.Option(
        "--cache-limit",
        metavar="MIB",
        min=1,
        show_default=False,
        help="What the folder of --cache may hold; pages used longest ago are forgotten first (default: 2000).",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write what the run did as JSON: counts, problems, failures, times."),
]
LogFile = Annotated[
    Path | None, typer.Option("--log-file", metavar="FILE", help="Append what -v would say to this file, with times.")
]
LogFormat = Annotated[
    str,
    typer.Option(
        "--log-format", metavar="text|json", show_default=False, help="How lines of a log are written (default: text)."
    ),
]
MoveDone = Annotated[
    Path | None,
    typer.Option("--move-done", metavar="DIR", help="Move documents that were read there, when all records are safe."),
]
MoveFailed = Annotated[
    Path | None, typer.Option("--move-failed", metavar="DIR", help="Move documents that failed there.")
]
