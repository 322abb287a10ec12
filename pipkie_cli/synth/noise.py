"""From ink to words: clean ones as a text layer gives them, or noisy ones as OCR reads them.

Rates were measured with tests/synth/measure_noise.py on 400 receipt scans beside their transcriptions, and on 70 PDFs
read from pixels beside their text layers (docs/synthetic.md has the table). Receipts lose 6 % of the blanks, 16 % on
the worst tenth of the pages, most of them beside a colon; 1.3 % of their characters are wrong, 3 % on the worst tenth.
Crisp print loses 2.4 % of the blanks and 0.25 % of the characters. A quarter of the lone characters goes unseen.
"""

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from pipkie_cli.nouns import Box
from pipkie_cli.synth.draft import Draft, Ink

Mark = tuple[tuple[str, ...], int]  # the fields that a value states, and the number of the occurrence

# By character: how many times more often than the average one it is misread on scans, and what is read instead, the
# frequent ones more often; what stands for "" is not seen at all.
_MISREAD: dict[str, tuple[float, tuple[str, ...]]] = {
    ":": (3.5, ("", "", "", "", ".", ";")), ".": (2.3, ("", "", " ", " ", ",")), ",": (3.5, (".", ".", ".", "")),
    "@": (9.0, ("0", "0", "0", "", "9")), "*": (5.0, ("", "+", "X")), "!": (6.0, ("L", "I", "1")),
    "%": (3.3, ("Z", "7", "X", "8")), "$": (2.4, ("S",)), "-": (0.7, ("", "~")), "/": (0.6, ("", "-", "1", "I")),
    "(": (0.3, ("", "[", "C")), ")": (0.6, ("", "]", "}")), "#": (1.3, ("", "H")), "'": (1.7, ("", "`")),
    '"': (4.0, ("",)), "=": (0.7, ("", "-")), "&": (0.5, ("8", "")), "°": (3.0, ("º", "o", "*", "")),
    "º": (3.0, ("o", "°")), "•": (12.0, ("", "●")), "·": (9.0, ("", ".")), "§": (5.0, ("S", "5")), "_": (0.8, ("",)),
    "€": (2.0, ("E", "C", "6", "£")), "£": (2.0, ("E", "f")), "–": (2.0, ("-", "")), "|": (3.0, ("", "I", "1")),
    "0": (0.5, ("O", "O", "", "C", "9", "6")), "1": (0.35, ("I", "", "T", "l", "7")), "2": (0.15, ("", "Z", "7")),
    "3": (0.14, ("5", "8")), "4": (0.07, ("", "2", "A")), "5": (0.55, ("S", "S", "6", "")), "6": (0.5, ("5", "8", "0")),
    "7": (0.15, ("", "1", "/")), "8": (1.0, ("3", "3", "6", "6", "B")), "9": (0.3, ("8", "", "0")),
    "A": (0.5, ("", "E", "Á", "S", "4", "R")), "B": (1.0, ("E", "8", "", "D")), "C": (0.45, ("", "E", "G", "O")),
    "D": (0.5, ("O", "", "U", "0")), "E": (0.35, ("", "A", "B", "F", "C")), "F": (1.0, ("P", "R", "")),
    "G": (0.55, ("C", "", "O", "6")), "H": (0.2, ("", "M", "N")), "I": (1.5, ("1", "1", "1", "L", "l", "T", "")),
    "J": (0.4, ("I", "1")), "K": (0.6, ("E", "", "X")), "L": (1.25, ("1", "I", "")),
    "M": (2.2, ("N", "N", "H", "H", "", "A", "R")), "N": (0.25, ("", "R", "H", "M")),
    "O": (0.9, ("0", "0", "C", "", "D", "U")), "P": (0.55, ("F", "", "R")), "Q": (2.8, ("O", "0")),
    "R": (0.3, ("", "K", "N")), "S": (0.65, ("5", "5", "", "C", "$")), "T": (0.45, ("I", "", "L", "7")),
    "U": (0.25, ("I", "", "0")), "V": (0.2, ("v", "U")), "W": (0.4, ("U", "V")),
    "X": (2.3, ("×", "×", "", "x")), "Y": (0.45, ("V", "")), "Z": (1.9, ("2", "7")),
    "a": (0.3, ("", "e", "o")), "b": (0.3, ("", "h", "6")), "c": (0.5, ("e", "C", "o", "")),
    "e": (0.25, ("", "c", "o")),
    "f": (0.3, ("t", "")), "g": (0.3, ("q", "9", "")), "h": (0.2, ("n", "b")), "i": (0.6, ("l", "", "1", "í")),
    "l": (1.2, ("1", "I", "1", "i", "t", "")), "m": (0.6, ("rn", "n", "")), "n": (0.25, ("r", "", "m")),
    "o": (0.4, ("0", "", "c", "a")), "r": (0.25, ("", "t", "f")), "s": (0.4, ("S", "5", "", "a")),
    "t": (0.4, ("l", "f", "")), "u": (0.2, ("", "v", "ü")), "v": (0.4, ("V", "y")), "x": (2.3, ("×", "X", "")),
    "ö": (0.8, ("o", "ó", "õ")), "ü": (0.7, ("u", "ú")), "ä": (0.6, ("a", "á", "")), "ß": (1.0, ("B", "ss", "3")),
    "é": (1.5, ("e", "è")), "è": (1.5, ("e", "é")), "à": (1.5, ("a", "á")), "ł": (1.0, ("l", "t")),
    "ę": (1.0, ("e", "ẹ")), "ś": (1.0, ("s", "š")), "ż": (1.0, ("z", "ž")), "ą": (1.0, ("a", "q")),
    "ñ": (1.0, ("n",)), "ç": (1.0, ("c",)), "ã": (1.0, ("a", "â")), "õ": (1.0, ("o", "ô")),
}  # fmt: skip
_WEIGHT = {char: weight for char, (weight, _) in _MISREAD.items()} | {" ": 0.0}
_OTHERS = 0.2  # weight of characters that the table does not name; they go unseen
_MADE_UP = 0.14  # of the wrong characters stand where nothing is printed
_DIRT = (".", ".", ".", ":", "-", "I", "1", "'", "*", "A", "l", ",")  # what they are
# Share of the blanks that get lost, by the character before and behind; L stands for letters, D for digits.
_LOST = {
    ("L", ":"): 0.43, (":", "L"): 0.24, (":", "D"): 0.22, (")", ":"): 0.31, ("L", "("): 0.09, ("D", "D"): 0.036,
    ("D", "L"): 0.022, ("L", "L"): 0.0104, ("L", "D"): 0.011, (",", "L"): 0.009, (".", "L"): 0.073, (".", "D"): 0.18,
    ("-", "D"): 0.13, ("D", "-"): 0.15, ("L", "@"): 0.03, ("@", "D"): 0.1, ("L", "/"): 0.08, ("&", "D"): 0.06,
    ("L", "#"): 0.056, (")", "L"): 0.03, ("%", "L"): 0.03, ("L", "&"): 0.013, ("&", "L"): 0.017, ("-", "L"): 0.05,
    (":", "$"): 0.01, ("D", "%"): 0.2, ("•", "L"): 0.4, ("D", "€"): 0.02, (".", "."): 0.6,
}  # fmt: skip
_LOST_ELSEWHERE = 0.03
_LAYER_HEIGHTS = (0.6, 0.65, 0.7, 0.75, 0.9, 1.0, 1.15, 1.15, 1.15, 1.3)  # sizes; fonts in PDFs tell what they like
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
    lines: float  # share of lines that are not found
    cut: float  # share of lines with a blank too many


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
        high = rng.choice(_LAYER_HEIGHTS)
        return [spot for line in _lines(draft.inks, rng, 0.0) for spot in _clean(draft, line, high)]
    scan = _scan(rng, draft)
    found = [spot for line in _lines(draft.inks, rng, 0.85) for spot in _scanned(draft, line, scan)]
    degrees = rng.gauss(0, 0.35) if rng.random() < 0.85 else rng.gauss(0, 2)
    _turn(found, math.radians(degrees), draft.width / draft.height)
    return found


