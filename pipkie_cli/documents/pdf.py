"""PDF through pypdfium2: opening, doubts about the document, pages with forms and annotations painted in."""

import logging
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipkie_cli.documents import pdf_probe
from pipkie_cli.documents.pdf_pictures import image_boxes
from pipkie_cli.documents.pdf_place import page_frame
from pipkie_cli.documents.pdf_raster import PageRaster, Poppler
from pipkie_cli.documents.pdf_repair import with_trailer
from pipkie_cli.documents.pdf_text import read_glyphs
from pipkie_cli.documents.source import FileBytes
from pipkie_cli.errors import DamagedFile, DocumentError, NoPages, PdfEncrypted, TooLarge
from pipkie_cli.nouns import Problem, SourcePage

if TYPE_CHECKING:
    import pypdfium2 as pdfium

_HIDDEN_ON_SCREEN = 0x02 | 0x20  # annotation flags Hidden and NoView (PDF 32000-1, table 165)
_PORTFOLIO = re.compile(rb"/Collection\b")


class PdfReader:
    """An opened PDF. One page is open at a time: PDFium is not thread safe and pages are large."""

    rasterizer = "pdfium"

    def __init__(self, source: FileBytes, passwords: Sequence[str]) -> None:
        import pypdfium2 as pdfium
        import pypdfium2.raw as raw

        logging.getLogger("pypdfium2").setLevel(logging.ERROR)  # it warns of XFA on stderr; here that is a problem
        self._shown = source.shown
        self._pdf, password, repaired = _open(source, passwords)
        try:
            self._pdf.init_forms()  # before any page is loaded: values without an appearance are drawn only then
        except pdfium.PdfiumError as error:
            self._pdf.close()
            hint = "open it in a viewer and print it to PDF"
            raise DamagedFile(f"{source.shown}: its form cannot be loaded", hint=hint) from error
        self._forms = pdf_probe.may_hold_forms(source.data)
        self._page: pdfium.PdfPage | None = None
        self._raster: PageRaster | None = None
        self.page_count = len(self._pdf)
        if self.page_count < 1:
            self._pdf.close()
            raise _no_pages(source.shown)
        rebuilt = repaired or not raw.FPDF_DocumentHasValidCrossReferenceTable(self._pdf.raw)
        self.problems = _doubts(self._pdf, source.data, rebuilt)
        self._poppler = Poppler(source)
        # A password on a command line is readable by everybody on the machine; poppler repairs in ways of its own.
        if password or rebuilt:
            self._poppler.usable = False

    def load(self, page_index: int) -> SourcePage:
        self._close_page()
        import pypdfium2 as pdfium

        what = f"{self._shown}, page {page_index + 1}"
        if self._forms and not pdf_probe.loads(lambda: _painted_page(self._pdf, page_index)):
            hint = "print it to PDF again, as a picture if need be"
            raise TooLarge(f"{what} has too many parts, or forms inside themselves", hint=hint)
        try:
            self._page = page = _painted_page(self._pdf, page_index)
            frame = page_frame(page)
            if frame is None:
                raise DamagedFile(f"{what} has no area", hint="print the document to PDF again")
            glyphs, problems = read_glyphs(page, frame, page_index)
            images = image_boxes(page, frame)
        except pdfium.PdfiumError as error:
            raise DamagedFile(f"{what} cannot be loaded", hint="open it in a viewer and print it to PDF") from error
        self._raster = PageRaster(page, page_index, self._shown, self._poppler)
        width, height = page.get_size()
        return SourcePage(page_index, width, height, glyphs, images, self._raster, self._raster.rasterizer, problems)

    def _close_page(self) -> None:
        if self._raster is not None:
            self._raster.close()
        if self._page is not None:
            self._page.close()
        self._page = self._raster = None

    def close(self) -> None:
        self._close_page()
        self._pdf.close()


