"""From ink to words: clean ones as a text layer gives them, or noisy ones as OCR reads them.

Rates were measured on 256 receipt scans (lines of the OCR engine against the human transcription): they lose 4 % of the
blanks at the median and 17 % on the worst tenth of the pages,
most of them beside a colon; 0.9 % of the characters are
wrong at the median, 3 % on the worst tenth; 3 % of the lines are joined, 1 % cut, single characters often go unseen;
boxes are 1.1 times as high as the lines' pitch; nine of ten lines lie within 0.6 degrees of level.
"""

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
class _Letter:
    text: str
    left: float
    right: float
    mark: Mark | None


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


def _letters(draft: Draft, line: list[Ink]) -> list[_Letter]:
    """The characters of a line with their places; a blank between pieces that do not touch."""
    letters: list[_Letter] = []
    for ink in line:
        mark = (ink.names, ink.occurrence) if ink.names else None
        x = ink.x
        if letters and x - letters[-1].right > 0.12 * ink.size and letters[-1].text != " ":
            letters.append(_Letter(" ", letters[-1].right, x, None))
        for char, advance in zip(ink.text, draft.advances(ink.text, ink.size), strict=True):
            letters.append(_Letter(char, x, x + advance, mark))
            x += advance
    return letters


def _clean(draft: Draft, line: list[Ink]) -> Iterator[Spot]:
    """The words of a line as a text layer has them."""
    top, bottom = line[0].y, line[0].y + line[0].size * 1.15
    for word in _words(_letters(draft, line)):
        box = Box(word[0].left / draft.width, top / draft.height, word[-1].right / draft.width, bottom / draft.height)
        yield Spot("".join(letter.text for letter in word), box, box, _owners(word), 1.0)


def _scanned(draft: Draft, line: list[Ink], scan: _Scan) -> Iterator[Spot]:
    rng, size = draft.rng, max(ink.size for ink in line)
    letters = _letters(draft, line)
    if (len(letters) == 1 and rng.random() < scan.unseen) or rng.random() < 0.003:
        return
    wrong = _misread(rng, letters, scan)
    height = size * scan.high * (1 + rng.gauss(0, scan.jitter))
    top = line[0].y + size / 2 - height / 2 + rng.gauss(0, scan.jitter) * size
    score = round(max(0.5, min(0.999, 0.99 - 0.25 * wrong / len(letters) - abs(rng.gauss(0, 0.012)))), 3)
    for word in _words([letter for letter in letters if letter.text]):
        ends = [x + rng.gauss(0, scan.jitter) * size for x in (word[0].left, word[-1].right)]
        left, right = max(0.0, ends[0]), max(ends[1], ends[0] + 0.2 * size)
        box = Box(left / draft.width, top / draft.height, right / draft.width, (top + height) / draft.height)
        yield Spot("".join(letter.text for letter in word), box, box, _owners(word), score)


def _misread(rng: random.Random, letters: list[_Letter], scan: _Scan) -> int:
    """Confuse, drop and join characters in place; returns how many are wrong."""
    n = len(letters)
    wrong = int(scan.errors * n + rng.random())
    for _ in range(wrong):
        letter = letters[rng.randrange(n)]
        if letter.text in _CONFUSED:
            letter.text = rng.choice(_CONFUSED[letter.text])
        elif letter.text != " " and rng.random() < 0.3:
            letter.text = ""
    if letters[-1].text == ":" and rng.random() < 0.25 * scan.blanks:
        letters[-1].text = ""
    for i in range(1, n - 1):
        if letters[i].text == " " and rng.random() < scan.blanks * _LOST.get(
            (_kind(letters[i - 1]), _kind(letters[i + 1])), _LOST_ELSEWHERE
        ):
            letters[i].text = ""
    if n > 6 and rng.random() < 0.03 * scan.blanks:  # a blank too many
        letter = letters[rng.randrange(1, n)]
        letter.text = f" {letter.text.strip()}"
    return wrong


def _kind(letter: _Letter) -> str:
    char = letter.text[:1]
    return "D" if char.isdigit() else "L" if char.isalpha() else char


def _words(letters: list[_Letter]) -> Iterator[list[_Letter]]:
    """Runs of letters without a blank."""
    word: list[_Letter] = []
    for letter in letters:
        if letter.text[:1] == " " and word:
            yield word
            word = []
        if letter.text != " ":
            word.append(
                letter if letter.text[:1] != " " else _Letter(letter.text[1:], letter.left, letter.right, letter.mark)
            )
    if word:
        yield word


def _owners(word: list[_Letter]) -> tuple[Mark | None, ...]:
    return tuple(letter.mark for letter in word for _ in letter.text)


def _turn(found: list[Spot], angle: float, ratio: float) -> None:
    """Turn the page a little around its middle; a box is the upright rectangle around the turned one."""
    tan = math.tan(angle) * ratio  # in heights of the page per width of it
    for spot in found:
        level = spot.level
        down = (level.left + level.width / 2 - 0.5) * tan
        grown = abs(level.width * tan) / 2
        aside = -(level.top + level.height / 2 - 0.5) * math.tan(angle) / ratio
        spot.box = Box(
            *(
                min(1.0, max(0.0, v))
                for v in (
                    level.left + aside,
                    level.top + down - grown,
                    level.right + aside,
                    level.bottom + down + grown,
                )
            )
        )
