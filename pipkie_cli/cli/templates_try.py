"""`pipkie templates try`: one template on one document, to look at."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipkie_cli.cli import options as shared
from pipkie_cli.cli.pictures import write_pictures

if TYPE_CHECKING:
    from pipkie_cli.nouns import Box, Template

WIDEST = 48  # characters of a text on the screen; the record has all of it
HEAD = ("key", "value", "as printed", "confidence", "page", "flags")


def try_template(
    template: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A template's name or a .yaml file.")],
    document: Annotated[Path, typer.Argument(metavar="DOCUMENT", help="One document.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            show_default=False,
            help="Where the pictures go (default: the current folder).",
        ),
    ] = Path(),
    templates: shared.TemplateFolder = None,
    model: shared.ModelName = "mini",
    min_confidence: shared.MinConfidence = 0.5,
    max_pages: shared.MaxPages = 50,
    password: shared.Passwords = None,
    verbose: shared.Verbosity = 0,
) -> None:
    """Read one document by one template: print every key with value, print, confidence, page and flags.

    A picture with the places of the values is written for every page that holds one: DOCUMENT-page-001.png.

    Example: pipkie templates try invoice samples/invoice_german.pdf -o pictures
    """
    from dataclasses import replace

    from pipkie_cli.batch import plan_inputs
    from pipkie_cli.cli import console
    from pipkie_cli.errors import UsageError
    from pipkie_cli.models import load_backend
    from pipkie_cli.pipeline import walk

    console.set_up(verbose)
    stdout = console.take_stdout()
    options = shared.run_options([template], templates, model, max_pages, password, min_confidence)
    inputs = () if document.is_dir() else plan_inputs([str(document)]).inputs
    if len(inputs) != 1:
        raise UsageError(f"{document} is not one document", hint="name one file")
    trace = walk(inputs[0], options, load_backend(model))
    lines = trial_lines(options.templates[0], trace.record)
    console.print_data(stdout, (console.printable(line) for line in lines))
    marks = marks_of(trace.record["fields"])
    pages = [replace(page, words=()) for page in trace.prepared.pages if page.page_index + 1 in marks]
    for said in write_pictures(inputs[0], pages, lambda number: marks[number], options, output):
        console.say(said)
    if trace.record["status"] != "ok":
        console.say(f"why: pipkie explain {document} --template {template}")


def trial_lines(template: "Template", record: Mapping[str, Any]) -> Iterator[str]:
    """A record as a table for people: the keys in the template's order, tables row by row, then the problems."""
    values, fields = record["values"], record["fields"]
    read = len(record["document"]["pages"])
    yield f"{record['document']['path']}: {read} of {record['document']['page_count']} pages, {record['template']}"
    yield ""
    single = [key for key in template.keys if not key.columns]
    if single:
        rows = [_row(f"{key.name}{' *' * key.required}", values[key.name], fields[key.name]) for key in single]
        yield from _aligned([HEAD, *rows])
        yield "" if not any(key.required for key in single) else "* required"
    for key in template.keys:
        if key.columns:
            yield ""
            yield from _table_lines(key.name, values[key.name], fields[key.name], [one.name for one in key.columns])
    yield ""
    yield f"status: {record['status']}"
    for problem in record["problems"]:
        yield f"  {problem['code']}: {problem['message']}"


def _row(name: str, value: Any, field: Mapping[str, Any]) -> tuple[str, ...]:
    printed = "" if field["raw"] in (None, str(value)) else _short(field["raw"])
    page = "" if field["page"] is None else str(field["page"])
    return name, _typed(value), printed, f"{field['confidence']:.2f}", page, ", ".join(field["flags"])


def _table_lines(
    name: str, values: Sequence[Mapping[str, Any]], fields: Sequence[Mapping[str, Any]], columns: Sequence[str]
) -> Iterator[str]:
    yield f"{name}: {len(values)} row{'' if len(values) == 1 else 's'}"
    if not values:
        return
    rows = [(f"[{number}]", *(_typed(row[column]) for column in columns)) for number, row in enumerate(values)]
    yield from _aligned([("", *columns), *rows])
    for number, row in enumerate(fields):
        for column in columns:
            if row[column]["flags"]:
                cell = _row(f"{name}[{number}].{column}", values[number][column], row[column])
                yield "  " + "  ".join(filter(None, cell))


def _typed(value: Any) -> str:
    return "-" if value is None else _short(str(value).lower() if isinstance(value, bool) else str(value))


def _short(text: str) -> str:
    text = text.replace("\n", " / ")
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()


def marks_of(fields: Mapping[str, Any]) -> "dict[int, dict[str, tuple[Box, ...]]]":
    """Page number -> boxes as displayed, by what is written at them.

    Keys that share a place share its name; the cells of a row have its number, for a name covers the print above it.
    """
    marks: dict[int, dict[str, tuple[Box, ...]]] = {}
    for name, field in fields.items():
        if isinstance(field, list):
            for number, row in enumerate(field):
                for cell in row.values():
                    _mark(marks, f"[{number}]", cell)
        else:
            _mark(marks, name, field)
    return marks


def _mark(marks: "dict[int, dict[str, tuple[Box, ...]]]", name: str, field: Mapping[str, Any]) -> None:
    from pipkie_cli.nouns import Box

    if field["page"] is None:
        return
    page = marks.setdefault(field["page"], {})
    boxes = tuple(Box(*corners) for corners in field["boxes"])
    same = next((other for other, there in page.items() if there == boxes), None)
    if same is not None and not name.startswith("["):
        page[f"{same}, {name}"] = page.pop(same)
    else:
        page[name] = page.get(name, ()) + boxes
