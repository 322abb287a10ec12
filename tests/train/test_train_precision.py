"""Precisions of one run: the same answers on a page, times of all, and a table that says so."""

import json
from pathlib import Path

import pytest
import torch
from tiny import LINES, SHAPE, VALUES, page_of, write_start

from pipkie_cli.nouns import DocumentId
from pipkie_cli.pages import PageCache, ReadDocument
from pipkie_cli.train import precision
from pipkie_cli.train.network import PageStage
from pipkie_cli.train.precision import compare_precisions, table_of


def run_of(folder: Path) -> Path:
    """What `run` leaves behind, untrained."""
    folder.mkdir()
    torch.manual_seed(1)
    stage = PageStage(SHAPE.width, SHAPE.heads, SHAPE.layers)
    torch.save({"page": stage.state_dict()}, folder / "checkpoint.pt")
    shape = {"width": SHAPE.width, "heads": SHAPE.heads, "layers": SHAPE.layers}
    (folder / "plan.json").write_text(json.dumps({"plan": {}, "shape": shape}))
    return folder


def labelled(folder: Path, count: int) -> Path:
    (folder / "documents").mkdir(parents=True)
    rows = []
    for number in range(count):
        (folder / "documents" / f"{number}.png").write_bytes(b"page %d" % number)
        values = {key: VALUES[key] for key in ("company", "total")}
        rows.append({"file": f"documents/{number}.png", "document_type": "receipt", "values": values})
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the tracing exporter
def test_precisions_of_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variant answers every labelled value of the documents that are asked for; the reference is itself."""
    folder = labelled(tmp_path / "sroie" / "train", 3)
    cache = PageCache(tmp_path / "cache", "reading@1")
    monkeypatch.setattr(precision, "open_cache", lambda folder: cache)
    for path in sorted((folder / "documents").iterdir()):
        content = cache.content_of(path)
        assert content is not None
        cache.keep(content, 50, ReadDocument(DocumentId(path.name, "0" * 64, 1), (page_of(LINES),), ()))
    start, run = write_start(tmp_path / "start"), run_of(tmp_path / "run")
    figures = compare_precisions(start, run, [str(folder)], 2, tmp_path / "cache")
    (of_set,) = figures["sets"].values()
    assert list(of_set) == ["fp32", "int8 stored", "int8 computed", "int8 text stage", "bf16 (torch)"]
    assert all(row["n"] == 4 for row in of_set.values())
    assert of_set["fp32"]["same_as_fp32"] == 1
    assert figures["windows"] == 1  # of two, the first of each is not timed
    assert all(seconds > 0 for seconds in figures["cpu_s_per_window"].values())
    table = table_of(figures)
    assert len(table) == 6
    assert table[1].startswith("fp32")
    assert table[1].rstrip().endswith("100.0")
