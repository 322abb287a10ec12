"""Labelled line items -> cells of the printed rows of a page: which words of which row are the value of a column.

A row is an item's when it prints the item's amount, and its quantity or price where these are labelled and the page
has several rows with that amount. Texts may be wrapped: lines above and below that continue the description are its
cells, too. What cannot be found stays unasked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipkie_cli.nouns import Word
from pipkie_cli.prompts import fold, printed_rows
from pipkie_cli.train.align import find_spans

COLUMNS = ("description", "quantity", "unit_price", "amount")
NEAR = 6  # rows above and below an item's in which its description is looked for
COVERED = 0.85  # least share of a description's letters that its lines must print together

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RealRow:
    """A printed row with its cells; columns in `unsure` are not asked of it, others that are missing are ABSENT."""

    words: tuple[int, ...]
    cells: Mapping[str, Spans]
    unsure: frozenset[str] = frozenset()


def real_rows(words: Sequence[Word], items: Sequence[Mapping[str, object]]) -> tuple[RealRow, ...]:
    """The rows of a page for labelled items (texts as printed, in order); () where none of them is found."""
    rows = printed_rows(words)
    anchors = _anchors(words, rows, items)
    if not anchors:
        return ()
    unfound = {str(item["amount"]) for n, item in enumerate(items) if n not in anchors.values() and item.get("amount")}
    found = [
        RealRow(row, {}, frozenset(COLUMNS) if any(_within(words, row, text) for text in unfound) else frozenset())
        for row in rows
    ]
    for at, number in anchors.items():
        found[at] = _numbers(words, rows[at], items[number])
    for at, number in anchors.items():
        text = items[number].get("description")
        others = sorted(other for other in anchors if other != at)
        first = max([other + 1 for other in others if other < at] + [at - NEAR, 0])
        end = min([other for other in others if other > at] + [at + NEAR + 1, len(rows)])
        lines = _lines(words, rows[first:end], at - first, str(text)) if text else None
        for offset in range(end - first):
            here = found[first + offset]
            spans = lines[offset] if lines else ()
            if lines is None and (offset + first == at or text):
                found[first + offset] = RealRow(here.words, here.cells, here.unsure | {"description"})
            elif spans:
                found[first + offset] = RealRow(here.words, {**here.cells, "description": spans}, here.unsure)
    return tuple(found)


def _anchors(
    words: Sequence[Word], rows: Sequence[tuple[int, ...]], items: Sequence[Mapping[str, object]]
) -> dict[int, int]:
    """Row -> item, in the order of both. The row that prints most of an item's numbers, the first of equals."""
    anchors: dict[int, int] = {}
    after = 0
    for number, item in enumerate(items):
        amount = item.get("amount")
        if not isinstance(amount, str):
            continue
        texts = [text for name in ("quantity", "unit_price") if isinstance(text := item.get(name), str)]
        texts += [word for word in str(item.get("description") or "").split()[:2]]
        best = max(
            (
                (sum(bool(_within(words, rows[at], text)) for text in texts), -at)
                for at in range(after, len(rows))
                if _within(words, rows[at], amount)
            ),
            default=None,
        )
        if best is not None and (best[0] or not texts):
            anchors[-best[1]] = number
            after = -best[1] + 1
    return anchors


def _within(words: Sequence[Word], row: Sequence[int], text: str) -> Spans:
    """Spans of the row's words that print the text, as spans of the page."""
    spans = find_spans([words[index] for index in row], text)
    whole = ((row[first], row[last]) for first, last in spans if row[last] - row[first] == last - first)
    return tuple(whole)


def _numbers(words: Sequence[Word], row: tuple[int, ...], item: Mapping[str, object]) -> RealRow:
    cells: dict[str, Spans] = {}
    unsure = {name for name in COLUMNS[1:] if name not in item}
    for name in COLUMNS[1:]:
        text = item.get(name)
        spans = _within(words, row, text) if isinstance(text, str) else ()
        if name in ("quantity", "unit_price") and len(spans) > 1:
            unsure.add(name)  # "1" stands for the position, too; the price is the amount again
        elif spans:
            cells[name] = spans[-1:] if name == "amount" else spans
        else:
            unsure.add(name)
    return RealRow(row, cells, frozenset(unsure))


def _lines(words: Sequence[Word], rows: Sequence[tuple[int, ...]], anchor: int, text: str) -> list[Spans] | None:
    """Per row the run of words that are part of the text, from the item's row up and down until a row has none; None
    where the rows together do not print it."""
    wanted, covered = fold(text), 0
    lines: list[Spans] = [()] * len(rows)
    for path in (range(anchor, len(rows)), range(anchor - 1, -1, -1)):
        for at in path:
            first, last, length = _longest_run(words, rows[at], wanted)
            if length >= min(3, len(wanted)):
                covered += length
                lines[at] = ((first, last),)
            elif at != anchor:
                break
    return lines if wanted and COVERED <= covered / len(wanted) <= 1.3 else None


def _longest_run(words: Sequence[Word], row: Sequence[int], wanted: str) -> tuple[int, int, int]:
    """First word, last word and number of letters of the longest contiguous run that the text contains."""
    best = (-1, -1, 0)
    for at, first in enumerate(row):
        joined = ""
        for step, index in enumerate(row[at:]):
            joined += fold(words[index].text)
            if index - first != step or joined not in wanted:
                break
            if len(joined) > best[2]:
                best = (first, index, len(joined))
    return best
