"""From PDF points (origin bottom left, before /Rotate) to fractions of the page as displayed."""

import ctypes
from typing import TYPE_CHECKING, NamedTuple

from pipkie_cli.nouns import Box

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_GRID = 1_000_000  # FPDF_PageToDevice answers in whole pixels: a page of a million keeps six digits


class Frame(NamedTuple):
    """An affine map: left = a x + c y + e, top = b x + d y + f, in fractions of the page as displayed."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle in points as a box, not clipped; the map turns by quarter turns only."""
        x0, y0 = self.a * left + self.c * bottom + self.e, self.b * left + self.d * bottom + self.f
        x1, y1 = self.a * right + self.c * top + self.e, self.b * right + self.d * top + self.f
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def page_frame(page: "pdfium.PdfPage") -> Frame | None:
    """The map of a page; knows /Rotate, CropBox and odd origins. None for a page without area."""
    import pypdfium2.raw as raw

    width, height = page.get_size()
    bounds = raw.FS_RECTF()
    if not (width > 0 and height > 0) or not raw.FPDF_GetPageBoundingBox(page.raw, bounds):
        return None
    wide, high = bounds.right - bounds.left, bounds.top - bounds.bottom
    if not (wide > 0 and high > 0):
        return None

    def place(x: float, y: float) -> tuple[float, float]:
        across, down = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page.raw, 0, 0, _GRID, _GRID, 0, x, y, across, down)
        return across.value / _GRID, down.value / _GRID

    x0, y0 = place(bounds.left, bounds.bottom)
    x1, y1 = place(bounds.right, bounds.bottom)
    x2, y2 = place(bounds.left, bounds.top)
    a, b, c, d = (x1 - x0) / wide, (y1 - y0) / wide, (x2 - x0) / high, (y2 - y0) / high
    return Frame(a, b, c, d, x0 - a * bounds.left - c * bounds.bottom, y0 - b * bounds.left - d * bounds.bottom)


def clipped(box: Box) -> Box | None:
    """The part of a box that lies on the page, or None."""
    left, top, right, bottom = max(box.left, 0.0), max(box.top, 0.0), min(box.right, 1.0), min(box.bottom, 1.0)
    return Box(left, top, right, bottom) if left <= right and top <= bottom else None
