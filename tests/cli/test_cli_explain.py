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


def test_a_doubtful_absence_names_the_likeliest_text(pipkie: Pipkie, desk: Path) -> None:
    """What the record only says is doubtful can be looked at here."""
    (desk / "in" / "a.pdf").write_text("number: A-1\ntotal: 9.00??")
    out = pipkie("explain", "in/a.pdf", *NOTE, "-k", "total").out.splitlines()
    assert "  answer: absent (confidence 0.41)" in out
    assert '  in doubt: the likeliest text is "9.00??" (confidence 0.30), page 1, from ocr' in out
    assert "  flags: low_confidence" in out
    assert "in doubt" not in pipkie("explain", "in/b.pdf", *NOTE).out


BILL = """\
name: bill
keys:
  number: text
  line_items: {type: table, columns: {description: text, quantity: number, amount: amount}}
"""
BILL_TEXT = """\
number: 17
description: Nails quantity: 3 amount: 4.50
and description: bolts

description: Nuts?? quantity: 2 amount: nothing?
thank you
"""


@pytest.fixture
def bill(desk: Path) -> Path:
    """A document with two items, the second doubtful."""
    (desk / "bill.yaml").write_text(BILL)
    (desk / "in" / "bill.pdf").write_text(BILL_TEXT)
    return desk


def test_rows_of_a_table_are_told(pipkie: Pipkie, bill: Path) -> None:
    """Items as a table, what is doubtful about their cells, and what was asked of every printed row."""
    out = pipkie("explain", "in/bill.pdf", "-t", "bill.yaml", "--key", "line_items").out.splitlines()
    start = out.index("key line_items (table): 2 rows")
    assert out[start + 1 : out.index("record: review") - 1] == [
        "  row  page  least sure  description  quantity  amount",
        "  [0]  1     0.90        Nails bolts  3         4.5",
        '  [1]  1     0.41        -            2         "nothing?"',
        "  line_items[1].description: absent (confidence 0.41); low_confidence",
        '    in doubt: the likeliest text is "Nuts??" (confidence 0.30), page 1, from ocr',
        '  line_items[1].amount: "nothing?" (confidence 0.41), page 1, from ocr; unparsable, low_confidence',
        "  printed rows on page 1, and how likely each has description, quantity, amount:",
        "    0.05 0.05 0.05  number: 17",
        "    0.92 0.92 0.92  description: Nails quantity: 3 amount: 4.50",
        "    0.92 0.05 0.05  and description: bolts",
        "    0.59 0.92 0.70  description: Nuts?? quantity: 2 amount: nothing?",
        "    0.05 0.05 0.05  thank you",
    ]
    assert "key number" not in "".join(out)


def test_a_table_that_is_not_there_is_told(pipkie: Pipkie, bill: Path) -> None:
    """No rows; the printed rows say how near it was."""
    out = pipkie("explain", "in/b.pdf", "-t", "bill.yaml").out.splitlines()
    assert "key line_items (table): 0 rows" in out
    assert "    0.05 0.05 0.05  number: B-2" in out
    assert "record: ok" in out


def test_items_are_drawn_under_their_numbers(pipkie: Pipkie, bill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell of an item has its frame; a key that was not asked for has none."""
    drawn: list[dict[str, int]] = []
    real = words.draw_page
    count = lambda marks: drawn.append({name: len(boxes) for name, boxes in marks.items()})  # noqa: E731
    monkeypatch.setattr(words, "draw_page", lambda *given: (count(given[2]), real(*given))[1])
    pipkie("explain", "in/bill.pdf", "-t", "bill.yaml", "-k", "line_items", "--draw", "out")
    assert drawn == [{"[0]": 4, "[1]": 2}]


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


def test_what_came_of_every_rule(pipkie: Pipkie, desk: Path) -> None:
    """Also of those that hold, and of those that a null keeps from being checked."""
    note = (desk / "note.yaml").read_text()
    (desk / "note.yaml").write_text(note + "rules:\n  - total > 10\n  - total > 20\n  - number != 'B-2'\n")
    out = pipkie("explain", "in/b.pdf", "-t", "note.yaml", "--key", "number").out.splitlines()
    start = out.index("rules:")
    assert out[start + 1 : start + 4] == ["  holds: total > 10", "  broken: total > 20", "  broken: number != 'B-2'"]
    assert "  not checked: total > 10" in pipkie("explain", "in/a.pdf", "-t", "note.yaml").out.splitlines()
