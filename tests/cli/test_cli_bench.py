"""`pipkie bench`: documents in, a table and one line of JSON out."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import Pipkie
from stand_ins import KeyValueBackend

from pipkie_cli.evaluate.bench_process import ChildCost


@pytest.fixture
def bench_desk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The desk, with an engine that reads nothing, and children that cost what they are told."""
    engine = SimpleNamespace(txts=("number:", "B-2"))
    monkeypatch.setattr("pipkie_cli.words.build_engine", lambda tuned: lambda pixels: engine)

    def cost(arguments: tuple[str, ...]) -> ChildCost:
        return ChildCost(0, 0.25, 300 << 20)

    monkeypatch.setattr("pipkie_cli.evaluate.bench_process.child_cost", cost)
    return desk


def test_figures_of_a_page(pipkie: Pipkie, bench_desk: Path) -> None:
    """OCR against the defaults, model against OCR, 4 to 24 keys, help; what was not asked for is null."""
    ended = pipkie("bench", "in", "-t", "receipt")
    assert ended.code == 0
    figures = json.loads(ended.out.splitlines()[-1])
    pictures = figures["pictures"]
    assert pictures["pages"] == 2
    assert {"tuned_cpu_s", "default_cpu_s", "tuned_share_of_default", "model_share_of_ocr"} <= set(pictures)
    assert list(pictures["keys"]["page_cpu_s"]) == ["4", "8", "16", "24"]
    assert figures["help_cpu_s"] == 0.25
    assert (figures["memory"], figures["wheel_bytes"], figures["text_pages"]["pages"]) == (None, None, 0)
    assert {"seed", "model", "versions", "commit", "machine", "words"} <= set(figures)
    assert "measuring help" in ended.err


def test_recall_against_transcriptions(pipkie: Pipkie, bench_desk: Path) -> None:
    """A labelled folder's words.jsonl is what both readings are held against."""
    folder = bench_desk / "set"
    folder.mkdir()
    (bench_desk / "in").rename(folder / "documents")
    row = {"file": "documents/b.pdf", "words": [["NUMBER: B-2", 0, 0, 1, 1], ["TOTAL: 12.50", 0, 1, 1, 2]]}
    (folder / "words.jsonl").write_text(json.dumps(row))
    pictures = json.loads(pipkie("bench", "set", "-q").out.splitlines()[-1])["pictures"]
    assert pictures["transcribed_pages"] == 1
    assert pictures["recall"] == {
        "tuned_words": 1.0,
        "default_words": 0.5,  # number, b, 2 of number, b, 2, total, 12, 50
        "tuned_numbers": 1.0,
        "default_numbers": pytest.approx(1 / 3, abs=1e-6),
    }


def test_limit_wheel_model_and_memory(pipkie: Pipkie, bench_desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--limit samples, --wheel reports a size, --memory-pages runs a child over copies, --model is loaded, which
    --decoding-pages of one page cannot compare with itself."""
    asked = []
    monkeypatch.setattr(
        "pipkie_cli.models.load_backend", lambda name, *_, **__: asked.append(name) or KeyValueBackend()
    )
    (bench_desk / "some.whl").write_bytes(b"1234")
    ended = pipkie(
        *("bench", "in", "--limit", "1", "--wheel", "some.whl", "--memory-pages", "5", "--model", "other"),
        *("--decoding-pages", "1"),
    )
    figures = json.loads(ended.out.splitlines()[-1])
    assert figures["documents"] == 1
    assert figures["wheel_bytes"] == 4
    assert figures["memory"]["pages"] == 5
    assert figures["memory"]["peak_mib"] == 300.0
    assert asked == ["other"]
    assert figures["stages"]["pictures"]["pages"] == 1
    assert figures["decoding"] is None  # this backend is of one piece
    assert pipkie("bench", "in", "--wheel", "missing.whl").code == 2


def test_pages_need_not_be_named(pipkie: Pipkie, bench_desk: Path) -> None:
    """`bench in` is `bench pages in`, options first or last; help of the group names its commands."""
    named = json.loads(pipkie("bench", "pages", "in", "-q").out.splitlines()[-1])
    unnamed = json.loads(pipkie("bench", "--limit", "6", "in", "-q").out.splitlines()[-1])
    assert named.keys() == unnamed.keys()
    assert named["documents"] == unnamed["documents"]
    assert "pages" in pipkie("bench", "--help").out.partition("Commands:")[2]
