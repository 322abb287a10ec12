"""Raster -> lines of words, on the upright picture, whichever way up it comes.

In: (H, W, 3) uint8 RGB. Out: words with boxes in fractions of the upright picture. Which way is up is decided for the
whole picture, never line by line (notes with figures stand at the constants). It does not order the words.
"""

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipkie_cli.nouns import Turn
from pipkie_cli.words.clean import is_cjk
from pipkie_cli.words.ocr_engine import Reading, crop_line, nets
from pipkie_cli.words.ocr_lines import OcrLine, Sheet, reading_frame, skew_of, words_of_line
from pipkie_cli.words.ocr_lone import lone_boxes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Raster = NDArray[np.uint8]
    Quads = NDArray[np.float32]

MAX_AREA_PX = 2.83e6  # of what lines are cut from, A4 at 2000 px: print of 6 points is 16 px high then, enough
MIN_SIDE_PX = 32  # thinner pictures get paper around them: the detector takes steps of that size
MIN_SCORE = 0.5  # lines below are noise (the engine's own limit)
LONE_SCORE = 0.6  # of a digit that stands alone: below, one in three is a stain
INK_SIDE_PX = 1000  # longest side of the picture in which ink is looked for
INK_CONTRAST = 28  # grey levels off the surrounding paper; JPEG noise stays below 20
INK_PX = 12  # less than one small letter: blank paper
FAINT_CONTRAST = 10  # margins are cut off for the detector only where nothing at all is seen
FAINT_PX = 3  # in a row or column; specks of dust are smaller
MARGIN_PX = 12  # paper left around the ink

SIDEWAYS = 1.5  # height / width from which a detected box is a line that runs up or down
SIDEWAYS_SHARE = 0.5  # upright pages 0.00, turned ones 0.97 to 1.00
PROBES = 8  # longest lines that decide which way is up
PROBE_MAX_RATIO = 14  # longer ones cost more and tell no more
SURE = 0.8  # mean score of the probes above which nobody asks for the turned ones (right side 0.88 to 0.99)
UNSURE = 0.6  # a line that runs up or down on an upright page is read both ways below this score
MARGIN = 0.05  # by which the turned probes must be better
LEGIBLE = 0.7  # mean score of the winning side, and
EVIDENCE = 8  # characters it must have: the noise of a photograph reads as a few letters either way up


@dataclass(frozen=True, slots=True)
class OcrPage:
    """The lines of one picture, on the upright picture."""

    turn: Turn  # degrees clockwise from the picture as given to the upright one
    lines: tuple[OcrLine, ...]
    blank: bool = False  # white, black or softly shaded paper: nothing is printed on it


def read_raster(raster: "Raster", turn: Turn | None = None) -> OcrPage:
    """The lines of a picture. `turn` given: that is the way up; None: found out from the lines themselves."""
    import numpy as np

    image = turned(_fit(np.ascontiguousarray(raster[..., ::-1])), turn or 0)
    printed = _printed_part(image)
    if printed is None:
        return OcrPage(turn or 0, (), True)
    reader = _Reader(image, printed)
    found: Turn = turn or 0
    if turn is None:
        found = reader.turn()
        if found:
            image = turned(image, found)
            reader = _Reader(image, _printed_part(image) or printed)
    return OcrPage(found, reader.lines())


def _printed_part(image: "Raster") -> tuple[slice, slice] | None:
    """Rows and columns that hold all ink, or None on blank paper. Most pages are a quarter margin."""
    import cv2
    import numpy as np

    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    height, width = grey.shape
    scale = min(1.0, INK_SIDE_PX / max(height, width))
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))
    paper = cv2.medianBlur(grey, 31) if min(grey.shape) >= 31 else np.full_like(grey, np.median(grey))
    off = _pixels(cv2.absdiff(grey, paper))
    if int((off > INK_CONTRAST).sum()) < INK_PX:
        return None
    return _extent(off, 1, height), _extent(off, 0, width)


def _extent(off: "Raster", axis: int, size_px: int) -> slice:
    """From the first to the last row (axis 1) or column (axis 0) with anything on it, in pixels of the picture."""
    import numpy as np

    marked = np.flatnonzero((off > FAINT_CONTRAST).sum(axis=axis) >= FAINT_PX)
    if not len(marked):
        return slice(0, size_px)
    scale = size_px / off.shape[1 - axis]
    first, last = int(marked[0] * scale) - MARGIN_PX, round((int(marked[-1]) + 1) * scale) + MARGIN_PX
    return slice(max(0, first), min(size_px, last))


