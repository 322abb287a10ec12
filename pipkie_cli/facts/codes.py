"""Barcodes and QR codes of a page, decoded from the same picture that OCR reads; drawn for it alone only where it pays.

zxing-cpp decodes. Measured on 59 pages of 200 dpi, of one core: QR codes alone 7 ms a page, every kind 51 ms, drawing
a page with pdfium 41 ms. So:
- A template with a key of type `barcode`: every page is drawn, every kind of code is looked for.
- A template with a key whose term a payment code can state: QR codes alone, on pages that are drawn to be read (scans,
  photos), and on those with a text layer that hold a picture about as wide as high, or print an IBAN: a payment code
  has one, and whoever prints the code prints it too.
- Any other template: nothing is looked for.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError
from pipkie_cli.facts.limits import MAX_CODE_CHARS, MAX_CODES
from pipkie_cli.facts.payment import PAYMENT_TERMS
from pipkie_cli.nouns import Box, Code, Key, Page, Place, Problem, SourcePage, Template

if TYPE_CHECKING:
    import numpy as np

BARCODE = "barcode"  # the type of a key that a code on the page fills
QR = ("QRCode",)
KINDS = (  # on papers of trade; not those of film, and not Telepen, which a hatching may look like
    "EAN13", "EAN8", "UPCA", "UPCE", "Code128", "Code39", "Code93", "Codabar", "ITF", "DataBar", "DataBarExp",
    "DataMatrix", "QRCode", "MicroQRCode", "Aztec", "PDF417",
)  # fmt: skip
SQUARE = 1.25  # longer side by shorter, at most: a QR code with an uneven margin or a caption
SMALLEST = 0.04  # of the page's shorter side: 8 mm on A4, where the smallest code that a till reads has 10
_IBAN = re.compile(r"\bIBAN\b|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3}")

log = logging.getLogger(__name__)


class CodeReader:
    """Reads the pages of one document, and the codes on them; one page at a time, in order."""

    def __init__(self, templates: Sequence[Template]) -> None:
        keys = [one for template in templates for key in template.keys for one in (key, *key.columns)]
        self._every_kind = any(key.type == BARCODE for key in keys)
        self._payment = any(_may_be_paid(key) for key in keys)
        self.codes: list[Code] = []
        self.problems: list[Problem] = []

    @property
    def revision(self) -> str:
        """What it looks for and what decides what it finds, for a cache; "" where it looks for nothing."""
        if not (self._every_kind or self._payment):
            return ""
        code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
        kinds = "every kind" if self._every_kind else "payment"
        return f"{kinds}, zxing-cpp {version('zxing-cpp')}, {MAX_CODES} of {MAX_CODE_CHARS}, code {code}"

    def read_page(self, source: SourcePage, read: Callable[[SourcePage], Page]) -> Page:
        """The page as `read` reads it; its codes are kept. The picture is made once, and not held on to."""
        if not (self._every_kind or self._payment):
            return read(source)
        picture = _Picture(source)
        page = read(replace(source, raster=picture))
        if page.rasterizer is None and not (self._every_kind or _may_hold_payment(source, page)):
            return page
        try:
            pixels = picture()
        except DocumentError as error:
            if all(problem.code != "page_unreadable" for problem in page.problems):
                message = f"page {source.page_index + 1}: no code was looked for: {error.message}"
                self.problems.append(Problem("codes_not_read", message))
            return page
        self.codes += decode(pixels, source.page_index + 1, self._every_kind)
        return page


class _Picture:
    """The raster of a page, made once."""

    def __init__(self, source: SourcePage) -> None:
        self._source = source
        self._pixels: np.ndarray[Any, Any] | None = None

    @property
    def rasterizer(self) -> str:
        return self._source.rasterized_by

    def __call__(self) -> "np.ndarray[Any, Any]":
        if self._pixels is None:
            self._pixels = self._source.raster()
        return self._pixels


def _may_be_paid(key: Key) -> bool:
    return key.term in PAYMENT_TERMS


def _may_hold_payment(source: SourcePage, page: Page) -> bool:
    """Whether a page that was read without a picture may show a payment code."""
    return any(_may_be_code(box, source) for box in source.image_boxes) or bool(
        _IBAN.search(" ".join(word.text for word in page.words))
    )


def _may_be_code(box: Box, source: SourcePage) -> bool:
    width, height = box.width * source.width, box.height * source.height
    shorter, longer = sorted((width, height))
    return longer <= SQUARE * shorter and shorter >= SMALLEST * min(source.width, source.height)


def decode(pixels: "np.ndarray[Any, Any]", page_number: int, every_kind: bool) -> list[Code]:
    """The codes of a picture (H, W, 3) uint8, of the page as displayed, from top to bottom."""
    import numpy as np
    import zxingcpp

    green = np.ascontiguousarray(pixels[:, :, 1])  # of the colours the nearest to what the eye calls bright
    formats = zxingcpp.BarcodeFormats([getattr(zxingcpp.BarcodeFormat, kind) for kind in (KINDS if every_kind else QR)])
    found = zxingcpp.read_barcodes(
        green,
        formats=formats,
        try_rotate=every_kind,  # a QR code is found however it lies
        try_invert=False,
        text_mode=zxingcpp.TextMode.Plain,
    )
    height, width = green.shape
    codes = [
        Code(str(one.format), text, Place(page_number, (_box(one.position, width, height),)))
        for one in found[:MAX_CODES]
        if one.valid and (text := _text(one)) and len(text) <= MAX_CODE_CHARS
    ]
    return sorted(codes, key=lambda code: (code.place.boxes[0].top, code.place.boxes[0].left))


def _text(code: Any) -> str:
    """The content: UTF-8 where it is that, else what the decoder made of it; without NUL, which no database takes."""
    try:
        text = bytes(code.bytes).decode("utf-8")
    except UnicodeDecodeError:
        text = str(code.text)
    return text.replace("\0", "")


def _box(position: Any, width: int, height: int) -> Box:
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    across, down = [corner.x / width for corner in corners], [corner.y / height for corner in corners]
    return Box(max(min(across), 0.0), max(min(down), 0.0), min(max(across), 1.0), min(max(down), 1.0))
