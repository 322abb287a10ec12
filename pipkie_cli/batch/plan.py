"""Paths, folders and globs -> the inputs of a run, sorted by path, each once.

Nothing here opens a pipe or follows a link to a folder, so no loop and no FIFO can hold a run up.
"""

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from pipkie_cli.batch.replaced import PART
from pipkie_cli.batch.storage import Store, is_url, url_name
from pipkie_cli.documents import looks_like_document
from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.nouns import Input

DOCUMENT_SUFFIXES = frozenset(
    {".pdf", ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff", ".webp", ".bmp", ".dib", ".gif"}
    | {".heic", ".heif", ".avif", ".jp2"}  # pictures that may not be read here: a failed record says so
)
OWN_SUFFIXES = frozenset({".jsonl", PART})  # what pipkie writes: never an input, and not worth a word
MOST_SHOWN = 300  # characters of a path in a message: a list may be one endless line
_GLOB_LETTER = re.compile(r"[*?[]")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run reads, and the files of its folders that it leaves out because they are no documents."""

    inputs: tuple[Input, ...]
    left_out: tuple[str, ...] = ()


def plan_inputs(paths: Sequence[str], exclude: Path | None = None, not_below: Iterable[Path | None] = ()) -> Plan:
    """Expand files, folders (recursively) and quoted globs; `exclude` is the run's own output.

    `not_below`: subfolders that are not gone into, such as those that documents are moved to when they were read.

    In a folder or glob, files count whose suffix or first bytes are those of a document; hidden ones do not. A named
    file is always an input, whatever it holds: its record says what is wrong. Objects of a store count by suffix alone.
    Raises InputError for a path that is missing, UsageError for an output named as input.
    """
    own = {os.path.abspath(exclude), os.path.abspath(f"{exclude}{PART}")} if exclude is not None else set()
    skipped = frozenset(os.path.realpath(folder) for folder in not_below if folder is not None)
    inputs: dict[str, Input] = {}
    left_out: dict[str, str] = {}
    for given in paths:
        if is_url(given):
            _add_stored(given, inputs, left_out)
            continue
        for path, named in _expand(given, skipped):
            place = _place(path)
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
        tuple(sorted(_told_apart(inputs.values()), key=lambda item: item.shown)),
        tuple(sorted(shown for place, shown in left_out.items() if place not in inputs)),
    )


def _add_stored(url: str, inputs: dict[str, Input], left_out: dict[str, str]) -> None:
    """The documents that a store has there; hidden ones do not count, as in a folder."""
    for stored in Store.at(url).listed():
        path, shown = Path(url_name(stored.url)), _printable(stored.url)
        if any(part.startswith(".") for part in stored.below.split("/")):
            continue
        if not stored.below or path.suffix.lower() in DOCUMENT_SUFFIXES:
            inputs.setdefault(stored.url, Input(path, shown, stored.url, stored.stamp))
        elif path.suffix.lower() not in OWN_SUFFIXES:
            left_out.setdefault(stored.url, shown)


def listed_paths(data: bytes, null: bool) -> list[str]:
    """The paths of a list, one a line, or each ended by NUL; empty ones are left out."""
    paths = data.split(b"\0") if null else data.removeprefix(codecs.BOM_UTF8).splitlines()
    return [os.fsdecode(path) for path in paths if path]


def as_listed(item: Input) -> bytes:
    """An input as a line that `listed_paths` reads; one with a line break in its name as a pattern that finds it."""
    line = os.fsencode(item.url or item.path)
    if b"\n" not in line and b"\r" not in line:
        return line
    return re.sub(rb"[\r\n]", b"?", re.sub(rb"[*?[]", rb"[\g<0>]", line))


def _place(path: str) -> str:
    """Where a file is, so that each counts once. `link/../x` is beside what the link leads to."""
    if ".." not in Path(path).parts:
        return os.path.abspath(path)
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def _told_apart(inputs: Iterable[Input]) -> Iterator[Input]:
    """The inputs, each shown by a name of its own: a file may be called by the escape of another's odd byte."""
    taken: set[str] = set()
    for item in sorted(inputs, key=lambda item: (item.shown != _named(item), os.fsencode(_named(item)))):
        shown = item.shown
        while shown in taken:
            shown = shown.replace("\\", "\\\\")
        taken.add(shown)
        yield replace(item, shown=shown)


def _named(item: Input) -> str:
    return item.url or str(item.path)


def _expand(given: str, skipped: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Paths that one argument stands for; with True where the user named exactly this file."""
    if not given:  # an unset variable of a script: not the current folder, which is what Path makes of it
        raise InputError("an empty path was given", hint="name a file or folder; `.` is the current one")
    shown = _printable(given[:MOST_SHOWN])
    if "\0" in given:
        raise InputError(f"{shown} holds a NUL", hint="read a list of `find -print0` with --null")
    path = str(Path(given))  # "./in/" and "in" are shown alike
    if os.path.isdir(path):
        try:
            os.listdir(path)
        except OSError as error:
            raise InputError(
                f"{shown} cannot be listed: {error.strerror}", hint="check its permissions and the mount"
            ) from error
        yield from ((found, False) for found in _walk(path, skipped))
    elif os.path.lexists(path):
        yield path, True
    elif _GLOB_LETTER.search(given):
        matches = list(_glob(path, skipped))
        if not matches:
            raise InputError(f"nothing matches {shown}", hint="check the pattern and the folder")
        for match in matches:
            folder = os.path.isdir(match) and not os.path.islink(match)
            yield from ((found, False) for found in (_walk(match, skipped) if folder else (match,)))
    else:
        raise InputError(f"{shown} does not exist", hint="check the path; is the share mounted?")


def _walk(folder: str, skipped: frozenset[str]) -> Iterator[str]:
    """Every visible file below a folder; a link to a folder is yielded, not followed.

    A subfolder that cannot be listed is yielded itself: it becomes a failed record instead of a silent gap. Folders
    wait in a list: thousands of them may lie in each other.
    """
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        entries = _entries(place, skipped)
        if entries is None:
            yield place
        for entry in entries or ():
            path = entry.path if place != "." else entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield path


def _entries(folder: str, skipped: frozenset[str]) -> list[os.DirEntry[str]] | None:
    """The visible entries of a folder, sorted by name; None where it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            shown = (entry for entry in found if not entry.name.startswith("."))
            return sorted((one for one in shown if not _is_skipped(one, skipped)), key=lambda entry: entry.name)
    except OSError:
        return None


def _is_skipped(entry: os.DirEntry[str], skipped: frozenset[str]) -> bool:
    return bool(skipped) and entry.is_dir() and os.path.realpath(entry.path) in skipped


def _glob(pattern: str, skipped: frozenset[str]) -> Iterator[str]:
    """Like glob.glob(recursive=True), but a `**` follows no link to a folder: there, two loops take for ever."""
    given = Path(pattern).parts
    fixed = next(index for index, part in enumerate(given) if _GLOB_LETTER.search(part))
    waiting = [(str(Path(*given[:fixed])), given[fixed:])]
    while waiting:
        base, parts = waiting.pop()
        if not parts:
            if os.path.lexists(base):
                yield base
        elif _GLOB_LETTER.search(parts[0]):
            waiting += _matches(base, parts, skipped)
        else:
            waiting.append((os.path.join(base, parts[0]), parts[1:]))


def _matches(base: str, parts: tuple[str, ...], skipped: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the first part of a pattern matches below a folder, each with the parts that are left."""
    first, rest = parts[0], parts[1:]
    if first == "**":
        yield base, rest or ("*",)
    for entry in _entries(base, skipped) or ():
        path = str(Path(entry.path))
        if first == "**":
            if entry.is_dir(follow_symlinks=False):
                yield path, parts
        elif fnmatchcase(entry.name, first) and (not rest or entry.is_dir()):
            yield path, rest


def _is_input(path: str) -> bool:
    """Whether a file found in a folder is a document, by suffix or, if that says nothing, by its first bytes."""
    suffix = Path(path).suffix.lower()
    if suffix in OWN_SUFFIXES:
        return False
    return suffix in DOCUMENT_SUFFIXES or os.path.isdir(path) or looks_like_document(path)


def _printable(path: str) -> str:
    """The path as a record can hold it: bytes that are not UTF-8 become \\xNN."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")
