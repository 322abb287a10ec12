"""The fine-tuning as a whole, on made-up documents and a tiny checkpoint."""

import json
from pathlib import Path

import pytest
from finetune_tiny import KEYS, write_bills, write_checkpoint, write_folder, write_notes

from pipkie_cli.errors import InputError, OutputError, UsageError
from pipkie_cli.evaluate import Labelled
from pipkie_cli.models.registry import load_backend
from pipkie_cli.templates import find_templates
from pipkie_cli.train import finetune as planning
from pipkie_cli.train import plan_finetuning, run_finetuning
from pipkie_cli.train.finetune import FinetuneReport, draw_held_out

TEMPLATE = """\
name: note
title: Note
locale: {dates: dmy, decimal: '.'}
keys:
  number: {type: text, aliases: [No., Order number]}
  day: date
  total: {type: amount, aliases: [Sum]}
"""


@pytest.fixture
def bench(tmp_path: Path, made_up: pytest.MonkeyPatch) -> Path:
    """Twelve labelled notes, a template, a tiny checkpoint; made-up documents are few, and models are real."""
    made_up.setattr("pipkie_cli.models.load_backend", load_backend)
    made_up.setattr("pipkie_cli.train.finetune_run.MADE_UP_CHECKED", 3)
    made_up.setattr("pipkie_cli.train.finetune_run.MADE_UP_CALIBRATED", 2)
    made_up.setattr("pipkie_cli.train.finetune_run._cores", lambda: 1)
    (tmp_path / "note.yaml").write_text(TEMPLATE)
    write_notes(tmp_path / "notes")
    write_checkpoint(tmp_path / "start")
    return tmp_path


def run(bench: Path, said: list[str] | None = None, minutes: float = 0.02) -> FinetuneReport:
    plan = plan_finetuning(
        bench / "notes", str(bench / "note.yaml"), bench / "out", init=str(bench / "start"), minutes=minutes
    )
    return run_finetuning(plan, None, lambda: None, (said if said is not None else []).append)


def test_a_folder_that_extraction_reads(bench: Path) -> None:
    """Weights changed, sidecar with base and template, calibrated; the text stage is the one it came from."""
    report = run(bench)
    out, start = bench / "out", bench / "start"
    sidecar = json.loads((out / "pipkie.json").read_text())
    assert load_backend(str(out)).revision == report.figures["model"]
    assert sidecar["name"] == "mini-note"
    assert sidecar["base"] == load_backend(str(start)).revision
    assert sidecar["trained"]["template"].startswith("note@")
    assert set(sidecar["calibration"]) >= {"text", "ocr", "absent", "absent_margin"}
    assert (out / "text.onnx").read_bytes() == (start / "text.onnx").read_bytes()
    assert {path.name for path in bench.iterdir()} == {"note.yaml", "notes", "start", "out"}


def test_the_report_says_before_and_after(bench: Path) -> None:
    """Per key: labels, how many were found, held-out scores; the shipped templates beside them."""
    said: list[str] = []
    report = run(bench, said)
    figures = report.figures
    assert (figures["documents"], figures["held_out"], figures["failed"]) == (12, 2, {})
    assert figures["keys"] == {key.name: {"labels": 12, "found": 12, "absent": 0} for key in KEYS}
    assert set(figures["before"]["keys"]) == set(figures["after"]["keys"]) == {key.name for key in KEYS}
    assert set(figures["shipped"]["before"]) <= {template.name for template in find_templates([], None)}
    assert report.table()[0].split() == ["key", "labels", "found", "absent", "before", "after"]
    assert any("10 documents, 2 held out" in line for line in said)


def test_learning_never_leaves_it_worse(bench: Path) -> None:
    """The best weights are kept, those of the start among them."""
    figures = run(bench, minutes=0.05).figures
    assert figures["steps"] > 0
    assert figures["best_step"] <= figures["steps"]


def test_labels_that_are_not_on_the_page_are_told_by_file(bench: Path) -> None:
    """File names, never a value."""
    write_notes(bench / "notes")
    labels = bench / "notes" / "labels.jsonl"
    labels.write_text(labels.read_text().replace("A-37", "ZZ-99999"))
    said: list[str] = []
    figures = run(bench, said).figures
    assert figures["keys"]["number"]["found"] == 11
    assert [line for line in said if "number is not found on the pages of documents/n03.pdf" in line]
    assert not any("ZZ-99999" in line for line in said)


def test_documents_that_cannot_be_read_are_left_out(bench: Path) -> None:
    """They are named with their error, and counted."""
    (bench / "notes" / "documents" / "n05.pdf").write_text("LOCKED")
    said: list[str] = []
    assert run(bench, said).figures["failed"] == {"password_needed": 1}
    assert "documents/n05.pdf is left out: password_needed" in said
    for number in range(8):
        (bench / "notes" / "documents" / f"n{number:02}.pdf").write_text("LOCKED")
    (bench / "out" / "pipkie.json").rename(bench / "kept.json")
    for file in (bench / "out").iterdir():
        file.unlink()
    with pytest.raises(InputError, match="only 4 of 12"):
        run(bench)


