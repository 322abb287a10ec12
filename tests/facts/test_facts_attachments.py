"""Files inside a PDF are found, whatever hangs them there, and cost no more than the limits."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
from e_invoices import cii, encrypted_pdf_with, pdf_with
from make import attachment_pdf, png, text_pdf

from pipkie_cli.facts import attachments, child, embedded
from pipkie_cli.facts.attachments import read_attachments

XML = ("factur-x.xml", b"<a>1</a>")


@pytest.mark.parametrize("deflate", [False, True])
def test_listed_files(deflate: bool) -> None:
    """Files of /EmbeddedFiles come with their names, unpacked."""
    found = read_attachments(pdf_with(XML, ("list.csv", b"1;2"), deflate=deflate))
    assert [(one.name, one.data) for one in found.files] == [XML, ("list.csv", b"1;2")]
    assert (found.n_listed, found.n_too_large) == (2, 0)


@pytest.mark.parametrize("deflate", [False, True])
def test_files_that_no_list_leads_to(deflate: bool) -> None:
    """A file that hangs on /AF alone is found by its stream."""
    found = read_attachments(pdf_with(XML, by="af", deflate=deflate))
    assert [one.data.strip() for one in found.files] == [XML[1]]
    assert found.n_listed == 0


def test_encrypted_with_a_password() -> None:
    """The given passwords are tried; without the right one there is nothing: opening the pages says why."""
    data = encrypted_pdf_with(XML[1], "sesame")
    assert read_attachments(data).files == ()
    assert [one.data for one in read_attachments(data, ("wrong", "sesame")).files] == [XML[1]]
    assert [one.data for one in read_attachments(encrypted_pdf_with(XML[1], "")).files] == [XML[1]]


@pytest.mark.parametrize("data", [b"", png(), text_pdf(), b"%PDF-1.7 broken", cii()])
def test_files_without_attachments(data: bytes) -> None:
    """Pictures, plain and broken PDFs have none."""
    assert read_attachments(data).files == ()


def test_broken_dictionaries_take_no_time() -> None:
    """Objects that never become a stream, streams that no object begins: each is looked back from, not on from."""
    for junk in (b"obj<<" * 400_000, b"obj<< >>stream\n" * 100_000, b">>stream\n" * 200_000):
        start = time.process_time()
        assert list(embedded.embedded_streams(b"%PDF-1.7 /EmbeddedFile " + junk)) == []
        assert time.process_time() - start < 5


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that unpacks beyond the limit is left out and counted; others are read."""
    monkeypatch.setattr(attachments, "MAX_XML_BYTES", 1000)
    monkeypatch.setattr(embedded, "MAX_XML_BYTES", 1000)
    bomb = ("bomb.xml", b"<a>" + b" " * 100_000 + b"</a>")
    found = read_attachments(pdf_with(bomb, XML, deflate=True))
    assert ([one.name for one in found.files], found.n_listed, found.n_too_large) == (["factur-x.xml"], 2, 1)
    assert [one.data for one in read_attachments(pdf_with(bomb, XML, by="af", deflate=True)).files] == [XML[1]]


def test_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit of files and of bytes in all nothing more is unpacked."""
    monkeypatch.setattr(attachments, "MAX_ATTACHMENTS", 3)
    files = [(f"{number}.xml", b"<a/>") for number in range(9)]
    assert len(read_attachments(pdf_with(*files)).files) == 3
    monkeypatch.setattr(attachments, "MAX_ATTACHED_BYTES", 9)
    assert len(read_attachments(pdf_with(*files)).files) == 2


def test_the_maker_of_fixtures() -> None:
    """The common fixture's embedded file is read too."""
    assert [one.data for one in read_attachments(attachment_pdf()).files] == [b"<a/>"]


def test_a_bomb_dies_in_its_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred megabytes out of two hundred kilobytes: unpacked nowhere but in a child, which is not allowed to."""
    monkeypatch.setattr(child, "CHILD_BYTES", 32 * 1024 * 1024)
    found = read_attachments(pdf_with(("bomb.xml", b" " * 200_000_000), XML, deflate=True))
    assert (found.files, found.n_listed, found.n_too_large) == ((), 2, 2)


def test_work_in_a_child() -> None:
    """What the work yields comes back, empty pieces too; a child that raises, ends or is killed brings nothing."""

    def raising() -> Iterator[bytes]:
        yield b"a"
        raise ValueError("no")

    def killed() -> Iterator[bytes]:
        yield b"a"
        os.kill(os.getpid(), signal.SIGKILL)

    assert child.run_in_child(lambda: [b"a", b"", b"c" * 3_000_000]) == [b"a", b"", b"c" * 3_000_000]
    assert child.run_in_child(lambda: []) == []
    assert child.run_in_child(raising) is None
    assert child.run_in_child(killed) is None


def test_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can fork the work is done here."""
    monkeypatch.delattr(os, "fork")
    assert [one.data for one in read_attachments(pdf_with(XML)).files] == [XML[1]]
