"""path -> words, document type and what is asked: windows of words, or pictures for a model that reads pixels."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from pipkie_cli.nouns import (
    DocumentId,
    Input,
    Page,
    Problem,
    RunOptions,
    TypeChoice,
    Window,
)

if TYPE_CHECKING:
    from pipkie_cli.facts import CodeReader, Facts
    from pipkie_cli.pages import PageCache, Pictures, ReadDocument

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document before the model sees it: its words, its type, and what is asked of it."""

    document: DocumentId
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]
    choice: TypeChoice
    windows: tuple[Window, ...]  # () when no template fits, or before one is chosen
    facts: "Facts | None" = None  # what the document states exactly; None: it was not asked
    part: int | None = None  # which document of a file that was split, from 1
    pictures: "Pictures | None" = None  # for a model that reads pixels, which gets these and no windows

    @property
    def page_count(self) -> int:
        """Pages of the document: of the file, or of the part."""
        return self.document.page_count if self.part is None else len(self.pages)


def prepare(item: Input, options: RunOptions, pictures: "Pictures | None" = None) -> Prepared:
    """path -> windows, of the file's first document; with `pictures` of the file they are what will be asked."""
    return asked(next(read_parts(item, options, None, pictures)), options)


def read_parts(
    item: Input, options: RunOptions, cache: "PageCache | None" = None, pictures: "Pictures | None" = None
) -> Iterator[Prepared]:
    """path -> words and facts, document by document; one of them unless the user wants files to be split.

    Nothing is chosen or asked yet: that is `asked`'s, so that what is wrong with one document ends that one alone.
    """
    from pipkie_cli.facts import CodeReader, read_facts
    from pipkie_cli.templates import split_pages

    codes = CodeReader(options.templates) if options.facts else None
    found = _read(item, options, codes, cache, pictures)
    facts = read_facts(item.path, found.id, options.passwords, codes) if options.facts else None
    e_invoice = options.split == "auto" and facts is not None and facts.document_type is not None  # a whole document
    parts = split_pages(found.pages, options.templates, "never" if e_invoice else options.split)
    for number, part in enumerate(parts, 1):
        own = facts.of_part([page.page_index + 1 for page in part], number == 1) if facts and len(parts) > 1 else facts
        told = own.with_problems(found.problems) if own else found.problems
        nothing = TypeChoice(None, 0.0)
        yield Prepared(found.id, part, told, nothing, (), own, number if len(parts) > 1 else None, pictures)


def _read(
    item: Input,
    options: RunOptions,
    codes: "CodeReader | None",
    cache: "PageCache | None",
    pictures: "Pictures | None",
) -> "ReadDocument":
    """The words of all pages; of text layers alone where pixels are read and no type or part is chosen by words."""
    from pipkie_cli.pages import read_layers, read_pages

    if pictures is not None and len(options.templates) == 1 and options.split == "never":
        return read_layers(item, options, codes, pictures)
    return read_pages(item, options, codes, cache, pictures)


def asked(part: Prepared, options: RunOptions) -> Prepared:
    """words and facts -> document type and windows."""
    stated = part.facts.document_type if part.facts else None
    prepared = prepare_pages(
        part.document, part.pages, part.problems, options, part.part, stated=stated, pictures=part.pictures
    )
    return replace(prepared, facts=part.facts)


def prepare_pages(
    document: DocumentId,
    pages: tuple[Page, ...],
    problems: tuple[Problem, ...],
    options: RunOptions,
    part: int | None = None,
    *,
    stated: str | None = None,
    pictures: "Pictures | None" = None,
) -> Prepared:
    """words -> windows; those of a part count its pages as if they were a file.

    `stated` is the document type that an e-invoice inside the file says it is. With `pictures` there are no windows.
    """
    from pipkie_cli.facts import choose_stated
    from pipkie_cli.pages import second_choice
    from pipkie_cli.prompts import make_windows

    choice = choose_template(pages, options, str(PurePath(document.path).parent))
    if stated and not options.template_given:
        choice = choose_stated(choice, stated, options.templates)
    name = choice.template.name if choice.template else "none"
    log.info("%s: %d of %d pages read, template %s", document.path, len(pages), document.page_count, name)
    page_problems = tuple(
        problem for page in pages for problem in (*page.problems, *second_choice(page.page_index, page.rasterizer))
    )
    prepared = Prepared(document, pages, problems + page_problems, choice, (), part=part, pictures=pictures)
    if choice.template is None or pictures is not None:
        return prepared
    counted = pages if part is None else tuple(replace(page, page_index=at) for at, page in enumerate(pages))
    return replace(prepared, windows=make_windows(counted, choice.template, prepared.page_count))


def choose_template(pages: Sequence[Page], options: RunOptions, folder: str = "") -> TypeChoice:
    """The document type: the only template there is, else the best by cues; one always if the user named them."""
    from pipkie_cli.templates import choose_type

    if len(options.templates) == 1:
        only = options.templates[0]
        return TypeChoice(only, 1.0, {only.name: 1.0})  # given, not chosen: there is nothing to doubt
    choice = choose_type(pages, options.templates, folder)
    if choice.template is None and options.template_given:
        best = max(options.templates, key=lambda template: choice.scores.get(template.name, 0.0))
        return TypeChoice(best, choice.scores.get(best.name, 0.0), choice.scores)
    return choice
