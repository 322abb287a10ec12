"""The pages of one file as pixels, for models that read them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError, FileUnavailable
from pipkie_cli.nouns import POPPLER_FAILED, Input, Picture, Problem, RunOptions, SourcePage

if TYPE_CHECKING:
    import numpy as np

    from pipkie_cli.documents import OpenDocument

KEPT_BYTES = 64 << 20  # of pictures that were drawn to find words or codes; five A4 pages


def second_choice(page_index: int, rasterizer: str | None) -> tuple[Problem, ...]:
    """A page drawn by pdfium because poppler failed on it: other pixels, perhaps other words, so the record says so."""
    if rasterizer != POPPLER_FAILED:
        return ()
    return (Problem("poppler_failed", f"page {page_index + 1}: poppler could not draw it, pdfium did"),)


@dataclass(frozen=True, slots=True)
class Told:
    """What drawing some pages told."""

    problems: tuple[Problem, ...]
    undrawn: frozenset[int]


class Pictures:
    """Draws pages when they are asked for, in ascending order best: the file stays open in between. `close` it.

    What was drawn before is kept within KEPT_BYTES until it is asked for. Not for several threads at once.
    """

    def __init__(self, item: Input, options: RunOptions) -> None:
        self._item, self._options = item, options
        self._kept: dict[int, np.ndarray[Any, Any]] = {}
        self._document: OpenDocument | None = None
        self._sources: Iterator[SourcePage] = iter(())
        self._next = 0  # index of the page that comes next
        self._problems: dict[int, Problem] = {}
        self._undrawn: set[int] = set()

    def keeping(self, source: SourcePage) -> SourcePage:
        """The page, whose picture is kept once somebody draws it."""
        return replace(source, raster=_Kept(source, self._keep))

    def of(self, page_indices: Sequence[int], sha256: str) -> Iterator[Picture]:
        """The pictures of these pages, without those that cannot be drawn. Raises DocumentErrors: FileUnavailable where
        the file is no longer the one of that hash."""
        for index in page_indices:
            pixels = self._kept.pop(index, None)
            if pixels is None:
                pixels = self._drawn(index, sha256)
            if pixels is not None:
                yield Picture(index, pixels)

    def told(self, page_indices: Iterable[int]) -> Told:
        """What is doubtful about the pictures of these pages, as far as they were asked for."""
        pages = list(page_indices)
        problems = tuple(self._problems[index] for index in pages if index in self._problems)
        return Told(problems, frozenset(self._undrawn.intersection(pages)))

    def close(self) -> None:
        self._kept.clear()
        self._sources = iter(())
        if self._document is not None:
            self._document.close()
            self._document = None

    def _keep(self, source: SourcePage, pixels: "np.ndarray[Any, Any]") -> None:
        index = source.page_index
        self._tell(source)
        if sum(one.nbytes for one in self._kept.values()) + pixels.nbytes <= KEPT_BYTES:
            self._kept[index] = pixels

    def _drawn(self, index: int, sha256: str) -> "np.ndarray[Any, Any] | None":
        source = self._source(index, sha256)
        try:
            pixels = source.raster()
        except DocumentError as error:
            self._undrawn.add(index)
            self._problems[index] = Problem("page_unreadable", f"page {index + 1}: {error.message}")
            return None
        self._tell(source)
        return pixels

    def _tell(self, source: SourcePage) -> None:
        for problem in second_choice(source.page_index, source.rasterized_by):
            self._problems[source.page_index] = problem

    def _source(self, index: int, sha256: str) -> SourcePage:
        if self._document is None or index < self._next:
            self._open(sha256)
        while True:
            source = next(self._sources)
            self._next = source.page_index + 1
            if source.page_index == index:
                return source

    def _open(self, sha256: str) -> None:
        from pipkie_cli.documents import open_document

        self.close()
        item, options = self._item, self._options
        document = open_document(item.path, shown=item.shown, passwords=options.passwords, max_pages=options.max_pages)
        self._document, self._sources, self._next = document, document.pages(), 0
        if document.id.sha256 != sha256:
            self.close()
            raise FileUnavailable(f"{item.shown} was changed while it was read", hint="run the same command again")


class _Kept:
    """The raster of a page, that is kept as soon as it is made."""

    def __init__(self, source: SourcePage, keep: "Callable[[SourcePage, np.ndarray[Any, Any]], None]") -> None:
        self._source, self._keep = source, keep

    @property
    def rasterizer(self) -> str:
        return self._source.rasterized_by

    def __call__(self) -> "np.ndarray[Any, Any]":
        pixels = self._source.raster()
        self._keep(self._source, pixels)
        return pixels
