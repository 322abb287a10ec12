"""`pipkie explain`: every stop of the road, in words that a person can follow."""

from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli import words

NOTE = ("-t", "note.yaml")


def test_every_stop_is_told(pipkie: Pipkie, desk: Path) -> None:
    """Text source, words line by line, type, candidates with scores, typed value, what became of the record."""
    ended = pipkie("explain", "in/b.pdf", *NOTE)
    assert ended.code == 0
    for line in (
        "document in/b.pdf: 1 of 1 pages read",
        "page 1: OCR, pixels by pillow, 4 words",
        "     0  number: B-2",
        "     1  total: 12.50",
        "  1.00  note",
        "  decimal mark: . (from its values)",
        "  order of dates: nothing decides it",
        "key total (amount)",
        '  answer: "12.50" (confidence 0.90), page 1, from ocr',
        "  value: 12.5",
        "  candidates on page 1, 4 words:",
        '      -0.100  "12.50"',
        "      -2.500  absent",
        "record: ok",
    ):
        assert line in ended.out.splitlines()


def test_one_key_on_request(pipkie: Pipkie, desk: Path) -> None:
    """--key leaves the other keys out; pages and type stay."""
    out = pipkie("explain", "in/b.pdf", *NOTE, "--key", "number").out
    assert "key number" in out
    assert "key total" not in out
    assert "page 1" in out


def test_an_unknown_key_is_a_usage_error(pipkie: Pipkie, desk: Path) -> None:
    """The message lists the keys that there are."""
    ended = pipkie("explain", "in/b.pdf", *NOTE, "--key", "sum")
    assert ended.code == 2
    assert "the template note has no key sum\n  it has number, total\n" in ended.err


def test_an_absent_key_is_told(pipkie: Pipkie, desk: Path) -> None:
    """Absent is an answer with a confidence."""
    assert "  answer: absent (confidence " in pipkie("explain", "in/a.pdf", *NOTE, "-k", "total").out


def test_a_document_that_fails_ends_with_its_message(pipkie: Pipkie, desk: Path) -> None:
    """The same words as in its record, exit code 3."""
    (desk / "in" / "a.pdf").write_text("LOCKED")
    ended = pipkie("explain", "in/a.pdf", *NOTE)
    assert (ended.code, ended.out) == (3, "")
    assert "needs a password\n  add --password" in ended.err


def test_a_folder_is_refused(pipkie: Pipkie, desk: Path) -> None:
    """One document at a time."""
    assert pipkie("explain", "in", *NOTE).code == 2


@pytest.mark.parametrize(("pattern", "count"), [("in/*.pdf", 2), ("*.yaml", 0)])
def test_a_glob_of_many_or_none_is_refused(pipkie: Pipkie, desk: Path, pattern: str, count: int) -> None:
    """Not the first of them without a word, and not a traceback where none is a document."""
    ended = pipkie("explain", pattern, *NOTE)
    assert (ended.code, ended.out) == (2, "")
    assert f"{pattern} stands for {count} documents" in ended.err


def test_no_template_fits_is_told_with_the_scores(pipkie: Pipkie, desk: Path) -> None:
    """Without --template nothing may fit; the scores say how far off it was."""
    out = pipkie("explain", "in/a.pdf").out
    assert "type: none fits" in out
    assert "  0.00  invoice" in out


def test_pages_cannot_move_the_cursor(pipkie: Pipkie, desk: Path) -> None:
    """Escape codes and direction marks in a document are shown, not sent to the terminal."""
    (desk / "in" / "a.pdf").write_text("number: \x1b[2Jx\u202e")
    out = pipkie("explain", "in/a.pdf", *NOTE).out
    assert "\x1b" not in out
    assert r"\x1b[2Jx\u202e" in out


def test_pictures_are_drawn_on_request(pipkie: Pipkie, desk: Path) -> None:
    """One picture per page read, in a folder that is made; the paths are told."""
    (desk / "in" / "two.pdf").write_text("number: 1\ftotal: 2.00")
    ended = pipkie("explain", "in/two.pdf", *NOTE, "--draw", "out/pictures")
    drawn = sorted((desk / "out" / "pictures").iterdir())
    assert [path.name for path in drawn] == ["two-page-001.png", "two-page-002.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)
    assert "out/pictures/two-page-001.png" in ended.err


def test_only_the_keys_asked_for_are_drawn(pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that another key shares would be covered by the other's name."""
    (desk / "in" / "two.pdf").write_text("number: 1\ftotal: 2.00")
    drawn: list[set[str]] = []
    real = words.draw_page
    monkeypatch.setattr(words, "draw_page", lambda *given: (drawn.append(set(given[2])), real(*given))[1])
    pipkie("explain", "in/two.pdf", *NOTE, "--key", "number", "--draw", "out/pictures")
    assert set().union(*drawn) == {"number"}


def test_a_page_that_cannot_be_drawn_is_told(pipkie: Pipkie, desk: Path) -> None:
    """The other pages are drawn."""
    (desk / "in" / "two.pdf").write_text("TORN\ftotal: 2.00")
    ended = pipkie("explain", "in/two.pdf", *NOTE, "--draw", "drawn")
    assert ended.code == 0
    assert [path.name for path in (desk / "drawn").iterdir()] == ["two-page-002.png"]
    assert "page 1 has no picture: it cannot be drawn" in ended.err


def test_a_place_for_pictures_that_cannot_be_written(pipkie: Pipkie, desk: Path) -> None:
    """Exit code 5."""
    (desk / "file").write_text("")
    assert pipkie("explain", "in/a.pdf", *NOTE, "--draw", "file/x").code == 5


@pytest.mark.parametrize("name", ["gone.pdf", "in/gone.pdf"])
def test_a_missing_file(pipkie: Pipkie, desk: Path, name: str) -> None:
    """Exit code 7, as for extract."""
    assert pipkie("explain", name, *NOTE).code == 7
