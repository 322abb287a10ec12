"""From ink to words: clean ones as a text layer gives them, or noisy ones as OCR reads them."""

import math
import random
from dataclasses import dataclass

from pipkie_cli.nouns import Box
from pipkie_cli.synth.draft import Draft, Ink

# What OCR reads instead, by character; drawn in proportion to CONFUSION_RATE.
_CONFUSED = {
    "0": "O", "O": "0", "1": "l", "l": "1", "I": "l", "5": "S", "S": "5", "8": "B", "B": "8", ",": ".", ".": ",", "e": "c", "ö": "o", "ü": "u", "ä": "a",
    "é": "e", "è": "e", "ß": "B", ":": ".", "G": "C", "C": "G", "D": "O", "Z": "2", "2": "Z", "ł": "l", "ę": "e", "ñ": "n", "ç": "c", "'": "", "-": "",
}  # fmt: skip


@dataclass(slots=True)
class Spot:
    """A word as it is read, with its box and the values it belongs to."""

    text: str
    box: Box
    marks: tuple[tuple[tuple[str, ...], int], ...]  # (names, occurrence)
    score: float


def spots(draft: Draft, ocr: bool) -> list[Spot]:
    """The words of a draft, in no order of reading."""
    rng = draft.rng
    if not ocr:
        return [spot for row in _rows(draft.inks) for spot in _words(draft, row, 0.0, 0.0, 0.0)]
    confusion = rng.choice((0.0, 0.002, 0.006, 0.015))
    lost_blank = rng.choice((0.0, 0.03, 0.1, 0.3))
    found = [spot for row in _rows(draft.inks) for spot in _words(draft, row, lost_blank, confusion, 0.06)]
    return _skewed(found, math.radians(rng.gauss(0, 0.8)), draft.width / draft.height)


def _rows(inks: list[Ink]) -> list[list[Ink]]:
    """Runs of ink on one line without a wide gap: what a detector of text lines finds."""
    rows: list[list[Ink]] = []
    for ink in sorted(inks, key=lambda ink: (round(ink.y, 1), ink.x)):
        rows.append([ink]) if not rows or rows[-1][-1].y != ink.y else rows[-1].append(ink)
    return rows


def _words(draft: Draft, row: list[Ink], lost_blank: float, confusion: float, jitter: float) -> list[Spot]:
    """Cut a row at blanks; touching pieces of ink are one word; some blanks get lost."""
    rng, found = draft.rng, list[Spot]()
    end = -math.inf
    for ink in row:
        x, blank = ink.x, draft.text_width(" ", ink.size)
        mark = ((ink.names, ink.occurrence),) if ink.names else ()
        dx, dy = (rng.gauss(0, jitter) * ink.size, rng.gauss(0, jitter) * ink.size) if jitter else (0.0, 0.0)
        for text in ink.text.split(" "):
            if not text:
                x += blank
                continue
            width = draft.text_width(text, ink.size)
            read = _confuse(rng, text, confusion)
            box = Box(
                (x + dx) / draft.width,
                (ink.y + dy) / draft.height,
                (x + width + dx) / draft.width,
                (ink.y + ink.size + dy) / draft.height,
            )
            gap = x - end
            if found and (gap < blank * 0.3 or (gap < blank * 1.6 and rng.random() < lost_blank)):
                last = found[-1]
                marks = last.marks + tuple(one for one in mark if one not in last.marks)
                found[-1] = Spot(last.text + read, last.box.union(box), marks, last.score)
            elif read:
                found.append(Spot(read, box, mark, round(1 - abs(rng.gauss(0, 0.03)), 3) if jitter else 1.0))
            end = x + width
            x = end + blank
    return found


def _confuse(rng: random.Random, text: str, rate: float) -> str:
    if not rate or rng.random() > rate * len(text):
        return text
    i = rng.randrange(len(text))
    return text[:i] + _CONFUSED.get(text[i], text[i]) + text[i + 1 :]


def _skewed(found: list[Spot], angle: float, ratio: float) -> list[Spot]:
    """Turn the page a little around its middle; boxes stay upright rectangles."""
    if not found:
        return found
    for spot in found:
        b = spot.box
        down = (b.left + b.width / 2 - 0.5) * math.tan(angle) * ratio
        spot.box = Box(b.left, b.top + down, b.right, b.bottom + down)
    return found