def _open(source: FileBytes, passwords: Sequence[str]) -> "tuple[pdfium.PdfDocument, str, bool]":
    """The document, the password that opened it ("" for none) and whether its end had to be made anew."""
    try:
        return *_unlock(source.data, source.shown, passwords), False
    except DamagedFile as error:
        mended = with_trailer(source.data)
        if mended is None:
            raise
        try:
            return *_unlock(mended, source.shown, ()), True
        except DocumentError:
            raise error from None


def _unlock(data: bytes, shown: str, passwords: Sequence[str]) -> "tuple[pdfium.PdfDocument, str]":
    """Tries the empty password, then each given one."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    for password in ("", *passwords):
        try:
            return pdfium.PdfDocument(data, password=password or None), password
        except UnicodeEncodeError:
            continue  # bytes of a foreign locale on the command line: no password of a PDF
        except pdfium.PdfiumError as error:
            code = _load_error(data, password)
            if code == raw.FPDF_ERR_PASSWORD:
                continue
            if code == raw.FPDF_ERR_SUCCESS:
                raise _no_pages(shown) from error
            if code == raw.FPDF_ERR_SECURITY:
                hint = "save it without encryption"
                raise PdfEncrypted(f"{shown} is encrypted in a way that cannot be read", hint=hint) from error
            hint = "is it complete? Copy it again, or open it in a viewer and print it to PDF"
            raise DamagedFile(f"{shown} is a damaged or cut PDF", hint=hint) from error
    if passwords:
        raise PdfEncrypted(f"{shown}: no given password opens it", hint="add the right --password")
    raise PdfEncrypted(f"{shown} needs a password", hint="add --password, or save the file without one")


def _load_error(data: bytes, password: str) -> int:
    """Why loading failed. pypdfium2's `err_code` is one of an earlier file when a document opens but has no pages."""
    import pypdfium2.raw as raw

    handle = raw.FPDF_LoadMemDocument64(data, len(data), (password or "").encode() + b"\0")
    if not handle:
        return int(raw.FPDF_GetLastError())
    raw.FPDF_CloseDocument(handle)
    return int(raw.FPDF_ERR_SUCCESS)


def _no_pages(shown: str) -> NoPages:
    return NoPages(f"{shown} is a PDF without pages", hint="print the document to PDF again")


def _doubts(pdf: "pdfium.PdfDocument", data: bytes, rebuilt: bool) -> tuple[Problem, ...]:
    import pypdfium2.raw as raw

    problems = []
    if rebuilt:
        problems.append(Problem("repaired", "the file was damaged and read after a repair: parts may be missing"))
    n_files = raw.FPDFDoc_GetAttachmentCount(pdf.raw)
    # not the PageMode: e-invoices open with their list of attachments too. A catalogue in a compressed stream does not
    # show its /Collection, and the cover is then said to have embedded files
    if n_files > 0 and _PORTFOLIO.search(data):
        problems.append(Problem("portfolio", f"a portfolio: its {n_files} embedded files were not read"))
    elif n_files > 0:
        problems.append(Problem("embedded_files", f"{n_files} embedded files were not read"))
    if raw.FPDF_GetFormType(pdf.raw) == raw.FORMTYPE_XFA_FULL:
        problems.append(Problem("xfa_form", "a dynamic XFA form: its content is not on the pages"))
    return tuple(problems)


def _painted_page(pdf: "pdfium.PdfDocument", page_index: int) -> "pdfium.PdfPage":
    """The page with what its annotations and form fields show as part of its content, in memory only."""
    import pypdfium2.raw as raw

    page = pdf[page_index]
    n_annotations = raw.FPDFPage_GetAnnotCount(page.raw)
    if n_annotations <= 0:
        return page
    for index in reversed(range(n_annotations)):  # flattening would show those that no viewer shows
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        hidden = raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN_ON_SCREEN
        raw.FPDFPage_CloseAnnot(annotation)
        if hidden:
            raw.FPDFPage_RemoveAnnot(page.raw, index)
    if raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) != raw.FLATTEN_SUCCESS:
        return page
    page.close()
    return pdf[page_index]
