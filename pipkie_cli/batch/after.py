"""When the records are safe: the list of failed inputs, the report, documents moved out of a watched folder."""

import os
import shutil
import stat
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from pipkie_cli import __version__
from pipkie_cli.batch.journal import cannot_write
from pipkie_cli.batch.output import refuse_unfit
from pipkie_cli.batch.plan import as_listed
from pipkie_cli.batch.replaced import replaced
from pipkie_cli.batch.run import content_hash
from pipkie_cli.batch.storage import Store, is_url, url_name
from pipkie_cli.batch.store_output import beside
from pipkie_cli.batch.summary import Summary
from pipkie_cli.errors import OutputError, UsageError
from pipkie_cli.nouns import Input


def check_places(output: Path | None, *others: Path | None) -> None:
    """Before any work: files beside the output that could not be written, or would take the place of something.

    Raises OutputError for a missing folder, a document or a write-protected file, UsageError for one file named twice.
    """
    taken = {os.path.realpath(output)} if output is not None else set()
    for path in others:
        if path is None:
            continue
        place = Path(os.path.realpath(path))
        try:
            if not place.parent.is_dir():
                raise FileNotFoundError(2, os.strerror(2))
            if place.is_dir() or place.is_file():
                refuse_unfit(path, place, path.name)
        except OSError as error:
            raise cannot_write(str(path), error) from error
        if str(place) in taken:
            raise UsageError(f"{path} is named for two things", hint="give output, report and log each a file")
        if _is_replaced(place):
            taken.add(str(place))


def list_failed(summary: Summary, inputs: Sequence[Input], output: str) -> str | None:
    """Name the failed inputs in OUTPUT.failed.txt, a path a line, as --files-from reads them; without any it goes.

    It lies beside the output, in a store too. Raises OutputError.
    """
    failures = {failure.shown for failure in summary.failures}
    lines = b"".join(as_listed(item) + b"\n" for item in inputs if item.shown in failures)
    if is_url(output):
        listed = beside(output, f"{Path(url_name(output)).stem}.failed.txt")
        Store.at(listed).write(BytesIO(lines)) if lines else Store.at(listed).delete()
        return listed if lines else None
    place = Path(output).with_name(f"{Path(output).stem}.failed.txt")
    try:
        if not lines:
            place.unlink(missing_ok=True)
            return None
        _write(place, lines)
    except OSError as error:
        raise _unwritable(place, error) from error
    return str(place)


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


def move_inputs(inputs: Sequence[Input], summary: Summary, done: Path | None, failed: Path | None) -> tuple[Input, ...]:
    """Move documents to the folder of what became of them; equal names get a number. Returns those that changed.

    What was changed since it was read stays where it is, for the next run: nobody has read it. So do folders and what
    is in its folder already. Raises OutputError; what was moved before stays moved.
    """
    failures = {failure.shown for failure in summary.failures}
    changed: list[Input] = []
    for item in inputs:
        folder = failed if item.shown in failures else done
        if folder is None or not os.path.lexists(item.path) or item.path.is_dir():
            continue
        if os.path.realpath(folder) == os.path.realpath(item.path.parent):
            continue
        if content_hash(item.path) != summary.hashes.get(item.shown):
            changed.append(item)
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.move(item.path, _free(folder / item.path.name))
        except OSError as error:
            if os.path.lexists(item.path) or not folder.is_dir():  # else somebody else took it away
                raise _unwritable(folder, error) from error
    return tuple(changed)


def _free(path: Path) -> Path:
    """The path, or the first of path-2, path-3 that nothing stands at."""
    number, free = 1, path
    while os.path.lexists(free):
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _write(path: Path, data: bytes) -> None:
    target = Path(os.path.realpath(path))
    if not _is_replaced(target):
        target.write_bytes(data)
        return
    with replaced(target) as file:
        file.write(data)


def _is_replaced(target: Path) -> bool:
    """A file is replaced as a whole; a device or FIFO is written to: renaming would put a file in its place."""
    try:
        return stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return True


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{path} cannot be written: {error.strerror}", hint="the records are whole; free or fix the place"
    )
