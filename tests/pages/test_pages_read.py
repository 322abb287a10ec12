"""Reading through the cache: a new template over old scans costs no OCR, and the record is the same byte for byte."""

from pathlib import Path
from typing import Any

import pytest
import stand_ins
from command_line import Pipkie
from make import encrypted_pdf

from pipkie_cli.batch.run import run_key
from pipkie_cli.errors import FileUnavailable
from pipkie_cli.facts import CodeReader
from pipkie_cli.nouns import Box, Code, Input, Key, Locale, Place, RunOptions, Template
from pipkie_cli.pages import PageCache, ReadDocument, read_pages

PARCEL = Template("note", "Note", (Key("parcel", "barcode", "parcel"),), Locale(), (), (), "0" * 12, "note.yaml")
PAID = Template("note", "Note", (Key("iban", "iban", "IBAN", term="BT-84"),), Locale(), (), (), "0" * 12, "note.yaml")
CODE = Code("EAN-13", "4006381333931", Place(1, (Box(0, 0, 1, 1),)))


@pytest.fixture
def read_words(made_up: pytest.MonkeyPatch) -> list[int]:
    """The pages that were read as words."""
    read: list[int] = []

    def count(page: Any) -> Any:
        read.append(page.page_index)
        return stand_ins.read_words(page)

    made_up.setattr("pipkie_cli.words.read_words", count)
    return read


def read(path: Path, cache: PageCache, template: Template | None = None, **options: Any) -> ReadDocument:
    templates = (template,) if template else ()
    codes = CodeReader(templates) if template else None
    return read_pages(Input(path, path.name), RunOptions(templates, **options), codes, cache)


def test_a_page_is_read_once(tmp_path: Path, read_words: list[int]) -> None:
    """The same content under another name is not read again, and has the name it is given."""
    one, other = tmp_path / "a.pdf", tmp_path / "b.pdf"
    one.write_text("number: 1\fpage two")
    other.write_text("number: 1\fpage two")
    cache = PageCache(tmp_path / "cache", "1")
    first, again = read(one, cache), read(other, cache)
    assert (first.pages, first.id.sha256) == (again.pages, again.id.sha256)
    assert (first.id.path, again.id.path, read_words) == ("a.pdf", "b.pdf", [0, 1])


def test_what_is_wrong_today_is_not_kept(tmp_path: Path, read_words: list[int]) -> None:
    """A page that could not be drawn may be drawn tomorrow; a file that changes meanwhile is kept under no name."""
    torn, moving = tmp_path / "a.pdf", tmp_path / "b.pdf"
    torn.write_text("good\fTORN")
    moving.write_text("before")
    cache = PageCache(tmp_path / "cache", "1")
    read(torn, cache)
    content = cache.content_of(moving)
    moving.write_text("after")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageCache, "content_of", lambda self, path: content)
        read(moving, cache)
    assert not (tmp_path / "cache").exists()


def test_what_a_password_opens_is_not_kept(tmp_path: Path) -> None:
    """Whoever has the cache but not the password gets no record, and the words do not lie about unlocked."""
    (tmp_path / "a.pdf").write_bytes(encrypted_pdf())
    cache = PageCache(tmp_path / "cache", "1")
    found = read(tmp_path / "a.pdf", cache, passwords=("secret",))
    assert found.pages[0].words
    assert not (tmp_path / "cache").exists()


def test_codes_are_looked_for_once_by_kind(
    tmp_path: Path, read_words: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another template may want other kinds: then pages are drawn again, but not read."""
    looked: list[bool] = []

    def decode(pixels: Any, page_number: int, every_kind: bool) -> list[Code]:
        looked.append(every_kind)
        return [CODE]

    monkeypatch.setattr("pipkie_cli.facts.codes.decode", decode)
    path = tmp_path / "a.pdf"
    path.write_text("number: 1")
    cache = PageCache(tmp_path / "cache", "1")
    found = []
    for template in (PARCEL, PARCEL, PAID, PAID, PARCEL):
        codes = CodeReader((template,))
        read_pages(Input(path, "a.pdf"), RunOptions((template,)), codes, cache)
        found.append(codes.codes)
    assert found == [[CODE]] * 5
    assert (looked, read_words) == ([True, False], [0])


def test_a_file_that_changes_before_its_codes_are_read_fails(tmp_path: Path, read_words: list[int]) -> None:
    """Words of the one and codes of the other would be no document."""
    path = tmp_path / "a.pdf"
    path.write_text("number: 1")
    cache = PageCache(tmp_path / "cache", "1")
    read(path, cache)
    content = cache.content_of(path)
    path.write_text("number: 2")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageCache, "content_of", lambda self, path: content)
        with pytest.raises(FileUnavailable, match="was changed"):
            read(path, cache, PARCEL)


def test_a_new_template_over_old_scans_costs_no_reading(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`extract --cache`: the second run asks another template of every page and reads none; its bytes are those of a
    run without a cache."""
    (desk / "in" / "c.pdf").write_text("LOCKED")
    (desk / "other.yaml").write_text("name: other\ntitle: Other\nkeys:\n  total: {type: amount, prompt: total}\n")
    assert pipkie("extract", "in", "-t", "note.yaml", "-o", "first.jsonl", "--cache", "kept").code == 3
    assert pipkie("extract", "in", "-t", "other.yaml", "-o", "plain.jsonl").code == 3
    with monkeypatch.context() as patch:
        patch.setattr("pipkie_cli.words.read_words", None)
        assert pipkie("extract", "in", "-t", "other.yaml", "-o", "kept.jsonl", "--cache", "kept").code == 3
    assert (desk / "kept.jsonl").read_bytes() == (desk / "plain.jsonl").read_bytes()
    assert b'"total":12.5' in (desk / "kept.jsonl").read_bytes()
    assert len(list((desk / "kept").iterdir())) == 2


def test_the_cache_is_no_part_of_what_decides_about_records(tmp_path: Path) -> None:
    """With or without one, a run goes on with what another has done."""
    assert run_key(RunOptions(())) == run_key(RunOptions((), cache=tmp_path, cache_bytes=1))


def test_a_cache_that_cannot_be_written_ends_the_run(pipkie: Pipkie, desk: Path) -> None:
    """It is said with what to do; the journal is whole, and the same command without it goes on."""
    (desk / "kept").write_text("a file")
    ended = pipkie("extract", "in", "-t", "note.yaml", "--cache", "kept")
    assert (ended.code, "name another folder with --cache" in ended.err) == (5, True)
