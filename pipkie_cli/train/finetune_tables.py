"""Labelled tables -> cells of the printed rows of a document: which words of which row are the value of a column.

Labels are rows (`line_items`: a list of objects), put in order onto the printed rows that hold most of their cells; or,
where a set labels each column by itself, lists whose values are put in order onto the rows, texts first. A row that
nothing was put on is no item: all of its cells are ABSENT. Where a value was not found, the rows that may hold it are
not asked for it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from pipkie_cli.evaluate import Labelled, Row, SetRules
from pipkie_cli.facts import in_order
from pipkie_cli.nouns import Key, Page
from pipkie_cli.train.finetune_rows import Sheet, Spans
from pipkie_cli.values import value_context

NEAR = 6  # rows above and below an item's in which its texts are looked for, or it itself where it was not found
NEIGHBOURS = (-2, -1, 0, 1, 2)  # rows whose texts speak for an item's row
FARTHER = 0.25  # share of its weight that a text loses with every row that it stands off
ENOUGH, ENOUGH_ALONE = 1.4, 0.9  # cells that a row must print of an item with several, with one
WHOLE_TEXT = 0.8  # share of a text that makes a row its item's, whatever numbers are found
COVERED, OVERFULL = 0.85, 1.3  # share of a text's letters that its rows must print together, and may
LEAST_PART = 3  # letters of a text that continues on another row
BESIDE_A_CELL = 0.6  # what it is worth that a row holds a value of another column already
SHORT = 2  # characters of a number that stands everywhere: it counts only beside another cell


@dataclass(frozen=True, slots=True)
class RowFound:
    """A printed row with its cells. Columns in `unsure` are not asked of it, others that are missing are ABSENT."""

    table: str
    words: tuple[int, ...]  # indices into the words of its page
    cells: Mapping[str, Spans]
    unsure: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TablesFound:
    """The rows of every page, and per "table.column" how many cells are labelled, were found, are known to be empty.

    `lost` names tables with labelled cells of which none was found: no row of theirs is asked.
    """

    rows: tuple[tuple[RowFound, ...], ...]
    counts: Mapping[str, Counter[str]]
    lost: tuple[str, ...] = ()


@dataclass(slots=True)
class PlacedRow:
    """A printed row while labels are put on it."""

    cells: dict[str, Spans] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Placed:
    """All rows of a document, and how many values of each column were found."""

    rows: list[PlacedRow]
    found: Counter[str] = field(default_factory=Counter)


def labelled_columns(label: Labelled, table: Key, rules: SetRules) -> dict[str, tuple[str, ...]]:
    """Columns of a table whose values are labelled without their rows."""
    names = {f"{table.name}.{column.name}": column.name for column in table.columns}
    return {names[at]: label.values[name] for name, at in rules.columns.items() if at in names and name in label.values}


def has_table(label: Labelled, table: Key, rules: SetRules) -> bool:
    """Whether a document says anything of a table; null says that it has no rows."""
    return table.name in label.tables or table.name in label.values or bool(labelled_columns(label, table, rules))


def locate_tables(
    label: Labelled, pages: Sequence[Page], tables: Sequence[Key], rules: SetRules, page_text: str
) -> TablesFound:
    """Where the cells of all labelled tables stand."""
    rows: list[list[RowFound]] = [[] for _ in pages]
    counts: dict[str, Counter[str]] = {}
    lost = []
    asked = [table for table in tables if has_table(label, table, rules)]
    sheet = Sheet(pages, rules, value_context([], rules.locale, page_text)) if asked else None
    for table in asked:
        assert sheet is not None
        items = label.tables.get(table.name, () if table.name in label.values else None)
        wanted: Mapping[str, Sequence[str | None]]
        if items is None:
            lists = labelled_columns(label, table, rules)
            placed, wanted = place_columns(sheet, table, lists), lists
        else:
            placed = place_rows(sheet, table, items)
            named = {name for item in items for name in item} if items else {column.name for column in table.columns}
            wanted = {name: [item[name] for item in items if name in item] for name in sorted(named)}
        for name, texts in wanted.items():
            labels = sum(text is not None for text in texts)
            empty = len(texts) - labels if texts else 1  # a column or table without any value
            counts[f"{table.name}.{name}"] = Counter(labels=labels, found=placed.found[name], absent=empty)
        if any(text is not None for texts in wanted.values() for text in texts) and not placed.found.total():
            lost.append(table.name)
            continue
        for printed, one in zip(sheet.rows, placed.rows, strict=True):
            rows[printed.page].append(RowFound(table.name, printed.words, one.cells, frozenset(one.unsure)))
    return TablesFound(tuple(map(tuple, rows)), counts, tuple(lost))


def place_rows(sheet: Sheet, table: Key, items: Sequence[Row]) -> Placed:
    """Items, in order, on the printed rows that hold most of their cells; texts go on above and below."""
    placed = Placed([PlacedRow() for _ in sheet.rows])
    scores = [[_evidence(sheet, at, table, item) for at in range(len(sheet.rows))] for item in items]
    anchors = in_order(scores)
    named = {name for item in items for name in item}
    for one in placed.rows:
        one.unsure |= {column.name for column in table.columns if items and column.name not in named}
    edges = {column.name: _edge(sheet, column, items, anchors) for column in table.columns if column.type != "text"}
    for number, at in anchors.items():
        _place_numbers(sheet, at, table, items[number], edges, placed)
    rows_of = sorted(anchors.values())
    for number, at in anchors.items():
        first = max([row + 1 for row in rows_of if row < at] + [at - NEAR, 0])
        end = min([row for row in rows_of if row > at] + [at + NEAR + 1, len(sheet.rows)])
        for column in table.columns:
            if column.type == "text":
                _place_text(sheet, range(first, end), at, column, items[number], placed)
    columns = {column.name for column in table.columns}
    for rows in _gaps(anchors, len(items), len(sheet.rows)):
        for at in rows:
            placed.rows[at].unsure |= columns - placed.rows[at].cells.keys()
    return placed


def _evidence(sheet: Sheet, at: int, table: Key, item: Row) -> float:
    """How many of an item's cells a row prints, its neighbours' texts counted for less; 0 where that is too little."""
    labelled = [(column, text) for column in table.columns if (text := item.get(column.name))]
    numbers = sum(bool(sheet.find(at, column, text)) for column, text in labelled if column.type != "text")
    texts = [text for column, text in labelled if column.type == "text"]
    whole = max((_share(sheet, at, text) for text in texts), default=0.0)
    near = sum(
        max(
            _share(sheet, at + off, text) * (1 - FARTHER * abs(off))
            for off in NEIGHBOURS
            if 0 <= at + off < len(sheet.rows)
        )
        for text in texts
    )
    enough = numbers + near >= (ENOUGH if len(labelled) > 1 else ENOUGH_ALONE) and (numbers > 0 or whole > 0)
    return numbers + near if enough or whole >= WHOLE_TEXT else 0.0


def _share(sheet: Sheet, at: int, text: str) -> float:
    return sheet.part(at, text)[1]


def _edge(sheet: Sheet, column: Key, items: Sequence[Row], anchors: Mapping[int, int]) -> float | None:
    """The right edge of a column, from the rows that print its value once."""
    edges = []
    for number, at in anchors.items():
        text = items[number].get(column.name)
        spans = sheet.find(at, column, text) if text else ()
        if len(spans) == 1:
            edges.append(sheet.right_edge(at, spans[0]))
    return median(edges) if edges else None


def _place_numbers(
    sheet: Sheet, at: int, table: Key, item: Row, edges: Mapping[str, float | None], placed: Placed
) -> None:
    """The cells of an item that are no texts. Of equal values the one in its column is meant; where no row tells where
    that stands, none is asked."""
    row = placed.rows[at]
    owner: dict[tuple[int, int], tuple[float, str]] = {}  # span -> distance from the column, name
    for column in table.columns:
        text = item.get(column.name)
        if column.type == "text" or (text is None and column.name in item):
            continue
        spans, edge = sheet.find(at, column, text) if text else (), edges[column.name]
        if not spans or (len(spans) > 1 and edge is None):
            row.unsure.add(column.name)
            continue
        off, span = min((abs(sheet.right_edge(at, one) - (edge or 0.0)), one) for one in spans)
        if span in owner and owner[span][0] <= off:
            row.unsure.add(column.name)
            continue
        if span in owner:
            row.unsure.add(owner[span][1])
            del row.cells[owner[span][1]]
            placed.found[owner[span][1]] -= 1
        owner[span] = off, column.name
        row.cells[column.name] = (span,)
        placed.found[column.name] += 1


def _place_text(sheet: Sheet, rows: range, at: int, column: Key, item: Row, placed: Placed) -> None:
    """A text on its item's row, or on the nearest of `rows` that prints all of it, or on those that print it together;
    none of them is asked where it is not found."""
    text = item.get(column.name)
    if text is None:
        if column.name not in item:
            placed.rows[at].unsure.add(column.name)
        return
    lines: dict[int, Spans] = {}
    for near in sorted(rows, key=lambda row: abs(row - at)):
        if spans := sheet.find(near, column, text):
            lines = {near: spans[:1]}
            break
    lines = lines or _wrapped(sheet, rows, at, text)
    for row in rows if not lines else ():
        placed.rows[row].unsure.add(column.name)
    for row, spans in lines.items():
        placed.rows[row].cells[column.name] = spans
    placed.found[column.name] += bool(lines)


def _wrapped(sheet: Sheet, rows: range, at: int, text: str) -> dict[int, Spans]:
    """The parts of a text from its item's row down and up until a row has none; none where they are not all of it."""
    lines: dict[int, Spans] = {}
    covered = 0.0
    for way in (range(at, rows.stop), range(at - 1, rows.start - 1, -1)):
        for row in way:
            span, share = sheet.part(row, text)
            if share * len(text) >= min(LEAST_PART, len(text)):
                covered += share
                lines[row] = (span,)
            elif row != at:
                break
    return lines if COVERED <= covered <= OVERFULL else {}