def test_no_label_on_any_page(bench: Path) -> None:
    """Labels of other documents: an error, and no folder."""
    labels = bench / "notes" / "labels.jsonl"
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    labels.write_text("\n".join(json.dumps({**row, "values": {"number": "QQ-88888-QQ"}}) for row in rows))
    with pytest.raises(InputError, match="no label stands on its page"):
        run(bench)
    assert not (bench / "out").exists()


@pytest.mark.parametrize("where", ["export_page", "calibrate_on"])
def test_an_interruption_leaves_no_half_folder(bench: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither under its name nor under another."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"pipkie_cli.train.finetune_run.{where}", stop)
    with pytest.raises(KeyboardInterrupt):
        run(bench)
    assert {path.name for path in bench.iterdir()} == {"note.yaml", "notes", "start"}


def test_what_can_be_known_before_reading_is_said_before(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few documents, a folder that is taken, a template that no label fits, a missing extra."""
    template = str(bench / "note.yaml")
    (bench / "other.yaml").write_text("name: other\ntitle: Other\nkeys:\n  colour: text\n")
    with pytest.raises(OutputError, match="exists already"):
        plan_finetuning(bench / "notes", template, bench / "start")
    write_folder(bench / "few", [{"file": "documents/a.pdf", "values": {"number": "1"}}])
    with pytest.raises(InputError, match="1 documents with a label of note"):
        plan_finetuning(bench / "few", template, bench / "new")
    with pytest.raises(InputError, match="0 documents with a label of other"):
        plan_finetuning(bench / "notes", str(bench / "other.yaml"), bench / "new")
    monkeypatch.setattr(planning, "find_spec", lambda name: None if name == "torch" else object())
    with pytest.raises(UsageError, match="needs torch") as caught:
        plan_finetuning(bench / "notes", template, bench / "new")
    assert caught.value.hint == 'pip install "pipkie[train]"'


def test_keys_without_a_label_are_told(bench: Path) -> None:
    """They stay as they were."""
    (bench / "more.yaml").write_text(TEMPLATE + "  colour: text\n")
    plan = plan_finetuning(bench / "notes", str(bench / "more.yaml"), bench / "out")
    assert plan.notes == ("no document has a label of colour: not learnt, asked as before",)


def test_tables_are_learnt_and_measured(bench: Path) -> None:
    """Columns stand beside the keys: cells labelled, found on their rows, F1 before and after."""
    write_bills(bench / "bills")
    table = "  items:\n    type: table\n    columns:\n      name: {type: text, prompt: item}\n      price: amount\n"
    (bench / "bill.yaml").write_text(TEMPLATE + table)
    plan = plan_finetuning(
        bench / "bills", str(bench / "bill.yaml"), bench / "out", init=str(bench / "start"), minutes=0.02
    )
    assert plan.notes == ("no document has a label of day, total: not learnt, asked as before",)
    report = run_finetuning(plan, None, lambda: None, lambda _: None)
    keys = report.figures["keys"]
    assert list(keys) == ["number", "day", "total", "items.name", "items.price"]
    assert keys["items.name"] == keys["items.price"] == {"labels": 20, "found": 20, "absent": 0}
    assert {"items.name", "items.price"} <= set(report.figures["after"]["keys"])
    assert [line.split()[:3] for line in report.table() if line.startswith("items.name")] == [
        ["items.name", "20", "20"]
    ]


def test_a_table_without_labels_is_told(bench: Path) -> None:
    """And not asked while it learns."""
    (bench / "more.yaml").write_text(TEMPLATE + "  items: {type: table, columns: {name: text}}\n")
    plan = plan_finetuning(bench / "notes", str(bench / "more.yaml"), bench / "out")
    assert plan.notes == ("no document has a label of items: not learnt, asked as before",)
    assert [key.name for key in plan.template.keys] == [key.name for key in KEYS]


def labelled(n: int, group: str = "") -> list[Labelled]:
    return [
        Labelled(Path(f"{n}.pdf"), f"{group}{n:03}.pdf", "note", {"number": ("1",)}, {}, group=group) for n in range(n)
    ]


@pytest.mark.parametrize(("n", "held_out"), [(8, 1), (30, 6), (50, 10), (150, 15), (300, 30)])
def test_a_tenth_to_a_fifth_is_held_out(n: int, held_out: int) -> None:
    """The same documents for the same seed, others for another."""
    documents = labelled(n)
    assert len(draw_held_out(documents, 0)) == held_out
    assert draw_held_out(documents, 0) == draw_held_out(documents, 0)
    assert n < 30 or draw_held_out(documents, 0) != draw_held_out(documents, 1)


def test_documents_of_one_group_stay_together() -> None:
    """A sender is learnt from or held out, never both, and a large one is not held out."""
    documents = [one for group, n in (("a", 40), ("b", 6), ("c", 5), ("d", 4)) for one in labelled(n, group)]
    for seed in range(10):
        drawn = draw_held_out(documents, seed)
        groups = {one.group for one in drawn}
        assert len(drawn) == sum(one.group in groups for one in documents)
        assert "a" not in groups


def test_the_faster_type_of_numbers_is_found() -> None:
    """One of the two in which the network can learn."""
    import torch

    from pipkie_cli.train.finetune_run import faster_dtype

    assert faster_dtype() in (torch.bfloat16, torch.float32)
