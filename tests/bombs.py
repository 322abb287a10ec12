"""Small files that would fill a machine: what each promises is far more than what it holds."""

import zlib
from collections.abc import Callable

import make

MILLION = 1_000_000


def _page(content: bytes, more: str = "", extra: tuple[bytes | str, ...] = ()) -> bytes:
    """One page whose content stream is `content` (with its dictionary); `more` are entries of the page."""
    return make.raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R {more} >>",
            content,
            *extra,
        ]
    )


def _deflated(block: bytes, times: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(block) for _ in range(times)), packer.flush()])


def million_objects() -> bytes:
    """Thirty megabytes of empty objects, all in the cross-reference table."""
    return make.raw_pdf([*_objects(make.text_pdf(make.INVOICE)), *["<< >>"] * MILLION])


def _objects(data: bytes) -> list[bytes]:
    return [piece.split(b" obj\n", 1)[1] for piece in data.split(b"\nendobj\n")[:-1]]


def million_strokes() -> bytes:
    """Four megabytes, or 20 kB deflated, of lines that the page draws."""
    return _page(make.stream(_deflated(b"0 0 m 9 9 l S\n" * 1000, 1000), "/Filter /FlateDecode"))


def million_marks() -> bytes:
    """Annotations without end on one page."""
    mark = "<< /Type /Annot /Subtype /Square /Rect [1 1 9 9] >>"
    return _page(make.stream(b""), f"/Annots [{'5 0 R ' * MILLION}]", (mark,))


def inflated_content() -> bytes:
    """A content stream of one gigabyte of blanks in one megabyte."""
    return _page(make.stream(_deflated(b" " * 1024 * 1024, 1024), "/Filter /FlateDecode"))


def twice_inflated_content() -> bytes:
    """The same, deflated twice: a few kilobytes."""
    once = _deflated(b" " * 1024 * 1024, 1024)
    return _page(make.stream(zlib.compress(once, 9), "/Filter [/FlateDecode /FlateDecode]"))


def huge_image() -> bytes:
    """A picture of 60,000 by 60,000 bits on a page."""
    picture = make.stream(
        _deflated(bytes(1024 * 1024), 430),
        "/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceGray /BitsPerComponent 1 "
        "/Filter /FlateDecode",
    )
    content = make.stream(b"q 595 0 0 842 0 0 cm /Im Do Q")
    return _page(content, "/Resources << /XObject << /Im 5 0 R >> >>", (picture,))


def deep_tree() -> bytes:
    """Page trees within page trees."""
    n = 20_000
    trees = [f"<< /Type /Pages /Kids [{at + 3} 0 R] /Count 1 >>" for at in range(n)]
    return make.raw_pdf(["<< /Type /Catalog /Pages 2 0 R >>", *trees, "<< /Type /Page /MediaBox [0 0 9 9] >>"])


def deep_arrays() -> bytes:
    """Arrays within arrays, as the page's content."""
    return _page(make.stream(b"[" * MILLION + b"]" * MILLION))


def deep_dictionaries() -> bytes:
    return _page(make.stream(b""), "/X " + "<< /X " * 100_000 + "0" + ">>" * 100_000)


def million_pages() -> bytes:
    """One page, a million times a kid of the tree."""
    return make.raw_pdf(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{'3 0 R ' * MILLION}] /Count {MILLION} >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        ]
    )


def zip_of_zips() -> bytes:
    """An archive: never unpacked."""
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.pdf", bytes(10 * 1024 * 1024))
    return out.getvalue()


BOMBS: dict[str, Callable[[], bytes]] = {
    made.__name__: made
    for made in (
        *(million_objects, million_strokes, million_marks, inflated_content, twice_inflated_content, huge_image),
        *(deep_tree, deep_arrays, deep_dictionaries, million_pages, zip_of_zips, make.bomb_png),
    )
}
