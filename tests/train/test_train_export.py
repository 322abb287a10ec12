"""From a run to a folder that extraction loads."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch
from made_tokenizer import tokenizer_json
from tiny import SHAPE, real_page, write_start

from pipkie_cli.models import load_backend
from pipkie_cli.models.checkpoint import FILES
from pipkie_cli.models.mini import METHOD
from pipkie_cli.nouns import Key, Window
from pipkie_cli.train.__main__ import main
from pipkie_cli.train.export import export, quantise_rows, store_linears, write_sidecar
from pipkie_cli.train.network import PageStage, TextStage
from pipkie_cli.train.trainee import Trainee, load_text_stage

WINDOW = Window(0, 1, 600, 800, 0, real_page().page.words, (Key("total", "amount", "total"), Key("x", "date", "x")))


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_start(tmp_path_factory.mktemp("start"))


def stages(start: Path) -> tuple[TextStage, PageStage]:
    torch.manual_seed(7)
    return load_text_stage(start / "text_stage.safetensors"), PageStage(SHAPE.width, SHAPE.heads, SHAPE.layers)


def test_a_run_becomes_a_folder_that_reads(start: Path, tmp_path: Path) -> None:
    """`export` of a run's folder: five files and nothing else, a calibration, what was seen, and a backend loads it."""
    text, page = stages(start)
    run, output = tmp_path / "run", tmp_path / "export"
    run.mkdir()
    done = {"steps": 3, "seen": 48, "next": 256, "seconds": 90.0}
    torch.save({**Trainee(text, page, "cpu").state(), "done": done}, run / "checkpoint.pt")
    (run / "plan.json").write_text(json.dumps({"plan": {}, "shape": asdict(SHAPE)}))
    main(["export", "--start", str(start), "--run", str(run), "--synthetic", "2", "-o", str(output)])
    assert sorted(path.name for path in output.iterdir()) == sorted(FILES)
    sidecar = json.loads((output / "pipkie.json").read_text())
    assert (sidecar["method"], sidecar["name"]) == (METHOD, "mini")
    assert sidecar["trained"] == {"documents_seen": 48, "minutes": 1.5}
    assert set(sidecar["calibration"]) == {"text", "ocr", "pixels", "absent", "absent_margin", "misread"}
    backend = load_backend(str(output))
    assert backend.revision.startswith(f"mini@{sidecar['version']}+")
    answers = backend.forward(backend.prepare(WINDOW))
    assert [sum(one.words is None for one in candidates) for candidates in answers] == [1, 1]


def test_weights_are_stored_small_and_known_by_their_digest(start: Path, tmp_path: Path) -> None:
    """Embedding and linear layers as one byte a weight; other weights have another revision."""
    text, page = stages(start)
    floats = sum(one.numel() for one in text.layers.parameters()) * 4
    rows, scales = quantise_rows(text.embed.weight)
    export(text, page, tokenizer_json(), tmp_path / "a", {})
    with np.load(tmp_path / "a" / "pieces.npz") as table:
        assert table["rows"].dtype == np.int8
        np.testing.assert_array_equal(table["rows"], rows)
        np.testing.assert_array_equal(table["scales"], scales)
    assert (tmp_path / "a" / "text.onnx").stat().st_size < 0.5 * floats
    other = tmp_path / "b"
    other.mkdir()
    for name in FILES:
        (other / name).write_bytes((tmp_path / "a" / name).read_bytes())
    assert load_backend(str(other)).revision == load_backend(str(tmp_path / "a")).revision
    write_sidecar(other, {"calibration": {"absent_margin": 1.0}})
    assert load_backend(str(other)).revision != load_backend(str(tmp_path / "a")).revision
    assert load_backend(str(other)).calibration.absent_margin == 1.0


def test_every_linear_layer_is_stored(start: Path) -> None:
    """However deep it lies; the result is near, for half a step of a row is lost."""
    _, page = stages(start)
    linear = page.layers[0].up
    x = torch.randn(5, SHAPE.width)
    before = linear(x).detach()
    store_linears(page)
    assert not [name for name, module in page.named_modules() if isinstance(module, torch.nn.Linear)]
    torch.testing.assert_close(page.layers[0].up(x), before, atol=2e-3, rtol=0)


def test_a_sidecar_says_what_is_given(tmp_path: Path) -> None:
    """What is known of itself, and whatever is added; written again, it is replaced."""
    write_sidecar(tmp_path, {"trained": {"minutes": 1}})
    first = json.loads((tmp_path / "pipkie.json").read_text())
    assert (first["method"], first["name"], first["calibration"]) == (METHOD, "mini", {})
    assert first["trained"] == {"minutes": 1}
    write_sidecar(tmp_path, {"calibration": {"text": [1, 0]}})
    assert "trained" not in json.loads((tmp_path / "pipkie.json").read_text())
