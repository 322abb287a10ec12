"""The rows of every table, from the candidates of its cells: printed rows answered, then put together to items.

A printed row with a value in a column that is not text begins an item. A row of texts alone continues one: item texts
wrap above and below their numbers. Rows of which every cell is ABSENT (headers, sums carried forward, everything that
is no table) are no items. In a table that has only columns of text every row with a value is an item.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import fmean

from pipkie_cli.answers.merge import answer_key
from pipkie_cli.nouns import Answer, Calibration, Candidate, Key, Place, TableAnswer, Window, Word

MAX_GAP = (
    4.0  # line heights from a text to the next row of its item: three blank lines; further off it is no part of it
)
CLEARLY = 1.2  # times as wide as any other: the gap between two items, not the jitter of a scan

Candidates = Sequence[Sequence[Sequence[Candidate]]]  # [window][key or cell]


@dataclass(slots=True)
class _View:
    """One printed row as one window sees it."""

    window: Window
    words: frozenset[Word]
    cells: dict[str, Sequence[Candidate]] = field(default_factory=dict)  # of every column that was asked


@dataclass(frozen=True, slots=True)
class _Row:
    """One printed row of a page with its answers, a column each."""

    page_index: int
    middle: float  # on the upright page
    height: float  # of its words
    answers: tuple[Answer, ...]

    def gap(self, below: "_Row") -> float:
        """From line to line, in line heights."""
        return (below.middle - self.middle) / max((self.height + below.height) / 2, 1e-9)

    def holds(self, columns: Sequence[int]) -> bool:
        return any(self.answers[column].text is not None for column in columns)


@dataclass(slots=True)
class _Item:
    """The row that begins an item, and the rows of text that continue it."""

    row: _Row
    above: list[_Row] = field(default_factory=list)
    below: list[_Row] = field(default_factory=list)

    def lacks(self, run: Sequence[_Row]) -> bool:
        """Whether no text of the item stands in a column that the run has."""
        own = (*self.above, self.row, *self.below)
        return not any(
            one.text is not None and row.answers[column].text is not None
            for other in run
            for column, one in enumerate(other.answers)
            for row in own
        )


def answer_tables(
    windows: Sequence[Window],
    candidates: Candidates,
    calibration: Calibration = Calibration(),  # noqa: B008  # frozen
) -> tuple[TableAnswer, ...]:
    """The rows of every table that the windows' cells ask for; pages in the windows' order.

    candidates[w]: those of the keys of window w, then those of its cells. Overlapping windows: a row is read where it
    is whole, once.
    """
    tables = []
    for name, columns in _tables(windows).items():
        items = _items(columns, _rows(name, columns, windows, candidates, calibration))
        tables.append(TableAnswer(name, tuple(_merged(columns, item) for item in items)))
    return tuple(tables)


def _tables(windows: Sequence[Window]) -> dict[str, tuple[Key, ...]]:
    """Name and columns of every table, in the template's order."""
    tables: dict[str, dict[str, Key]] = {}
    for window in windows:
        for cell in window.cells:
            tables.setdefault(cell.table, {}).setdefault(cell.column.name, cell.column)
    return {name: tuple(columns.values()) for name, columns in tables.items()}


def _rows(
    table: str, columns: Sequence[Key], windows: Sequence[Window], candidates: Candidates, calibration: Calibration
) -> list[_Row]:
    """Every printed row that was asked, answered, page by page from top to bottom."""
    rows: list[_Row] = []
    views = _views(table, windows, candidates)
    for page_index, of_page in groupby(views, key=lambda view: view.window.page_index):
        found = (_row(columns, page_index, same, calibration) for same in _same_rows(list(of_page)))
        rows += sorted(found, key=lambda row: row.middle)
    return rows


def _views(table: str, windows: Sequence[Window], candidates: Candidates) -> Iterator[_View]:
    for window, of_window in zip(windows, candidates, strict=True):
        views: dict[tuple[int, ...], _View] = {}
        for cell, of_cell in zip(window.cells, of_window[len(window.keys) :], strict=True):
            if cell.table != table:
                continue
            if cell.row not in views:
                views[cell.row] = _View(window, frozenset(window.words[index] for index in cell.row))
            views[cell.row].cells[cell.column.name] = of_cell
        yield from views.values()


