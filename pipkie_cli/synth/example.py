"""One made-up page with its questions and right answers, from one seed."""

import datetime
import random
from typing import Literal

from pipkie_cli.nouns import Example, Page, Word
from pipkie_cli.synth.cells import CELL, ask_cells, bare_amount
from pipkie_cli.synth.datasheet import write_datasheet, write_statement
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.entry import write_entry
from pipkie_cli.synth.filing import write_filing
from pipkie_cli.synth.form import write_form
from pipkie_cli.synth.letter import write_letter
from pipkie_cli.synth.memo import write_memo
from pipkie_cli.synth.noise import Mark, Spot, spots
from pipkie_cli.synth.panels import write_panels
from pipkie_cli.synth.papers import write_paper
from pipkie_cli.synth.questions import ask
from pipkie_cli.synth.receipt import write_receipt
from pipkie_cli.synth.schedule import write_schedule
from pipkie_cli.synth.traps import near_misses
from pipkie_cli.synth.values import manner
from pipkie_cli.words import arrange, split_words

_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
Marks = tuple[Mark, ...]
Span = tuple[int, int]
_KINDS = {  # shares
    "receipt": 0.22, "letter": 0.2, "form": 0.04, "datasheet": 0.04, "statement": 0.01,
    "schedule": 0.06, "filing": 0.05, "memo": 0.05, "panels": 0.03, "paper": 0.1, "entry": 0.2,
}  # fmt: skip
_A4, _LETTER = (595.0, 842.0), (612.0, 792.0)


def make_example(seed: int) -> Example:
    """A page of a made-up document, its words in reading order, and questions with every right span.

    The same seed gives the same example in every process. Takes some milliseconds, the first of a locale a second more.
    """
    rng = random.Random(seed)
    kind = rng.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]
    draft = _draft(rng, kind)
    page, page_count = _place(rng, kind)
    if kind == "receipt":
        write_receipt(draft)
    elif kind == "form":
        write_form(draft)
    elif kind == "datasheet":
        write_datasheet(draft, page, page_count)
    elif kind == "statement":
        write_statement(draft)
    elif kind == "schedule":
        write_schedule(draft, page, page_count)
    elif kind == "filing":
        write_filing(draft, page)
    elif kind == "memo":
        write_memo(draft)
    elif kind == "panels":
        write_panels(draft)
    elif kind == "entry":
        write_entry(draft)
    elif kind == "paper":
        write_paper(draft)
    else:
        write_letter(
            draft,
            rng.choices(("invoice", "order", "delivery", "credit"), (0.75, 0.12, 0.05, 0.08))[0],
            page,
            page_count,
        )
    near_misses(draft)
    draft.settle()
    draft.fit()
    source: Literal["text", "ocr"] = "ocr" if rng.random() < (0.75 if kind == "receipt" else 0.4) else "text"
    words, marks = _read(draft, spots(draft, source == "ocr"), source)
    spans, broken = _spans(marks)
    broken |= draft.unasked
    for name, found in spans.items():
        if draft.find(name).type == "amount":
            spans[name] = [bare_amount(words, span) for span in found]
    _currency(draft, words, spans, broken)
    questions = (*ask(draft, spans, broken), *ask_cells(draft, words, marks))
    return Example(Page(page, draft.width, draft.height, 0, words, source, None), page_count, questions)


def _place(rng: random.Random, kind: str) -> tuple[int, int]:
    """Which page of how many."""
    if kind in ("receipt", "statement", "paper", "entry"):
        return 0, 1
    shares = (0.45, 0.25, 0.15, 0.1, 0.05) if kind == "schedule" else (0.72, 0.16, 0.06, 0.04, 0.02)
    page_count = rng.choices((1, 2, 3, 4, 7), shares)[0]
    return rng.choice((0, page_count - 1, rng.randrange(page_count))), page_count


def _draft(rng: random.Random, kind: str) -> Draft:
    day = datetime.date(2000, 1, 1) + datetime.timedelta(days=int(rng.triangular(0, 11000, 7500)))
    if kind == "receipt":
        language = rng.choices(("ms", "en", *_LANGUAGES), (0.38, 0.24, *(0.38 / len(_LANGUAGES),) * len(_LANGUAGES)))[0]
        m = manner(rng, language)
        m.upper = rng.random() < 0.5
        return Draft(rng, m, rng.uniform(190, 270), 600.0, rng.uniform(8, 11.5), day, _face(rng, 0.7))
    english = 18 if kind in ("schedule", "filing", "memo", "entry") else 6
    language = rng.choices((*_LANGUAGES, "ms"), (english, 5, 3, 2, 2, 2, 2, 2, 1))[0]
    m = manner(rng, language)
    m.upper = rng.random() < 0.04
    width, height = _LETTER if m.locale == "en_US" else _A4
    size = rng.uniform(6, 9) if kind == "schedule" else rng.uniform(7.5, 11)
    return Draft(rng, m, width, height, size, day, _face(rng, 0.45 if kind == "entry" else 0.08))


def _face(rng: random.Random, mono_share: float) -> float:
    return rng.uniform(0.5, 0.6) if rng.random() < mono_share else 0.0


def _read(draft: Draft, found: list[Spot], source: Literal["text", "ocr"]) -> tuple[tuple[Word, ...], list[Marks]]:
    """The words in reading order, cut as those of real pages are, and the values that each is a part of."""
    placed = arrange([spot.level for spot in found], draft.width, draft.height)
    ordered = [found[place.index] for place in placed]
    whole = [
        Word(spot.text, spot.box, place.line, place.segment, source, spot.score)
        for spot, place in zip(ordered, placed, strict=True)
    ]
    words, starts = split_words(whole)
    marks: list[Marks] = []
    for spot, first, end in zip(ordered, starts, starts[1:], strict=False):
        at = 0
        for word in words[first:end]:
            owners = spot.owners[at : at + len(word.text)]
            marks.append(tuple(dict.fromkeys(owner for owner in owners if owner)))
            at += len(word.text)
    return words, marks


def _spans(marks: list[Marks]) -> tuple[dict[str, list[Span]], set[str]]:
    """Spans by field, and the fields of which one occurrence is not one run of words of its own."""
    places: dict[Mark, list[int]] = {}
    broken: set[str] = set()
    for position, owners in enumerate(marks):
        if len(owners) > 1:
            broken.update(name for names, _ in owners for name in names if name[:1] != CELL)
        for mark in owners:
            places.setdefault(mark, []).append(position)
    spans: dict[str, list[Span]] = {}
    for (names, _), positions in places.items():
        if names[0][:1] == CELL:
            continue
        if positions[-1] - positions[0] + 1 != len(positions):
            broken.update(names)
        for name in names:
            spans.setdefault(name, []).append((positions[0], positions[-1]))
    return spans, broken


def _currency(draft: Draft, words: tuple[Word, ...], spans: dict[str, list[Span]], broken: set[str]) -> None:
    """The currency stands wherever its sign or code is a word; where it only touches an amount, nobody asks."""
    signs = {sign.casefold() for sign in draft.manner.currency}
    found = [(i, i) for i, word in enumerate(words) if word.text.strip("()").casefold() in signs]
    if found:
        spans["currency"] = found
    elif any(sign in word.text.casefold() for word in words for sign in signs):
        broken.add("currency")