def _gaps(found: Mapping[int, int], n_wanted: int, n_rows: int) -> Iterable[range]:
    """The rows on which values that were not found may stand: between those found before and after, or NEAR them."""
    for number in range(n_wanted):
        if number not in found:
            before = [row for other, row in found.items() if other < number]
            after = [row for other, row in found.items() if other > number]
            first = max(before) + 1 if before else max(0, min(after, default=0) - NEAR)
            end = min(after) if after else min(n_rows, max(before, default=n_rows) + 1 + NEAR)
            yield range(first, end)


def place_columns(sheet: Sheet, table: Key, lists: Mapping[str, Sequence[str]]) -> Placed:
    """Lists of values, column by column, each in order on the printed rows: texts first, then what is longest."""
    placed = Placed([PlacedRow() for _ in sheet.rows])
    for column in sorted(table.columns, key=lambda one: (one.type != "text", _mean_length(lists.get(one.name, ())))):
        if column.name not in lists:
            for one in placed.rows:
                one.unsure.add(column.name)
            continue
        texts = lists[column.name]
        scores = [[_worth(sheet, at, column, text, placed) for at in range(len(sheet.rows))] for text in texts]
        found = in_order(scores)
        for number, at in found.items():
            spans = sheet.find(at, column, texts[number])
            placed.rows[at].cells[column.name] = spans if len(spans) == 1 else _free(spans, placed.rows[at])
            placed.found[column.name] += 1
        for rows in _gaps(found, len(texts), len(sheet.rows)):
            for at in rows:
                if column.name not in placed.rows[at].cells:
                    placed.rows[at].unsure.add(column.name)
    return placed


def _mean_length(texts: Sequence[str]) -> float:
    return -sum(map(len, texts)) / max(1, len(texts))


def _worth(sheet: Sheet, at: int, column: Key, text: str, placed: Placed) -> float:
    if not sheet.find(at, column, text):
        return 0.0
    beside = any(placed.rows[at].cells.values())
    if column.type != "text" and len(text) <= SHORT and not beside:
        return 0.0
    return 1.0 + BESIDE_A_CELL * beside


def _free(spans: Spans, row: PlacedRow) -> Spans:
    """Of equal values in one row those that no other column has; the last where all are taken."""
    taken = {span for cells in row.cells.values() for span in cells}
    return tuple(span for span in spans if span not in taken) or spans[-1:]
