"""`pipkie templates check | new | try | test`: making a template of one's own."""

import json
import re
from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli.cli.templates_try import marks_of
from pipkie_cli.templates import load_template
from pipkie_cli.values import TYPES


def test_check_names_what_is_right_and_what_is_wrong(pipkie: Pipkie, desk: Path) -> None:
    """Every file is looked at; a mistake has file, line, reason and suggestion, and exit code 4."""
    (desk / "bad.yaml").write_text("name: bad\nkeys:\n  total: amont\n")
    (desk / "worse.yaml").write_text("name: worse\nkeys: {total: amount}\nrules:\n  - total == totl\n")
    ended = pipkie("templates", "check", "bad.yaml", "note.yaml", "worse.yaml", "gone.yaml")
    assert ended.code == 4
    assert ended.out == "note.yaml: note, 2 keys, 0 rules\n"
    assert 'bad.yaml:3: unknown type "amont" of key "total"\n  did you mean "amount"?' in ended.err
    assert re.search(r'worse\.yaml:4: .*"totl".*\n.*"?total"?', ended.err)
    assert "gone.yaml does not exist" in ended.err


def test_check_of_right_files_is_silent_on_stderr(pipkie: Pipkie, desk: Path) -> None:
    """One line a file, exit code 0."""
    ended = pipkie("templates", "check", "note.yaml")
    assert (ended.code, ended.err) == (0, "")


def test_new_writes_a_file_that_loads(pipkie: Pipkie, desk: Path) -> None:
    """Under its name, with all types named in a comment; the next step is told."""
    ended = pipkie("templates", "new", "delivery_slip")
    assert (ended.code, ended.out) == (0, "")
    assert "pipkie templates try delivery_slip.yaml DOCUMENT" in ended.err
    template = load_template(desk / "delivery_slip.yaml")
    assert (template.name, template.title, template.detect_words) == (
        "delivery_slip",
        "Delivery slip",
        ("Delivery slip",),
    )
    text = (desk / "delivery_slip.yaml").read_text()
    named = text.partition("Types:")[2].partition("keys:")[0].replace("#", " ").rstrip(". \n")
    assert [name.strip() for name in named.split(",")] == [*TYPES, "table"]
    assert max(map(len, text.splitlines())) <= 120


def test_what_new_leaves_in_comments_loads_too(pipkie: Pipkie, desk: Path) -> None:
    """Whoever deletes the signs gets a table and rules."""
    text = pipkie("templates", "new", "slip", "-o", "-").out
    (desk / "whole.yaml").write_text(re.sub(r"^#(?=  |rules:)", "", text, flags=re.MULTILINE))
    template = load_template(desk / "whole.yaml")
    assert [column.name for column in template.keys[-1].columns] == ["description", "quantity", "amount"]
    assert template.rules == ("document_date >= 2000-01-01", "sum(line_items.amount) == total")


def test_new_never_overwrites(pipkie: Pipkie, desk: Path) -> None:
    """A file that exists stays as it is: exit code 5."""
    before = (desk / "note.yaml").read_text()
    ended = pipkie("templates", "new", "note")
    assert ended.code == 5
    assert "note.yaml exists" in ended.err
    assert (desk / "note.yaml").read_text() == before
    assert pipkie("templates", "new", "note", "-o", "nowhere/note.yaml").code == 5


def test_new_refuses_what_is_no_name(pipkie: Pipkie, desk: Path) -> None:
    """With a name that would do."""
    ended = pipkie("templates", "new", "My Form")
    assert ended.code == 4
    assert "write my_form" in ended.err
    assert not list(desk.glob("My*"))


def test_try_prints_values_and_writes_a_picture(pipkie: Pipkie, desk: Path) -> None:
    """Key, typed value, print where it differs, confidence, page; then the picture's path on stderr."""
    ended = pipkie("templates", "try", "note.yaml", "in/b.pdf", "-o", "pictures")
    assert ended.code == 0
    lines = [re.split(r"\s{2,}", line) for line in ended.out.splitlines()]
    assert ["number *", "B-2", "0.90", "1"] in lines
    assert ["total", "12.5", "12.50", "0.90", "1"] in lines
    assert "status: ok" in ended.out
    assert ended.err == "pictures/b-page-001.png\n"
    assert (desk / "pictures" / "b-page-001.png").read_bytes().startswith(b"\x89PNG")


def test_try_says_what_is_missing(pipkie: Pipkie, desk: Path) -> None:
    """An absent key is a dash, doubts are named, the record's problems end the page."""
    (desk / "in" / "c.pdf").write_text("total: 9.00??")
    ended = pipkie("templates", "try", "note.yaml", "in/c.pdf")
    assert re.search(r"^number \* +- .*required_missing", ended.out, re.MULTILINE)
    assert "status: review\n  required_missing: " in ended.out


