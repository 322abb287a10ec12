"""A file of records -> tables for spreadsheets and databases. Two walks over the file; memory holds one record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from pipkie_cli.nouns import Template
from pipkie_cli.records.formats.registry import OpenFile, Writer, load_format
from pipkie_cli.records.read import RecordFile
from pipkie_cli.records.sheets import Layout, Survey
from pipkie_cli.records.where import Where


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    n_records: int
    n_left_out: int  # by --where
    n_rows: int  # of tables such as line items
    unknown_templates: dict[str, bool]  # labels -> whether another template of that name is at hand

    def notes(self) -> Iterator[str]:
        """What people should know of columns whose template is not at hand."""
        for label, renamed in sorted(self.unknown_templates.items()):
            if renamed:
                yield f"{label} is not the template of that name as it is now: columns follow today's where values fit"
            else:
                yield f"{label} is not known here: its dates stay text; name it with --template or --templates"


def export_records(
    file: BinaryIO,
    shown: str,
    to: str,
    open_file: OpenFile,
    templates: Sequence[Template] = (),
    where: Where | None = None,
    confidences: bool = False,
) -> Exported:
    """Read records from the start of `file`, which must be seekable, and write them as sheets of the format `to`.

    `templates` tell the types of columns. Raises InputError for a line that is no record, UsageError for conditions and
    formats that are none, OutputError for what the format cannot hold; an OSError is of the files that were opened.
    """
    output = load_format(to)
    where = where or Where()
    survey = Survey(templates)
    n_read = n_taken = 0
    records = RecordFile(file, shown)
    for line, record in records.checked():
        n_read += 1
        if where.holds(record):
            n_taken += 1
            survey.note(record, f"{shown}, line {line}")
    where.check()
    layout = survey.layout(output.BY_TEMPLATE, confidences)
    writer = output.open_writer(layout.sheets, open_file)
    try:
        n_rows = _write((record for _, record in records.again() if where.holds(record)), layout, writer)
        writer.close()
    finally:
        writer.discard()
    return Exported(n_taken, n_read - n_taken, n_rows - n_taken, survey.unknown)


def _write(records: Iterator[dict[str, Any]], layout: Layout, writer: Writer) -> int:
    """Every row into its sheet; returns how many there are in all."""
    n_rows = 0
    for record in records:
        for sheet, cells in layout.rows(record):
            writer.add(sheet, cells)
            n_rows += 1
    return n_rows
