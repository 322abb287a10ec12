"""One recognised line -> its words with boxes. Geometry only: no engine, no file.

A line's *frame* is its four corners in the order in which it is read (start-top, end-top, end-bottom, start-bottom),
in pixels of the upright picture; its *crop* is the picture between them, laid level.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pipkie_cli.nouns import Box
from pipkie_cli.words.clean import clean_text, narrow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float32]  # (4, 2)

SKEW_MIN_PX = 200  # shorter lines tell too little about the angle
SKEW_MIN_LINES = 3
SKEW_MAX = 0.26  # radians, 15 degrees: beyond it the detector's corners are not in order
BAND = (0.05, 0.9)  # of the line's height: what is looked at for gaps; the rest holds rules and other lines
BLANK = 0.3  # of the line's ink contrast: a column below it is paper
SLACK = 0.15  # of a character: how far its column may be off its middle


class OcrWord(NamedTuple):
    """A word of a line. `level` is its box after the whole picture was laid level, for the reading order only."""

    text: str
    box: Box
    level: Box


@dataclass(frozen=True, slots=True)
class OcrLine:
    """Words from left to right with the recogniser's score of the line."""

    words: tuple[OcrWord, ...]
    score: float


class Sheet(NamedTuple):
    """The upright picture that frames lie on."""

    width_px: int
    height_px: int
    skew: float  # radians, clockwise on the screen: what its lines are off level


def reading_frame(quad: "Points", runs_down: bool, over: bool) -> "Points":
    """The corners in reading order: of a line that runs down the page, and of one that was read turned over."""
    import numpy as np

    frame = np.roll(quad, -1, axis=0) if runs_down else quad
    return np.roll(frame, 2, axis=0) if over else frame


def skew_of(quads: "NDArray[np.float32]", wide: "NDArray[np.float32]", high: "NDArray[np.float32]") -> float:
    """Median angle of the long lines in radians, 0 where there are too few."""
    import numpy as np

    long = (wide > SKEW_MIN_PX) & (wide > 4 * high)
    if int(long.sum()) < SKEW_MIN_LINES:
        return 0.0
    across = (quads[long, 1] - quads[long, 0]) + (quads[long, 2] - quads[long, 3])
    angle = float(np.median(np.arctan2(across[:, 1], across[:, 0])))
    return angle if abs(angle) <= SKEW_MAX else 0.0


def words_of_line(
    text: str, columns: tuple[int, ...], n_columns: float, crop: "NDArray[np.uint8]", frame: "Points", sheet: Sheet
) -> tuple[OcrWord, ...]:
    """The line's text cut at its own spaces; left and right ends from the characters' columns and the paper between.

    `columns`: the recogniser's column of each character that is not a space, out of `n_columns` across the crop.
    """
    text = narrow(text)
    parts = text.split()
    total = sum(map(len, parts))
    if len(columns) != total:  # the engine dropped or doubled a character: spread them evenly
        columns, n_columns = tuple(range(total)), float(total)
    centres = [(column + 0.5) / n_columns for column in columns]
    spans: list[tuple[float, float]] = []
    start = 0
    for part in parts:
        spans.append((centres[start], centres[start + len(part) - 1]))
        start += len(part)
    words = []
    for part, (left, right) in zip(parts, _extents(spans, total, crop), strict=True):
        cleaned = clean_text(part)
        if cleaned:
            words.append(OcrWord(cleaned, *_boxes(frame, left, right, sheet)))
    return tuple(words)


def _extents(
    spans: list[tuple[float, float]], n_characters: int, crop: "NDArray[np.uint8]"
) -> list[tuple[float, float]]:
    """Left and right end of each word along the line, 0 to 1, from its outer characters' centres."""
    paper = _paper(crop)
    n = len(paper)
    slack = SLACK * (spans[-1][1] - spans[0][0]) / max(n_characters - 1, 1)
    ink = paper.argmin(), n - paper[::-1].argmin()  # paper everywhere gives 0 and n: the whole crop
    lefts, rights = [min(float(ink[0]), spans[0][0] * n)], []
    for (_, last), (first, _) in pairwise(spans):
        right, left = _gap(paper, (last - slack) * n, (first + slack) * n)
        rights.append(right)
        lefts.append(left)
    rights.append(max(float(ink[1]), spans[-1][1] * n))
    return [(a / n, b / n) for a, b in zip(lefts, rights, strict=True)]


def _paper(crop: "NDArray[np.uint8]") -> "NDArray[np.bool_]":
    """Per column of the crop: True where no ink stands."""
    import numpy as np

    grey = crop.mean(axis=2) if crop.ndim == 3 else crop
    rows = grey[int(BAND[0] * len(grey)) : max(int(BAND[1] * len(grey)), int(BAND[0] * len(grey)) + 1)]
    off = np.abs(rows - np.median(grey)).max(axis=0)
    paper: NDArray[np.bool_] = off < BLANK * np.percentile(off, 90)
    return paper


def _gap(paper: "NDArray[np.bool_]", low: float, high: float) -> tuple[float, float]:
    """First and last column of the widest stretch of paper between two words, or their middle where they touch."""
    a, b = max(0, int(low)), min(len(paper), round(high))
    widest, start = (0, 0), a
    for i in range(a, b + 1):
        if i == b or not paper[i]:
            widest = max(widest, (i - start, start))
            start = i + 1
    length, start = widest
    if length <= 0:
        return (low + high) / 2, (low + high) / 2
    return float(start), float(start + length)


def _boxes(frame: "Points", left: float, right: float, sheet: Sheet) -> tuple[Box, Box]:
    """The word's own part of the frame as a box, and the same after the sheet was laid level."""
    import numpy as np

    top, bottom = (frame[0], frame[1]), (frame[3], frame[2])
    corners = np.array([a + (b - a) * u for u in (left, right) for a, b in (top, bottom)])
    centre = np.array([sheet.width_px, sheet.height_px]) / 2
    cos, sin = np.cos(sheet.skew), np.sin(sheet.skew)
    level = (corners - centre) @ np.array([[cos, -sin], [sin, cos]]) + centre
    return _around(corners, sheet, inside=True), _around(level, sheet, inside=False)


def _around(corners: "NDArray[np.float64]", sheet: Sheet, *, inside: bool) -> Box:
    low, high = corners.min(axis=0), corners.max(axis=0)
    box = (low[0] / sheet.width_px, low[1] / sheet.height_px, high[0] / sheet.width_px, high[1] / sheet.height_px)
    return Box(*(min(1.0, max(0.0, float(v))) if inside else float(v) for v in box))
