"""`open_document`: identity, limits, doubts about a document, and an error of its own kind for every fault."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import make
import pytest
from make import INVOICE, text_pdf

from pipkie_cli.documents import open_document
from pipkie_cli.errors import (
    DamagedFile,
    DocumentError,
    EmptyFile,
    FileUnavailable,
    NoPages,
    PdfEncrypted,
    TooLarge,
    UnsupportedFormat,
)
from pipkie_cli.nouns import SourcePage


def written(folder: Path, data: bytes, name: str = "a.pdf") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def text_of(page: SourcePage) -> str:
    return "".join(glyph.text for glyph in page.glyphs)


def test_a_document_knows_its_name_hash_and_pages(tmp_path: Path) -> None:
    """The hash is that of the bytes on disk, the name is the one that was given."""
    path = written(tmp_path, text_pdf(INVOICE, INVOICE))
    with open_document(path, shown="in/a.pdf") as document:
        pages = [page.page_index for page in document.pages()]
    assert document.id.path == "in/a.pdf"
    assert document.id.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (document.id.page_count, pages, document.problems) == (2, [0, 1], ())


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyFile),
        (b"<html>gone</html>", UnsupportedFormat),
        (b"%PDF-1.7\n", DamagedFile),
        (make.zero_page_pdf(), NoPages),
        (make.encrypted_pdf(), PdfEncrypted),
        (make.truncated(make.scan_pdf(make.picture(size=(50, 50)))[9:], 0.1), UnsupportedFormat),
        (make.truncated(make.jpeg(), 0.7), DamagedFile),
        (make.truncated(make.png(), 0.7), DamagedFile),
        (make.bomb_png(), TooLarge),
        (b"GIF89a" + b"\xff" * 200, DamagedFile),
        (b"II*\x00" + b"\xff" * 200, DamagedFile),
    ],
)
def test_each_fault_of_a_file_is_a_document_error(tmp_path: Path, data: bytes, error: type[DocumentError]) -> None:
    """The message names the document and the hint says what to do."""
    with pytest.raises(error) as caught:
        open_document(written(tmp_path, data), shown="in/bad.pdf")
    assert type(caught.value) is error
    assert "in/bad.pdf" in caught.value.message
    assert caught.value.hint


def test_zero_pages_are_told_from_damage_after_another_error(tmp_path: Path) -> None:
    """pdfium keeps the error of an earlier file; it must not be taken for that of this one."""
    with pytest.raises(PdfEncrypted):
        open_document(written(tmp_path, make.encrypted_pdf()), shown="a")
    with pytest.raises(NoPages):
        open_document(written(tmp_path, make.zero_page_pdf()), shown="b")


@pytest.mark.parametrize("passwords", [("wrong", "secret"), ("\udcff", "secret"), ("owner",)])
def test_given_passwords_are_tried_in_turn(tmp_path: Path, passwords: tuple[str, ...]) -> None:
    """User or owner password opens it; one that no PDF can have is passed over; poppler is not told."""
    with open_document(written(tmp_path, make.encrypted_pdf()), shown="a", passwords=passwords) as document:
        page = next(document.pages())
        assert "A-1001" in text_of(page)
        assert page.rasterizer == "pdfium"


def test_an_owner_password_alone_is_no_obstacle(tmp_path: Path) -> None:
    """A file that opens with the empty password is read."""
    with open_document(written(tmp_path, make.encrypted_pdf(user="")), shown="a") as document:
        assert "A-1001" in text_of(next(document.pages()))


def test_a_wrong_password_is_said_to_be_wrong(tmp_path: Path) -> None:
    """Who gave a password reads another message than who gave none."""
    path = written(tmp_path, make.encrypted_pdf())
    with pytest.raises(PdfEncrypted, match="no given password"):
        open_document(path, shown="a", passwords=["wrong"])
    with pytest.raises(PdfEncrypted, match="needs a password"):
        open_document(path, shown="a")


def test_a_lost_end_is_repaired_and_said(tmp_path: Path) -> None:
    """Without cross-reference table and trailer the objects that are left are read."""
    for keep in (0.97, 0.9):
        data = make.truncated(text_pdf(INVOICE), keep)
        with open_document(written(tmp_path, data), shown="a") as document:
            assert [problem.code for problem in document.problems] == ["repaired"]
            page = next(document.pages())
            assert "A-1001" in text_of(page)
            assert page.rasterizer == "pdfium"


def test_a_wrong_cross_reference_table_is_said(tmp_path: Path) -> None:
    """pdfium rebuilds it without a word; the record must not hide it."""
    data = text_pdf(INVOICE).replace(b"startxref\n", b"startxref\n9")
    with open_document(written(tmp_path, data), shown="a") as document:
        assert [problem.code for problem in document.problems] == ["repaired"]


def test_a_repair_never_invents_a_document(tmp_path: Path) -> None:
    """A file cut before its catalogue, or encrypted and cut, is damaged."""
    for data in (make.truncated(text_pdf(INVOICE), 0.02), make.truncated(make.encrypted_pdf(user=""), 0.5)):
        with pytest.raises(DamagedFile):
            open_document(written(tmp_path, data), shown="a")


def test_junk_before_the_header_is_skipped(tmp_path: Path) -> None:
    """Offsets count from the header."""
    with open_document(written(tmp_path, b"x" * 700 + b"\n" + text_pdf(INVOICE)), shown="a") as document:
        assert "A-1001" in text_of(next(document.pages()))


def test_pages_beyond_the_limit_are_left_and_said(tmp_path: Path) -> None:
    """`page_count` counts all, `pages()` gives the first."""
    with open_document(written(tmp_path, make.many_pages_pdf(200)), shown="a", max_pages=3) as document:
        assert [page.page_index for page in document.pages()] == [0, 1, 2]
    assert document.id.page_count == 200
    assert [problem.code for problem in document.problems] == ["pages_cut"]
    assert "200" in document.problems[0].message


def test_a_broken_page_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    """It has its place, a problem, and a picture that raises."""
    with open_document(written(tmp_path, make.broken_page_pdf()), shown="a") as document:
        first, second = [(page, [problem.code for problem in page.problems]) for page in document.pages()]
    assert (first[1], second[1]) == ([], ["page_unreadable"])
    assert second[0].glyphs == ()
    with pytest.raises(DamagedFile):
        second[0].raster()


def test_pages_can_be_walked_twice(tmp_path: Path) -> None:
    """The page that was loaded to see whether any loads is no special one."""
    with open_document(written(tmp_path, text_pdf(INVOICE, INVOICE[:1])), shown="a") as document:
        first = [text_of(page) for page in document.pages()]
        assert [text_of(page) for page in document.pages()] == first
        assert len(first[0]) > len(first[1]) > 0


def test_a_page_ends_with_the_next_one(tmp_path: Path) -> None:
    """A picture asked for too late is a mistake of the caller, not a crash in a C library."""
    with open_document(written(tmp_path, text_pdf(INVOICE, INVOICE)), shown="a") as document:
        first, _ = list(document.pages())
        with pytest.raises(ValueError, match="closed"):
            first.raster()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (make.attachment_pdf(), "embedded_files"),
        (make.attachment_pdf(portfolio=True), "portfolio"),
        (make.xfa_pdf(), "xfa_form"),
    ],
)
def test_content_that_is_not_on_the_pages_is_said(tmp_path: Path, data: bytes, code: str) -> None:
    """Attachments and dynamic forms are not read, and nobody is left to think they were."""
    with open_document(written(tmp_path, data), shown="a") as document:
        assert [problem.code for problem in document.problems] == [code]


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _missing(path: Path) -> None:
    pass


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.skipif(os.name != "posix", reason="FIFOs and links as POSIX has them")
@pytest.mark.parametrize("put", [_fifo, _missing, _dangling, _loop, Path.mkdir])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, put: Callable[[Path], None]) -> None:
    """A FIFO would block for ever, a folder named .pdf is none."""
    path = tmp_path / "a.pdf"
    put(path)
    with pytest.raises(FileUnavailable, match=r"in/a\.pdf"):
        open_document(path, shown="in/a.pdf")


def test_a_file_without_permission_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's reason is passed on."""

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, b"%PDF-")
    monkeypatch.setattr("pipkie_cli.documents.source.os.open", refuse)
    with pytest.raises(FileUnavailable, match="Permission denied"):
        open_document(path, shown="a")


