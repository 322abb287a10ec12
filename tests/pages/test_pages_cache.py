"""The cache of read pages: what comes back is what went in, for the same bytes read the same way; it stays bounded."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pipkie_cli.errors import OutputError
from pipkie_cli.facts import CodeReader
from pipkie_cli.nouns import Box, Code, DocumentId, Key, Locale, Page, Place, Problem, Template, Word
from pipkie_cli.pages import PageCache, ReadDocument, reader_revision
from pipkie_cli.pages.cache import Content

WORD = Word("Größe", Box(0.1, 0.2, 1 / 3, 0.25), line=0, segment=0, source="ocr", score=0.987654321)
PAGE = Page(1, 600.0, 800.0, 90, (WORD,), "ocr", "pillow", (Problem("page_turned", "turned", ("total",)),))
READ = ReadDocument(DocumentId("a.png", "0f", 3), (PAGE,), (Problem("pages_cut", "cut"),))
PAYMENT = Key("iban", "iban", "IBAN", term="BT-84")
BARCODE = Key("parcel", "barcode", "parcel")


def content_of(path: Path, data: bytes = b"pixels") -> Content:
    path.write_bytes(data)
    content = PageCache(path.parent, "").content_of(path)
    assert content is not None
    return content


def reader(*keys: Key) -> CodeReader:
    return CodeReader((Template("note", "Note", keys, Locale(), (), (), "0" * 12, "note.yaml"),))


def test_what_comes_back_is_what_went_in(tmp_path: Path) -> None:
    """A kept document equals the one that was read, to the last digit, and a second cache finds it."""
    content = content_of(tmp_path / "a.png")
    assert PageCache(tmp_path / "cache", "words/1").load(content, 50) is None
    PageCache(tmp_path / "cache", "words/1").keep(content, 50, READ)
    cache = PageCache(tmp_path / "cache", "words/1")
    assert cache.load(content, 50) == READ
    assert cache.counts == {"hits": 1, "misses": 0}
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700  # it holds what documents say


def test_other_bytes_words_or_limits_are_read_again(tmp_path: Path) -> None:
    """Content, revision of the reading and page limit decide; name and place do not."""
    content, same = content_of(tmp_path / "a.png"), content_of(tmp_path / "b.png")
    cache = PageCache(tmp_path / "cache", "words/1")
    cache.keep(content, 50, READ)
    assert cache.load(same, 50) == READ
    assert cache.load(content_of(tmp_path / "c.png", b"other pixels"), 50) is None
    assert cache.load(content, 10) is None
    assert PageCache(tmp_path / "cache", "words/2").load(content, 50) is None


@pytest.mark.parametrize(
    "broken", [b"", b"{", b"[]", b"null", b'{"id": 1}', b'{"id": {}, "pages": [], "problems": []}']
)
def test_an_entry_that_is_not_whole_is_none(tmp_path: Path, broken: bytes) -> None:
    """Half-written, of another program, of another version: it is read again."""
    content = content_of(tmp_path / "a.png")
    cache = PageCache(tmp_path, "words/1")
    cache.keep(content, 50, READ)
    cache.entry(content, 50).write_bytes(broken)
    assert cache.load(content, 50) is None


def test_a_cache_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    """A folder that is a file, an entry that is a folder or a FIFO: the user asked for a cache."""
    content = content_of(tmp_path / "a.png")
    with pytest.raises(OutputError, match="cannot be written"):
        PageCache(tmp_path / "a.png", "words/1").keep(content, 50, READ)
    cache = PageCache(tmp_path / "cache", "words/1")
    cache.entry(content, 50).mkdir(parents=True)
    with pytest.raises(OutputError, match="cannot be read"):
        cache.load(content, 50)
    cache.entry(content, 50).rmdir()
    os.mkfifo(cache.entry(content, 50))
    with pytest.raises(OutputError, match="cannot be read"):
        cache.load(content, 50)


def test_what_is_no_file_has_no_content(tmp_path: Path) -> None:
    """Whoever reads it says why; a FIFO that nobody writes to holds nothing up."""
    os.mkfifo(tmp_path / "fifo")
    cache = PageCache(tmp_path, "words/1")
    assert [cache.content_of(tmp_path / name) for name in (".", "gone", "fifo", "nul\0")] == [None] * 4


def test_the_revision_follows_the_code_that_reads() -> None:
    """The same code has the same revision, and the one that `words` states is part of it."""
    assert reader_revision("words/1") == reader_revision("words/1")
    assert reader_revision("words/1").startswith("words/1, code ")


def test_codes_are_kept_by_the_kinds_that_are_looked_for(tmp_path: Path) -> None:
    """A template with a barcode finds nothing in what was looked at for payments alone; one without needs none."""
    content, code = content_of(tmp_path / "a.png"), Code("QR Code", "pay", Place(1, (Box(0, 0.1, 1 / 3, 1),)))
    cache = PageCache(tmp_path / "cache", "words/1")
    paying = reader(PAYMENT)
    paying.codes.append(code)
    assert not cache.load_codes(content, 50, reader(PAYMENT))
    cache.keep_codes(content, 50, paying)
    again = reader(PAYMENT)
    assert (cache.load_codes(content, 50, again), again.codes) == (True, [code])
    assert not cache.load_codes(content, 50, reader(BARCODE))
    assert cache.load_codes(content, 50, reader(replace(PAYMENT, term=None)))
    doubtful = reader(BARCODE)
    doubtful.problems.append(Problem("codes_not_read", "page 1"))
    cache.keep_codes(content, 50, doubtful)
    assert not cache.load_codes(content, 50, reader(BARCODE))


# ---------------------------------------------------------------------------------------------------------------- bound


def kept_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_bounded_cache_forgets_what_was_used_longest_ago(tmp_path: Path) -> None:
    """It never holds more than its bound; what is used stays; files of others are not touched."""
    contents = [content_of(tmp_path / "a.png", b"page %d" % number) for number in range(40)]
    first = PageCache(tmp_path / "cache", "words/1")
    first.keep(contents[0], 50, READ)
    size = kept_bytes(tmp_path / "cache")
    (tmp_path / "cache" / "mine.json").write_bytes(b"of the user")
    cache = PageCache(tmp_path / "cache", "words/1", limit_bytes=10 * size)
    for number, content in enumerate(contents):
        cache.keep(content, 50, READ)
        assert cache.load(contents[0], 50) is not None, number
        assert kept_bytes(tmp_path / "cache") <= 10 * size + len(b"of the user")
        for path in (tmp_path / "cache").iterdir():  # each a second older than at the last look
            os.utime(path, ns=(0, path.stat().st_mtime_ns - 10**9))
    assert cache.load(contents[-1], 50) == READ
    assert cache.load(contents[1], 50) is None
    assert (tmp_path / "cache" / "mine.json").exists()


def test_several_processes_stay_below_the_bound(tmp_path: Path) -> None:
    """Each knows what it wrote itself; together they write no more than there is room for."""
    contents = [content_of(tmp_path / "a.png", b"page %d" % number) for number in range(300)]
    PageCache(tmp_path / "cache", "words/1").keep(contents[0], 50, READ)
    size = kept_bytes(tmp_path / "cache")
    sharers = [PageCache(tmp_path / "cache", "words/1", limit_bytes=100 * size) for _ in range(8)]
    for number, content in enumerate(contents):
        sharers[number % 8].keep(content, 50, READ)
        assert kept_bytes(tmp_path / "cache") <= 100 * size


def test_what_is_larger_than_the_bound_is_not_kept(tmp_path: Path) -> None:
    """Nothing is forgotten for it."""
    content = content_of(tmp_path / "a.png")
    cache = PageCache(tmp_path / "cache", "words/1", limit_bytes=10)
    cache.keep(content, 50, READ)
    assert cache.load(content, 50) is None
    assert kept_bytes(tmp_path / "cache") == 0


def test_an_unfinished_entry_is_forgotten_like_any_other(tmp_path: Path) -> None:
    """A worker that was killed while it wrote leaves a part, under a name of its own."""
    content = content_of(tmp_path / "a.png")
    folder = tmp_path / "cache"
    PageCache(folder, "words/1").keep(content, 50, READ)
    size = kept_bytes(folder)
    part = folder / f"{'0' * 64}.json.0123abcd.part"
    part.write_bytes(b"x" * size)
    os.utime(part, (0, 0))
    cache = PageCache(folder, "words/1", limit_bytes=2 * size)
    cache.keep(content_of(tmp_path / "a.png", b"other"), 50, READ)
    assert not part.exists()
    assert cache.load(content, 50) == READ