def _scan(rng: random.Random, draft: Draft) -> _Scan:
    """How a page is read: strips of paper as receipt scans are, half of the sheets too, the others as crisp print."""
    jitter, high = rng.choice((0.02, 0.04, 0.08)), rng.uniform(1.1, 1.75)
    if draft.strip or rng.random() < 0.5:
        errors = min(0.06, math.exp(rng.gauss(math.log(0.0085), 1.0)))
        return _Scan(errors, math.exp(rng.gauss(-0.32, 0.8)), jitter, high, rng.choice((0.05, 0.2, 0.5)), 0.0026, 0.024)
    errors = min(0.02, math.exp(rng.gauss(math.log(0.0012), 1.2)))
    return _Scan(errors, math.exp(rng.gauss(-1.0, 0.5)), jitter, high, rng.choice((0.05, 0.15, 0.3)), 0.0005, 0.002)


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


def _clean(draft: Draft, inks: list[Ink], high: float) -> Iterator[Spot]:
    """The words of a line as a text layer has them, in boxes of `high` sizes."""
    line, ink = _typeset(draft, inks), inks[0]
    bottom = (ink.y + ink.size * (0.4 + 0.65 * high)) / draft.height
    top = bottom - ink.size * high / draft.height
    for first, end in _words(line.texts):
        box = Box(line.lefts[first] / draft.width, top, line.rights[end - 1] / draft.width, bottom)
        yield Spot("".join(line.texts[first:end]), box, box, tuple(line.marks[first:end]), 1.0)


def _scanned(draft: Draft, inks: list[Ink], scan: _Scan) -> Iterator[Spot]:
    """The words of a line as they are read from a picture."""
    rng, size, line = draft.rng, max(ink.size for ink in inks), _typeset(draft, inks)
    n = len(line.texts)
    if (n == 1 and rng.random() < scan.unseen) or rng.random() < scan.lines:
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
    wrong = int(scan.errors * sum(map(_WEIGHT.get, texts, itertools.repeat(_OTHERS))) + rng.random())
    if wrong:
        weights = [_WEIGHT.get(text, _OTHERS) for text in texts]
        for at in rng.choices(range(n), weights, k=wrong) if any(weights) else ():
            if rng.random() < _MADE_UP:
                texts[at] += rng.choice(_DIRT)
            elif texts[at] in _MISREAD:
                texts[at] = rng.choice(_MISREAD[texts[at]][1])
            else:
                texts[at] = ""
    if texts[-1] == ":" and rng.random() < 0.12 * scan.blanks:
        texts[-1] = ""
    for at in range(1, n - 1):
        if texts[at] == " ":
            share = _LOST.get((_kind(texts[at - 1]), _kind(texts[at + 1])), _LOST_ELSEWHERE)
            if rng.random() < scan.blanks * share:
                texts[at] = ""
    if n > 6 and rng.random() < scan.cut:  # a blank too many
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
