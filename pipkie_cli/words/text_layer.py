"""Text layer -> words, and whether it is real. Glyphs come in as `documents` gives them; no pixel is looked at here.

Boxes of glyphs are fractions of the page as displayed; boxes of the words that leave are fractions of the upright
page. No order: pdfium's own order changes with /Rotate.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple
from unicodedata import bidirectional, category

from pipkie_cli.nouns import Box, Glyph, Turn
from pipkie_cli.words.clean import clean_text, is_cjk, is_undecoded
from pipkie_cli.words.plausible import implausible

SMALLEST_PT = 2.0  # print below is not for people
UNDECODED_SHARE = 0.05  # of the layer's glyphs; more and nothing of it is trusted
HOLE_GLYPHS = 3  # undecoded glyphs in a row that make a hole, to be read by OCR; fewer are bullets and icons
GAP = 0.5  # of the glyph's height: pdfium puts a space itself where a smaller gap means one
OVERHANG = 0.6  # of the height that a glyph may reach back into the one before
SAME_ROW = 0.5  # of the lower glyph: two glyphs on one line share at least this much
NEAR = 2.5  # glyph heights between two centres that tell the direction of writing
VOTES = 3  # glyph pairs that a turned direction needs
LEADER = 4  # equal dots, dashes or underscores in a row: a leader between label and value, a word of its own
LEADER_SIGNS = frozenset(".·…_-–—=*")
ALT_GLYPHS = 4  # characters in one and the same box: the description of an icon (a ligature has 3 at most)
DOUBLE = 0.8  # shared area of two equal words that were painted twice to look bold
BANDS = 256  # of the page's height in which equal words are looked for...
BAND_WORDS = 200  # ...and how many of them in one: bounds the time on a page of nothing but one word
LONGEST_WORD = 500  # letters; what is longer is cut: nobody prints it, and no later reader must be ready for it


class LayerWord(NamedTuple):
    """A word of the text layer, on the upright page."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class TextLayer:
    """What the text layer says. `rejected` is the reason why it is not used; there are no words then."""

    words: tuple[LayerWord, ...]
    turn: Turn
    n_glyphs: int  # visible, on the page, no white space
    rejected: str | None = None
    holes: tuple[Box, ...] = ()  # on the upright page: visible print that the layer does not decode


