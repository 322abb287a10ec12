"""Where raster images are painted on a PDF page."""

import ctypes
from typing import TYPE_CHECKING, Any

from pipkie_cli.documents.limits import MAX_FORM_DEPTH, MAX_OBJECTS
from pipkie_cli.documents.pdf_place import Frame, clipped
from pipkie_cli.nouns import Box

if TYPE_CHECKING:
    import pypdfium2 as pdfium

Matrix = tuple[float, float, float, float, float, float]


def image_boxes(page: "pdfium.PdfPage", frame: Frame) -> tuple[Box, ...]:
    """Boxes on the page as displayed, also of images inside form XObjects; clip paths are ignored."""
    import pypdfium2.raw as raw

    boxes = []
    n_objects = min(raw.FPDFPage_CountObjects(page.raw), MAX_OBJECTS)
    top = [raw.FPDFPage_GetObject(page.raw, index) for index in range(n_objects)]
    pending: list[tuple[Any, Matrix, int]] = [(item, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0) for item in reversed(top)]
    budget = MAX_OBJECTS
    while pending and budget > 0:
        item, outer, depth = pending.pop()
        budget -= 1
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            box = clipped(_unit_square(_times(_matrix(item), outer), frame))
            if box is not None and box.width > 0 and box.height > 0:
                boxes.append(box)
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < MAX_FORM_DEPTH:
            inner = _times(_matrix(item), outer)
            for index in range(min(raw.FPDFFormObj_CountObjects(item), budget)):
                pending.append((raw.FPDFFormObj_GetObject(item, index), inner, depth + 1))
    return tuple(boxes)


def _matrix(item: Any) -> Matrix:
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix)):
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    ta, tb, tc, td, te, tf = then
    return (
        a * ta + b * tc,
        a * tb + b * td,
        c * ta + d * tc,
        c * tb + d * td,
        e * ta + f * tc + te,
        e * tb + f * td + tf,
    )


def _unit_square(matrix: Matrix, frame: Frame) -> Box:
    """An image fills the unit square of its own matrix (PDF 32000-1, 8.9.5.1)."""
    a, b, c, d, e, f = matrix
    xs = (e, e + a, e + c, e + a + c)
    ys = (f, f + b, f + d, f + b + d)
    return frame.box(min(xs), min(ys), max(xs), max(ys))
