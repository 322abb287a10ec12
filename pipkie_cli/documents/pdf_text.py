"""The characters of a PDF page with place, size, visibility, cleaned for every later reader."""

import ctypes
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pipkie_cli.documents.limits import MAX_GLYPHS, MIN_GLYPH_PT
from pipkie_cli.documents.pdf_hidden import Found, ink_test
from pipkie_cli.documents.pdf_place import Frame
from pipkie_cli.nouns import Box, Glyph, Problem

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_STROKED_ONLY = (1, 5)  # text render modes (PDF 32000-1, table 106)
_NOT_PAINTED = (3, 7)
_HYPHEN = 0x02  # pdfium's sign for a hyphen at the end of a line
_LOST = "\ufffd"
_HALF = re.compile("[\ud800-\udfff]")
_WHITE_SPACE = (0x09, 0x0A, 0x0D)
_NO_CHARACTERS = (0xFFFD, 0xFFFE, 0xFFFF)


class _Look(NamedTuple):
    """What all characters of one text object share."""

    painted: bool
    size_pt: float
    embedded: bool  # its font: pdfium can draw all of it, else perhaps only ASCII


class _Calls:
    """pdfium functions bound to plain addresses: twice as fast per call as the generated bindings, and made once."""

    def __init__(self) -> None:
        import pypdfium2.raw as raw

        def bind(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
            address = ctypes.cast(function, ctypes.c_void_p).value or 0
            bound: Callable[..., Any] = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *arguments)(address)
            return bound

        integer, pointer = ctypes.c_int, ctypes.c_void_p
        self.unicode = bind(raw.FPDFText_GetUnicode, ctypes.c_uint, integer)
        self.loose_box = bind(raw.FPDFText_GetLooseCharBox, integer, integer, pointer)
        self.tight_box = bind(raw.FPDFText_GetCharBox, integer, integer, *[pointer] * 4)
        self.text_object = bind(raw.FPDFText_GetTextObject, pointer, integer)
        self.map_error = bind(raw.FPDFText_HasUnicodeMapError, integer, integer)
        self.is_hyphen = bind(raw.FPDFText_IsHyphen, integer, integer)
        self.font_size = bind(raw.FPDFText_GetFontSize, ctypes.c_double, integer)
        self.matrix = bind(raw.FPDFText_GetMatrix, integer, integer, pointer)
        self.font = bind(raw.FPDFTextObj_GetFont, pointer)
        self.embedded = bind(raw.FPDFFont_GetIsEmbedded, integer)
        self.mode = bind(raw.FPDFTextObj_GetTextRenderMode, integer)
        self.fill = bind(raw.FPDFPageObj_GetFillColor, integer, *[pointer] * 4)
        self.stroke = bind(raw.FPDFPageObj_GetStrokeColor, integer, *[pointer] * 4)


_calls: list[_Calls] = []


def read_glyphs(page: "pdfium.PdfPage", frame: Frame, page_index: int) -> tuple[tuple[Glyph, ...], tuple[Problem, ...]]:
    """The characters on the page as displayed, in the file's order. Those off the page are dropped.

    White space is kept, also what pdfium generates between words and lines. Raises PdfiumError, DamagedFile.
    """
    text_page = page.get_textpage()
    try:
        n_glyphs = text_page.count_chars()
        problems: tuple[Problem, ...] = ()
        if n_glyphs > MAX_GLYPHS:
            message = f"page {page_index + 1}: only the first {MAX_GLYPHS} characters were read"
            problems = (Problem("text_cut", message),)
        address = ctypes.cast(text_page.raw, ctypes.c_void_p).value or 0
        found = _collect(address, min(n_glyphs, MAX_GLYPHS), frame) if n_glyphs else []
    finally:
        text_page.close()
    return tuple(_joined(ink_test(page, found))), problems


def _collect(text_page: int, n_glyphs: int, frame: Frame) -> list[Found]:
    """All characters with their boxes. Four calls each, in four tight loops; colour, mode and size once per object."""
    if not _calls:
        _calls.append(_Calls())
    calls = _calls[0]
    every = range(n_glyphs)
    unicode, text_object, map_error = calls.unicode, calls.text_object, calls.map_error
    codes = [unicode(text_page, index) for index in every]
    owners = [text_object(text_page, index) for index in every]
    unmapped = [map_error(text_page, index) > 0 for index in every]
    looks: dict[int, _Look] = {}
    for index, owner in enumerate(owners):
        if owner and owner not in looks:
            looks[owner] = _look(calls, text_page, index, owner)
    found: list[Found] = []
    look, last = _Look(True, 0.0, True), None
    for index, box in enumerate(_loose_boxes(calls, text_page, n_glyphs, frame)):
        owner = owners[index]
        if owner:  # characters that pdfium generated have no object: they look like the one before
            look = looks[owner]
        code = codes[index]
        text, mapped = (chr(code), True) if 0x20 <= code < 0xD800 else _clean(calls, text_page, index, code)
        if box is None:
            box = _other_box(calls, text_page, index, frame, text, last)
        else:
            last = box
        if box is not None and 0.0 <= box.left + box.right <= 2.0 and 0.0 <= box.top + box.bottom <= 2.0:
            glyph = Glyph(text, box, look.size_pt, look.painted, mapped and not unmapped[index])
            judged = look.painted and text.isalnum() and (look.embedded or text.isascii())
            found.append(Found(glyph, owner, judged))
    return found