def _same_rows(views: Sequence[_View]) -> list[list[_View]]:
    """The views of one page, those that share a word together: two windows saw that row."""
    rows: list[list[_View]] = []
    owner: dict[Word, list[_View]] = {}
    for view in views:
        same = next((owner[word] for word in view.words if word in owner), None)
        if same is None:
            same = []
            rows.append(same)
        same.append(view)
        owner.update((word, same) for word in view.words)
    return rows


def _row(columns: Sequence[Key], page_index: int, views: Sequence[_View], calibration: Calibration) -> _Row:
    whole = [view for view in views if not any(view.words < other.words for other in views)]
    boxes = [word.box for word in frozenset().union(*(view.words for view in whole))]
    return _Row(
        page_index=page_index,
        middle=fmean((box.top + box.bottom) / 2 for box in boxes),
        height=fmean(box.height for box in boxes),
        answers=tuple(_cell(column, whole, calibration) for column in columns),
    )


def _cell(column: Key, views: Sequence[_View], calibration: Calibration) -> Answer:
    asked = [view for view in views if column.name in view.cells]
    if not asked:  # the window's last row, cut by the number of cells that fit: nothing is known of it
        return Answer(column.name, None, 0.0, None, None)
    return answer_key(column, [view.window for view in asked], [view.cells[column.name] for view in asked], calibration)


def _items(columns: Sequence[Key], rows: Sequence[_Row]) -> list[_Item]:
    """The items down the pages, with every row of text at the item that it continues."""
    beginning = [number for number, column in enumerate(columns) if column.type != "text"] or range(len(columns))
    items: list[_Item] = []
    for page_index, of_page in groupby(rows, key=lambda row: row.page_index):
        before = items[-1] if items and items[-1].row.page_index == page_index - 1 else None
        above: _Item | None = None
        run: list[_Row] = []  # rows of text since the last beginning row of the page
        for row in of_page:
            if row.holds(beginning):
                items.append(_Item(row))
                _join(run, above, items[-1], before)
                above, run = items[-1], []
            elif row.holds(range(len(columns))):
                run.append(row)
        _join(run, above, None, before)
    return items


def _join(run: Sequence[_Row], above: _Item | None, below: _Item | None, before: _Item | None) -> None:
    """Divide rows of text between the items of their page above and below them.

    Where nothing stands above, what does not reach the item below goes on with `before`, the last item of the page
    before.
    """
    rows = (*([above.row] if above else []), *run, *([below.row] if below else []))
    gaps = [upper.gap(lower) for upper, lower in pairwise(rows)]
    breaks = [number + (above is None) for number, gap in enumerate(gaps) if gap > MAX_GAP]  # before run[number]
    if above and below and not breaks and run:
        first = last = _divide(run, above, below, gaps)
    else:
        first = min(breaks, default=len(run))
        last = max(breaks, default=0) if below else len(run)
    if below:
        below.above += run[last:]
    upper_item = above or before
    if upper_item:
        upper_item.below += run[: min(first, last)]


def _divide(run: Sequence[_Row], above: _Item, below: _Item, gaps: Sequence[float]) -> int:
    """How many rows of the run belong to the item above it.

    The widest gap divides, if there is one. In even print an item that has no such text yet takes them all, else the
    one above.
    """
    *_, second, widest = sorted(gaps)
    if widest > CLEARLY * second:
        return gaps.index(widest)
    return 0 if below.lacks(run) and not above.lacks(run) else len(run)


def _merged(columns: Sequence[Key], item: _Item) -> tuple[Answer, ...]:
    rows = (*item.above, item.row, *item.below)
    return tuple(
        _joined([row.answers[number] for row in rows if row.answers[number].text is not None])
        or item.row.answers[number]
        for number in range(len(columns))
    )


def _joined(parts: Sequence[Answer]) -> Answer | None:
    """One text of several rows, as sure as the least sure of them; boxes are those on the page where it begins."""
    if len(parts) < 2:
        return parts[0] if parts else None
    places = [part.place for part in parts if part.place]
    on_page = [place for place in places if place.page_number == places[0].page_number]
    return Answer(
        key=parts[0].key,
        text=" ".join(part.text or "" for part in parts),
        confidence=min(part.confidence for part in parts),
        place=Place(places[0].page_number, tuple(box for place in on_page for box in place.boxes)) if places else None,
        source="ocr" if any(part.source == "ocr" for part in parts) else "text",
        flags=tuple(dict.fromkeys(flag for part in parts for flag in part.flags)),
    )
