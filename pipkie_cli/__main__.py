"""The one door: every error leaves as a message on stderr and an exit code, never as a traceback on the screen."""

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from pipkie_cli.errors import ExitCode, PipkieError


class Stopped(BaseException):
    """Ctrl-C or SIGTERM. A class of its own: the command line library would swallow a KeyboardInterrupt."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.exit_code = ExitCode.INTERRUPTED if signal_number == signal.SIGINT else ExitCode.TERMINATED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: of this process) and return its exit code."""
    try:
        _open_standard_streams()
        _stop_on_signals()
        return _run(arguments)
    except Stopped as stop:
        from pipkie_cli.cli import complain

        complain("interrupted" if stop.exit_code is ExitCode.INTERRUPTED else "terminated")
        return stop.exit_code
    finally:
        _drop_unread_output()


def _run(arguments: Sequence[str] | None) -> int:
    from pipkie_cli.cli import complain, run_app

    try:
        return run_app(arguments)
    except PipkieError as error:
        complain(error.message, error.hint)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last net: a bug of pipkie leaves as a message too
        # the message of a foreign exception may quote a document: the class is named, the rest goes to the file
        complain(f"stopped by a bug in pipkie ({type(error).__name__})", _report(error))
        return ExitCode.INTERNAL


def _report(error: Exception) -> str:
    """Write the traceback to a file that only this user can read; say where it lies."""
    import tempfile
    import traceback

    text = "".join(traceback.format_exception(error))
    try:
        handle, name = tempfile.mkstemp(prefix="pipkie-traceback-", suffix=".txt")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as full:
        return f"its traceback could not be written: {full.strerror}"
    return f"please report it; the traceback is in {name} and may quote a document"


def _open_standard_streams() -> None:
    """Give a closed stdin, stdout or stderr to the null device: else the first file opened would take its number.

    A closed stdout only for reading: records written to it (`-o -`) are an error and not silently lost.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if descriptor == 1 else os.O_RDWR)  # takes the lowest free number: this one


def _stop_on_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup and `&` of a shell: the caller wants it ignored
            signal.signal(number, _stop)


def _stop(signal_number: int, _frame: FrameType | None) -> NoReturn:
    raise Stopped(signal_number)


def _drop_unread_output() -> None:
    """Let the interpreter end in peace when the reader of stdout or stderr has gone (`pipkie --help | head -1`)."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
