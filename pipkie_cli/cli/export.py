"""`pipkie export`: records as tables for spreadsheets and databases."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from pipkie_cli.cli import options as shared
from pipkie_cli.errors import InputError, OutputError

if TYPE_CHECKING:
    from pipkie_cli.nouns import Template
    from pipkie_cli.records import Exported


def export(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="A file that `pipkie extract` wrote.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="csv|xlsx|parquet",
            help="csv and parquet: a row a record in one file, the rows of each table, such as line items, in a file "
            "beside it (out.csv, out.line_items.csv). xlsx: a sheet a template, and one for each of its tables.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where the table goes (default: the name of RECORDS with .csv, .xlsx or .parquet, in the current "
            "folder).",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="NAME=VALUE",
            help="Only records with this value: status=review, document_type=invoice, problems=rule_broken, "
            "currency=EUR; KEY= takes those without a value. Repeatable: any value of the same name, and all names.",
        ),
    ] = None,
    confidences: Annotated[
        bool, typer.Option("--confidences", help="A column KEY.confidence, 0 to 1, behind every key's own.")
    ] = False,
    template: Annotated[
        list[str] | None,
        typer.Option(
            "--template",
            "-t",
            metavar="NAME|FILE",
            help="A template that the records were made with, for the types of columns. Repeatable (those that come "
            "along are known).",
        ),
    ] = None,
    templates: shared.TemplateFolder = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Write records as a table: a row a document, line items apart, joined by `document` and `part`.

    Identifiers stay text (00042, 1E5), amounts are exact numbers, dates are dates. What a spreadsheet would run as a
    formula is defused.

    Example: pipkie export records.jsonl --to xlsx --where status=ok --where status=review
    """
    from pipkie_cli.batch import WholeFiles
    from pipkie_cli.cli import console
    from pipkie_cli.records import Where, export_records

    console.set_up(verbose, quiet)
    wanted = Where(where or ())
    target = Path(f"{records.stem}.{to}") if output is None else output
    known = _templates(template or [], templates)
    written: list[Path] = []
    with _open_records(records) as file, WholeFiles() as files:

        def open_file(table: str | None) -> BinaryIO:
            path = _beside(target, table)
            _refuse_same(records, path)
            written.append(path)
            return files.open(path)

        exported = export_records(file, str(records), to, open_file, known, wanted, confidences)
    if not quiet:
        console.say("\n".join((*exported.notes(), _told(exported, written))))


def _templates(names: list[str], folder: Path | None) -> tuple["Template", ...]:
    """Those named first: of two with the same name, the first one counts."""
    from pipkie_cli.templates import find_templates

    return (*(find_templates(names, folder) if names else ()), *find_templates([], folder))


def _open_records(path: Path) -> BinaryIO:
    try:
        file = path.open("rb")
    except OSError as error:
        hint = "give the file that `pipkie extract` wrote"
        raise InputError(f"{path} cannot be read: {error.strerror}", hint=hint) from error
    if not file.seekable():
        file.close()
        raise InputError(f"{path} is a pipe, but records are read twice", hint="write them to a file first")
    return file


def _beside(target: Path, table: str | None) -> Path:
    """out.csv, or out.line_items.csv."""
    return target.with_name(f"{target.stem}.{table}{target.suffix}") if table else target


def _refuse_same(records: Path, target: Path) -> None:
    if target.exists() and os.path.samefile(records, target):
        raise OutputError(f"{target} holds the records and would be overwritten", hint="choose another file with -o")


def _told(exported: "Exported", written: list[Path]) -> str:
    """`412 records, 2104 rows of tables: out.csv, out.line_items.csv (9 records left out)`."""
    left_out = f" ({exported.n_left_out} records left out)" if exported.n_left_out else ""
    files = ", ".join(map(str, written))
    return f"{exported.n_records} records, {exported.n_rows} rows of tables: {files}{left_out}"
