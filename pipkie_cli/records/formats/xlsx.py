"""Sheets as one Excel workbook: a worksheet for the records of each template, one for each of its tables.

Text is text, also where it looks like a number or a formula; numbers, dates and times are Excel's own. Rows go to a
temporary file at once, so that memory does not grow with them.
"""

import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from typing import Any

from pipkie_cli.errors import OutputError
from pipkie_cli.records.formats.registry import OpenFile
from pipkie_cli.records.formats.signs import without_controls
from pipkie_cli.records.kinds import Cell, Kind, plain
from pipkie_cli.records.sheets import Sheet

BY_TEMPLATE = True

# Limits of Excel ("Excel specifications and limits").
MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_LETTERS = 32_767  # of one cell, in units of UTF-16
MAX_SHEET_NAME = 31
RESERVED_SHEET_NAME = "history"
FIRST_YEAR = 1900  # what is older cannot be a date in a cell, and is text

NUMBER_FORMATS: Mapping[Kind, str] = {
    "text": "@",  # stays text when someone edits the cell
    "amount": "#,##0.00###",
    "number": "General",
    "integer": "0",
    "boolean": "General",
    "date": "yyyy-mm-dd",
    "time": "hh:mm:ss",
    "datetime": "yyyy-mm-dd hh:mm:ss",
}
WIDTHS: Mapping[Kind, int] = {"text": 24, "datetime": 19}  # in digits; 12 else
WITHOUT_TEMPLATE = "no template"
CREATED = datetime(2000, 1, 1)  # the same records give the same bytes


class _XlsxWriter:
    def __init__(self, sheets: Sequence[Sheet], open_file: OpenFile) -> None:
        import xlsxwriter

        self._folder = tempfile.TemporaryDirectory(prefix="pipkie-xlsx-")  # the library leaves files when it fails
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "tmpdir": self._folder.name,
            "use_zip64": True,
        }
        self._book = xlsxwriter.Workbook(open_file(None), options)
        self._book.set_properties({"created": CREATED})
        self._formats = {kind: self._book.add_format({"num_format": code}) for kind, code in NUMBER_FORMATS.items()}
        head = self._book.add_format({"bold": True, "num_format": "@"})
        names = _sheet_names(sheets)
        self._sheets = [_Worksheet(self._book.add_worksheet(name), name, self._formats, head) for name in names]
        for worksheet, sheet in zip(self._sheets, sheets, strict=True):
            worksheet.begin(sheet)

    def add(self, sheet: int, cells: Sequence[Cell]) -> None:
        self._sheets[sheet].add(cells)

    def close(self) -> None:
        from xlsxwriter.exceptions import FileCreateError

        for worksheet in self._sheets:
            worksheet.end()
        try:
            self._book.close()
        except FileCreateError as error:
            raise error.args[0] from error  # the OSError

    def discard(self) -> None:
        for worksheet in self._book.worksheets():
            worksheet._opt_close()  # has no public name; open files cannot be removed everywhere
        self._book.fileclosed = True  # its destructor would write
        self._folder.cleanup()


class _Worksheet:
    """One worksheet and the row that comes next."""

    def __init__(self, worksheet: Any, name: str, formats: Mapping[Kind, Any], head: Any) -> None:
        self._worksheet, self._name, self._formats, self._head = worksheet, name, formats, head
        self._row = 0
        self._columns: list[Any] = []

    def begin(self, sheet: Sheet) -> None:
        self._columns = [self._formats[column.kind] for column in sheet.columns]
        self._worksheet.freeze_panes(1, 0)
        everywhere = f"A1:XFD{MAX_ROWS}"
        self._worksheet.ignore_errors({"number_stored_as_text": everywhere})  # no green corner on an identifier
        for at, column in enumerate(sheet.columns):
            width = max(WIDTHS.get(column.kind, 12), len(column.name) + 2)
            self._worksheet.set_column(at, at, width, self._formats[column.kind])
            self._worksheet.write_string(0, at, column.name, self._head)
        self._row = 1

    def add(self, cells: Sequence[Cell]) -> None:
        if self._row >= MAX_ROWS:
            raise OutputError(f'more rows than worksheet "{self._name}" can have', "export to csv or parquet")
        sheet, row = self._worksheet, self._row
        for at, (value, form) in enumerate(zip(cells, self._columns, strict=True)):
            if value is None:
                continue
            if isinstance(value, str):
                self._write_text(at, value)
            elif isinstance(value, bool):
                sheet.write_boolean(row, at, value, form)
            elif isinstance(value, int | float):
                sheet.write_number(row, at, value, form)
            elif isinstance(value, time) or value.year >= FIRST_YEAR:
                sheet.write_datetime(row, at, value, form)
            else:
                self._write_text(at, plain(value))
        self._row += 1

    def _write_text(self, at: int, text: str) -> None:
        text = without_controls(text)
        if text.startswith("<r>") and text.endswith("</r>"):
            text += " "  # xlsxwriter takes it for markup of its own and writes it as it is: formulas could hide there
        if self._worksheet.write_string(self._row, at, text, self._formats["text"]) == -2:
            message = (
                f'worksheet "{self._name}", row {self._row + 1}: a text of over {MAX_LETTERS} letters fits no cell'
            )
            raise OutputError(message, hint="export to csv or parquet, or leave the record out with --where")

    def end(self) -> None:
        self._worksheet.autofilter(0, 0, self._row - 1, len(self._columns) - 1)


def open_writer(sheets: Sequence[Sheet], open_file: OpenFile) -> _XlsxWriter:
    """Raises OutputError for more columns than a worksheet has."""
    widest = max(len(sheet.columns) for sheet in sheets)
    if widest > MAX_COLUMNS:
        raise OutputError(f"{widest} columns are more than a worksheet has", hint="export to csv or parquet")
    return _XlsxWriter(sheets, open_file)


def _sheet_names(sheets: Sequence[Sheet]) -> list[str]:
    """Template, or template and table; cut and numbered where Excel takes no such name."""
    names: list[str] = []
    for sheet in sheets:
        parts = [sheet.template or WITHOUT_TEMPLATE, *([sheet.table] if sheet.table else [])]
        whole = name = " ".join(parts)
        number = 2
        while len(name) > MAX_SHEET_NAME or name in names or name == RESERVED_SHEET_NAME:
            name = f"{whole[: MAX_SHEET_NAME - 4]}~{number}"
            number += 1
        names.append(name)
    return names
