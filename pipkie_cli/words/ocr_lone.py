"""Single digits that stand apart in a row of print, which the detector of lines leaves out.

The detector looks for lines: of a quantity `1` left of an item's name it sees next to nothing (0.00 to 0.15 where 0.3
counts), and a receipt loses the whole column. Here such a digit is found as ink: as high as the print of a line beside
it, on that line's level, with paper around it. What it says is left to the recogniser. Geometry only: no engine.

On the 220 photos of wildreceipt's train part 102 of 646 single digits were lost, and on 121 scans of sroie's train part
56 of 256; 53 and 38 of them come back, and 9 and 1 are read that the transcription does not hold alone.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Raster = NDArray[np.uint8]
    Quads = NDArray[np.float32]
    Numbers = NDArray[np.float64]

MIN_LINE_PX = 6  # lower print is not read
MIN_CONTRAST = 25  # grey levels of the print off its paper: what is fainter drowns in the noise of a photograph
INK = 0.45  # of the print's contrast
HEIGHT = (0.4, 1.0)  # of a line's box, which has paper above and below: a digit is about 0.6 of it
WIDTH = (0.06, 0.75)
MIN_FILL = 0.2  # of its box: specks and rings of dust are emptier
APART = 0.4  # of the line's height between the line's end and the digit: nearer ones the detector has seen
LEVEL = 0.22  # of the line's height that its middle may be off the line's
AROUND = 0.7  # of the line's height to both sides without
OTHER_INK = 0.35  # of the digit's own ink
LARGE_PRINT = 2.2  # of the usual height: beside a heading stands no quantity
SLOPE = 0.15
PAPER = 0.35  # of its height around the crop, as the detector leaves
MOST = 200  # a page with more has a texture
MOST_PIECES = 10_000  # of ink that are looked at, of any place


def lone_boxes(image: "Raster", quads: "Quads") -> "Quads":
    """Corners of what may be lone digits (n, 4, 2) in pixels of `image` (BGR), as `Nets.detect` gives them."""
    import numpy as np

    nothing = np.zeros((0, 4, 2), np.float32)
    left, right = (quads[:, 0] + quads[:, 3]) / 2, (quads[:, 1] + quads[:, 2]) / 2
    wide = np.linalg.norm(right - left, axis=1)
    high = (np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)) / 2
    flat = (wide > high) & (np.abs(right[:, 1] - left[:, 1]) < SLOPE * wide)
    usual = float(np.median(high[flat])) if flat.any() else 0.0
    if usual < MIN_LINE_PX:
        return nothing
    ink, lines = _ink(image, quads, usual)
    pieces = _pieces(ink, usual)
    if len(pieces) > MOST_PIECES:
        return nothing
    found = np.zeros(len(pieces), bool)
    for a, b, h in zip(left[flat], right[flat], high[flat], strict=True):
        if h < LARGE_PRINT * usual:
            found |= _beside(pieces, a, b, h)
    chosen = [piece for piece in pieces[found] if _is_alone(piece, ink, lines)]
    if not 0 < len(chosen) <= MOST:
        return nothing
    return np.stack([_corners(piece, image.shape[1], image.shape[0]) for piece in chosen])


def _ink(image: "Raster", quads: "Quads", usual: float) -> tuple["Raster", "Raster"]:
    """Where ink stands outside of all lines (0 or 1), and where lines are (0 or 255)."""
    import cv2
    import numpy as np

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    lines: Any = np.zeros(grey.shape, np.uint8)
    for quad in quads:
        cv2.fillPoly(lines, [quad.astype(np.int32)], 255)
    side = int(1.5 * usual) | 1
    paper = cv2.blur(cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), (side, side))
    off = cv2.subtract(paper, grey)
    inside = off[lines > 0]
    contrast = float(np.percentile(inside, 92)) if len(inside) else 0.0
    ink: Any = (off > INK * contrast).astype(np.uint8) if contrast >= MIN_CONTRAST else np.zeros_like(grey)
    ink[cv2.dilate(lines, np.ones((3, 3), np.uint8)) > 0] = 0
    return ink, lines


def _pieces(ink: "Raster", usual: float) -> "Numbers":
    """x, y, width, height and area (n, 5) of the pieces of ink that have about the size of a character, in pixels."""
    import cv2
    import numpy as np

    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    pieces = np.asarray(stats[1:], np.float64)
    width, height, area = pieces[:, 2], pieces[:, 3], pieces[:, 4]
    fits = (height >= max(MIN_LINE_PX, HEIGHT[0] * usual / 2)) & (height <= LARGE_PRINT * usual)
    kept: Numbers = pieces[fits & (width <= LARGE_PRINT * usual) & (area >= MIN_FILL * width * height)]
    return kept


def _beside(pieces: "Numbers", left: "NDArray[np.float32]", right: "NDArray[np.float32]", high: float) -> Any:
    """Which pieces (n,) have a character's size in the line from `left` to `right` and stand on its level."""
    import numpy as np

    x, y = pieces[:, 0] + pieces[:, 2] / 2, pieces[:, 1] + pieces[:, 3] / 2
    before = x < left[0]
    apart = np.where(before, left[0] - x, x - right[0]) >= APART * high
    slope = (right[1] - left[1]) / max(float(right[0] - left[0]), 1.0)
    level = np.where(before, left[1] + (x - left[0]) * slope, right[1] + (x - right[0]) * slope)
    size = (HEIGHT[0] * high <= pieces[:, 3]) & (pieces[:, 3] <= HEIGHT[1] * high)
    size &= (WIDTH[0] * high <= pieces[:, 2]) & (pieces[:, 2] <= WIDTH[1] * high)
    return apart & size & (np.abs(level - y) <= LEVEL * high)


def _is_alone(piece: "Numbers", ink: "Raster", lines: "Raster") -> bool:
    """Whether there is paper to both sides of a piece, and no line close by."""
    x, y, width, height = (int(n) for n in piece[:4])
    rows = slice(max(0, y - height // 8), y + height + height // 8)
    far, near = round(AROUND * height / 0.65), round(APART * height)  # a line is a third higher than its digits
    if ink[rows, max(0, x - far) : x + width + far].sum() > (1 + OTHER_INK) * piece[4]:
        return False
    return not lines[rows, max(0, x - near) : x + width + near].any()


def _corners(piece: "Numbers", width_px: int, height_px: int) -> "NDArray[np.float32]":
    import numpy as np

    x, y, width, height = piece[:4]
    edge = PAPER * height
    xs, ys = (
        np.clip((x - edge, x + width + edge), 0, width_px - 1),
        np.clip((y - edge, y + height + edge), 0, height_px - 1),
    )
    return np.array([(xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])], np.float32)
