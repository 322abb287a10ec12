"""Which characters leave a mark on the page: white on white and text under a painted bar do not."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pipkie_cli.documents.pdf_raster import draw
from pipkie_cli.errors import DocumentError
from pipkie_cli.nouns import Glyph

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_DPI = 72
_MAX_PX = 1_000_000  # an A4 page at 72 dpi has half a million
_CONTRAST = 8  # of 255 grey levels between neighbours; thin 6 pt print in light grey shows about 25


def ink_test(page: "pdfium.PdfPage", glyphs: list[Glyph], what: str) -> list[Glyph]:
    """Marks as invisible what a small picture of the page does not show.

    A letter or digit shows when grey levels differ inside the middle of its box; other signs may have their ink
    elsewhere and follow the last letter before them. If the page cannot be drawn, nothing is changed.
    """
    asked = [i for i, glyph in enumerate(glyphs) if glyph.visible and glyph.text.isalnum()]
    if not asked:
        return glyphs
    import math

    import numpy as np

    width, height = page.get_size()
    scale = min(_DPI / 72, math.sqrt(_MAX_PX / (width * height)))
    try:
        grey = draw(page, scale, what, grey=True)
    except DocumentError:
        return glyphs
    if grey.ndim == 3:
        grey = grey.max(axis=2)
    high, wide = grey.shape
    edges = np.zeros((high, wide), dtype=bool)
    edges[:, 1:] = np.abs(np.diff(grey.astype(np.int16), axis=1)) > _CONTRAST
    edges[1:] |= np.abs(np.diff(grey.astype(np.int16), axis=0)) > _CONTRAST
    total = np.zeros((high + 1, wide + 1), dtype=np.int32)
    total[1:, 1:] = edges.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    boxes = np.array([(g.box.left, g.box.top, g.box.right, g.box.bottom) for g in (glyphs[i] for i in asked)])
    x0, y0 = np.floor(boxes[:, 0] * wide).astype(int), np.floor(boxes[:, 1] * high).astype(int)
    x1, y1 = np.ceil(boxes[:, 2] * wide).astype(int), np.ceil(boxes[:, 3] * high).astype(int)
    x1, y1 = np.minimum(np.maximum(x1, x0 + 1), wide), np.minimum(np.maximum(y1, y0 + 1), high)
    ink = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    shown = dict(zip(asked, (ink > 0).tolist(), strict=True))
    if all(shown.values()):
        return glyphs
    seen = True
    marked = []
    for index, glyph in enumerate(glyphs):
        seen = shown.get(index, seen)
        marked.append(glyph if seen or not glyph.visible else replace(glyph, visible=False))
    return marked
