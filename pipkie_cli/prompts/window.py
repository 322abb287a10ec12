"""Pages -> windows of at most MAX_WORDS words. A long page gives several, which overlap."""

from collections.abc import Iterator, Sequence

from pipkie_cli.nouns import Page, Template, Window

MAX_WORDS = 512  # words of one forward; attention is quadratic in it, and training saw up to this many
OVERLAP = 64  # words that two windows of a page share, so that a value at the cut is whole in one of them


def make_windows(pages: Sequence[Page], template: Template, page_count: int | None = None) -> tuple[Window, ...]:
    """Windows in reading order, each with all keys; a page without words gives none."""
    count = len(pages) if page_count is None else page_count
    return tuple(
        Window(
            page_index=page.page_index,
            page_count=count,
            width=page.width,
            height=page.height,
            turn=page.turn,
            words=page.words[first:last],
            keys=template.keys,
        )
        for page in pages
        for first, last in _stretches(len(page.words))
    )


def _stretches(n_words: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < n_words:
        yield first, min(first + MAX_WORDS, n_words)
        if first + MAX_WORDS >= n_words:
            return
        first += MAX_WORDS - OVERLAP
