"""A PDF page as a picture, as displayed, capped in pixels: through poppler where it is installed, else pdfium."""

import math
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pipkie_cli.documents.limits import (
    MAX_RASTER_PX,
    MAX_RASTER_SIDE_PX,
    MIN_RASTER_SIDE_PX,
    POPPLER_TIMEOUT_S,
    RASTER_DPI,
)
from pipkie_cli.documents.source import FileBytes
from pipkie_cli.errors import DamagedFile, TooLarge
from pipkie_cli.nouns import POPPLER_FAILED

if TYPE_CHECKING:
    import numpy as np
    import pypdfium2 as pdfium

SAME_SHAPE = 0.02  # largest relative difference between the two rasterizers' pages; rounding of small pages is below


def raster_scale(width_pt: float, height_pt: float, dpi: float = RASTER_DPI, max_px: float = MAX_RASTER_PX) -> float:
    """Pixels per point: `dpi`, more for a tiny page, less where the picture would pass the limits of pixels or side."""
    long_side = max(width_pt, height_pt)
    scale = max(dpi / 72, MIN_RASTER_SIDE_PX / long_side)
    scale = min(scale, math.sqrt(max_px / (width_pt * height_pt)), MAX_RASTER_SIDE_PX / long_side)
    return scale * (1 - 1e-9)  # 4000.0000000001 pixels would be rounded up


@lru_cache(maxsize=1)
def poppler_installed() -> bool:
    return shutil.which("pdftoppm") is not None and shutil.which("pdfinfo") is not None


@dataclass(slots=True)
class Poppler:
    """Poppler for one document. A page that it draws too slowly is its last: each more would cost as much again."""

    source: FileBytes
    usable: bool = field(default_factory=poppler_installed)
    asked: bool = False

    def draw(self, page_index: int, width_px: int, height_px: int) -> "np.ndarray[Any, Any] | None":
        """(H, W, 3) uint8 RGB, or None: not usable, failed, too slow, or another shape of page."""
        if not self.usable or not self.source.unchanged():
            return None
        from pdf2image import convert_from_path, pdfinfo_from_path
        from pdf2image import exceptions as failures

        path = str(self.source.path.absolute())  # a name that begins with a dash would be an option
        try:
            if not self.asked:  # pdf2image asks the same, but waits for ever
                pdfinfo_from_path(path, timeout=POPPLER_TIMEOUT_S)
                self.asked = True
            number = page_index + 1
            (picture,) = convert_from_path(
                path,
                first_page=number,
                last_page=number,
                size=max(width_px, height_px),  # of the longer side: the only size that /Rotate does not confuse
                use_cropbox=True,
                strict=True,
                timeout=POPPLER_TIMEOUT_S,
            )
        except failures.PDFPopplerTimeoutError:
            self.usable = False
            return None
        except (
            failures.PDFInfoNotInstalledError,
            failures.PDFPageCountError,
            failures.PDFSyntaxError,
            OSError,
            ValueError,  # no picture at all
            subprocess.SubprocessError,
        ):
            return None
        pairs = ((picture.width, width_px), (picture.height, height_px))
        if any(abs(got - wanted) > max(2.0, SAME_SHAPE * wanted) for got, wanted in pairs):
            return None
        import numpy as np

        return np.asarray(picture.convert("RGB"))


class PageRaster:
    """Draws one page when called; `rasterizer` then says what drew it."""

    def __init__(self, page: "pdfium.PdfPage", page_index: int, shown: str, poppler: Poppler) -> None:
        self._page: pdfium.PdfPage | None = page
        self._page_index = page_index
        self._shown = shown
        self._poppler = poppler
        self.rasterizer = "poppler" if poppler.usable else "pdfium"

    def __call__(self) -> "np.ndarray[Any, Any]":
        """(H, W, 3) uint8 RGB; raises DamagedFile or TooLarge."""
        if self._page is None:
            raise ValueError("the page was closed: a page is valid until the next one is asked for")
        width_pt, height_pt = self._page.get_size()
        scale = raster_scale(width_pt, height_pt)
        width_px, height_px = max(1, round(width_pt * scale)), max(1, round(height_pt * scale))
        drawn = self._poppler.draw(self._page_index, width_px, height_px)
        if drawn is not None:
            self.rasterizer = "poppler"
            return drawn
        if self.rasterizer != "pdfium":
            self.rasterizer = POPPLER_FAILED
        return draw(self._page, scale, f"{self._shown}, page {self._page_index + 1}")

    def close(self) -> None:
        self._page = None


def draw(page: "pdfium.PdfPage", scale: float, what: str, grey: bool = False) -> "np.ndarray[Any, Any]":
    """pdfium's picture of a page with forms and annotations, RGB or grey; raises DamagedFile or TooLarge."""
    import pypdfium2 as pdfium

    try:
        bitmap = page.render(scale=scale, rev_byteorder=True, grayscale=grey)
        pixels: np.ndarray[Any, Any] = bitmap.to_numpy().copy()  # the view dies with the bitmap
        bitmap.close()
    except (MemoryError, OverflowError) as error:
        raise TooLarge(f"{what} is too large to draw", hint="print it to PDF at a common paper size") from error
    except (pdfium.PdfiumError, ValueError) as error:  # ValueError: a page of no size
        raise DamagedFile(f"{what} cannot be drawn", hint="open it in a viewer and print it to PDF") from error
    return pixels
