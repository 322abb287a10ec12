"""What people see: stderr for words and progress; stdout is handed to data alone."""

import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from pipkie_cli.errors import OutputError, UsageError

LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def complain(what: str, hint: str = "") -> None:
    """A message about an error: what happened, then what to do."""
    say(f"pipkie: {what}" + (f"\n  {hint}" if hint else ""))


def say(text: str) -> None:
    """Words for people. When nobody can read them any more, the work goes on."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):
        sys.stderr.write("".join(f"{printable(line)}\n" for line in text.splitlines()))
        sys.stderr.flush()


def printable(text: str) -> str:
    """The text with control and format characters shown as escapes: names and pages may hold terminal codes."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def set_up(verbosity: int = 0, quiet: bool = False) -> None:
    """Decide what is said while a command runs. Raises UsageError for -v with -q."""
    if quiet and verbosity:
        raise UsageError("-v and -q contradict each other", hint="use one of them")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("%(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("pipkie_cli")
    logger.handlers = [handler]
    logger.propagate = False  # libraries hang handlers of their own on the root
    logger.setLevel(logging.ERROR if quiet else LEVELS[min(verbosity, 2)])
    if verbosity < 2:
        warnings.simplefilter("ignore")  # a library's advice to programmers


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


@contextmanager
def progress(total: int, quiet: bool) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, nothing elsewhere; yields what to call after each document."""
    if quiet or os.environ.get("NO_COLOR") or sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit="document", file=sys.stderr, dynamic_ncols=True, leave=False) as bar:

        def step() -> None:
            bar.update(1)

        yield step


class _Printable(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(printable(line) for line in super().format(record).splitlines())