BILL = """\
name: bill
keys:
  number: text
  line_items: {type: table, columns: {description: text, quantity: number, amount: amount}}
"""


def test_try_shows_tables_row_by_row(pipkie: Pipkie, desk: Path) -> None:
    """A line a row, the doubtful cells by name."""
    (desk / "bill.yaml").write_text(BILL)
    (desk / "in" / "bill.pdf").write_text(
        "number: 17\ndescription: Nails quantity: 3 amount: 4.50\ndescription: Nuts?? quantity: 2 amount: nothing?\n"
    )
    out = pipkie("templates", "try", "bill.yaml", "in/bill.pdf").out
    assert "line_items: 2 rows" in out
    assert re.search(r"^\[0\] +Nails +3 +4\.5$", out, re.MULTILINE)
    assert "line_items[1].amount" in out


def test_try_takes_one_document(pipkie: Pipkie, desk: Path) -> None:
    """A folder is a usage error; a document that cannot be read is 3, with its reason."""
    assert pipkie("templates", "try", "note.yaml", "in").code == 2
    assert pipkie("templates", "try", "note.yaml", "gone.pdf").code == 7


def test_keys_of_one_place_share_a_frame() -> None:
    """The second name would cover the first; cells of a row stand under its number."""
    place = {"page": 2, "boxes": [[0.1, 0.1, 0.2, 0.2]]}
    cell = {"page": 2, "boxes": [[0.1, 0.5, 0.2, 0.6]]}
    absent = {"page": None, "boxes": []}
    marks = marks_of({"total": place, "due": place, "none": absent, "items": [{"a": cell, "b": cell, "c": absent}]})
    assert {name: len(boxes) for name, boxes in marks[2].items()} == {"total, due": 1, "[0]": 2}


@pytest.fixture
def labelled(desk: Path) -> Path:
    """Three labelled documents, one value of four wrong."""
    folder = desk / "set"
    (folder / "documents").mkdir(parents=True)
    texts = {"a": "number: A-1", "b": "number: B-2\ntotal: 12.50", "c": "number: C-3\ntotal: 7.00"}
    values = {
        "a": {"number": "A-1", "total": None},
        "b": {"number": "B-2", "total": "12.50"},
        "c": {"number": "C-9", "colour": "red"},
    }
    lines = []
    for name, text in texts.items():
        (folder / "documents" / f"{name}.pdf").write_text(text)
        lines.append(json.dumps({"file": f"documents/{name}.pdf", "document_type": "note", "values": values[name]}))
    (folder / "labels.jsonl").write_text("\n".join(lines))
    return folder


def test_test_counts_right_and_wrong(pipkie: Pipkie, labelled: Path) -> None:
    """A line a key, the wrong values with what was expected, the figures as JSON; exit code 9."""
    ended = pipkie("templates", "test", "note.yaml", "set")
    assert ended.code == 9
    lines = ended.out.splitlines()
    assert lines[0].split() == ["key", "right", "wrong", "missed", "invented"]
    assert lines[1].split() == ["number", "2", "1", "0", "0"]
    assert lines[2].split() == ["total", "2", "0", "0", "0"]
    assert lines[3] == "4 of 5 values are right (80.0 %)"
    assert "documents/c.pdf: number: expected 'C-9', got 'C-3' (0.90)" in lines[4]
    assert lines[5] == "colour has 1 label, but the template does not ask for it"
    figures = json.loads(lines[-1])
    assert (figures["values"], figures["right"], figures["documents"]) == (5, 4, 3)
    assert figures["keys"]["number"] == {"right": 2, "wrong": 1, "missed": 0, "invented": 0}


def test_at_least_decides_the_exit_code(pipkie: Pipkie, labelled: Path) -> None:
    """What is asked of the share of right values."""
    assert pipkie("templates", "test", "note.yaml", "set", "--at-least", "0.8").code == 0
    assert pipkie("templates", "test", "note.yaml", "set", "--at-least", "0.81").code == 9


def test_test_says_which_documents_failed(pipkie: Pipkie, labelled: Path) -> None:
    """A document that cannot be read counts as every value missed, and ends in exit code 3."""
    (labelled / "documents" / "a.pdf").write_text("LOCKED")
    ended = pipkie("templates", "test", "note.yaml", "set", "--at-least", "0")
    assert ended.code == 3
    assert "documents/a.pdf: failed, " in ended.out


def test_test_wants_labels(pipkie: Pipkie, desk: Path) -> None:
    """A folder without labels is an input error with the form told."""
    assert pipkie("templates", "test", "note.yaml", "in").code == 7
