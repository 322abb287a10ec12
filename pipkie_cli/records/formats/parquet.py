"""Sheets as Parquet: a file for the records, one for each table. Decimals are decimals, dates are dates.

The types of a template's columns are the same in every file, so that many files are one data set: decimals have nine
digits behind the point, more only where a value needs them.
"""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from pipkie_cli.errors import OutputError
from pipkie_cli.records.formats.registry import OpenFile
from pipkie_cli.records.kinds import NUMERIC, Cell, plain
from pipkie_cli.records.sheets import Column, Sheet

BY_TEMPLATE = False

FRACTION_DIGITS = 9
MAX_DIGITS = 38  # of decimal128
MAX_WIDE_DIGITS = 76  # of decimal256, which fewer programs read
GROUP_ROWS = 10_000  # rows, or letters, that wait in memory for the next row group
GROUP_LETTERS = 16_000_000


class _ParquetWriter:
    def __init__(self, sheets: Sequence[Sheet], open_file: OpenFile) -> None:
        schemas = [_schema(sheet) for sheet in sheets]
        self._tables = [
            _Table(sheet, schema, open_file(sheet.table)) for sheet, schema in zip(sheets, schemas, strict=True)
        ]

    def add(self, sheet: int, cells: Sequence[Cell]) -> None:
        self._tables[sheet].add(cells)

    def close(self) -> None:
        for table in self._tables:
            table.close()

    def discard(self) -> None:
        for table in self._tables:
            table.discard()


class _Table:
    """One file and the rows that wait for it."""

    def __init__(self, sheet: Sheet, schema: Any, file: Any) -> None:
        from pyarrow import parquet

        self._schema = schema
        self._decimal = [column.kind in NUMERIC and column.kind != "integer" for column in sheet.columns]
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._waiting: list[list[Any]] = [[] for _ in sheet.columns]
        self._n_letters = 0

    def add(self, cells: Sequence[Cell]) -> None:
        for waiting, decimal, value in zip(self._waiting, self._decimal, cells, strict=True):
            waiting.append(Decimal(plain(value)) if decimal and value is not None else value)
            if isinstance(value, str):
                self._n_letters += len(value)
        if len(self._waiting[0]) >= GROUP_ROWS or self._n_letters >= GROUP_LETTERS:
            self._write()

    def _write(self) -> None:
        import pyarrow

        arrays = [pyarrow.array(column, field.type) for column, field in zip(self._waiting, self._schema, strict=True)]
        self._writer.write_batch(pyarrow.RecordBatch.from_arrays(arrays, schema=self._schema))
        self._waiting = [[] for _ in self._waiting]
        self._n_letters = 0

    def close(self) -> None:
        if self._waiting[0]:
            self._write()
        self._writer.close()

    def discard(self) -> None:
        self._waiting = []
        if self._writer.is_open:
            with suppress(OSError):  # the file that failed
                self._writer.close()


def open_writer(sheets: Sequence[Sheet], open_file: OpenFile) -> _ParquetWriter:
    """Raises OutputError for numbers that no decimal holds."""
    return _ParquetWriter(sheets, open_file)


def _schema(sheet: Sheet) -> Any:
    import pyarrow

    return pyarrow.schema([(column.name, _arrow_type(column)) for column in sheet.columns])


def _arrow_type(column: Column) -> Any:
    import pyarrow

    if column.kind in ("amount", "number"):
        fraction = max(FRACTION_DIGITS, column.fraction)
        digits = column.whole + fraction
        if digits > MAX_WIDE_DIGITS:
            raise OutputError(f"{column.name}: numbers of {digits} digits fit no decimal of Parquet", "export to csv")
        if digits > MAX_DIGITS:
            return pyarrow.decimal256(MAX_WIDE_DIGITS, fraction)
        return pyarrow.decimal128(MAX_DIGITS, fraction)
    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "boolean": pyarrow.bool_(),
        "date": pyarrow.date32(),
        "time": pyarrow.time32("s"),
        "datetime": pyarrow.timestamp("ms"),
    }
    return types[column.kind]
