"""Labels of a document -> where they stand on its pages: every printed place that means the same value.

A text is looked for as text (align.py). A date, an amount or a number is looked for by reading the page: every run of
words that parses to the labelled value is a right place, however it is written. Tables are another question
(finetune_tables.py).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipkie_cli.evaluate import Labelled, SetRules, judge
from pipkie_cli.nouns import Key, Page, Word
from pipkie_cli.train.align import find_spans, likeness
from pipkie_cli.train.finetune_rows import DIGITLESS, LONGEST, Spans
from pipkie_cli.train.finetune_tables import RowFound, locate_tables
from pipkie_cli.values import ValueContext, parse_value, value_context
from pipkie_cli.words import join_words

LIKE_ENOUGH = 0.02  # places on other pages count where they are as like the label as the best place, within this


@dataclass(frozen=True, slots=True)
class Found:
    """One page with the places of its document's labels: () where the key is labelled and not on this page."""

    page: Page
    page_count: int
    document: str  # as labels.jsonl names it
    spans: Mapping[str, Spans]
    rows: tuple[RowFound, ...] = ()  # of labelled tables, every printed row once a table

    @property
    def holds_something(self) -> bool:
        return any(self.spans.values()) or any(row.cells for row in self.rows)


@dataclass(frozen=True, slots=True)
class Located:
    """The pages of a document with the places of its labels.

    `lost` names keys and tables whose values stand on no page. They are not asked of any page of the document: they may
    be printed in a way that nothing here understands. `cells` counts those of tables, as TablesFound does.
    """

    pages: tuple[Found, ...]
    lost: tuple[str, ...]
    cells: Mapping[str, Counter[str]]


def locate(
    label: Labelled, pages: Sequence[Page], page_count: int, keys: Sequence[Key], rules: SetRules, page_text: str
) -> Located:
    """Where the values of all labelled keys and tables stand."""
    context = value_context([], rules.locale, page_text)
    places: dict[str, list[Spans]] = {}
    lost: list[str] = []
    for key in keys:
        if key.columns or key.name not in label.values:
            continue
        expected, printed = label.values[key.name], label.printed.get(key.name, ())
        on_pages: list[Spans] = [() for _ in pages]
        if expected:
            on_pages = _places(key, expected, printed, pages, rules, context)
        if expected and not any(on_pages):
            lost.append(key.name)
        else:
            places[key.name] = on_pages
    tables = locate_tables(label, pages, [key for key in keys if key.columns], rules, page_text)
    found = tuple(
        Found(page, page_count, label.shown, {name: spans[number] for name, spans in places.items()}, rows)
        for number, (page, rows) in enumerate(zip(pages, tables.rows, strict=True))
    )
    return Located(found, (*lost, *tables.lost), tables.counts)


def _places(
    key: Key,
    expected: Sequence[str],
    printed: Sequence[str],
    pages: Sequence[Page],
    rules: SetRules,
    context: ValueContext,
) -> list[Spans]:
    if key.type in LONGEST:
        means = _Meaning(key, tuple(expected), tuple(printed), rules, context)
        typed = [_typed_spans(page.words, LONGEST[key.type], means) for page in pages]
        if any(typed):
            return typed
    return _text_places([*printed, *expected], pages)


def _text_places(texts: Sequence[str], pages: Sequence[Page]) -> list[Spans]:
    """Per page the spans that print one of the texts, if they are as like it as the likest of all pages."""
    found = [[(text, find_spans(page.words, text)) for text in dict.fromkeys(texts)] for page in pages]
    scored = [
        [(likeness(page.words, span, text), span) for text, spans in of_page for span in spans]
        for page, of_page in zip(pages, found, strict=True)
    ]
    best = max((like for of_page in scored for like, _ in of_page), default=0.0)
    return [tuple(sorted({span for like, span in of_page if like >= best - LIKE_ENOUGH})) for of_page in scored]


class _Meaning:
    """Whether a printed text means the labelled value, remembered: pages repeat themselves."""

    def __init__(
        self, key: Key, expected: tuple[str, ...], printed: tuple[str, ...], rules: SetRules, context: ValueContext
    ) -> None:
        self.key, self.expected, self.printed, self.rules, self.context = key, expected, printed, rules, context
        self._known: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self._known:
            self._known[text] = self._is_right(text)
        return self._known[text]

    def _is_right(self, text: str) -> bool:
        """In doubt, yes: of an ambiguous date either reading may be the labelled one."""
        if self.key.type not in DIGITLESS and not any(char.isdigit() for char in text):
            return False  # most of a page, and said faster
        read = parse_value(self.key.type, text, self.context, self.key.choices)
        values = [value for value in (read.value, *read.readings) if value is not None]
        return any(judge(self.key, self.expected, self.printed, text, value, self.rules).exact for value in values)


def _typed_spans(words: Sequence[Word], longest: int, means: _Meaning) -> Spans:
    """Runs of words of one line that mean the value, without those that hold a shorter one."""
    right = [span for span in _runs(words, longest) if means(join_words(words[span[0] : span[1] + 1]))]
    return tuple(span for span in right if not any(_inside(other, span) for other in right))


def _runs(words: Sequence[Word], longest: int) -> Iterator[tuple[int, int]]:
    for first, word in enumerate(words):
        for last in range(first, min(first + longest, len(words))):
            if words[last].line != word.line:
                break
            yield first, last


def _inside(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]
