"""When the records are safe: the list of failed inputs, the report, documents moved out of a watched folder."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipkie_cli import __version__
from pipkie_cli.batch.summary import Summary
from pipkie_cli.errors import OutputError
from pipkie_cli.nouns import Input


def list_failed(summary: Summary, output: Path) -> Path | None:
    """Name the failed inputs in OUTPUT.failed.txt, a path a line, as --files-from reads them; without any it goes.

    Raises OutputError.
    """
    listed = output.with_name(f"{output.stem}.failed.txt")
    try:
        if not summary.failures:
            listed.unlink(missing_ok=True)
            return None
        _write(listed, "".join(f"{failure.shown}\n" for failure in summary.failures).encode())
    except OSError as error:
        raise _unwritable(listed, error) from error
    return listed


def write_report(summary: Summary, output: str, exit_code: int, path: Path) -> None:
    """The run in numbers, as one JSON object. No values and no text of documents. Raises OutputError."""
    import orjson

    seconds = round(summary.seconds, 3)
    told: dict[str, Any] = {
        "pipkie": __version__,
        "output": output,
        "exit_code": exit_code,
        "documents": summary.n_inputs,
        "records": summary.n_records,
        "ok": summary.n_ok,
        "review": summary.n_review,
        "failed": len(summary.failures),
        "read_before": summary.n_known,
        "pages": summary.n_pages,
        "seconds": seconds,
        "pages_per_s": round(summary.n_pages / seconds, 3) if seconds else None,
        "problems": dict(sorted(summary.problems.items())),
        "failures": [
            {"path": failure.shown, "code": failure.code, "message": failure.message} for failure in summary.failures
        ],
    }
    try:
        _write(path, orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")
    except OSError as error:
        raise _unwritable(path, error) from error


def move_inputs(inputs: Sequence[Input], summary: Summary, done: Path | None, failed: Path | None) -> int:
    """Move documents to the folder of what became of them; equal names get a number. Returns how many.

    Raises OutputError; what was moved before stays moved.
    """
    failures = {failure.shown for failure in summary.failures}
    n = 0
    for item in inputs:
        folder = failed if item.shown in failures else done
        if folder is None or not os.path.lexists(item.path):
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.move(item.path, _free(folder / item.path.name))
        except OSError as error:
            raise _unwritable(folder, error) from error
        n += 1
    return n


def _free(path: Path) -> Path:
    """The path, or the first of path-2, path-3 that nothing stands at."""
    number, free = 1, path
    while os.path.lexists(free):
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    os.replace(part, path)


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{path} cannot be written: {error.strerror}", hint="the records are whole; free or fix the place"
    )
