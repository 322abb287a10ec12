"""Labels: the folder form, and records that a person corrected."""

import json
from pathlib import Path
from typing import Any

import pytest
from finetune_tiny import ITEMS, NOTE, write_folder

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate import SetRules
from pipkie_cli.nouns import Template
from pipkie_cli.train import finetune_labels
from pipkie_cli.train.finetune_labels import learnt_keys, read_labels

WITH_ITEMS = Template(NOTE.name, NOTE.title, (*NOTE.keys, ITEMS), NOTE.locale, (), (), NOTE.digest, NOTE.origin)


def record(path: str, values: dict[str, Any], raws: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    fields = {name: {"raw": raw, "flags": []} for name, raw in (raws or {}).items()}
    return {"document": {"path": path}, "status": "review", "values": values, "fields": fields, **more}


def write_records(file: Path, *records: dict[str, Any]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return file


def test_a_folder_gives_labels_of_the_template_s_keys(tmp_path: Path) -> None:
    """null is absent, a list is several right answers, other keys and documents without any are left out."""
    rows = [
        {"file": "documents/a.pdf", "values": {"number": "A-1", "total": None, "colour": "red"}, "group": "x"},
        {"file": "documents/b.pdf", "values": {"number": ["B-1", "B 1"]}, "printed": {"number": "B - 1"}},
        {"file": "documents/c.pdf", "values": {"colour": "red"}},
    ]
    labels = read_labels(write_folder(tmp_path, rows), None, None, NOTE)
    assert [(one.shown, dict(one.values), one.group) for one in labels.documents] == [
        ("documents/a.pdf", {"number": ("A-1",), "total": ()}, "x"),
        ("documents/b.pdf", {"number": ("B-1", "B 1")}, ""),
    ]
    assert labels.documents[1].printed == {"number": ("B - 1",)}
    assert labels.held_out == ()
    assert labels.rules.locale == NOTE.locale


def test_a_part_may_be_held_out(tmp_path: Path) -> None:
    """No document of the held-out part is learnt from, with and without --split."""
    rows = [{"file": f"documents/{name}.pdf", "values": {"number": name}} for name in "abc"]
    write_folder(tmp_path, rows)
    (tmp_path / "split.json").write_text(json.dumps({"train": ["a", "b"], "later": ["b"]}))
    for part, learnt in (("train", ["a"]), (None, ["a", "c"])):
        labels = read_labels(tmp_path, part, "later", NOTE)
        assert [one.path.stem for one in labels.documents] == learnt
        assert [one.path.stem for one in labels.held_out] == ["b"]


def test_corrected_records_are_labels(tmp_path: Path) -> None:
    """Values are right, null is absent, failures are left out; paths are relative to the records."""
    file = write_records(
        tmp_path / "notes.jsonl",
        record("in/b.pdf", {"number": "B-1", "total": 12.5, "day": None}, {"number": "B-1", "total": "12,50 €"}),
        record("in/a.pdf", {"number": "A-1"}),
        record("in/c.pdf", {}, status="failed"),
    )
    for data in (file, tmp_path):
        labels = read_labels(data, None, None, NOTE)
        assert [one.shown for one in labels.documents] == ["in/a.pdf", "in/b.pdf"]
        assert labels.documents[1].path == tmp_path / "in" / "b.pdf"
        assert labels.documents[1].values == {"number": ("B-1",), "total": ("12.5",), "day": ()}
        assert labels.documents[1].printed == {"number": ("B-1",), "total": ("12,50 €",), "day": ()}
        assert labels.rules.normalised


def test_a_separator_of_lines_inside_a_value_ends_no_record(tmp_path: Path) -> None:
    """Records are written in UTF-8 as they are: U+2028 and U+0085 stand in them."""
    text = json.dumps(record("in/a.pdf", {"number": "A\u2028\x851"}), ensure_ascii=False)
    (tmp_path / "notes.jsonl").write_text(text + "\n", encoding="utf-8", newline="\n")
    labels = read_labels(tmp_path, None, None, NOTE)
    assert labels.documents[0].values == {"number": ("A\u2028\x851",)}


def test_a_printed_text_that_was_not_corrected_does_not_count(tmp_path: Path) -> None:
    """Who corrects the value alone leaves the wrong printed text behind."""
    file = write_records(tmp_path / "r.jsonl", record("a.pdf", {"total": 99.0}, {"total": "12.50"}))
    (one,) = read_labels(file, None, None, NOTE).documents
    assert (one.values, one.printed) == ({"total": ("99.0",)}, {"total": ()})


def test_a_value_that_could_not_be_typed_is_not_absent(tmp_path: Path) -> None:
    """A null with a flag that says so is labelled by its printed text."""
    given = record("a.pdf", {"day": None}, {"day": "03/04/24"})
    given["fields"]["day"]["flags"] = ["ambiguous_date"]
    (one,) = read_labels(write_records(tmp_path / "r.jsonl", given), None, None, NOTE).documents
    assert (one.values, one.printed) == ({"day": ("03/04/24",)}, {"day": ("03/04/24",)})


def test_rows_of_tables_are_labels(tmp_path: Path) -> None:
    """Columns and tables that the template does not ask for are left out; null is a table without rows."""
    rows = [
        {
            "file": "documents/a.pdf",
            "values": {"items": [{"name": "Tea", "price": 1.5, "colour": "x"}], "more": [{"a": "b"}]},
        },
        {"file": "documents/b.pdf", "values": {"items": None}},
        {"file": "documents/c.pdf", "values": {"items": ["Tea"]}},
    ]
    labels = read_labels(write_folder(tmp_path, rows), None, None, WITH_ITEMS)
    assert [(one.path.stem, dict(one.values), dict(one.tables)) for one in labels.documents] == [
        ("a", {}, {"items": ({"name": "Tea", "price": "1.5"},)}),
        ("b", {"items": ()}, {}),
    ]
    assert learnt_keys(WITH_ITEMS, labels.documents, labels.rules) == WITH_ITEMS
    assert learnt_keys(WITH_ITEMS, [], labels.rules) == NOTE


def test_lists_of_columns_are_labels_where_the_set_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the set's own name, for the set's rules tell what they are."""
    rules = SetRules("mine", columns={"what": "items.name", "who": "people.name"})
    monkeypatch.setattr(finetune_labels, "rules_of", lambda _: rules)
    rows = [{"file": "documents/a.pdf", "values": {"what": ["Tea", "Cake"], "who": ["Anna"]}}]
    (one,) = read_labels(write_folder(tmp_path, rows), None, None, WITH_ITEMS).documents
    assert one.values == {"what": ("Tea", "Cake")}


def test_rows_of_corrected_records_are_labels(tmp_path: Path) -> None:
    """Values are right, null is empty; what could not be typed counts as printed while the rows are those that were."""
    rows = [{"name": "Tea", "price": 1.5}, {"name": "Cake", "price": None}, {"name": None, "price": 2}]
    fields = [{"name": {"raw": "Tea", "flags": []}}, {"price": {"raw": "1,2.3", "flags": ["unparsable"]}}, {}]
    given = record("a.pdf", {"items": rows}) | {"fields": {"items": fields}}
    for told, price in ((fields, "1,2.3"), (fields[:2], None)):
        given["fields"]["items"] = told
        (one,) = read_labels(write_records(tmp_path / "r.jsonl", given), None, None, WITH_ITEMS).documents
        assert one.tables == {
            "items": ({"name": "Tea", "price": "1.5"}, {"name": "Cake", "price": price}, {"name": None, "price": "2"})
        }
    empty = record("a.pdf", {"items": [], "number": "7"})
    (one,) = read_labels(write_records(tmp_path / "r.jsonl", empty), None, None, WITH_ITEMS).documents
    assert one.tables == {"items": ()}


def test_what_holds_no_labels_is_said(tmp_path: Path) -> None:
    """No such folder, none or two files of records, a line that is no record, a part without split.json."""
    with pytest.raises(InputError, match="is not there"):
        read_labels(tmp_path / "none", None, None, NOTE)
    with pytest.raises(InputError, match=r"no labels\.jsonl"):
        read_labels(tmp_path, None, None, NOTE)
    (tmp_path / "r.jsonl").write_text('{"values": {}}')
    with pytest.raises(InputError, match=r"r\.jsonl:1 is no record"):
        read_labels(tmp_path, None, None, NOTE)
    (tmp_path / "s.jsonl").write_text("")
    with pytest.raises(InputError, match="several"):
        read_labels(tmp_path, None, None, NOTE)
    with pytest.raises(UsageError, match=r"split\.json"):
        read_labels(tmp_path / "s.jsonl", "train", None, NOTE)
