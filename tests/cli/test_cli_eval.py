"""`pipkie eval`: a labelled folder in, a table and one line of JSON out."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Ended, Pipkie

ROWS: list[dict[str, Any]] = [
    {"file": "documents/a.pdf", "document_type": "note", "values": {"number": "A-1", "total": None}},
    {"file": "documents/b.pdf", "document_type": "note", "values": {"number": "B-2", "total": "12.50"}},
    {"file": "documents/c.pdf", "document_type": "note", "values": {"number": "C-3", "place": "Rome"}},
    {"file": "documents/d.pdf", "document_type": "note", "values": {"number": "D-4"}},
]
TEXTS = {"a": "number: A-1", "b": "number: B-2\ntotal: 12.50", "c": "number: X-9\ntotal: 3", "d": "LOCKED"}


@pytest.fixture
def labelled(desk: Path) -> Path:
    """Four documents in folder form: two read rightly, one wrongly, one that needs a password."""
    folder = desk / "set"
    (folder / "documents").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / "documents" / f"{name}.pdf").write_text(text)
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    (folder / "split.json").write_text(json.dumps({"train": ["a", "b"], "dev": ["c", "d"]}))
    return folder


def figures_of(ended: Ended) -> dict[str, Any]:
    """The last line of stdout."""
    figures: dict[str, Any] = json.loads(ended.out.splitlines()[-1])
    return figures


def test_a_table_and_one_line_of_json(pipkie: Pipkie, labelled: Path) -> None:
    """Figures over all documents, failures included, with seed, model, versions and machine."""
    ended = pipkie("eval", "--data", "set", "-t", "note.yaml")
    assert ended.code == 0
    assert ended.out.splitlines()[0].split()[:4] == ["key", "n", "given", "anls"]
    figures = figures_of(ended)
    assert figures["keys"]["number"]["exact"] == 0.5
    assert figures["keys"]["total"]["anls"] == 1.0
    assert figures["absent"] == {"n": 1, "invented": 0, "rate": 0.0}
    assert figures["failed"] == {"password_needed": 1}
    assert figures["not_asked"] == {"place": 1}
    assert (figures["set"], figures["part"], figures["page_cache"]) == ("set", None, None)
    assert {"seed", "model", "versions", "commit", "machine", "words"} <= set(figures)


def test_a_part_and_a_sample(pipkie: Pipkie, labelled: Path) -> None:
    """--split takes one part, --limit a sample that stays the same."""
    assert figures_of(pipkie("eval", "--data", "set", "-t", "note.yaml", "--split", "train"))["documents"] == 2
    samples = [figures_of(pipkie("eval", "--data", "set", "-t", "note.yaml", "--limit", "2")) for _ in range(2)]
    assert [sample["documents"] for sample in samples] == [2, 2]
    assert samples[0]["keys"] == samples[1]["keys"]


def test_an_unknown_part_or_no_template_is_a_usage_error(pipkie: Pipkie, labelled: Path) -> None:
    """The message lists the parts; a set that nobody described needs a template."""
    ended = pipkie("eval", "--data", "set", "-t", "note.yaml", "--split", "test")
    assert (ended.code, "it has: train, dev" in ended.err) == (2, True)
    ended = pipkie("eval", "--data", "set")
    assert (ended.code, "name one with --template" in ended.err) == (2, True)


def test_a_known_set_brings_its_template(pipkie: Pipkie, labelled: Path) -> None:
    """Inside a folder called sroie the receipt template is asked unless another is named."""
    labelled.rename(labelled.parent / "sroie")
    assert figures_of(pipkie("eval", "--data", "sroie"))["template"].startswith("receipt@")


def test_wrong_answers_and_pictures(pipkie: Pipkie, labelled: Path) -> None:
    """-o writes every answer and the wrong ones; --draw adds a picture of each document that was read wrongly."""
    ended = pipkie("eval", "--data", "set", "-t", "note.yaml", "-o", "out", "--draw")
    out = labelled.parent / "out"
    assert len((out / "answers.jsonl").read_text().splitlines()) == 4
    wrong = (out / "wrong.txt").read_text()
    assert "number: expected 'C-3', got 'X-9' (0.90)" in wrong
    assert "documents/a.pdf" not in wrong
    assert [path.name for path in (out / "pictures").iterdir()] == ["0001-c-p1.png"]
    assert "1 pictures" in ended.err
    assert pipkie("eval", "--data", "set", "-t", "note.yaml", "--draw").code == 2


def test_a_cache_saves_the_reading(pipkie: Pipkie, labelled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run reads no page, gives the same figures and says so."""
    arguments = ("eval", "--data", "set", "-t", "note.yaml", "--split", "train", "--cache", "pages")
    first = figures_of(pipkie(*arguments))

    def refuse(_: object) -> None:
        raise AssertionError("a page was read again")

    monkeypatch.setattr("pipkie_cli.words.read_words", refuse)
    second = figures_of(pipkie(*arguments))
    assert first["page_cache"] == {"hits": 0, "misses": 2}
    assert second["page_cache"] == {"hits": 2, "misses": 0}
    assert first["keys"] == second["keys"]


