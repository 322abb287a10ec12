"""The printed rows of a document, and which words of them print a labelled cell.

A typed cell (amount, number, date) is looked for by reading every short run of words of a row and comparing values; a
text by likeness, whole or in part, where it is wrapped over several rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import partial_ratio

from pipkie_cli.evaluate import SetRules, answer_forms, label_forms
from pipkie_cli.nouns import Key, Page, Word
from pipkie_cli.prompts import fold, printed_rows
from pipkie_cli.train.align import find_spans
from pipkie_cli.values import ValueContext, parse_value
from pipkie_cli.words import join_words

LONGEST = {  # words of a value that is looked for by reading
    "date": 6, "time": 3, "datetime": 7, "amount": 3, "number": 3, "integer": 3, "percent": 2, "currency": 1,
    "phone": 6, "iban": 9, "tax_id": 5, "country": 4, "choice": 6, "boolean": 3,
}  # fmt: skip
DIGITLESS = ("currency", "email", "url", "bic", "country", "choice", "boolean")  # types whose print needs no digit
BY_VALUE = (
    "date",
    "time",
    "datetime",
    "amount",
    "number",
    "integer",
    "percent",
    "currency",
    "boolean",
)  # and no other way
PART_ALIKE = 0.85  # least likeness of some words to the part of a text that they print
LONGER = 1.1  # times a text's letters that words which print it may have
LEAST_FUZZY = 6  # letters: fewer must be printed as labelled

Spans = tuple[tuple[int, int], ...]
Forms = frozenset[str]


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One printed row of one page."""

    page: int  # number among the document's pages
    words: tuple[int, ...]  # indices into the words of the page, ascending


class Sheet:
    """All printed rows of a document, down its pages; what was looked for is remembered."""

    def __init__(self, pages: Sequence[Page], rules: SetRules, context: ValueContext) -> None:
        self.rows = tuple(PrintedRow(n, row) for n, page in enumerate(pages) for row in printed_rows(page.words))
        self._words = [page.words for page in pages]
        self._rules, self._context = rules, context
        self._read: dict[tuple[str, str], Forms] = {}  # (column, text) -> forms of its value
        self._labels: dict[tuple[str, str], Forms] = {}  # (column, label) -> forms of what it means
        self._values: dict[str, tuple[Mapping[tuple[int, int], Forms], ...]] = {}  # column -> per row
        self._parts: dict[tuple[int, str], tuple[int, int, int]] = {}

    def words(self, at: int) -> tuple[Word, ...]:
        """The words of the page that a row stands on."""
        return self._words[self.rows[at].page]

    def right_edge(self, at: int, span: tuple[int, int]) -> float:
        return self.words(at)[span[1]].box.right

    def find(self, at: int, column: Key, text: str) -> Spans:
        """The runs of a row's words that print the whole cell."""
        if column.type in LONGEST:
            wanted = self._label_forms(column, text)
            right = [span for span, forms in self._values_of(column)[at].items() if forms & wanted]
            if right or column.type in BY_VALUE:
                return tuple(span for span in right if not any(_inside(other, span) for other in right))
        row, words = self.rows[at].words, self.words(at)
        spans = ((row[first], row[last], last - first) for first, last in find_spans([words[i] for i in row], text))
        return tuple((first, last) for first, last, length in spans if last - first == length)

    def part(self, at: int, text: str) -> tuple[tuple[int, int], float]:
        """The longest run of a row's words that is part of a text, and the share of the text's letters that it has."""
        if (at, text) not in self._parts:
            self._parts[at, text] = _longest_part(self.words(at), self.rows[at].words, fold(text))
        first, last, length = self._parts[at, text]
        return (first, last), length / max(1, len(fold(text)))

    def _label_forms(self, column: Key, text: str) -> Forms:
        if (column.name, text) not in self._labels:
            self._labels[column.name, text] = label_forms(column, (text,), self._rules)
        return self._labels[column.name, text]

    def _values_of(self, column: Key) -> tuple[Mapping[tuple[int, int], Forms], ...]:
        if column.name not in self._values:
            self._values[column.name] = tuple(self._row_values(at, column) for at in range(len(self.rows)))
        return self._values[column.name]

    def _row_values(self, at: int, column: Key) -> dict[tuple[int, int], Forms]:
        words = self.words(at)
        runs = _runs(words, self.rows[at].words, LONGEST[column.type])
        read = {span: self._forms(column, join_words(words[span[0] : span[1] + 1])) for span in runs}
        return {span: forms for span, forms in read.items() if forms}

    def _forms(self, column: Key, text: str) -> Forms:
        """In doubt a text has the forms of all its readings: the label knows which is meant."""
        if column.type not in DIGITLESS and not any(char.isdigit() for char in text):
            return frozenset()  # most of a page, and said faster
        if (column.name, text) not in self._read:
            read = parse_value(column.type, text, self._context, column.choices)
            values = [value for value in (read.value, *read.readings) if value is not None]
            self._read[column.name, text] = answer_forms(column, text, values, self._rules)
        return self._read[column.name, text]


def _runs(words: Sequence[Word], row: Sequence[int], longest: int) -> Iterator[tuple[int, int]]:
    """Runs of words that follow one another on one line of the row."""
    for at, first in enumerate(row):
        for step, last in enumerate(row[at : at + longest]):
            if last - first != step or words[last].line != words[first].line:
                break
            yield first, last


def _inside(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _longest_part(words: Sequence[Word], row: Sequence[int], wanted: str) -> tuple[int, int, int]:
    """First word, last word and number of letters of the longest run that the text contains, misreadings aside."""
    best, worth = (-1, -1, 0), 0.0
    for at, first in enumerate(row):
        joined = ""
        for step, last in enumerate(row[at:]):
            joined += fold(words[last].text)
            if last - first != step or len(joined) > LONGER * len(wanted):
                break
            alike = _alike(joined, wanted)
            if alike < PART_ALIKE and len(joined) >= LEAST_FUZZY:
                break
            if alike >= PART_ALIKE and len(joined) * (2 * alike - 1) > worth:  # a letter too many costs what it brings
                best, worth = (first, last, len(joined)), len(joined) * (2 * alike - 1)
    return best


def _alike(joined: str, wanted: str) -> float:
    """How like some letters are to the part of the text that they are likest, 0 to 1; of few letters all or nothing."""
    if joined in wanted:
        return 1.0
    return partial_ratio(joined, wanted) / 100 if len(joined) >= LEAST_FUZZY else 0.0
