"""One made-up page with its questions and right answers, from one seed."""

import datetime
import random

from pipkie_cli.nouns import Example, Page, Word
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.form import write_form
from pipkie_cli.synth.letter import write_letter
from pipkie_cli.synth.noise import Spot, spots
from pipkie_cli.synth.questions import ask
from pipkie_cli.synth.receipt import write_receipt
from pipkie_cli.synth.values import manner
from pipkie_cli.words import arrange

_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
_A4, _LETTER = (595.0, 842.0), (612.0, 792.0)


def make_example(seed: int) -> Example:
    """A page of a made-up document, its words in reading order, and questions with every right span.

    The same seed gives the same example in every process. Takes some milliseconds, the first of a locale a second more.
    """
    rng = random.Random(seed)
    kind = rng.choices(("receipt", "letter", "form"), (0.38, 0.4, 0.22))[0]
    draft = _draft(rng, kind)
    page, page_count = 0, 1
    if kind == "receipt":
        write_receipt(draft)
    elif kind == "form":
        write_form(draft)
    else:
        page_count = rng.choices((1, 2, 3, 4), (0.75, 0.15, 0.06, 0.04))[0]
        page = rng.randrange(page_count)
        write_letter(
            draft,
            rng.choices(("invoice", "order", "delivery", "credit"), (0.75, 0.12, 0.05, 0.08))[0],
            page,
            page_count,
        )
    ocr = rng.random() < (0.75 if kind == "receipt" else 0.4)
    found = spots(draft, ocr)
    words, order = _read(draft, found, ocr)
    spans, broken = _spans(found, order)
    return Example(
        Page(page, draft.width, draft.height, 0, words, "ocr" if ocr else "text", None),
        page_count,
        ask(draft, spans, broken),
    )


def _draft(rng: random.Random, kind: str) -> Draft:
    day = datetime.date(2000, 1, 1) + datetime.timedelta(days=int(rng.triangular(0, 11000, 7500)))
    if kind == "receipt":
        language = "ms" if rng.random() < 0.45 else rng.choice(_LANGUAGES)
        m = manner(rng, language)
        m.upper = rng.random() < 0.5
        return Draft(rng, m, rng.uniform(190, 280), 600.0, rng.uniform(7.5, 10.5), day, mono=rng.random() < 0.7)
    language = rng.choices((*_LANGUAGES, "ms"), (6, 5, 3, 2, 2, 2, 2, 2, 1))[0]
    m = manner(rng, language)
    m.upper = rng.random() < 0.04
    width, height = _LETTER if m.locale == "en_US" else _A4
    return Draft(rng, m, width, height, rng.uniform(7.5, 11), day, mono=rng.random() < 0.08)


def _read(draft: Draft, found: list[Spot], ocr: bool) -> tuple[tuple[Word, ...], list[int]]:
    """Put the words into reading order; also the index of each word's spot."""
    placed = arrange([spot.box for spot in found], draft.width, draft.height)
    words = tuple(
        Word(found[p.index].text, found[p.index].box, p.line, p.segment, "ocr" if ocr else "text", found[p.index].score)
        for p in placed
    )
    return words, [p.index for p in placed]


def _spans(found: list[Spot], order: list[int]) -> tuple[dict[str, list[tuple[int, int]]], set[str]]:
    """Spans by field, and the fields of which one occurrence is not one run of words of its own."""
    places: dict[tuple[tuple[str, ...], int], list[int]] = {}
    broken: set[str] = set()
    for position, index in enumerate(order):
        marks = found[index].marks
        if len(marks) > 1:
            broken.update(name for names, _ in marks for name in names)
        for mark in marks:
            places.setdefault(mark, []).append(position)
    spans: dict[str, list[tuple[int, int]]] = {}
    for (names, _), positions in places.items():
        if positions[-1] - positions[0] + 1 != len(positions):
            broken.update(names)
        for name in names:
            spans.setdefault(name, []).append((positions[0], positions[-1]))
    return spans, broken