def test_another_model_and_quiet(pipkie: Pipkie, labelled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--model is what is loaded; -q leaves nothing on stderr."""
    from stand_ins import KeyValueBackend

    asked = []
    monkeypatch.setattr(
        "pipkie_cli.models.load_backend", lambda name, *_, **__: asked.append(name) or KeyValueBackend()
    )
    ended = pipkie("eval", "--data", "set", "-t", "note.yaml", "--model", "other", "-q", "-o", "out")
    assert asked == ["other"]
    assert ended.err == ""


def test_several_sets_in_one_run(pipkie: Pipkie, labelled: Path) -> None:
    """A table and figures for each, a summary, one page for all; DIR:PART picks a part of one set."""
    ended = pipkie("eval", "--data", "set:train", "--data", "set", "-t", "note.yaml", "-o", "out")
    figures = figures_of(ended)
    assert [(one["title"], one["part"], one["documents"]) for one in figures["sets"]] == [
        ("set:train", "train", 2),
        ("set", None, 4),
    ]
    assert {"command", "seed", "model", "versions", "commit", "machine", "words"} <= set(figures)
    lines = ended.out.splitlines()
    assert [line for line in lines if line.startswith("== ")] == ["== set:train", "== set"]
    assert lines[-4].split()[:2] == ["set", "documents"]
    assert lines[-2].split()[:2] == ["set", "4"]
    out = labelled.parent / "out"
    assert sorted(path.name for path in out.iterdir()) == ["report.html", "set", "set-train"]
    assert sorted(path.name for path in (out / "set").iterdir()) == ["answers.jsonl", "wrong.txt"]
    page = (out / "report.html").read_text()
    assert "<h2>set:train</h2>" in page
    assert '<dd class="right">C-3</dd>' in page


def test_split_is_for_sets_without_a_part(pipkie: Pipkie, labelled: Path) -> None:
    """--split takes that part of every set whose --data names none; a folder's own colon is no part."""
    labelled.rename(labelled.parent / "my:set")
    ended = pipkie("eval", "--data", "my:set:dev", "--data", "my:set", "--split", "train", "-t", "note.yaml")
    assert [one["part"] for one in figures_of(ended)["sets"]] == ["dev", "train"]


def test_forms_are_asked_their_own_labels(pipkie: Pipkie, desk: Path) -> None:
    """A set in FUNSD's published form needs no template: its documents have no keys in common."""
    form = [
        {"id": 0, "label": "question", "text": "number:", "box": [0, 0, 1, 1], "linking": [[0, 1]]},
        {"id": 1, "label": "answer", "text": "A-1", "box": [1, 0, 2, 1], "linking": [[0, 1]]},
        {"id": 2, "label": "question", "text": "total", "box": [0, 1, 1, 2], "linking": []},
    ]
    for part, stem in (("annotations", "a.json"), ("images", "a.png")):
        (desk / "forms" / part).mkdir(parents=True)
        (desk / "forms" / part / stem).write_text(
            json.dumps({"form": form}) if part == "annotations" else "number: A-1"
        )
    figures = figures_of(pipkie("eval", "--data", "forms"))
    assert (figures["set"], figures["template"]) == ("funsd", None)
    assert figures["keys"]["labels of the page"]["exact"] == 1.0
    assert figures["absent"] == {"n": 1, "invented": 0, "rate": 0.0}


def test_a_folder_of_no_known_form(pipkie: Pipkie, desk: Path) -> None:
    """The message lists the forms that are known."""
    ended = pipkie("eval", "--data", "in")
    assert (ended.code, "no known form of labels" in ended.err, "wildreceipt: class_list.txt" in ended.err) == (
        7,
        True,
        True,
    )


def test_tables_are_read_and_scored(pipkie: Pipkie, desk: Path) -> None:
    """Cells of labelled rows, typed as in the record: three of four right, one wrong."""
    rows = [{"what": "Tea", "price": "2.00"}, {"what": "Cake", "price": "3.00"}]
    (desk / "set" / "documents").mkdir(parents=True)
    (desk / "set" / "documents" / "a.pdf").write_text("what: Tea price: 2,00\nwhat: Cake price: 9,50")
    label = {"file": "documents/a.pdf", "document_type": "bill", "values": {"lines": rows}}
    (desk / "set" / "labels.jsonl").write_text(json.dumps(label))
    (desk / "bill.yaml").write_text(
        "name: bill\nkeys:\n  lines: {type: table, columns: {what: text, price: {type: amount}}}\n"
    )
    cells = figures_of(pipkie("eval", "--data", "set", "-t", "bill.yaml"))["cells"]
    assert cells["f1"] == 0.75
    assert cells["columns"]["lines.price"] == {"right": 1, "given": 2, "wanted": 2, "f1": 0.5}
