"""The characters of a PDF page with place, size, visibility, cleaned for every later reader."""

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pipkie_cli.documents.limits import MAX_GLYPHS, MIN_GLYPH_PT
from pipkie_cli.documents.pdf_hidden import ink_test
from pipkie_cli.documents.pdf_place import Frame
from pipkie_cli.nouns import Box, Glyph, Problem

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_STROKED_ONLY = (1, 5)  # text render modes (PDF 32000-1, table 106)
_NOT_PAINTED = (3, 7)
_HYPHEN = 0x02  # pdfium's sign for a hyphen at the end of a line
_LOST = "\ufffd"


class _Look(NamedTuple):
    """What all characters of one text object share."""

    painted: bool
    size_pt: float


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
        self.mode = bind(raw.FPDFTextObj_GetTextRenderMode, integer)
        self.fill = bind(raw.FPDFPageObj_GetFillColor, integer, *[pointer] * 4)
        self.stroke = bind(raw.FPDFPageObj_GetStrokeColor, integer, *[pointer] * 4)


_calls: list[_Calls] = []


def read_glyphs(page: "pdfium.PdfPage", frame: Frame, what: str) -> tuple[tuple[Glyph, ...], tuple[Problem, ...]]:
    """The characters on the page as displayed, in the file's order. Those off the page are dropped.

    White space is kept, also what pdfium generates between words and lines. Raises PdfiumError, DamagedFile.
    """
    text_page = page.get_textpage()
    try:
        n_glyphs = text_page.count_chars()
        problems: tuple[Problem, ...] = ()
        if n_glyphs > MAX_GLYPHS:
            message = f"page {what.rpartition(' ')[2]}: only the first {MAX_GLYPHS} characters were read"
            problems = (Problem("text_cut", message),)
        address = ctypes.cast(text_page.raw, ctypes.c_void_p).value
        glyphs = _collect(address, min(n_glyphs, MAX_GLYPHS), frame) if n_glyphs else []
    finally:
        text_page.close()
    return tuple(_joined(ink_test(page, glyphs, what))), problems


def _collect(text_page: int | None, n_glyphs: int, frame: Frame) -> list[Glyph]:
    """One pass over the characters; colours and modes are asked once per text object, as they cannot differ within."""
    import pypdfium2.raw as raw

    if not _calls:
        _calls.append(_Calls())
    calls = _calls[0]
    unicode, loose_box, text_object, map_error = calls.unicode, calls.loose_box, calls.text_object, calls.map_error
    rect = raw.FS_RECTF()
    rect_address = ctypes.addressof(rect)
    a, b, c, d, e, f = frame
    looks: dict[int, _Look] = {}
    nowhere = _Look(True, 0.0)
    look, last_box = nowhere, None
    glyphs: list[Glyph] = []
    for index in range(n_glyphs):
        code = unicode(text_page, index)
        owner = text_object(text_page, index)
        if owner:  # characters that pdfium generated have no object: they share the look of the one before
            known = looks.get(owner)
            look = looks[owner] = known if known is not None else _look(calls, text_page, index, owner)
        text, mapped = _clean(code)
        if code == _HYPHEN and calls.is_hyphen(text_page, index):
            text, mapped = "-", True
        elif map_error(text_page, index) > 0:
            mapped = False
        box = None
        if loose_box(text_page, index, rect_address):
            left, top, right, bottom = rect.left, rect.top, rect.right, rect.bottom
            if left != right and top != bottom:
                x0, y0 = a * left + c * bottom + e, b * left + d * bottom + f
                x1, y1 = a * right + c * top + e, b * right + d * top + f
                box = Box(x0 if x0 < x1 else x1, y0 if y0 < y1 else y1, x1 if x0 < x1 else x0, y1 if y0 < y1 else y0)
        if box is None:
            box = _other_box(calls, text_page, index, frame, text, last_box)
            if box is None:
                continue
        else:
            last_box = box
        middle_x, middle_y = box.left + box.right, box.top + box.bottom
        if not (0.0 <= middle_x <= 2.0 and 0.0 <= middle_y <= 2.0):
            continue
        if box.left < 0.0 or box.top < 0.0 or box.right > 1.0 or box.bottom > 1.0:
            box = Box(max(box.left, 0.0), max(box.top, 0.0), min(box.right, 1.0), min(box.bottom, 1.0))
        glyphs.append(Glyph(text, box, look.size_pt, look.painted, mapped))
    return glyphs


def _look(calls: _Calls, text_page: int | None, index: int, owner: int) -> _Look:
    """Size in points as painted, and whether mode, opacity and size let it be seen at all."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    size = float(calls.font_size(text_page, index))
    if calls.matrix(text_page, index, ctypes.addressof(matrix)):
        size *= (matrix.c**2 + matrix.d**2) ** 0.5
    size = abs(size)
    mode = calls.mode(owner)
    if mode in _NOT_PAINTED or size < MIN_GLYPH_PT:
        return _Look(False, size)
    channels = (ctypes.c_uint * 4)()
    start, step = ctypes.addressof(channels), ctypes.sizeof(ctypes.c_uint)
    colour = calls.stroke if mode in _STROKED_ONLY else calls.fill
    opaque = not colour(owner, start, start + step, start + 2 * step, start + 3 * step) or channels[3] > 0
    return _Look(opaque, size)


def _other_box(
    calls: _Calls, text_page: int | None, index: int, frame: Frame, text: str, last: Box | None
) -> Box | None:
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


def _clean(code: int) -> tuple[str, bool]:
    """A character and whether it is one: NUL is nothing, a control character or half of a pair is lost."""
    if code == 0:
        return "", False
    if 0xD800 <= code <= 0xDFFF:
        return chr(code), True  # joined or replaced in `_joined`
    if code > 0x10FFFF or (code < 0x20 and code not in (0x09, 0x0A, 0x0D)) or code in (0xFFFE, 0xFFFF, 0xFFFD):
        return _LOST, False
    return chr(code), True


def _joined(glyphs: list[Glyph]) -> list[Glyph]:
    """Halves of surrogate pairs become one character; a lone half is lost (no UTF-8 writer takes it)."""
    if not any("\ud800" <= glyph.text <= "\udfff" for glyph in glyphs if len(glyph.text) == 1):
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
