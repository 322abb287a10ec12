"""Sheets as CSV (RFC 4180): UTF-8, comma, CRLF. A file for the records, one for each table.

Text stands in quotes, whatever it holds; numbers, dates and booleans stand bare; null is nothing at all. So a program
that looks can tell the identifier "00042" from a number, and a database reads nothing as NULL.
"""

import re
from collections.abc import Sequence
from typing import BinaryIO

from pipkie_cli.records.formats.registry import OpenFile
from pipkie_cli.records.formats.signs import without_controls
from pipkie_cli.records.kinds import Cell, plain
from pipkie_cli.records.sheets import Sheet

BY_TEMPLATE = False

# A spreadsheet takes a cell for a formula that begins so (OWASP, "CSV Injection"; with the wide signs of CJK). Where it
# separates by semicolons it does not heed our quotes: there a cell begins behind each semicolon and each line end too.
_FORMULA = re.compile("(^|[;\r\n])([ \"']*)(?=[=+\\-@\t\r＝＋－＠])")
# Digits and their marks alone call nothing: negative numbers and phone numbers stay what they are.
_HARMLESS = re.compile(r"[+-][0-9., ()/-]*[0-9](?: ext [0-9]+)?")


def defused(text: str) -> str:
    """The text with an apostrophe before whatever a spreadsheet would run."""
    if _HARMLESS.fullmatch(text):
        return text
    return _FORMULA.sub(r"\1'\2", text)


class _CsvWriter:
    def __init__(self, sheets: Sequence[Sheet], open_file: OpenFile) -> None:
        self._files: list[BinaryIO] = [open_file(sheet.table) for sheet in sheets]
        for number, sheet in enumerate(sheets):
            self.add(number, [column.name for column in sheet.columns])

    def add(self, sheet: int, cells: Sequence[Cell]) -> None:
        line = ",".join([_text(cell) if isinstance(cell, str) else plain(cell) for cell in cells])
        self._files[sheet].write(f"{line}\r\n".encode())

    def close(self) -> None:
        pass

    def discard(self) -> None:
        pass


def open_writer(sheets: Sequence[Sheet], open_file: OpenFile) -> _CsvWriter:
    return _CsvWriter(sheets, open_file)


def _text(text: str) -> str:
    return f'"{defused(without_controls(text)).replace(chr(34), chr(34) * 2)}"'
