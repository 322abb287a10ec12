"""`pipkie.json` of a multimodal checkpoint: written and read back, refused where it is none."""

import json
from pathlib import Path

import pytest
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm import SIDECAR, Sidecar, read_sidecar, write_sidecar
from pipkie_cli.nouns import Calibration

SAID = Sidecar("qwen2_vl", "<|mask|>", 408, "<|im_end|>", 400, stage="mask", look=(3, 4), versions={"torch": "2.13"})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Every field survives, the nested calibration too; a folder without a sidecar has none."""
    assert read_sidecar(tmp_path) is None
    told = Sidecar("internvl", "[M]", 7, "[E]", 8, calibration=Calibration(text=(0.7, 0.1), absent_margin=1.5))
    for sidecar in (SAID, told):
        write_sidecar(tmp_path, sidecar)
        assert read_sidecar(tmp_path) == sidecar


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slots", {"text": 1}),
        ("slots", {"date": 12}),
        ("slots", {"text": "many"}),
        ("slots", 5),
        ("attention", "causal"),
        ("stage", "third"),
        ("mask_id", "408"),
        ("mask_token", 408),
        ("max_pixels", 10**12),
        ("max_pictures", 0),
        ("calibration", {"text": [1]}),
        ("calibration", {"colour": 1}),
        ("look", ["x"]),
    ],
)
def test_a_sidecar_that_no_training_writes_is_damaged(tmp_path: Path, field: str, value: object) -> None:
    """A wrong type or number ends the run with the file's name, before weights are loaded."""
    write_sidecar(tmp_path, SAID)
    told = json.loads((tmp_path / SIDECAR).read_text())
    (tmp_path / SIDECAR).write_text(json.dumps({**told, field: value}))
    with pytest.raises(ModelError, match=r"pipkie\.json is damaged"):
        read_sidecar(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"{" * 100_000, b'{"method": "' + b"x" * 2**20 + b'"}'])
def test_hostile_json_is_an_error(tmp_path: Path, content: bytes) -> None:
    """Empty, no object, no UTF-8, nested or long without end: a ModelError."""
    (tmp_path / SIDECAR).write_bytes(content)
    with pytest.raises(ModelError, match=r"pipkie\.json"):
        read_sidecar(tmp_path)


def test_another_method_is_named(tmp_path: Path) -> None:
    """The sidecar of mini, or of a format to come, is not taken for this one."""
    for told in ({"method": "pip-pointer/2"}, {"method": "pip-mask/1", "format": 2}):
        (tmp_path / SIDECAR).write_text(json.dumps(told))
        with pytest.raises(ModelError, match="is a checkpoint for"):
            read_sidecar(tmp_path)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_tiny_checkpoint_of_every_family_is_made(tmp_path: Path, family: str) -> None:
    """The stand-in that other tests load: whole, in safetensors, its mask token the last of its vocabulary."""
    folder = build_tiny(family, tmp_path / family)
    config = json.loads((folder / "config.json").read_text())
    sidecar = read_sidecar(folder)
    assert sidecar is not None
    assert sidecar.family == config["model_type"] == family
    assert sidecar.mask_id == config["text_config"]["vocab_size"] - 1
    assert (folder / "model.safetensors").stat().st_size < 2**20
