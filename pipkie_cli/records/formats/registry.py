"""Format name -> the module that writes sheets in it. A new format is one file and one line here."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import BinaryIO, NamedTuple, Protocol, cast

from pipkie_cli.errors import UsageError
from pipkie_cli.records.kinds import Cell
from pipkie_cli.records.sheets import Sheet

OpenFile = Callable[[str | None], BinaryIO]  # a table's name, or None for the main file


class Writer(Protocol):
    """Takes the rows of several sheets as they come. An OSError is the files' and goes through."""

    def add(self, sheet: int, cells: Sequence[Cell]) -> None:
        """One row of the sheet of this number. Raises OutputError for what the format cannot hold."""

    def close(self) -> None:
        """Write what is left. The files stay open."""

    def discard(self) -> None:
        """Give up, or end after `close`: nothing of the writer's own stays anywhere."""


class Format(Protocol):
    """What the module of a format has."""

    BY_TEMPLATE: bool  # sheets of each template, or one for all

    @staticmethod
    def open_writer(sheets: Sequence[Sheet], open_file: OpenFile) -> Writer: ...


class _Entry(NamedTuple):
    module: str
    needs: str = ""  # a library that an extra installs
    extra: str = ""


FORMATS: Mapping[str, _Entry] = MappingProxyType(
    {
        "csv": _Entry("pipkie_cli.records.formats.csv"),
        "xlsx": _Entry("pipkie_cli.records.formats.xlsx"),
        "parquet": _Entry("pipkie_cli.records.formats.parquet", needs="pyarrow", extra="parquet"),
    }
)


def load_format(name: str) -> Format:
    """The module of a format. Raises UsageError for an unknown one, or where its library is not installed."""
    entry = FORMATS.get(name)
    if entry is None:
        raise UsageError(f"--to {name} is not known", hint=f"use {', '.join(FORMATS)}")
    if entry.needs and find_spec(entry.needs) is None:
        raise UsageError(f"{name} needs {entry.needs}, which is not installed", f'pip install "pipkie[{entry.extra}]"')
    return cast(Format, import_module(entry.module))
