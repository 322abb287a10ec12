"""Lines of JSON -> records, one at a time, each checked against the contract of a record."""

import re
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, BinaryIO

import orjson

from pipkie_cli.errors import InputError
from pipkie_cli.records.check import check_form

MAX_LINE_BYTES = 64 << 20  # a record of 50 pages full of line items has 1 MB; what is longer is no JSONL
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")  # of a key or column, as templates have it: it becomes part of file names


class RecordFile:
    """A seekable file of records that is read twice: checked, then as it was checked.

    Raises InputError with the number of the first line that is no record, or that changed in between. Messages quote
    nothing of the line.
    """

    def __init__(self, file: BinaryIO, shown: str) -> None:
        self._file, self._shown = file, shown
        self._marks = array("I")  # CRC-32 of every line: a few bytes, where a record has thousands

    def checked(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Number of the line, from 1, and its record; empty lines are passed over."""
        for number, line in self._lines():
            self._marks.append(zlib.crc32(line))
            if not line.isspace():
                yield number, _record(line, f"{self._shown}, line {number}")

    def again(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The same once more, after all of `checked`."""
        for number, line in self._lines():
            if number > len(self._marks) or zlib.crc32(line) != self._marks[number - 1]:
                hint = "run the same command again when nothing writes to it"
                raise InputError(f"{self._shown}, line {number}: changed while it was read", hint=hint)
            if not line.isspace():
                yield number, orjson.loads(line)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        try:
            self._file.seek(0)
            while line := self._file.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    hint = "give a file that `pipkie extract` wrote"
                    raise InputError(f"{self._shown}, line {number}: longer than any record", hint=hint)
                yield number, line
        except OSError as error:
            hint = "check the disk or share"
            raise InputError(f"{self._shown} cannot be read: {error.strerror}", hint=hint) from error


def _record(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{where}: no whole JSON object (column {error.colno})",
            hint="give a file that `pipkie extract` wrote; mend or remove this line",
        ) from None  # the error holds the whole line
    faults = check_form(record) or list(_odd_values(record["values"]))
    if faults:
        raise InputError(f"{where}: no record of pipkie: {faults[0]}", hint="mend or remove this line")
    return dict(record)


def _odd_values(values: dict[str, Any]) -> Iterator[str]:
    """Keys that no template has, and values that are neither one value nor rows of values."""
    for key, value in values.items():
        if not _is_name(key):
            yield "values: a name that no key of a template can have"
        elif isinstance(value, dict) or (isinstance(value, list) and not all(map(_is_row, value))):
            yield f"values.{key}: neither a value nor rows of values"


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or not all(map(_is_name, row)):
        return False
    return not any(isinstance(value, (dict, list)) for value in row.values())


@lru_cache(maxsize=4096)
def _is_name(name: str) -> bool:
    return NAME.fullmatch(name) is not None
