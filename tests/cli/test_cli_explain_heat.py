"""`pipkie explain --draw` with a model that reads pixels: a picture of where the slots of each value looked."""

from pathlib import Path

import numpy as np
import pytest
from command_line import TEMPLATE, Pipkie
from mllm_tiny import build_tiny
from PIL import Image

from pipkie_cli.cli.heat_pictures import CAPTION, draw_heat
from pipkie_cli.nouns import Box, Picture


@pytest.fixture
def scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.yaml").write_text(TEMPLATE)
    pixels = np.random.default_rng(0).integers(0, 255, (120, 90, 3)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "scan.png")
    return tmp_path


@pytest.mark.parametrize("family", ["qwen2_vl", "internvl"])
def test_every_value_has_its_picture(pipkie: Pipkie, scan: Path, family: str) -> None:
    """Named by page and key, for the keys that were asked for; a model of words draws none."""
    model = str(build_tiny(family, scan / "model"))
    ended = pipkie("explain", "scan.png", "-t", "note.yaml", "--model", model, "--draw", "drawn", "-k", "total")
    assert ended.code == 0
    assert sorted(path.name for path in (scan / "drawn").iterdir()) == [
        "scan-page-001-total-heat.png",
        "scan-page-001.png",
    ]
    with Image.open(scan / "drawn" / "scan-page-001-total-heat.png") as picture:
        assert picture.width > 240


def test_the_hottest_cell_is_red_and_the_place_framed() -> None:
    """The first panel is the whole value's, the second the only slot's; a cold corner keeps the page's colour."""
    page = Picture(0, np.full((320, 320, 3), 255, np.uint8))
    heat = np.zeros((1, 4, 4), np.float32)
    heat[0, 3, 0] = 1.0
    picture = np.asarray(draw_heat(page, ("12",), heat, (Box(0, 0.75, 0.25, 1),))).astype(int)
    whole, slot = picture[CAPTION:, 4:324], picture[CAPTION:, 332:652]
    for panel in (whole, slot):
        red, green, _ = panel[290, 20]
        assert red - green > 100
        assert (panel[20, 300] == 255).all()
    frame = whole[239:243, 30]
    assert (frame[:, 2] - frame[:, 0]).max() > 100
    assert (slot[239:243, 30, 2] - slot[239:243, 30, 0]).max() < 20
