"""Where the documents of one file begin: ten receipts of one scan, an invoice behind a cover letter, two invoices.

Page by page, the first rule that says something decides:

1. A page without words goes on with what is before it.
2. "Page k of n" is printed: page 1 begins a document, any other goes on, and so does a page without such a print while
   the document so far has fewer than its n pages.
3. A number that names documents (what stands behind the label of a template's required "... number" key) is another
   than that of the document so far: a new one begins. The same number: it goes on.
4. Paper of a till (a template with `print: narrow` fits the page) behind paper of a till: every slip is a document.
5. The page has a type, surely, and another than the document so far; or what is before it has neither type nor number.
6. It goes on.

In doubt pages stay together: a file that should have been split is noticed by the answers (`several_documents`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal

from pipkie_cli.nouns import Page, Template, Word
from pipkie_cli.templates.classify import choose_type
from pipkie_cli.templates.cues import LABEL_LETTERS, folded

Split = Literal["auto", "page", "never"]

_PAGE, _OF = r"page|seite|pagina|página|pág|pag|strona|str|s|p|blatt|folha|hoja|blad", r"of|von|de|di|van|z|sur|/"
PAGE_OF = re.compile(rf"\b(?:{_PAGE})\b[.:\s]*(?:n[r°º.]*\s*)?(\d{{1,3}})\s*(?:{_OF})\s*(\d{{1,3}})\b", re.IGNORECASE)
NUMBER_SIGNS = frozenset({"no", "nr", "num", "number", "n", "nº", "n°", "id", "nummer", "numero", "número"})
NUMBER = re.compile(r"(?=.*\d)[\w./\\-]{2,}")
NO_NAME = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d+[.,]\d{1,2}")  # dates, amounts
OWN_TYPE = 0.5  # score of a page's own type, and
OTHER_TYPE = 0.15  # at most, on the same page, that of the document so far


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What a page says about where it belongs."""

    blank: bool
    number_of: tuple[int, int] | None  # page k of n
    names: frozenset[str]  # numbers of documents that it states
    template: Template | None
    score: float
    scores: dict[str, float]


def split_pages(pages: Sequence[Page], templates: Sequence[Template], split: Split) -> tuple[tuple[Page, ...], ...]:
    """The pages of every document of the file, in order; each page belongs to one. No pages: one part without any."""
    if split == "never" or len(pages) < 2:
        return (tuple(pages),)
    if split == "page":
        return tuple((page,) for page in pages)
    parts: list[list[Page]] = [[pages[0]]]
    sheets = [_sheet(pages[0], templates)]  # of the part so far
    for page in pages[1:]:
        sheet = _sheet(page, templates)
        if _begins(sheet, sheets):
            parts.append([])
            sheets = []
        parts[-1].append(page)
        sheets.append(sheet)
    return tuple(map(tuple, parts))


def number_key(template: Template) -> str | None:
    """The name of the key whose value names a document: the first required text asked as a number."""
    return next(
        (key.name for key in template.keys if key.required and key.type == "text" and "number" in folded(key.prompt)),
        None,
    )


def _begins(sheet: _Sheet, before: Sequence[_Sheet]) -> bool:
    """Does a document begin with this page, `before` being the pages of the one so far?"""
    if sheet.blank:
        return False
    if sheet.number_of is not None:
        return sheet.number_of[0] == 1
    counted = next((one.number_of for one in before if one.number_of), None)
    if counted is not None and len(before) < counted[1]:
        return False
    names = frozenset().union(*(one.names for one in before))
    if sheet.names and names:
        return not sheet.names & names
    typed = next((one for one in before if one.template is not None), None)
    if sheet.template is None:
        return False
    if typed is None or typed.template is None:
        return not names and any(not one.blank for one in before)
    if sheet.template.detect_print == "narrow" and before[-1].template == sheet.template:
        return True
    return (
        sheet.template != typed.template
        and sheet.score >= OWN_TYPE
        and sheet.scores.get(typed.template.name, 0.0) <= OTHER_TYPE
    )


def _sheet(page: Page, templates: Sequence[Template]) -> _Sheet:
    choice = choose_type([page], templates)
    lines = [[word for word in line] for _, line in groupby(page.words, key=lambda word: word.line)]
    printed = (PAGE_OF.search(" ".join(word.text for word in line)) for line in lines)
    marks = [(int(found[1]), int(found[2])) for found in printed if found]
    return _Sheet(
        blank=not page.words,
        number_of=next(((k, n) for k, n in marks if 1 <= k <= n), None),
        names=frozenset(_names(lines, _number_labels(tuple(_number_phrases(templates))))),
        template=choice.template,
        score=choice.score,
        scores=dict(choice.scores),
    )


@lru_cache(maxsize=64)
def _number_labels(phrases: tuple[str, ...]) -> dict[str, list[tuple[str, ...]]]:
    """Folded labels of the numbers that name documents, by their first word, the longest first."""
    labels: dict[str, list[tuple[str, ...]]] = {}
    for label in sorted({folded(phrase) for phrase in phrases}, key=lambda one: (-len(one), one)):
        if len("".join(label)) >= LABEL_LETTERS:
            labels.setdefault(label[0], []).append(label)
    return labels


def _number_phrases(templates: Sequence[Template]) -> Iterator[str]:
    for template in templates:
        name = number_key(template)
        yield from (phrase for key in template.keys if key.name == name for phrase in (key.prompt, *key.aliases))


def _names(lines: Sequence[Sequence[Word]], labels: Mapping[str, Sequence[tuple[str, ...]]]) -> Iterator[str]:
    """Numbers printed behind a label, or in the next line under it."""
    for at, line in enumerate(lines):
        parts = [(part, place) for place, word in enumerate(line) for part in folded(word.text)]
        words = [part for part, _ in parts]
        for first, word in enumerate(words):
            label = next((one for one in labels.get(word, ()) if words[first : first + len(one)] == list(one)), None)
            if label is None:
                continue
            start, end = parts[first][1], parts[first + len(label) - 1][1] + 1
            found = _behind(line[end:]) or _below(line[start:end], lines[at + 1] if at + 1 < len(lines) else ())
            if found:
                yield found
            break


def _behind(words: Sequence[Word]) -> str | None:
    """The number that comes next, after signs and "no."; None where another word does: "Invoice date 1 May"."""
    for word in words:
        text = _bare(word)
        if not text or (text.isalpha() and text.casefold() in NUMBER_SIGNS):
            continue
        return text.casefold() if _is_number(text) else None
    return None


def _below(label: Sequence[Word], line: Sequence[Word]) -> str | None:
    """The number that stands in the line under a label."""
    left, right = label[0].box.left, label[-1].box.right
    under = (word for word in line if word.box.left < right and word.box.right > left)
    return next((text.casefold() for word in under if _is_number(text := _bare(word))), None)


def _bare(word: Word) -> str:
    return word.text.strip(".,:;#()*=-")


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and NO_NAME.fullmatch(text) is None