def turned(raster: "Raster", turn: int) -> "Raster":
    """The picture turned clockwise by 0, 90, 180 or 270 degrees, exactly."""
    import numpy as np

    return np.ascontiguousarray(np.rot90(raster, -turn // 90))


def _fit(image: "Raster") -> "Raster":
    """Shrink what is too large. By area: by the longest side the print of a till roll would become unreadable."""
    import cv2

    height, width = image.shape[:2]
    scale = math.sqrt(MAX_AREA_PX / (height * width))
    if scale >= 1:
        return image
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return _pixels(cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def _pixels(array: Any) -> "Raster":
    import numpy as np

    return np.ascontiguousarray(array, np.uint8)


class _Reader:
    """One picture on its way through the engine: boxes first, then each line once."""

    def __init__(self, image: "Raster", printed: tuple[slice, slice]) -> None:
        self.height_px, self.width_px = image.shape[:2]
        self.image = self._padded(image)
        self.quads = nets().detect(self.image, printed)
        self._readings: dict[int, Reading] = {}
        self._crops: dict[int, Raster] = {}

    @staticmethod
    def _padded(image: "Raster") -> "Raster":
        import cv2

        missing = [max(0, MIN_SIDE_PX - side) for side in image.shape[:2]]
        if not any(missing):
            return image
        return _pixels(cv2.copyMakeBorder(image, 0, missing[0], 0, missing[1], cv2.BORDER_REPLICATE))

    def _crop(self, index: int) -> "Raster":
        if index not in self._crops:
            self._crops[index] = crop_line(self.image, self.quads[index])
        return self._crops[index]

    def reading(self, index: int) -> Reading:
        if index not in self._readings:
            self._readings[index] = nets().read(self._crop(index))
        return self._readings[index]

    def turn(self) -> Turn:
        """Which turn makes this picture upright: do lines run up or down, then the longest lines read both ways."""
        import numpy as np

        if not len(self.quads):
            return 0
        wide, high = sides(self.quads)
        length = np.maximum(wide, high) / np.maximum(np.minimum(wide, high), 1)
        runs_down = high > SIDEWAYS * wide
        sideways = float(length[runs_down].sum() / length.sum()) > SIDEWAYS_SHARE
        probes = [int(i) for i in np.argsort(-length) if runs_down[i] == sideways and length[i] < PROBE_MAX_RATIO]
        probes = probes[:PROBES]
        if not probes:
            return 0
        as_is = [self.reading(i) for i in probes]
        over = [] if _mean_score(as_is) > SURE else [nets().read(_half_turn(self._crop(i))) for i in probes]
        flipped = bool(over) and _mean_score(over) > _mean_score(as_is) + (0 if sideways else MARGIN)
        best = over if flipped else as_is
        text = "".join(reading.text for reading in best)
        if _mean_score(best) < LEGIBLE or len(text) < EVIDENCE:
            return 0
        if sideways and sum(map(is_cjk, text)) > len(text) / 2:
            return 0  # written in columns
        if sideways:  # crops of such lines are turned a quarter to the left before they are read
            return 90 if flipped else 270
        return 180 if flipped else 0

    def lines(self) -> tuple[OcrLine, ...]:
        """Every line with its words, on this picture."""
        wide, high = sides(self.quads)
        sheet = Sheet(self.width_px, self.height_px, skew_of(self.quads, wide, high))
        lines = [self._line(i, bool(high[i] > wide[i]), sheet) for i in range(len(self.quads))]
        lines += [self._lone(quad, sheet) for quad in lone_boxes(self.image, self.quads)]
        return tuple(line for line in lines if line)

    def _lone(self, quad: "NDArray[np.float32]", sheet: Sheet) -> OcrLine | None:
        """A digit that the detector left out; anything else that is read there is a stain or a piece of a picture."""
        crop = crop_line(self.image, quad)
        reading = nets().read(crop)
        if reading.score < LONE_SCORE or not re.fullmatch("[0-9]", reading.text):
            return None
        return OcrLine(
            words_of_line(reading.text, reading.columns, reading.n_columns, crop, quad, sheet), reading.score
        )

    def _line(self, index: int, tall: bool, sheet: Sheet) -> OcrLine | None:
        reading, crop, over = self.reading(index), self._crop(index), False
        runs_down = tall and crop.shape[1] > crop.shape[0]  # the engine has turned the crop a quarter to the left
        if runs_down and reading.score < UNSURE:
            other_crop = _half_turn(crop)
            other = nets().read(other_crop)
            if other.score > reading.score:
                reading, crop, over = other, other_crop, True
        if reading.score < MIN_SCORE or not reading.text.strip():
            return None
        frame = reading_frame(self.quads[index], runs_down, over)
        words = words_of_line(reading.text, reading.columns, reading.n_columns, crop, frame, sheet)
        return OcrLine(words, reading.score) if words else None


def _mean_score(readings: list[Reading]) -> float:
    return sum(reading.score for reading in readings) / len(readings)


def _half_turn(crop: "Raster") -> "Raster":
    return _pixels(crop[::-1, ::-1])


def sides(quads: "Quads") -> tuple["NDArray[np.float32]", "NDArray[np.float32]"]:
    """Mean width and height of each quad, in pixels."""
    import numpy as np

    if not len(quads):
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    edges = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2