def _loose_boxes(calls: _Calls, text_page: int, n_glyphs: int, frame: Frame) -> list[Box | None]:
    """Line-height boxes on the page as displayed, cut at its border where they stand across it; None: no area."""
    import numpy as np

    sides = np.zeros((n_glyphs, 4), dtype=np.float32)  # FS_RECTF: left, top, right, bottom
    start, step = sides.ctypes.data, sides.strides[0]
    loose_box = calls.loose_box
    for index in range(n_glyphs):
        loose_box(text_page, index, start + index * step)
    left, top, right, bottom = sides.astype(np.float64).T
    xs = (frame.a * left + frame.c * bottom + frame.e, frame.a * right + frame.c * top + frame.e)
    ys = (frame.b * left + frame.d * bottom + frame.f, frame.b * right + frame.d * top + frame.f)
    x0, y0, x1, y1 = np.minimum(*xs), np.minimum(*ys), np.maximum(*xs), np.maximum(*ys)
    here = (x0 + x1 >= 0.0) & (x0 + x1 <= 2.0) & (y0 + y1 >= 0.0) & (y0 + y1 <= 2.0)
    columns = [np.where(here, side.clip(0.0, 1.0), side).tolist() for side in (x0, y0, x1, y1)]
    flat = ((left == right) | (top == bottom)).tolist()
    return [None if empty else Box(*row) for empty, *row in zip(flat, *columns, strict=True)]


def _look(calls: _Calls, text_page: int, index: int, owner: int) -> _Look:
    """Size in points as painted, and whether mode, opacity and size let it be seen at all."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    size = float(calls.font_size(text_page, index))
    if calls.matrix(text_page, index, ctypes.addressof(matrix)):
        size *= (matrix.c**2 + matrix.d**2) ** 0.5
    size = abs(size)
    mode = calls.mode(owner)
    if mode in _NOT_PAINTED or size < MIN_GLYPH_PT:
        return _Look(False, size, False)
    channels = (ctypes.c_uint * 4)()
    start, step = ctypes.addressof(channels), ctypes.sizeof(ctypes.c_uint)
    colour = calls.stroke if mode in _STROKED_ONLY else calls.fill
    opaque = not colour(owner, start, start + step, start + 2 * step, start + 3 * step) or channels[3] > 0
    font = calls.font(owner)
    return _Look(opaque, size, bool(font) and calls.embedded(font) == 1)


def _other_box(calls: _Calls, text_page: int, index: int, frame: Frame, text: str, last: Box | None) -> Box | None:
    """For a character without a line-height box: its ink; white space stands at the end of the one before."""
    sides = (ctypes.c_double * 4)()
    start, step = ctypes.addressof(sides), ctypes.sizeof(ctypes.c_double)
    if calls.tight_box(text_page, index, start, start + step, start + 2 * step, start + 3 * step):
        left, right, bottom, top = sides
        if left != right and top != bottom:
            return frame.box(left, bottom, right, top)
    if last is None or not text.isspace():
        return None
    return Box(last.right, last.top, last.right, last.bottom)


def _clean(calls: _Calls, text_page: int, index: int, code: int) -> tuple[str, bool]:
    """A rare character and whether it is one: NUL is nothing, a control character is lost."""
    if code == _HYPHEN and calls.is_hyphen(text_page, index):
        return "-", True
    if code == 0:
        return "", False
    if code > 0x10FFFF or (code < 0x20 and code not in _WHITE_SPACE) or code in _NO_CHARACTERS:
        return _LOST, False
    return chr(code), True  # also half of a surrogate pair: `_joined` sees to it


def _joined(glyphs: list[Glyph]) -> list[Glyph]:
    """Halves of surrogate pairs become one character; a lone half is lost (no UTF-8 writer takes it)."""
    if not _HALF.search("".join([glyph.text for glyph in glyphs])):
        return glyphs
    whole: list[Glyph] = []
    waiting: Glyph | None = None
    for glyph in glyphs:
        low = "\udc00" <= glyph.text <= "\udfff"
        if waiting is not None and low:
            pair = (waiting.text + glyph.text).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            whole[-1] = Glyph(pair, waiting.box.union(glyph.box), waiting.size_pt, waiting.visible, waiting.mapped)
            waiting = None
            continue
        high = "\ud800" <= glyph.text <= "\udbff"
        waiting = glyph if high else None
        lone = Glyph(_LOST, glyph.box, glyph.size_pt, glyph.visible, False) if high or low else glyph
        whole.append(lone)
    return whole
