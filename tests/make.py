"""Small documents made in milliseconds, for everybody's tests. Each builder returns the bytes of a file.

Places are points (PDF) or pixels (pictures) from the top left of the page *before* /Rotate; a line's y is its
baseline. `path.write_bytes(text_pdf([Line(50, 60, "Invoice R-17")]))` is a whole fixture.
"""

import io
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

A4 = (595.0, 842.0)


class Line(NamedTuple):
    """Text with the place of its baseline; `mode` is a text render mode (3 paints nothing)."""

    x: float
    y: float
    text: str
    size: float = 11
    mode: int = 0
    grey: float = 0.0  # 0 black, 1 white


class Bar(NamedTuple):
    """A filled rectangle, painted behind the text, or over it with `over`."""

    x: float
    y: float
    width: float
    height: float
    grey: float = 0.0
    over: bool = False


INVOICE = (
    Line(50, 60, "INVOICE", 18),
    Line(50, 90, "Acme Tools Ltd"),
    Line(50, 130, "Invoice number: A-1001"),
    Line(50, 150, "Date: 2026-05-04"),
    Line(50, 200, "Total: EUR 120.50"),
)


# ---------------------------------------------------------------------------------------------------------------- PDF


def raw_pdf(objects: Sequence[bytes | str], header: bytes = b"%PDF-1.7\n", extra_trailer: str = "") -> bytes:
    """Objects 1, 2, ... with a right cross-reference table; the first is the catalogue."""
    out = bytearray(header)
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        content = body if isinstance(body, bytes) else body.encode("latin-1")
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {extra_trailer}>>\nstartxref\n{start}\n%%EOF\n"
    return bytes(out) + trailer.encode("latin-1")


def stream(content: bytes, entries: str = "") -> bytes:
    return f"<< {entries} /Length {len(content)} >>\nstream\n".encode("latin-1") + content + b"\nendstream"


def page_content(lines: Sequence[Line], bars: Sequence[Bar], height: float) -> bytes:
    """Content stream with Helvetica as /F1, WinAnsi."""

    def rectangles(over: bool) -> list[str]:
        return [f"{b.grey} g {b.x} {height - b.y - b.height} {b.width} {b.height} re f" for b in bars if b.over is over]

    texts = [
        f"BT {line.grey} g /F1 {line.size} Tf {line.mode} Tr 1 0 0 1 {line.x} {height - line.y} Tm "
        f"<{line.text.encode('cp1252').hex()}> Tj ET"
        for line in lines
    ]
    return "\n".join([*rectangles(False), *texts, *rectangles(True)]).encode("ascii")


def text_pdf(
    *pages: Sequence[Line],
    size: tuple[float, float] = A4,
    rotate: int = 0,
    bars: Sequence[Bar] = (),
    page_entries: str = "",
    catalog_entries: str = "",
    origin: tuple[float, float] = (0, 0),
    more_objects: Sequence[bytes | str] = (),
) -> bytes:
    """One page per sequence of lines, or one blank page. `more_objects` follow the pages': number them from
    `first_free(len(pages))`. `origin` shifts MediaBox and content together."""
    pages = pages or ((),)
    width, height = size
    x0, y0 = origin
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects: list[bytes | str] = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog_entries} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, lines in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{x0} {y0} {x0 + width} {y0 + height}] /Rotate {rotate} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * index} 0 R {page_entries} >>"
        )
        content = f"q 1 0 0 1 {x0} {y0} cm\n".encode() + page_content(lines, bars, height) + b"\nQ"
        objects.append(stream(content))
    return raw_pdf([*objects, *more_objects])


def first_free(n_pages: int = 1) -> int:
    """Number of the first object after the pages of `text_pdf`."""
    return 4 + 2 * n_pages


def scan_pdf(
    *pictures: Image.Image, size: tuple[float, float] = A4, rotate: int = 0, lines: Sequence[Line] = ()
) -> bytes:
    """Pages of one full-page picture each; `lines` are text painted over it (mode 3: an OCR layer)."""
    width, height = size
    kids = " ".join(f"{4 + 3 * index} 0 R" for index in range(len(pictures)))
    objects: list[bytes | str] = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pictures)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, shot in enumerate(pictures):
        number = 4 + 3 * index
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Rotate {rotate} /Resources "
            f"<< /Font << /F1 3 0 R >> /XObject << /Im {number + 2} 0 R >> >> /Contents {number + 1} 0 R >>"
        )
        objects.append(stream(f"q {width} 0 0 {height} 0 0 cm /Im Do Q\n".encode() + page_content(lines, (), height)))
        grey = shot.convert("L")
        objects.append(
            stream(
                zlib.compress(grey.tobytes(), 1),
                f"/Type /XObject /Subtype /Image /Width {grey.width} /Height {grey.height} /ColorSpace /DeviceGray "
                "/BitsPerComponent 8 /Filter /FlateDecode",
            )
        )
    return raw_pdf(objects)


def encrypted_pdf(user: str = "secret", owner: str = "owner") -> bytes:
    """One page of text, RC4 128; `user=""` opens without a password."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(
        out, pagesize=A4, invariant=1, encrypt=StandardEncryption(user, owner, canPrint=0, canCopy=0, strength=128)
    )
    for line in INVOICE:
        canvas.drawString(line.x, A4[1] - line.y, line.text)
    canvas.save()
    return out.getvalue()


def truncated(data: bytes, keep: float = 0.5) -> bytes:
    """The first part of a file."""
    return data[: int(len(data) * keep)]


def zero_page_pdf() -> bytes:
    return raw_pdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"])


def blank_pdf(size: tuple[float, float] = A4) -> bytes:
    return text_pdf((), size=size)


def many_pages_pdf(n_pages: int) -> bytes:
    return text_pdf(*[(Line(50, 60, f"Page {number} of {n_pages}"),) for number in range(1, n_pages + 1)])


def huge_page_pdf(side: float = 14400) -> bytes:
    """A page of five metres: 1600 megapixels at 200 dpi."""
    return text_pdf((Line(100, 800, "Total: 12.00", 400),), size=(side, side))


def broken_page_pdf() -> bytes:
    """Two pages; the second one's object is not a page."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
        "/Contents 5 0 R >>",
        stream(page_content(INVOICE, (), 842)),
        "(not a page)",
    ]
    return raw_pdf(objects)


