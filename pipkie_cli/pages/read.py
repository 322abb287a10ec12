"""`read_pages`: one file -> the words of its pages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DamagedFile, FileUnavailable, PdfEncrypted
from pipkie_cli.facts import CodeReader, Facts
from pipkie_cli.nouns import DocumentId, Input, Page, Problem, RunOptions, SourcePage

if TYPE_CHECKING:
    import numpy as np

    from pipkie_cli.pages.cache import PageCache
    from pipkie_cli.pages.pictures import Pictures


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as far as no model is concerned."""

    id: DocumentId
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]
    facts: Facts | None = None  # where a measurement asks for them; never kept
    pictures: "Pictures | None" = None  # where its model reads pixels; never kept


def read_pages(
    item: Input,
    options: RunOptions,
    codes: CodeReader | None = None,
    cache: "PageCache | None" = None,
    pictures: "Pictures | None" = None,
) -> ReadDocument:
    """path -> words; `codes` looks at the same pictures. From the cache where it has them, else they go into it.
    `pictures` keeps what is drawn.

    Pages are held as pixels one at a time, only words stay; an unreadable page is an empty one.

    Raises DocumentErrors, among them DamagedFile when no page can be read; OutputError where the cache cannot be used.
    """
    content = cache.content_of(item.path) if cache else None
    if cache is None or content is None:  # a file that cannot be read: the reader says why
        return _read(item, options, codes, _read_words, pictures)
    kept = cache.load(content, options.max_pages)
    if kept is None:
        found = _read(item, options, codes, _read_words, pictures)
        if found.id.sha256 != content.sha256 or not _may_be_kept(item, found, options):
            return found
        cache.keep(content, options.max_pages, found)
        if codes:
            cache.keep_codes(content, options.max_pages, codes)
        return found
    kept = replace(kept, id=replace(kept.id, path=item.shown))
    if codes and not cache.load_codes(content, options.max_pages, codes):
        _look_for_codes(item, kept, options, codes)
        cache.keep_codes(content, options.max_pages, codes)
    return kept


def read_layers(
    item: Input, options: RunOptions, codes: CodeReader | None = None, pictures: "Pictures | None" = None
) -> ReadDocument:
    """path -> the words of its text layers; what OCR would read stays unread. Raises DocumentErrors."""
    return _read(item, options, codes, _read_layer, pictures)


def without_ocr(page: Page) -> Page:
    """The page as `read_layers` gives it, of one that was read by all means."""
    words = tuple(word for word in page.words if word.source == "text")
    return replace(page, words=words, text_source="text" if words else "none")


def is_unreadable(page: Page) -> bool:
    """No word, because the page could not be loaded or drawn: not one of the pages that were read."""
    return not page.words and any(problem.code == "page_unreadable" for problem in page.problems)


def _read_words(page: SourcePage) -> Page:
    from pipkie_cli.words import read_words

    return read_words(page)


def _read_layer(page: SourcePage) -> Page:
    from pipkie_cli.words import read_words

    no_picture = _NoPicture()
    found = read_words(replace(page, raster=no_picture))
    if not no_picture.wanted:
        return found
    # it says that the page cannot be drawn, which is not so; what would have been read by OCR is looked at for codes
    problems = tuple(one for one in found.problems if one.code != "page_unreadable" or one in page.problems)
    return replace(found, rasterizer=page.rasterizer, problems=problems)


class _NoPicture:
    """Stands for the raster of a page of which the text layer alone is wanted."""

    def __init__(self) -> None:
        self.wanted = False

    def __call__(self) -> "np.ndarray[Any, Any]":
        self.wanted = True
        raise DamagedFile("no picture is wanted")


def _read(
    item: Input,
    options: RunOptions,
    codes: CodeReader | None,
    read: Callable[[SourcePage], Page],
    pictures: "Pictures | None",
) -> ReadDocument:
    from pipkie_cli.documents import open_document

    with open_document(
        item.path, shown=item.shown, passwords=options.passwords, max_pages=options.max_pages
    ) as document:
        sources = map(pictures.keeping, document.pages()) if pictures else document.pages()
        pages = tuple(codes.read_page(one, read) if codes else read(one) for one in sources)
        if all(is_unreadable(page) for page in pages):
            reason = pages[0].problems[-1].message if pages else "it has none"
            raise DamagedFile(f"{item.shown}: no page can be read ({reason})", hint="save or scan it again")
        return ReadDocument(document.id, pages, document.problems)


def _may_be_kept(item: Input, found: ReadDocument, options: RunOptions) -> bool:
    """Not where a page could not be read: it may be tomorrow. Nor what a password opened: whoever has the cache
    has none, and would get the record all the same."""
    from pipkie_cli.documents import open_document

    if any(problem.code == "page_unreadable" for page in found.pages for problem in page.problems):
        return False
    if options.passwords:
        try:
            open_document(item.path, shown=item.shown, max_pages=1).__exit__(None, None, None)
        except PdfEncrypted:
            return False
    return True


def _look_for_codes(item: Input, kept: ReadDocument, options: RunOptions, codes: CodeReader) -> None:
    """The codes on pages whose words are known: pages are drawn where that pays, none is read."""
    from pipkie_cli.documents import open_document

    with open_document(
        item.path, shown=item.shown, passwords=options.passwords, max_pages=options.max_pages
    ) as document:
        if document.id.sha256 != kept.id.sha256:
            hint = "run the same command again"
            raise FileUnavailable(f"{item.shown} was changed while it was read", hint=hint)
        for source, page in zip(document.pages(), kept.pages, strict=True):
            codes.read_page(source, lambda _, page=page: page)  # type: ignore[misc]
