"""A page that would fill the memory of the machine is refused, and the run goes on."""

from pathlib import Path
from time import monotonic

import pytest
from make import raw_pdf

from pipkie_cli.documents import open_document
from pipkie_cli.documents import pdf_probe as room
from pipkie_cli.errors import TooLarge


def form_pdf(paints: bytes) -> bytes:
    """A page that paints a form, which paints `paints`."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>"
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X 5 0 R>>>>"
    return raw_pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page,
            b"<</Length 5>>stream\n/X Do\nendstream",
            b"<</Length %d%s>>stream\n%s\nendstream" % (len(paints), form, paints),
        ]
    )


def test_a_form_inside_itself_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Painted twice in itself it has 2^40 parts: a failed document in bounded time, not the end of the machine."""
    monkeypatch.setattr(room, "PROBE_CPU_S", 3)
    monkeypatch.setattr(room, "PROBE_BYTES", 200_000_000)
    (tmp_path / "a.pdf").write_bytes(form_pdf(b"/X Do /X Do"))
    started = monotonic()
    with pytest.raises(TooLarge, match="forms inside themselves"):
        open_document(tmp_path / "a.pdf", shown="a.pdf")
    assert monotonic() - started < 60


def test_an_ordinary_form_is_read(tmp_path: Path) -> None:
    """Most PDFs have forms; they pass."""
    (tmp_path / "a.pdf").write_bytes(form_pdf(b"0 0 9 9 re f"))
    with open_document(tmp_path / "a.pdf", shown="a.pdf") as document:
        assert len(list(document.pages())) == 1


def test_a_fault_of_the_page_is_left_to_the_parent() -> None:
    """The child only tells what must not be tried: an exception is none of that, running out of memory is."""

    def fault() -> None:
        raise ValueError

    def full() -> None:
        raise MemoryError

    assert room.loads(fault)
    assert not room.loads(full)


def test_limits_of_the_user_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under `ulimit` a page is still tried: limits are only ever lowered."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    monkeypatch.setattr(resource, "getrlimit", lambda what: (hard, 1000) if what == resource.RLIMIT_CPU else (-1, -1))
    assert room.loads(lambda: None)
