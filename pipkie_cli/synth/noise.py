"""From ink to words: clean ones as a text layer gives them, or noisy ones as OCR reads them.

Rates were measured on 256 receipt scans (lines of the OCR engine against the human transcription): they lose 4 % of the
blanks at the median and 17 % on the worst tenth of the pages,
most of them beside a colon; 0.9 % of the characters are
wrong at the median, 3 % on the worst tenth; 3 % of the lines are joined, 1 % cut, single characters often go unseen;
boxes are 1.1 times as high as the lines' pitch; nine of ten lines lie within 0.6 degrees of level.
"""

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from pipkie_cli.nouns import Box
from pipkie_cli.synth.draft import Draft, Ink

Mark = tuple[tuple[str, ...], int]  # the fields that a value states, and the number of the occurrence

# What OCR reads instead, the frequent ones first; what stands for "" is not seen at all.
_CONFUSED = {
    ".": (" ", " ", ",", "", "-"), ",": (".", ".", " "), ":": ("", "", "", ".", ";"), "I": ("1", "l", "|", "T"),
    "M": ("H", "N"), "@": ("0", "O"),
    "0": ("O", "O", "C", "9", "8", "6"), "O": ("0", "C", "D"), "S": ("5", "s", "$"), "5": ("S", "6"),
    "T": ("I", "1"), "L": ("I", "1"), "A": ("E", "4", "R"),
    "1": ("I", "l", "7"), "8": ("3", "6", "B", "9"), "3": ("8",), "6": ("5", "8"), "9": ("8", "0"), "X": ("×", "x"),
    "x": ("×", "X"), "D": ("O", "0"),
    "E": ("C", "F", ""), "G": ("C", "6"), "P": ("F", "R"), "N": ("R", "H", "M"), "%": ("Z", "8"), "$": ("S",),
    "-": ("", "~"), "*": ("", "**"), "C": ("G", "O"),
    "e": ("c", "o", "é"), "o": ("0", "e", "a"), "l": ("1", "I", "t"), "i": ("l", "1", "í"), "t": ("l", "f"),
    "m": ("rn", "n"), "n": ("r", "m"), "c": ("e", "o"),
    "ö": ("o", "ó"), "ü": ("u", "ú"), "ä": ("a", "á"), "ß": ("B", "ss"), "é": ("e", "è"), "è": ("e", "é"),
    "à": ("a", "á"), "ł": ("l", "t"), "ę": ("e", "g"), "ś": ("s",),
    "ż": ("z",), "ą": ("a", "q"), "ñ": ("n",), "ç": ("c",), "ã": ("a",), "õ": ("o",), "€": ("E", "C", "6"),
    "£": ("E", "f"), "°": ("o", "*", ""), "º": ("o", "°"), "'": ("", "`"),
    "4": ("A",), "2": ("Z", "7"), "7": ("1", "/"), "/": ("7", "1", "I"), "(": ("C", "["), ")": ("]", "J"),
    "B": ("8", "R"), "H": ("N", "M"), "R": ("K", "A"), "&": ("8",), "a": ("e", "o"), "s": ("5", "a"),
}  # fmt: skip
# Share of the blanks that get lost, by the character before and behind; L stands for letters, D for digits.
_LOST = {
    ("L", ":"): 0.44, (":", "L"): 0.33, (":", "D"): 0.23, (")", ":"): 0.34, ("L", "("): 0.09, ("D", "D"): 0.06,
    ("D", "L"): 0.017, ("L", "L"): 0.006,
    ("L", "D"): 0.006, (",", "L"): 0.01, (".", "L"): 0.09, (".", "D"): 0.056, ("-", "D"): 0.15, ("D", "-"): 0.14,
    ("L", "@"): 0.05, ("@", "D"): 0.13,
    ("L", "/"): 0.12, ("&", "D"): 0.07, ("L", "#"): 0.09,
}  # fmt: skip
_LOST_ELSEWHERE = 0.03
_JOINED_GAP = 1.3  # of the height: detectors read narrower gaps as one line, mostly


@dataclass(slots=True)
class Spot:
    """A word as it is read, with its place and the values that it is a part of."""

    text: str
    box: Box
    level: Box  # its place on the page laid level: what the reading order sees
    owners: tuple[Mark | None, ...]  # of each character: the value that it is a part of
    score: float


@dataclass(slots=True)
class _Scan:
    """How badly one page was read."""

    errors: float  # wrong characters, share
    blanks: float  # factor on the shares of lost blanks
    jitter: float  # of the height
    high: float  # height of a line's box over the size of its face
    unseen: float  # share of single characters that are not found


@dataclass(slots=True)
class _Line:
    """The characters of one line, with their ends in points and the values that they are parts of.

    A text of "" is a character that is not read, " x" one with a blank before it.
    """

    texts: list[str]
    lefts: list[float]
    rights: list[float]
    marks: list[Mark | None]


def spots(draft: Draft, ocr: bool) -> list[Spot]:
    """The words of a draft, in no order of reading."""
    rng = draft.rng
    if not ocr:
        return [spot for line in _lines(draft.inks, rng, 0.0) for spot in _clean(draft, line)]
    scan = _Scan(
        errors=min(0.06, math.exp(rng.gauss(math.log(0.006), 1.0))),
        blanks=math.exp(rng.gauss(-0.1, 0.8)),
        jitter=rng.choice((0.02, 0.04, 0.08)),
        high=rng.uniform(1.15, 1.5),
        unseen=rng.choice((0.05, 0.2, 0.5)),
    )
    found = [spot for line in _lines(draft.inks, rng, 0.85) for spot in _scanned(draft, line, scan)]
    degrees = rng.gauss(0, 0.35) if rng.random() < 0.85 else rng.gauss(0, 2)
    _turn(found, math.radians(degrees), draft.width / draft.height)
    return found


