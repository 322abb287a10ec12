"""What people see: words and progress on stderr; stdout is handed to data alone.

Libraries print as well, some from C: what they say to either stream is heard with -vv only.
"""

import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pipkie_cli.errors import OutputError, UsageError

LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)

_people = 2  # descriptor of the terminal, pipe or file that people read


def complain(what: str, hint: str = "") -> None:
    """A message about an error: what happened, then what to do."""
    say(f"pipkie: {what}" + (f"\n  {hint}" if hint else ""))


def say(text: str) -> None:
    """Words for people. When nobody can read them any more, the work goes on."""
    lines = "".join(f"{printable(line)}\n" for line in text.splitlines())
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    with suppress(OSError), open(_people, "wb", closefd=False) as stream:
        stream.write(lines.encode(encoding, errors="backslashreplace"))


def printable(text: str) -> str:
    """The text with control and format characters shown as escapes: names and pages may hold terminal codes."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def set_up(verbosity: int = 0, quiet: bool = False, log_file: Path | None = None, log_format: str = "text") -> None:
    """Decide what is said while a command runs, and what is written to a log: decisions, or what -vv says.

    Raises UsageError for -v with -q and for an unknown format, OutputError for a log that cannot be written.
    """
    if quiet and verbosity:
        raise UsageError("-v and -q contradict each other", hint="use one of them")
    if log_format not in ("text", "json"):
        raise UsageError(f"--log-format {log_format} is not known", hint="use text or json")
    level = logging.ERROR if quiet else LEVELS[min(verbosity, 2)]
    people = _People()
    people.setLevel(level)
    if log_format == "json":
        people.setFormatter(_Json())
    logger = logging.getLogger("pipkie_cli")
    for old in logger.handlers:
        old.close()
    logger.handlers = [people]
    logger.propagate = False  # libraries hang handlers of their own on the root
    logger.setLevel(level)
    if log_file is not None:
        logger.addHandler(_log(log_file, log_format))
        logger.setLevel(min(level, logging.INFO))
    if verbosity < 2:
        warnings.simplefilter("ignore")  # a library's advice to programmers
        _hush_libraries()


def take_stdout() -> int:
    """Take stdout for data: its descriptor. From here on whatever else writes to stdout lands on stderr.

    Print, C libraries and child processes are sent there alike. It stays so until the process ends: C libraries flush
    their buffers at exit.
    """
    if sys.stdout is not None:
        sys.stdout.flush()
    data = os.dup(1)
    os.dup2(2, 1)
    return data


def print_data(descriptor: int, lines: Iterable[str]) -> None:
    """Text lines for stdout, as taken by `take_stdout`. Raises OutputError."""
    try:
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as stream:
            stream.writelines(f"{line}\n" for line in lines)
    except BrokenPipeError as error:
        raise OutputError("the reader of standard output has gone") from error
    except OSError as error:
        raise OutputError(f"standard output cannot be written: {error.strerror}") from error


def report_lines(table: Iterable[str], figures: dict[str, Any]) -> Iterator[str]:
    """What a measuring command prints: a table for people, then every figure as one line of JSON."""
    import orjson

    yield from map(printable, table)
    yield orjson.dumps(figures).decode()


@contextmanager
def progress(total: int, quiet: bool) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing elsewhere; yields what to call after each document."""
    if quiet or os.environ.get("NO_COLOR") or not os.isatty(_people):
        yield lambda: None
        return
    from tqdm import tqdm

    with (
        open(_people, "w", encoding="utf-8", errors="replace", closefd=False) as stream,
        tqdm(total=total, unit="document", file=stream, dynamic_ncols=True, leave=False) as bar,
    ):

        def step() -> None:
            bar.update(1)

        yield step


def _hush_libraries() -> None:
    """Keep stderr for pipkie's own words: one odd TIFF makes libtiff print a hundred lines, which cron would mail."""
    global _people
    if sys.stderr is not None:
        sys.stderr.flush()
    _people = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _log(path: Path, log_format: str) -> logging.Handler:
    """A file that lines are appended to, by all processes of a run; never document text, but for -vv."""
    try:
        handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}", hint="choose another --log-file") from error
    plain = _Plain("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(_Json() if log_format == "json" else plain)
    return handler


class _Plain(logging.Formatter):
    """A log record as one line: a name with a newline in it must not look like another record."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return printable(super().formatMessage(record))


class _Json(logging.Formatter):
    """A log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        import orjson

        told = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return orjson.dumps(told).decode()


class _People(logging.Handler):
    """Log records as words for people."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(_Plain("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record))
