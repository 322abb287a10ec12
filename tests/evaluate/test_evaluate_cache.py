"""The cache of read pages: what comes back is what went in, and only for the same bytes read the same way."""

from pathlib import Path

import pytest

from pipkie_cli.errors import OutputError
from pipkie_cli.evaluate.page_cache import PageCache, ReadDocument, reader_revision
from pipkie_cli.nouns import Box, DocumentId, Page, Problem, Word

WORD = Word("Größe", Box(0.1, 0.2, 1 / 3, 0.25), line=0, segment=0, source="ocr", score=0.987654321)
PAGE = Page(1, 600.0, 800.0, 90, (WORD,), "ocr", "pillow", (Problem("page_turned", "turned", ("total",)),))
READ = ReadDocument(DocumentId("a.png", "0f", 3), (PAGE,), (Problem("pages_cut", "cut"),))


def test_what_comes_back_is_what_went_in(tmp_path: Path) -> None:
    """A kept document equals the one that was read, to the last digit, and a second cache finds it."""
    document = tmp_path / "a.png"
    document.write_bytes(b"pixels")
    assert PageCache(tmp_path / "cache", "words/1").load(document, 50) is None
    PageCache(tmp_path / "cache", "words/1").keep(document, 50, READ)
    assert PageCache(tmp_path / "cache", "words/1").load(document, 50) == READ


def test_other_bytes_words_or_limits_are_read_again(tmp_path: Path) -> None:
    """Content, revision of the reading and page limit decide; name and place do not."""
    document, same, other = (tmp_path / name for name in ("a.png", "b.png", "c.png"))
    document.write_bytes(b"pixels")
    same.write_bytes(b"pixels")
    other.write_bytes(b"other pixels")
    cache = PageCache(tmp_path / "cache", "words/1")
    cache.keep(document, 50, READ)
    assert cache.load(same, 50) == READ
    assert cache.load(other, 50) is None
    assert cache.load(document, 10) is None
    assert PageCache(tmp_path / "cache", "words/2").load(document, 50) is None


def test_a_half_written_entry_is_none(tmp_path: Path) -> None:
    """An entry that is not whole JSON counts as not there."""
    document = tmp_path / "a.png"
    document.write_bytes(b"pixels")
    cache = PageCache(tmp_path, "words/1")
    cache.keep(document, 50, READ)
    entry = cache.entry(document, 50)
    entry.write_bytes(entry.read_bytes()[:-5])
    assert cache.load(document, 50) is None


def test_a_cache_that_cannot_be_written_is_an_output_error(tmp_path: Path) -> None:
    """A cache folder that is a file is said, not ignored: the user asked for a cache."""
    document = tmp_path / "a.png"
    document.write_bytes(b"pixels")
    with pytest.raises(OutputError, match="cannot be written"):
        PageCache(document, "words/1").keep(document, 50, READ)


def test_a_cache_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """An entry that is a folder is an error of the cache; a document that is gone is the reader's to explain."""
    document = tmp_path / "a.png"
    document.write_bytes(b"pixels")
    cache = PageCache(tmp_path / "cache", "words/1")
    cache.entry(document, 50).mkdir(parents=True)
    with pytest.raises(OutputError, match="cannot be read"):
        cache.load(document, 50)
    assert cache.load(tmp_path, 50) is None


def test_the_revision_follows_the_code_that_reads() -> None:
    """The same code has the same revision, and the one that `words` states is part of it."""
    assert reader_revision("words/1") == reader_revision("words/1")
    assert reader_revision("words/1").startswith("words/1, code ")
