"""Labelled folders -> files of training pages: read once, kept, each document on one side of the split."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make import INVOICE, Line, text_pdf
from tiny import VALUES, page_of

from pipkie_cli.documents import open_document
from pipkie_cli.nouns import Box, Glyph, Page, SourcePage, Word
from pipkie_cli.train import pages
from pipkie_cli.train.pages import read_groups, rearranged, write_pages
from pipkie_cli.train.real import read_cached
from pipkie_cli.words import read_words

GLYPH = Glyph("x", Box(0.1, 0.1, 0.2, 0.2), 10, True, True)
FILES = {"one.pdf": "shop 4", "two.jpg": "shop 0", "blank.jpg": "shop 0", "other.jpg": "shop 0"}  # shop 4: held back


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four labelled documents, the last one of another part."""
    root = tmp_path / "set" / "train"
    (root / "documents").mkdir(parents=True)
    lines = [
        {"file": f"documents/{name}", "values": {**VALUES, "total": "none"}, "printed": {"total": "55.50"}}
        for name in FILES
    ]
    (root / "labels.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    names = list(FILES)
    (root / "split.json").write_text(json.dumps({"train": names[:3], "test": names[3:]}))
    return root


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand-ins for the readers; the list says which documents were opened, and from what each was read."""
    told: list[str] = []

    @contextmanager
    def opening(path: Path, *, shown: str, max_pages: int) -> Iterator[Any]:
        assert max_pages == pages.MAX_PAGES
        glyphs = (GLYPH,) if path.suffix == ".pdf" else ()
        source = SourcePage(0, 600, 800, glyphs, (Box(0, 0, 1, 1),), lambda: pytest.fail("no raster"), "none")
        yield SimpleNamespace(pages=lambda: iter([source]), shown=shown)

    def read(source: SourcePage) -> Page:
        how = "text" if source.glyphs else "ocr"
        told.append(how)
        return page_of(source="ocr" if how == "ocr" else "text")

    monkeypatch.setattr(pages, "open_document", opening)
    monkeypatch.setattr(pages, "read_words", read)
    return told


def test_pages_are_written_with_their_spans(folder: Path, tmp_path: Path, opened: list[str]) -> None:
    """Each document of the part once, a text layer also from pixels; groups decide who is held back."""
    groups = {Path(name).stem: group for name, group in FILES.items()}
    output = tmp_path / "out" / "set"
    written = write_pages(folder, "receipt", "train", groups, tmp_path / "kept", output)
    train, tune = (list(read_cached(output.with_name(f"set.{side}.pages"))) for side in ("train", "tune"))
    assert written == len(train) + len(tune)
    assert opened == ["text", "ocr", "ocr", "ocr"]
    assert [(page.group, page.page.text_source) for page in tune] == [("shop 4", "text"), ("shop 4", "ocr")]
    assert [page.group for page in train] == ["shop 0", "shop 0"]
    for page in (*train, *tune):
        assert page.kind == "receipt"
        assert set(page.spans) == set(VALUES)  # `printed` beats the normalised value


def test_what_was_read_is_kept(folder: Path, tmp_path: Path, opened: list[str]) -> None:
    """OCR takes minutes: the second call reads no document, and writes the same."""
    written = [write_pages(folder, "receipt", "train", {}, tmp_path / "kept", tmp_path / name) for name in ("a", "b")]
    assert written[0] == written[1] > 0
    assert len(opened) == 4
    for side in ("train", "tune"):
        assert list(read_cached(tmp_path / f"a.{side}.pages")) == list(read_cached(tmp_path / f"b.{side}.pages"))
    assert not list((tmp_path / "kept").glob("*.part"))


def test_without_groups_the_seller_holds_documents_together(folder: Path, tmp_path: Path, opened: list[str]) -> None:
    """All documents of one company land on one side."""
    write_pages(folder, "receipt", "train", {}, tmp_path / "kept", tmp_path / "a")
    sides = [list(read_cached(tmp_path / f"a.{side}.pages")) for side in ("train", "tune")]
    assert sorted(map(len, sides)) == [0, 4]
    assert {page.group for side in sides for page in side} == {VALUES["company"]}


def test_nearly_empty_pages_are_left_out(
    folder: Path, tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of four words teaches nothing."""
    monkeypatch.setattr(pages, "read_words", lambda source: page_of(["KEDAI MELUR TOTAL 55.50"]))
    assert write_pages(folder, "receipt", "train", {}, tmp_path / "kept", tmp_path / "a") == 0


def test_pixels_are_read_without_the_text_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reading of a text document sees neither characters nor pictures."""
    seen: list[SourcePage] = []

    def read(source: SourcePage) -> Page:
        seen.append(source)
        return page_of(source="text")

    monkeypatch.setattr(pages, "read_words", read)
    path = tmp_path / "set" / "train" / "documents" / "a.pdf"
    path.parent.mkdir(parents=True)
    path.write_bytes(text_pdf(INVOICE))
    assert [len(one) for one in pages.readings(path, tmp_path / "kept")] == [1, 1]
    as_is, pixels = seen
    assert as_is.glyphs
    assert (pixels.glyphs, pixels.image_boxes) == ((), ())


def test_a_page_read_today_stays_as_it_is(tmp_path: Path) -> None:
    """Arranging again what `read_words` has just arranged changes nothing."""
    path = tmp_path / "a.pdf"
    path.write_bytes(text_pdf((*INVOICE, Line(350, 90, "Bill to: Jo Kern"), Line(350, 104, "Mill Lane 4"))))
    with open_document(path, shown="a.pdf") as document:
        (page,) = (read_words(source) for source in document.pages())
    assert any(
        word.glued for word in rearranged(replace(page, words=(replace(page.words[0], text="Date:25/12/2018"),))).words
    )
    assert rearranged(page) == page


cells = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30)), min_size=1, max_size=25, unique=True)
texts = st.sampled_from(["Total", "Date:25/12/2018", "RM12.50", "TOTAL9.00", "No.12345", "a"])


@settings(max_examples=20, deadline=None)
@given(cells, st.data())
def test_rearranging_twice_is_rearranging_once(places: list[tuple[int, int]], data: st.DataObject) -> None:
    """Kept pages may be arranged whenever they are read: words of a page without overlaps do not wander."""
    words = tuple(
        Word(data.draw(texts), Box(0.16 * x, 0.03 * y, 0.16 * x + 0.12, 0.03 * y + 0.015), 0, 0, "ocr")
        for x, y in places
    )
    once = rearranged(Page(0, 600, 800, 0, words, "ocr", None))
    assert rearranged(once) == once
    assert [word.line for word in once.words] == sorted(word.line for word in once.words)
    assert "".join(sorted("".join(word.text for word in once.words))) == "".join(
        sorted("".join(word.text for word in words))
    )


def test_groups_are_optional(tmp_path: Path) -> None:
    (tmp_path / "groups.json").write_text('{"a": "g"}')
    assert read_groups(tmp_path / "groups.json") == {"a": "g"}
    assert read_groups(None) == {}