def form_pdf(value: str = "Otto Kern", size: tuple[float, float] = A4) -> bytes:
    """A text field with a value and no appearance, as many programs write it: 'Customer:' and the value beside it."""
    number = first_free()
    height = size[1]
    field = (
        f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (customer) /V ({value}) /Rect [150 {height - 110} 400 "
        f"{height - 90}] /F 4 /DA (/F1 11 Tf 0 g) /P 4 0 R >>"
    )
    return text_pdf(
        (Line(50, 105, "Customer:"),),
        size=size,
        page_entries=f"/Annots [{number} 0 R]",
        catalog_entries=f"/AcroForm << /Fields [{number} 0 R] /NeedAppearances true /DA (/F1 11 Tf 0 g) "
        "/DR << /Font << /F1 3 0 R >> >> >>",
        more_objects=[field],
    )


def annotation_pdf(text: str = "paid 12.00", flags: int = 4) -> bytes:
    """A FreeText annotation with an appearance; flags 2 hides it, 32 hides it on screens."""
    number = first_free()
    annotation = (
        f"<< /Type /Annot /Subtype /FreeText /Rect [50 600 250 630] /F {flags} /Contents ({text}) "
        f"/DA (/F1 12 Tf 0 g) /AP << /N {number + 1} 0 R >> >>"
    )
    appearance = stream(
        f"BT 0 g /F1 12 Tf 5 10 Td ({text}) Tj ET".encode("latin-1"),
        "/Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 3 0 R >> >>",
    )
    return text_pdf(INVOICE, page_entries=f"/Annots [{number} 0 R]", more_objects=[annotation, appearance])


def attachment_pdf(portfolio: bool = False) -> bytes:
    """A page with an embedded file, listed when the document is opened; with `portfolio` the page is only a cover."""
    number = first_free()
    names = f"/Names << /EmbeddedFiles << /Names [(data.xml) {number} 0 R] >> >>"
    collection = " /PageMode /UseAttachments" + (" /Collection << /View /D >>" if portfolio else "")
    return text_pdf(
        INVOICE,
        catalog_entries=names + collection,
        more_objects=[
            f"<< /Type /Filespec /F (data.xml) /EF << /F {number + 1} 0 R >> >>",
            stream(b"<a/>", "/Type /EmbeddedFile"),
        ],
    )


def xfa_pdf() -> bytes:
    """A dynamic XFA form: the page says only that another program is needed."""
    number = first_free()
    return text_pdf(
        (Line(50, 60, "Please wait..."),),
        catalog_entries=f"/NeedsRendering true /AcroForm << /Fields [] /XFA {number} 0 R >>",
        more_objects=[stream(b"<xdp/>")],
    )


# ------------------------------------------------------------------------------------------------------------ pictures


def picture(lines: Sequence[Line] = INVOICE, size: tuple[int, int] = (827, 1170), grey: int = 255) -> Image.Image:
    """Printed lines on paper, mode L; sizes and places in pixels. Pillow's own font, no system font."""
    sheet = Image.new("L", size, grey)
    pen = ImageDraw.Draw(sheet)
    for line in lines:
        font = ImageFont.load_default(max(line.size, 4))
        pen.text((line.x, line.y), line.text, fill=round(255 * line.grey), font=font, anchor="ls")
    return sheet


def big_print(lines: Sequence[Line] = INVOICE, factor: float = 2.0) -> tuple[Line, ...]:
    """Lines enlarged about the origin: points become pixels of a scan."""
    return tuple(line._replace(x=line.x * factor, y=line.y * factor, size=line.size * factor) for line in lines)


def encode(image: Image.Image, kind: str, **options: object) -> bytes:
    """The bytes of a picture file: PNG, JPEG, TIFF, WEBP, BMP or GIF."""
    out = io.BytesIO()
    image.save(out, format=kind, **options)
    return out.getvalue()


def png(image: Image.Image | None = None) -> bytes:
    return encode(image or picture(), "PNG")


def jpeg(image: Image.Image | None = None, orientation: int = 1) -> bytes:
    """A JPEG whose EXIF orientation asks to turn it; the pixels are stored as they are."""
    exif = Image.Exif()
    exif[274] = orientation
    return encode(image or picture(), "JPEG", exif=exif, quality=90)


def tiff(*frames: Image.Image, **options: object) -> bytes:
    """A TIFF with one frame per picture; frames may differ in size and mode."""
    first, *others = frames or (picture(),)
    return encode(first, "TIFF", save_all=True, append_images=others, **options)


def ramp16(width: int = 64, height: int = 32) -> Image.Image:
    """16-bit grey from black to white, left to right: a careless conversion gives a white page."""
    row = np.linspace(0, 65535, width).astype(np.uint16)
    return Image.fromarray(np.tile(row, (height, 1)))


def bomb_png(side: int = 60_000) -> bytes:
    """A header that promises 3600 megapixels, and nothing behind it."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big")

    header = side.to_bytes(4, "big") * 2 + bytes((8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
