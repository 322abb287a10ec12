"""Which layers tell places: a layer that is made to look at the print is found."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from make import INVOICE, text_pdf
from mllm_tiny import build_tiny

from pipkie_cli.errors import InputError
from pipkie_cli.models.mllm import load_checkpoint, read_sidecar
from pipkie_cli.nouns import Box, Key
from pipkie_cli.train.__main__ import main
from pipkie_cli.train.pip_look import Looks, Placed, choose_layers, measure_looks, table_of

TEMPLATE = """\
name: note
title: Note
detect:
  words: [note]
keys:
  number: {type: text, prompt: number}
"""


def looks_of(*layers: list[tuple[int, int]]) -> Looks:
    """Of layers whose heat peaks, value by value, in the given cells of 3 x 4; every value is in (1, 2)."""
    n_values = len(layers[0])
    heat = np.full((n_values, len(layers), 3, 4), 0.01, np.float32)
    for number, cells in enumerate(layers):
        for value, (row, column) in enumerate(cells):
            heat[value, number, row, column] = 1.0
    places = tuple(((0, Box(0.5, 1 / 3, 0.75, 2 / 3)),) for _ in range(n_values))
    hits = np.array([[cell == (1, 2) for cell in cells] for cells in zip(*layers, strict=True)])
    return Looks(hits[:, :, None], hits, tuple((one,) for one in heat), places)


def test_the_layer_that_hits_most_is_chosen() -> None:
    """And no other beside it that raises nothing."""
    right, wrong = (1, 2), (0, 0)
    assert choose_layers(looks_of([wrong, wrong, right], [right, right, right], [right, wrong, wrong])) == (1,)


def test_layers_that_err_apart_are_joined() -> None:
    """Each hits two of three values; together they hit all."""
    right = (1, 2)
    looks = looks_of([right, right, (2, 0)], [right, (2, 1), right], [(2, 2), (2, 3), (2, 3)])
    assert looks.hits([0]) == looks.hits([1]) == pytest.approx(2 / 3)
    assert looks.hits([0, 1]) == 1
    assert choose_layers(looks) == (0, 1)


def blank(height: int = 112, width: int = 112) -> Any:
    return np.full((height, width, 3), 255, np.uint8)


@pytest.mark.parametrize("family", ["qwen2_vl", "internvl"])
def test_a_head_that_looks_at_a_token_hits_its_cell(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights are put on one token of the first picture in layer 1 alone: that layer hits, the other does not."""
    checkpoint = load_checkpoint(build_tiny(family, tmp_path))
    from pipkie_cli.models.mllm import heat as module

    plain = module._slot_weights
    calls = iter(range(100))

    def stare(*arguments: Any) -> Any:
        weights = plain(*arguments)
        weights.zero_()
        weights[..., 5 if next(calls) % 2 else 0] = 1.0
        return weights

    monkeypatch.setattr(module, "_slot_weights", stare)
    rows, columns = checkpoint.family.image_inputs([blank()], 28 * 28 * 64).cells[0]
    one = np.zeros((1, checkpoint.family.image_inputs([blank()], 28 * 28 * 64).n_tokens[0]), np.float32)
    one[0, 5] = 1.0
    row, column = divmod(int(checkpoint.family.over_page(one, (rows, columns)).argmax()), columns)
    box = Box(column / columns, row / rows, (column + 1) / columns, (row + 1) / rows)
    document = Placed((blank(),), (Key("total", "amount", "total"),), ("12",), (((0, box),),))
    looks = measure_looks(checkpoint, [document])
    assert looks.layers.tolist() == [[False, True]]
    assert looks.heads[0, 1].all()
    assert choose_layers(looks) == (1,)


def test_values_without_places_measure_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labelled value"):
        measure_looks(load_checkpoint(build_tiny("qwen2_vl", tmp_path)), [])


def test_the_command_writes_the_sidecar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From labelled documents to `look`; the last line is JSON."""
    folder = tmp_path / "data"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "a.pdf").write_bytes(text_pdf(INVOICE))
    (folder / "labels.jsonl").write_text(
        json.dumps({"file": "documents/a.pdf", "document_type": "note", "values": {"number": "A-1001"}}) + "\n"
    )
    (tmp_path / "note.yaml").write_text(TEMPLATE)
    model = build_tiny("qwen2_vl", tmp_path / "model")
    main(["look", "--model", str(model), "--data", str(folder), "-t", str(tmp_path / "note.yaml")])
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["values"] == 1
    sidecar = read_sidecar(model)
    assert sidecar is not None
    assert list(sidecar.look) == figures["look"]


def test_the_table_names_every_layer() -> None:
    figures = dict(values=3, layers=[0.1, 0.5], best_head=[0.2, 0.6], look=[1], hits=0.5, late=0.1, by_chance=0.01)
    lines = list(table_of(figures))
    assert [line.split()[0] for line in lines[2:4]] == ["0", "1"]
    assert "chosen: 1: 0.500" in lines
