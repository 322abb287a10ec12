"""Which characters leave a mark on the page: white on white and text under a painted bar do not."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

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
_CONTRAST = 8  # of 255 grey levels between neighbours; thin 6 pt print in light grey shows about 25


def ink_test(page: "pdfium.PdfPage", glyphs: list[Glyph], what: str) -> list[Glyph]:
    """Marks as invisible what a small picture of the page does not show.

    A letter or digit shows when grey levels differ inside the middle of its box; other signs may have their ink
    elsewhere and follow the last letter before them. If the page cannot be drawn, nothing is changed.
    """
    asked = [i for i, glyph in enumerate(glyphs) if glyph.visible and glyph.text.isalnum()]
    if not asked:
        return glyphs
    width, height = page.get_size()
    scale = raster_scale(width, height, dpi=_DPI, max_px=_MAX_PX)
    try:
        grey = draw(page, scale, what, grey=True)
    except DocumentError:
        return glyphs
    shown = dict(zip(asked, _leaves_ink(grey, [glyphs[index].box for index in asked]), strict=True))
    if all(shown.values()):
        return glyphs
    seen = True
    marked = []
    for index, glyph in enumerate(glyphs):
        seen = shown.get(index, seen)
        marked.append(glyph if seen or not glyph.visible else replace(glyph, visible=False))
    return marked


def _leaves_ink(grey: "np.ndarray[Any, Any]", boxes: list[Box]) -> list[bool]:
    """Per box whether neighbouring pixels differ in its middle, which a bar of the height of the print covers too."""
    import numpy as np

    levels = grey.reshape(grey.shape[0], grey.shape[1], -1)[:, :, 0].astype(np.int16)
    high, wide = levels.shape
    edges = np.zeros((high, wide), dtype=np.int32)
    edges[:, 1:] = np.abs(np.diff(levels, axis=1)) > _CONTRAST
    edges[1:] |= np.abs(np.diff(levels, axis=0)) > _CONTRAST
    sums = np.zeros((high + 1, wide + 1), dtype=np.int32)  # of all edges above and left: a box costs four look-ups
    np.cumsum(edges, axis=0, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], axis=1, out=sums[1:, 1:])
    left, top, right, bottom = (
        np.array(side) for side in zip(*[(b.left, b.top, b.right, b.bottom) for b in boxes], strict=True)
    )
    x0, x1 = _middle(left * wide, right * wide, _ACROSS, wide)
    y0, y1 = _middle(top * high, bottom * high, _DOWN, high)
    ink = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
    judged = (bottom - top) * high >= _MIN_HEIGHT_PX
    return [bool(shows) for shows in (ink > 0) | ~judged]


def _middle(
    start: "np.ndarray[Any, Any]", end: "np.ndarray[Any, Any]", margin: float, limit: int
) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
    """Pixel ranges without a margin (of the length) at both ends, at least two pixels long where the page allows."""
    import numpy as np

    inset = (end - start) * margin
    first = np.clip(np.ceil(start + inset).astype(int), 0, max(limit - 2, 0))
    last = np.clip(np.floor(end - inset).astype(int), first + min(2, limit), limit)
    return first, last
