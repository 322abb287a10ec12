"""Which characters leave a mark on the page: white on white and text under a painted bar do not."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pipkie_cli.documents.pdf_raster import draw, raster_scale
from pipkie_cli.errors import DocumentError
from pipkie_cli.nouns import Box, Glyph

if TYPE_CHECKING:
    import numpy as np
    import pypdfium2 as pdfium

_DPI = 72
_MAX_PX = 4_000_000  # an A4 page at 72 dpi has half a million
_MIN_HEIGHT_PX = 3.0  # smaller ones (on sheets larger than A0) cannot be judged and stay visible
_ACROSS, _DOWN = 0.1, 0.25  # margins of a box that are not looked at: there a bar may end
_GRID = 7  # points across and down: at 72 dpi print of 12 pt is 6 to 8 pixels wide, larger print has thicker strokes
_SLIM_PX = (
    4.0  # an l or 1 narrower than this may fill its box with ink: a pixel of paper on either side is looked at too
)
_CONTRAST = 8  # of 255 grey levels within it; thin 6 pt print in light grey shows about 25


class Found(NamedTuple):
    """A character, the text object it belongs to (None: generated) and whether its own ink can be looked for."""

    glyph: Glyph
    owner: int | None
    judged: bool


def ink_test(page: "pdfium.PdfPage", found: list[Found]) -> list[Glyph]:
    """Marks as invisible what a small picture of the page does not show.

    A letter or digit shows when grey levels differ inside the middle of its box; other signs of its text object may
    have their ink elsewhere and follow it. If the page cannot be drawn, nothing is changed.
    """
    glyphs = [one.glyph for one in found]
    judged = [index for index, one in enumerate(found) if one.judged]
    if not judged:
        return glyphs
    width, height = page.get_size()
    try:
        grey = draw(page, raster_scale(width, height, dpi=_DPI, max_px=_MAX_PX), "the page", grey=True)
    except DocumentError:
        return glyphs
    shown = dict(zip(judged, _leaves_ink(grey, [glyphs[index].box for index in judged]), strict=True))
    if all(shown.values()):
        return glyphs
    shown |= dict.fromkeys(_lone(shown, found), True)
    hiding: int | None = None  # the text object whose last letter left no ink
    for index, (glyph, owner, _) in enumerate(found):
        if index in shown:
            hiding = None if shown[index] else owner
        elif owner is not None and owner != hiding:
            hiding = None
        if hiding is not None and glyph.visible:
            glyphs[index] = replace(glyph, visible=False)
    return glyphs


def _lone(shown: dict[int, bool], found: list[Found]) -> list[int]:
    """Letters without ink between two of the same text object that have some: strokes that fill their box, as the
    first l of "Mill" at 9 pt. What hides text hides more than one letter.
    """
    return [
        index
        for index, has_ink in shown.items()
        if not has_ink
        and shown.get(index - 1)
        and shown.get(index + 1)
        and found[index - 1].owner == found[index].owner == found[index + 1].owner
    ]


def _leaves_ink(grey: "np.ndarray[Any, Any]", boxes: list[Box]) -> list[bool]:
    """Per box whether grey levels differ on a grid of points in its middle; a bar as high as the print covers those."""
    import numpy as np

    levels = grey.reshape(grey.shape[0], grey.shape[1], -1)[:, :, 0]
    high, wide = levels.shape
    left, top, right, bottom = np.array([(b.left, b.top, b.right, b.bottom) for b in boxes]).T[:, :, None]
    slim = (right - left) * wide < _SLIM_PX
    left, right = left - slim / wide, right + slim / wide
    columns = ((left + (right - left) * np.linspace(_ACROSS, 1 - _ACROSS, _GRID)) * wide).astype(int)
    rows = ((top + (bottom - top) * np.linspace(_DOWN, 1 - _DOWN, _GRID)) * high).astype(int)
    points = levels[rows.clip(0, high - 1)[:, :, None], columns.clip(0, wide - 1)[:, None, :]]
    points = points.reshape(len(boxes), -1)
    shows = points.max(axis=1) - points.min(axis=1) > _CONTRAST
    judged = (bottom - top)[:, 0] * high >= _MIN_HEIGHT_PX
    return [bool(one) for one in shows | ~judged]
