"""Labelled folders: what is read from labels.jsonl and split.json, and what each fault says."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate.datasets import read_folder, rules_of

ROWS: list[dict[str, Any]] = [
    {"file": "documents/b.png", "document_type": "receipt", "values": {"total": "9.00", "date": None}},
    {"file": "documents/a.pdf", "document_type": "invoice", "values": {"total": ["1", "2"], "line_items": [{"n": 1}]}},
    {
        "file": "documents/c.pdf",
        "document_type": "invoice",
        "values": {"total": "218.48"},
        "printed": {"total": "218,48"},
    },
]


def make_set(folder: Path, parts: dict[str, list[str]] | None = None) -> Path:
    """A miniature set in folder form; its documents need not exist to read its labels."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("labels.jsonl").write_text("\n".join(map(json.dumps, ROWS)) + "\n\n", encoding="utf-8")
    if parts is not None:
        folder.joinpath("split.json").write_text(json.dumps(parts), encoding="utf-8")
    return folder


def test_null_list_missing_and_tables(tmp_path: Path) -> None:
    """Null is known to be absent, a list is several right answers, a missing key is no label, a table is left out."""
    a, b, c = read_folder(make_set(tmp_path))
    assert [one.shown for one in (a, b, c)] == ["documents/a.pdf", "documents/b.png", "documents/c.pdf"]
    assert dict(a.values) == {"total": ("1", "2")}
    assert dict(b.values) == {"total": ("9.00",), "date": ()}
    assert dict(c.printed) == {"total": ("218,48",)}
    assert a.path == tmp_path / "documents/a.pdf"
    assert b.document_type == "receipt"


@pytest.mark.parametrize("name", ["documents/b.png", "b.png", "b"])
def test_parts_name_documents_in_three_ways(tmp_path: Path, name: str) -> None:
    """split.json may name a document by path, by file name or by stem."""
    folder = make_set(tmp_path, {"train": [], "dev": [name]})
    assert [one.shown for one in read_folder(folder, "dev")] == ["documents/b.png"]


def test_faults_say_what_to_do(tmp_path: Path) -> None:
    """No labels, no split, an unknown or empty part, a line that is no label: each is an error of its own words."""
    with pytest.raises(InputError, match=r"labels.jsonl cannot be read"):
        read_folder(tmp_path)
    folder = make_set(tmp_path / "set")
    with pytest.raises(UsageError, match=r"no split.json"):
        read_folder(folder, "dev")
    make_set(folder, {"dev": ["b"], "empty": ["z"]})
    with pytest.raises(UsageError, match="no part test; it has: dev, empty"):
        read_folder(folder, "test")
    with pytest.raises(InputError, match="holds no labelled document"):
        read_folder(folder, "empty")
    folder.joinpath("labels.jsonl").write_text('{"file": "a"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"labels.jsonl:1 is no label"):
        read_folder(folder)


def test_rules_go_by_the_folders_names(tmp_path: Path) -> None:
    """A folder inside a known set has its rules; any other has the plain ones and no template."""
    assert rules_of(tmp_path / "sroie" / "train").template == "receipt"
    assert rules_of(tmp_path / "zugferd" / "train").normalised
    assert rules_of(tmp_path / "wildreceipt").template_key("store_name") == "store_name"
    unknown = rules_of(tmp_path / "mine")
    assert (unknown.name, unknown.template, unknown.template_key("total")) == ("mine", None, "total")


@pytest.mark.parametrize(
    "line",
    [
        b'{"file": 5, "document_type": "a", "values": {}}',
        b'{"file": "a.pdf", "document_type": "a", "values": {}, "printed": 5}',
        b"\xff\xfe",
    ],
)
def test_labels_of_a_wrong_kind_are_told(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "labels.jsonl").write_bytes(line)
    with pytest.raises(InputError):
        read_folder(tmp_path)


def test_a_line_separator_inside_a_value_ends_no_line(tmp_path: Path) -> None:
    row = {"file": "a.pdf", "document_type": "a", "values": {"total": "1\u2028\x85"}}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    assert read_folder(tmp_path)[0].values == {"total": ("1\u2028\x85",)}


@pytest.mark.parametrize("parts", ["5", "[1]", '{"train": 5}'])
def test_a_split_of_a_wrong_kind_is_told(tmp_path: Path, parts: str) -> None:
    (tmp_path / "labels.jsonl").write_text('{"file": "a.pdf", "document_type": "a", "values": {}}')
    (tmp_path / "split.json").write_text(parts)
    with pytest.raises(InputError, match="part -> names"):
        read_folder(tmp_path, "train")