def test_a_file_that_grows_while_it_is_read_is_left_for_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a scan must not be read as a whole document."""
    path = written(tmp_path, text_pdf(INVOICE))
    import pipkie_cli.documents.source as source

    read = source._read_blocks

    def read_slowly(file: object, shown: str) -> tuple[bytes, str]:
        found = read(file, shown)  # type: ignore[arg-type]
        with path.open("ab") as scanner:
            scanner.write(b"more")
        return found

    monkeypatch.setattr(source, "_read_blocks", read_slowly)
    with pytest.raises(FileUnavailable, match="still being written"):
        open_document(path, shown="a")


def test_size_is_checked_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is not loaded to find that out."""
    monkeypatch.setattr("pipkie_cli.documents.source.MAX_FILE_BYTES", 1000)
    monkeypatch.setattr("pipkie_cli.documents.source._read_blocks", None)
    with pytest.raises(TooLarge):
        open_document(written(tmp_path, b"%PDF-" + b"x" * 1000), shown="a")


def test_names_are_bytes_to_the_system(tmp_path: Path) -> None:
    """Names that are no UTF-8, or begin with a dash, open like any other."""
    for name in (b"-rf.pdf", b"latin1-\xe9.pdf", "Größe 発票.pdf".encode(), b"new\nline.pdf"):
        path = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name)))
        path.write_bytes(text_pdf(INVOICE))
        with open_document(path, shown="a") as document:
            assert next(document.pages()).raster().shape[2] == 3


def test_no_page_at_all_is_refused(tmp_path: Path) -> None:
    """Zero pages asked for would make an empty document of every file."""
    with pytest.raises(ValueError, match="max_pages"):
        open_document(written(tmp_path, text_pdf(INVOICE)), shown="a", max_pages=0)


def test_a_form_that_cannot_be_loaded_is_a_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a bug of pipkie: every fault of a file is a DocumentError."""
    import pypdfium2 as pdfium

    def refuse(self: pdfium.PdfDocument) -> None:
        raise pdfium.PdfiumError("no form environment")

    monkeypatch.setattr(pdfium.PdfDocument, "init_forms", refuse)
    with pytest.raises(DamagedFile, match=r"in/a\.pdf: its form cannot be loaded"):
        open_document(written(tmp_path, text_pdf(INVOICE)), shown="in/a.pdf")