def _lines(inks: list[Ink], rng: random.Random, joined: float) -> Iterator[list[Ink]]:
    """Pieces of ink on one height; those far apart are lines of their own, near ones are `joined` (a share)."""
    line: list[Ink] = []
    end = 0.0
    for ink in sorted(inks, key=lambda ink: (ink.y, ink.x)):
        gap = ink.x - end
        near = (
            bool(line)
            and ink.y == line[0].y
            and (gap < 0.6 * ink.size or (gap < _JOINED_GAP * ink.size and rng.random() < joined))
        )
        if line and not near:
            yield line
            line = []
        line.append(ink)
        end = ink.x + ink.width
    if line:
        yield line


def _typeset(draft: Draft, inks: list[Ink]) -> _Line:
    """The characters of a line with their places; a blank between pieces that do not touch."""
    line = _Line([], [], [], [])
    for ink in inks:
        if line.texts and ink.x - line.rights[-1] > 0.12 * ink.size and line.texts[-1] != " ":
            line.texts.append(" ")
            line.lefts.append(line.rights[-1])
            line.rights.append(ink.x)
            line.marks.append(None)
        ends = list(itertools.accumulate(draft.advances(ink.text, ink.size), initial=ink.x))
        line.texts += ink.text
        line.lefts += ends[:-1]
        line.rights += ends[1:]
        line.marks += [(ink.names, ink.occurrence) if ink.names else None] * len(ink.text)
    return line


def _clean(draft: Draft, inks: list[Ink]) -> Iterator[Spot]:
    """The words of a line as a text layer has them."""
    line, ink = _typeset(draft, inks), inks[0]
    top, bottom = ink.y / draft.height, (ink.y + ink.size * 1.15) / draft.height
    for first, end in _words(line.texts):
        box = Box(line.lefts[first] / draft.width, top, line.rights[end - 1] / draft.width, bottom)
        yield Spot("".join(line.texts[first:end]), box, box, tuple(line.marks[first:end]), 1.0)


def _scanned(draft: Draft, inks: list[Ink], scan: _Scan) -> Iterator[Spot]:
    """The words of a line as they are read from a picture."""
    rng, size, line = draft.rng, max(ink.size for ink in inks), _typeset(draft, inks)
    n = len(line.texts)
    if (n == 1 and rng.random() < scan.unseen) or rng.random() < 0.003:
        return
    wrong = _misread(rng, line.texts, scan)
    height = size * scan.high * (1 + rng.gauss(0, scan.jitter))
    top = inks[0].y + size / 2 - height / 2 + rng.gauss(0, scan.jitter) * size
    score = round(max(0.5, min(0.999, 0.99 - 0.25 * wrong / n - abs(rng.gauss(0, 0.012)))), 3)
    for first, end in _words(line.texts):
        texts = [text.strip() for text in line.texts[first:end]]
        left = max(0.0, line.lefts[first] + rng.gauss(0, scan.jitter) * size)
        right = max(line.rights[end - 1] + rng.gauss(0, scan.jitter) * size, left + 0.2 * size)
        box = Box(left / draft.width, top / draft.height, right / draft.width, (top + height) / draft.height)
        marks = zip(texts, line.marks[first:end], strict=True)
        yield Spot("".join(texts), box, box, tuple(mark for text, mark in marks for _ in text), score)


def _misread(rng: random.Random, texts: list[str], scan: _Scan) -> int:
    """Confuse, drop and join characters in place; returns how many are wrong."""
    n = len(texts)
    wrong = int(scan.errors * n + rng.random())
    for _ in range(wrong):
        at = rng.randrange(n)
        if texts[at] in _CONFUSED:
            texts[at] = rng.choice(_CONFUSED[texts[at]])
        elif texts[at] != " " and rng.random() < 0.3:
            texts[at] = ""
    if texts[-1] == ":" and rng.random() < 0.25 * scan.blanks:
        texts[-1] = ""
    for at in range(1, n - 1):
        if texts[at] == " ":
            share = _LOST.get((_kind(texts[at - 1]), _kind(texts[at + 1])), _LOST_ELSEWHERE)
            if rng.random() < scan.blanks * share:
                texts[at] = ""
    if n > 6 and rng.random() < 0.03 * scan.blanks:  # a blank too many
        at = rng.randrange(1, n)
        texts[at] = f" {texts[at].strip()}"
    return wrong


def _kind(text: str) -> str:
    return "D" if text.isdigit() else "L" if text.isalpha() else text[:1]


def _words(texts: list[str]) -> Iterator[tuple[int, int]]:
    """First and end of every run of characters without a blank; runs of nothing that is read are left out."""
    first = 0
    for at, text in enumerate([*texts, " "]):
        if text[:1] == " ":
            if any(texts[first:at]):
                yield first, at
            first = at + 1 if text == " " else at


def _turn(found: list[Spot], angle: float, ratio: float) -> None:
    """Turn the page a little around its middle; a box is the upright rectangle around the turned one."""
    tan = math.tan(angle) * ratio  # in heights of the page per width of it
    for spot in found:
        level = spot.level
        down = (level.left + level.width / 2 - 0.5) * tan
        grown = abs(level.width * tan) / 2
        aside = -(level.top + level.height / 2 - 0.5) * math.tan(angle) / ratio
        sides = (level.left + aside, level.top + down - grown, level.right + aside, level.bottom + down + grown)
        spot.box = Box(*(min(1.0, max(0.0, side)) for side in sides))
