"""Tables for `pipkie explain`: the rows that were found, what is doubtful about them, what was asked of the page."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipkie_cli.nouns import Answer, Box, Candidate, Key, TableAnswer, Window
    from pipkie_cli.pipeline import Trace

WIDEST = 40  # characters of a cell on the screen; the record has all of it


def table_lines(trace: "Trace", key: "Key") -> Iterator[str]:
    """Every item on a line, the doubtful cells in full, and how likely each printed row has a value."""
    table = next(one for one in trace.reading.tables if one.key == key.name)
    count = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
    said = count if table.rows or table.asked else "not read, for this model reads no tables"
    yield f"key {key.name} (table{', required' if key.required else ''}): {said}"
    if table.rows:
        yield from _aligned(_grid(trace, key, table))
    fields = trace.record["fields"][key.name]
    for number, row in enumerate(table.rows):
        for cell in row:
            if flags := fields[number][cell.key]["flags"]:
                yield from _doubt(trace, table.cell_name(number, cell.key), cell, flags)
    for window, candidates in zip(trace.prepared.windows, trace.reading.candidates, strict=True):
        yield from _asked_lines(window, candidates[len(window.keys) :], key)


def _grid(trace: "Trace", key: "Key", table: "TableAnswer") -> Iterator[list[str]]:
    yield ["row", "page", "least sure", *(column.name for column in key.columns)]
    for number, row in enumerate(table.rows):
        pages = [cell.place.page_number for cell in row if cell.place]
        cells = [_shown(trace, table.cell_name(number, cell.key), cell) for cell in row]
        least = min(cell.confidence for cell in row)
        yield [f"[{number}]", str(min(pages, default="")), f"{least:.2f}", *cells]


def _shown(trace: "Trace", name: str, cell: "Answer") -> str:
    """The typed value; the printed text in quotes where it could not be typed; a dash for ABSENT."""
    if cell.text is None:
        return "-"
    value = trace.values[name].value
    text = quoted(cell) if value is None else str(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}\N{HORIZONTAL ELLIPSIS}"


def _aligned(grid: Iterator[list[str]]) -> Iterator[str]:
    lines = list(grid)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  " + "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip()


def _doubt(trace: "Trace", name: str, cell: "Answer", flags: Sequence[str]) -> Iterator[str]:
    answer = "absent" if cell.text is None else quoted(cell)
    yield f"  {name}: {answer} (confidence {cell.confidence:.2f}){where(cell)}; {', '.join(flags)}"
    if cell.text is None:
        yield f"    in doubt: {likeliest(cell)}"
    elif trace.values[name].readings:
        yield f"    could be {' or '.join(trace.values[name].readings)}"


def _asked_lines(window: "Window", candidates: "Sequence[Sequence[Candidate]]", key: "Key") -> Iterator[str]:
    """One line a printed row: the model's probability that it has a value, per column, then its words."""
    from pipkie_cli.words import join_words

    asked = [pair for pair in zip(window.cells, candidates, strict=True) if pair[0].table == key.name]
    if asked:
        names = ", ".join(column.name for column in key.columns)
        yield f"  printed rows on page {window.page_index + 1}, and how likely each has {names}:"
    for row, cells in groupby(asked, key=lambda pair: pair[0].row):
        shares = (f"{1 - _absent(of_cell):.2f}" for _, of_cell in cells)
        yield f"    {' '.join(shares)}  {join_words(window.words[index] for index in row)}"


def _absent(candidates: "Sequence[Candidate]") -> float:
    return max((math.exp(one.score) for one in candidates if one.words is None), default=0.0)


def table_marks(tables: "Sequence[TableAnswer]", page_number: int) -> "dict[str, tuple[Box, ...]]":
    """The boxes of every item on a page, framed under its number; short, for a name covers the print above it."""
    marks: dict[str, tuple[Box, ...]] = {}
    for table in tables:
        for number, row in enumerate(table.rows):
            places = [cell.place for cell in row if cell.place and cell.place.page_number == page_number]
            name = f"[{number}]" if len(tables) == 1 else f"{table.key}[{number}]"
            if places:
                marks[name] = tuple(box for place in places for box in place.boxes)
    return marks


def likeliest(answer: "Answer") -> str:
    """The text that an absent key or cell would most likely have."""
    best = next((one for one in answer.runners_up if one.text is not None), None)
    if best is None:
        return "the page may hold it, but no text stands out"
    return f"the likeliest text is {quoted(best)} (confidence {best.confidence:.2f}){where(best)}"


def quoted(answer: "Answer") -> str:
    """The text as printed, on one line."""
    return "absent" if answer.text is None else '"' + answer.text.replace("\n", " / ") + '"'


def where(answer: "Answer") -> str:
    """Where a text stands, as the end of a sentence; nothing for ABSENT."""
    return f", page {answer.place.page_number}, from {answer.source}" if answer.place else ""