class _Letter(NamedTuple):
    """A visible glyph in units of the page's own size, on the upright page. White space has text ' '."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def read_text_layer(glyphs: Sequence[Glyph], width: float, height: float) -> TextLayer:
    """Words of one page. `width`, `height` of the page as displayed, in points."""
    seen = [g for g in glyphs if _is_space(g.text) or (g.visible and _on_page(g.box) and _large(g, width, height))]
    seen = list(_without_descriptions(seen))
    printed = [g for g in seen if not _is_space(g.text)]
    if not printed:
        hidden = sum(1 for g in glyphs if not _is_space(g.text) and g.text)
        return TextLayer((), 0, 0, "none of it is visible" if hidden else None)
    turn = _direction(seen, width, height)
    share = sum(map(_bad, printed)) / len(printed)
    if share > UNDECODED_SHARE:
        return TextLayer((), turn, len(printed), f"{share:.0%} of its characters have no Unicode")
    letters = [_letter(g, turn, width, height) for g in seen]
    upright = (width, height) if turn in (0, 180) else (height, width)
    words = _without_doubles(word for word in (_word(run, *upright) for run in _runs(letters)) if word.text)
    reason = implausible(" ".join(word.text for word in words))
    if reason is not None:
        return TextLayer((), turn, len(printed), reason)
    return TextLayer(tuple(words), turn, len(printed), None, tuple(_holes(letters, *upright)))


def _is_space(text: str) -> bool:
    return text != "" and (text.isspace() or text == "\u3000")


def _on_page(box: Box) -> bool:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return 0 <= x <= 1 and 0 <= y <= 1


def _large(glyph: Glyph, width: float, height: float) -> bool:
    return max(glyph.box.width * width, glyph.box.height * height) >= SMALLEST_PT


def _without_descriptions(glyphs: Sequence[Glyph]) -> Iterator[Glyph]:
    """Leave out text that only describes one small picture ('(phone)' behind an icon): it is not printed."""
    for _, group in groupby(glyphs, key=lambda glyph: glyph.box):
        same = list(group)
        described = len(same) >= ALT_GLYPHS and any(glyph.text.isascii() and glyph.text.isalnum() for glyph in same)
        yield from same[:1] if described and not same[0].text.isascii() else () if described else same


def _bad(glyph: Glyph) -> bool:
    return not glyph.mapped or is_undecoded(glyph.text)


def _direction(glyphs: Sequence[Glyph], width: float, height: float) -> Turn:
    """The turn that makes most of the text run from left to right. Neighbours in the stream vote."""
    votes: Counter[Turn] = Counter()
    last: Glyph | None = None
    for glyph in glyphs:
        if _is_space(glyph.text):
            last = None
            continue
        if last is not None and not (_any_way(glyph.text) or _any_way(last.text)):
            dx = (glyph.box.left + glyph.box.right - last.box.left - last.box.right) / 2 * width
            dy = (glyph.box.top + glyph.box.bottom - last.box.top - last.box.bottom) / 2 * height
            size = max(glyph.box.width * width, glyph.box.height * height)
            if 0 < abs(dx) + abs(dy) < NEAR * size:
                if abs(dx) > 2 * abs(dy):
                    votes[0 if dx > 0 else 180] += 1
                elif abs(dy) > 2 * abs(dx):
                    votes[270 if dy > 0 else 90] += 1
        last = glyph
    if not votes:
        return 0
    turn, count = max(votes.items(), key=lambda item: (item[1], -item[0]))
    return turn if count >= VOTES else 0


def _any_way(text: str) -> bool:
    """Letters that do not run from left to right, or need not: they do not vote."""
    return text == "" or is_cjk(text[0]) or bidirectional(text[0]) in ("R", "AL", "AN", "NSM")


def _letter(glyph: Glyph, turn: Turn, width: float, height: float) -> _Letter:
    box = turn_upright(glyph.box, turn)
    w, h = (width, height) if turn in (0, 180) else (height, width)
    text = " " if _is_space(glyph.text) else ("\ufffd" if _bad(glyph) else glyph.text)
    return _Letter(text, box.left * w, box.top * h, box.right * w, box.bottom * h)


def turn_upright(box: Box, turn: Turn) -> Box:
    """The inverse of `Box.as_displayed`: a place on the displayed page as a place on the upright page."""
    back: dict[Turn, Turn] = {0: 0, 90: 270, 180: 180, 270: 90}
    return box.as_displayed(back[turn])


def _runs(letters: Sequence[_Letter]) -> Iterator[list[_Letter]]:
    """Letters of one word each: cut at white space, at gaps, at line changes, around leaders."""
    run: list[_Letter] = []
    for letter in letters:
        if letter.text == " ":
            if run:
                yield from _without_leaders(run)
            run = []
        elif run and (len(run) == LONGEST_WORD or not _continues(run, letter)):
            yield from _without_leaders(run)
            run = [letter]
        else:
            run.append(letter)
    if run:
        yield from _without_leaders(run)


def _continues(run: Sequence[_Letter], letter: _Letter) -> bool:
    """Whether `letter` stands right behind the word so far: where its script runs, or up or down the page."""
    last = run[-1]
    if letter[1:] == last[1:] or category(letter.text[0]) in ("Mn", "Me"):
        return True  # one glyph that stands for several characters; an accent of its own
    height = min(letter.bottom - letter.top, last.bottom - last.top)
    tall = max(letter.bottom - letter.top, last.bottom - last.top)
    shared = min(letter.bottom, last.bottom) - max(letter.top, last.top)
    if height > 0 and shared >= SAME_ROW * height:
        if -OVERHANG * tall <= letter.left - last.right <= GAP * tall and letter.right > last.left:
            return True
        if bidirectional(letter.text[0]) in ("R", "AL", "NSM"):
            return -OVERHANG * tall <= last.left - letter.right <= GAP * tall
    width = min(letter.right - letter.left, last.right - last.left)
    broad = max(letter.right - letter.left, last.right - last.left)
    if width > 0 and min(letter.right, last.right) - max(letter.left, last.left) >= SAME_ROW * width:
        reach = GAP * broad
        down = -reach / 2 <= letter.top - last.bottom <= reach
        up = -reach / 2 <= last.top - letter.bottom <= reach
        return _same_way(run, down, up, broad, tall)
    return False


def _same_way(run: Sequence[_Letter], down: bool, up: bool, broad: float, tall: float) -> bool:
    """Side notes: a letter below or above the last one goes on only in a word that runs that way.

    Letters that lie on their side are broader than tall; two short lines of upright letters are not.
    """
    if not (down or up):
        return False
    if len(run) >= 2:
        moved = (run[-1].top - run[-2].top) * (1 if down else -1)
        same_column = abs(run[-1].left - run[-2].left) < 0.5 * broad
        return moved > 0 and same_column
    return broad > 1.1 * tall or is_cjk(run[-1].text[0])


def _without_leaders(run: list[_Letter]) -> Iterator[list[_Letter]]:
    """The word, cut around rows of equal dots or dashes ('Total......12.00' is three words)."""
    start, i = 0, 0
    while i < len(run):
        j = i
        while j < len(run) and run[j].text == run[i].text:
            j += 1
        if j - i >= LEADER and run[i].text in LEADER_SIGNS:
            if i > start:
                yield run[start:i]
            yield run[i:j]
            start = j
        i = j
    if start < len(run):
        yield run[start:]


def _word(run: Sequence[_Letter], width: float, height: float) -> LayerWord:
    return LayerWord(clean_text("".join(letter.text for letter in run)), _around(run, width, height))


def _around(run: Sequence[_Letter], width: float, height: float) -> Box:
    left, top = min(letter.left for letter in run) / width, min(letter.top for letter in run) / height
    right, bottom = max(letter.right for letter in run) / width, max(letter.bottom for letter in run) / height
    return Box(*(min(1.0, max(0.0, v)) for v in (left, top, right, bottom)))


def _holes(letters: Sequence[_Letter], width: float, height: float) -> Iterator[Box]:
    run: list[_Letter] = []
    for letter in [*letters, _Letter(" ", 0, 0, 0, 0)]:
        if letter.text == "\ufffd":
            run.append(letter)
            continue
        if len(run) >= HOLE_GLYPHS:
            yield _around(run, width, height)
        run = []


def _without_doubles(words: Iterable[LayerWord]) -> list[LayerWord]:
    """Words painted twice a hair apart, to look bold, count once."""
    kept: dict[tuple[str, int], list[LayerWord]] = defaultdict(list)  # by text and band of the page
    out: list[LayerWord] = []
    for word in words:
        same = kept.get((word.text, _band((word.box.top + word.box.bottom) / 2)), ())  # a double's middle lies in both
        if all(shared_share(word.box, other.box) < DOUBLE for other in same[-BAND_WORDS:]):
            out.append(word)
            for band in range(_band(word.box.top), _band(word.box.bottom) + 1):
                kept[word.text, band].append(word)
    return out


def _band(y: float) -> int:
    return min(BANDS, max(0, int(y * BANDS)))


def shared_share(box: Box, other: Box) -> float:
    """Which part of `box` lies under `other`, 0 to 1."""
    across = min(box.right, other.right) - max(box.left, other.left)
    down = min(box.bottom, other.bottom) - max(box.top, other.top)
    if across <= 0 or down <= 0:
        return 0.0
    return across * down / max(box.width * box.height, 1e-12)
