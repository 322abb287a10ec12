"""Paths, folders and globs -> the inputs of a run, sorted by path, each once.

Nothing here opens a pipe or follows a link to a folder, so no loop and no FIFO can hold a run up.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from pipkie_cli.batch.output import PART
from pipkie_cli.documents import looks_like_document
from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.nouns import Input

DOCUMENT_SUFFIXES = frozenset(
    {".pdf", ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff", ".webp", ".bmp", ".dib", ".gif"}
    | {".heic", ".heif", ".avif", ".jp2"}  # pictures that may not be read here: a failed record says so
)
OWN_SUFFIXES = frozenset({".jsonl", PART})  # what pipkie writes: never an input, and not worth a word
_GLOB_LETTER = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run reads, and the files of its folders that it leaves out because they are no documents."""

    inputs: tuple[Input, ...]
    left_out: tuple[str, ...] = ()


def plan_inputs(paths: Sequence[str], exclude: Path | None = None) -> Plan:
    """Expand files, folders (recursively) and quoted globs; `exclude` is the run's own output.

    In a folder or glob, files count whose suffix or first bytes are those of a document; hidden ones do not. A named
    file is always an input, whatever it holds: its record says what is wrong. Raises InputError for a path that is
    missing, UsageError for an output named as input.
    """
    own = {os.path.abspath(exclude), os.path.abspath(f"{exclude}{PART}")} if exclude is not None else set()
    inputs: dict[str, Input] = {}
    left_out: dict[str, str] = {}
    for given in paths:
        for path, named in _expand(given):
            place = os.path.abspath(path)
            if place in own:
                if named:
                    raise UsageError(f"{given} is both input and output", hint="choose another file with -o")
            elif not named and os.path.islink(path) and os.path.isdir(path):
                left_out.setdefault(place, f"{_printable(path)} (a link to a folder)")
            elif named or _is_input(path):
                inputs.setdefault(place, Input(Path(path), _printable(path)))
            elif Path(path).suffix.lower() not in OWN_SUFFIXES:
                left_out.setdefault(place, _printable(path))
    return Plan(
        tuple(sorted(inputs.values(), key=lambda item: item.shown)),
        tuple(sorted(shown for place, shown in left_out.items() if place not in inputs)),
    )


def listed_paths(data: bytes, null: bool) -> list[str]:
    """The paths of a list, one a line, or each ended by NUL; empty ones are left out."""
    return [os.fsdecode(path) for path in (data.split(b"\0") if null else data.splitlines()) if path]


def _expand(given: str) -> Iterator[tuple[str, bool]]:
    """Paths that one argument stands for; with True where the user named exactly this file."""
    if not given:  # an unset variable of a script: not the current folder, which is what Path makes of it
        raise InputError("an empty path was given", hint="name a file or folder; `.` is the current one")
    path = str(Path(given))  # "./in/" and "in" are shown alike
    if os.path.isdir(path):
        try:
            os.listdir(path)
        except OSError as error:
            raise InputError(
                f"{_printable(given)} cannot be listed: {error.strerror}", hint="check its permissions and the mount"
            ) from error
        yield from ((found, False) for found in _walk(path))
    elif os.path.lexists(path):
        yield path, True
    elif _GLOB_LETTER.search(given):
        matches = list(_glob(path))
        if not matches:
            raise InputError(f"nothing matches {_printable(given)}", hint="check the pattern and the folder")
        for match in matches:
            folder = os.path.isdir(match) and not os.path.islink(match)
            yield from ((found, False) for found in (_walk(match) if folder else (match,)))
    else:
        raise InputError(f"{_printable(given)} does not exist", hint="check the path; is the share mounted?")


def _walk(folder: str) -> Iterator[str]:
    """Every visible file below a folder, sorted; a link to a folder is yielded, not followed.

    A subfolder that cannot be listed is yielded itself: it becomes a failed record instead of a silent gap.
    """
    entries = _entries(folder)
    if entries is None:
        yield folder
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path if folder != "." else entry.name)
        else:
            yield entry.path if folder != "." else entry.name


def _entries(folder: str) -> list[os.DirEntry[str]] | None:
    """The visible entries of a folder, sorted by name; None where it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            return sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)
    except OSError:
        return None


def _glob(pattern: str) -> Iterator[str]:
    """Like glob.glob(recursive=True), but a `**` follows no link to a folder: there, two loops take for ever."""
    parts = Path(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if _GLOB_LETTER.search(part))
    yield from _match(str(Path(*parts[:fixed])), parts[fixed:])


def _match(base: str, parts: Sequence[str]) -> Iterator[str]:
    if not parts:
        if os.path.lexists(base):
            yield base
        return
    first, rest = parts[0], parts[1:]
    if not _GLOB_LETTER.search(first):
        yield from _match(os.path.join(base, first), rest)
        return
    if first == "**":
        yield from _match(base, rest or ("*",))
    for entry in _entries(base) or ():
        path = str(Path(entry.path))
        if first == "**":
            if entry.is_dir(follow_symlinks=False):
                yield from _match(path, parts)
        elif fnmatchcase(entry.name, first) and (not rest or entry.is_dir()):
            yield from _match(path, rest)


def _is_input(path: str) -> bool:
    """Whether a file found in a folder is a document, by suffix or, if that says nothing, by its first bytes."""
    suffix = Path(path).suffix.lower()
    if suffix in OWN_SUFFIXES:
        return False
    return suffix in DOCUMENT_SUFFIXES or os.path.isdir(path) or looks_like_document(path)


def _printable(path: str) -> str:
    """The path as a record can hold it: bytes that are not UTF-8 become \\xNN."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")
