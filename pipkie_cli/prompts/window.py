"""Pages -> windows of at most MAX_WORDS words. A long page gives several, which overlap."""

from collections.abc import Iterator, Sequence
from itertools import islice

from pipkie_cli.nouns import Cell, Key, Page, Template, Window, Word
from pipkie_cli.prompts.rows import printed_rows

MAX_WORDS = 512  # words of one forward; attention is quadratic in it, and training saw up to this many
OVERLAP = 64  # words that two windows of a page share, so that a value at the cut is whole in one of them
MAX_CELLS = 600  # of one window; a page of more rows is asked for those that come first


def make_windows(pages: Sequence[Page], template: Template, page_count: int | None = None) -> tuple[Window, ...]:
    """Windows in reading order, each with all keys, and every column of every table for each of its printed rows.

    A page without words gives none.
    """
    count = len(pages) if page_count is None else page_count
    keys = tuple(key for key in template.keys if not key.columns)
    tables = tuple(key for key in template.keys if key.columns)
    return tuple(
        Window(
            page_index=page.page_index,
            page_count=count,
            width=page.width,
            height=page.height,
            turn=page.turn,
            words=page.words[first:last],
            keys=keys,
            cells=_cells(tables, page.words[first:last]),
        )
        for page in pages
        for first, last in stretches(len(page.words))
    )


def _cells(tables: Sequence[Key], words: Sequence[Word]) -> tuple[Cell, ...]:
    if not tables:
        return ()
    rows = printed_rows(words)
    cells = (Cell(table.name, column, row) for row in rows for table in tables for column in table.columns)
    return tuple(islice(cells, MAX_CELLS))


def stretches(n_words: int) -> Iterator[tuple[int, int]]:
    """First word and end of every window of a page."""
    first = 0
    while first < n_words:
        yield first, min(first + MAX_WORDS, n_words)
        if first + MAX_WORDS >= n_words:
            return
        first += MAX_WORDS - OVERLAP
