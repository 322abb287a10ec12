"""A digit that stands alone in a row is found; what is near, off level, too large or one of very many is not."""

import numpy as np
import pytest
from pictures import draw, pixels

from pipkie_cli.words import ocr
from pipkie_cli.words.ocr import read_raster
from pipkie_cli.words.ocr_engine import Reading
from pipkie_cli.words.ocr_lone import lone_boxes

ROWS = (40, 90, 140)


def quads(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    return np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for x0, y0, x1, y1 in boxes], np.float32).reshape(
        -1, 4, 2
    )


def found(*lone: tuple[int, int, str], size: int = 24) -> list[tuple[int, int]]:
    """Where the middles of what is found stand, beside three lines of print that the detector saw."""
    image = draw([(150, y, "Seafood soup") for y in ROWS] + list(lone), 420, 200, size)
    boxes = lone_boxes(pixels(image), quads(*((146, y - 2, 310, y + 32) for y in ROWS)))
    return sorted((round((q[0, 0] + q[2, 0]) / 2), round((q[0, 1] + q[2, 1]) / 2)) for q in boxes)


def test_a_column_of_quantities_is_found() -> None:
    """Each digit left or right of its line gives one box around it."""
    middles = found((40, 40, "1"), (40, 90, "2"), (370, 140, "3"))
    assert [(round(x, -1), round(y, -1)) for x, y in middles] == [(50, 60), (50, 110), (380, 160)]


@pytest.mark.parametrize(
    "lone", [(132, 40, "1"), (40, 62, "1"), (40, 40, "1x12"), (40, 40, "_"), (40, 40, ".")], ids=repr
)
def test_what_is_near_off_level_or_no_single_character_is_left(lone: tuple[int, int, str]) -> None:
    assert found(lone) == []


def test_no_lines_no_ink_and_faint_ink_give_nothing() -> None:
    white = np.full((200, 420, 3), 255, np.uint8)
    assert len(lone_boxes(white, quads())) == 0
    assert len(lone_boxes(white, quads((146, 38, 310, 72)))) == 0
    faint = 255 - (255 - pixels(draw([(150, 40, "Seafood soup"), (40, 40, "1")], 420, 200))) // 12
    assert len(lone_boxes(faint, quads((146, 38, 310, 72)))) == 0


def test_a_texture_is_no_column_of_digits() -> None:
    """Hundreds of specks of a digit's size beside lines are taken for what they are."""
    image = np.full((1200, 900, 3), 255, np.uint8)
    image[10::24, 200:] = 255
    for y in range(10, 1190, 24):
        for x in range(200, 890, 24):
            image[y : y + 10, x : x + 3] = 0
        image[y : y + 10, 20:140:4] = 0
    assert len(lone_boxes(image, quads(*((16, y - 3, 142, y + 14) for y in range(10, 1190, 24))))) == 0


@pytest.mark.parametrize(("text", "score", "kept"), [("1", 0.99, True), ("1", 0.4, False), ("E", 0.99, False)])
def test_only_a_sure_digit_becomes_a_word(monkeypatch: pytest.MonkeyPatch, text: str, score: float, kept: bool) -> None:
    """What the recogniser reads in such a box counts when it is one digit, with its box on the page."""
    image = pixels(draw([(150, y, "Seafood soup") for y in ROWS] + [(40, 90, "1")], 420, 200))

    class Nets:
        def detect(self, *_: object) -> np.ndarray:
            return quads(*((146, y - 2, 310, y + 32) for y in ROWS))

        def read(self, crop: np.ndarray) -> Reading:
            return Reading("Soup", 0.9, (2, 4, 6, 8), 10) if crop.shape[1] > 60 else Reading(text, score, (2,), 5)

    monkeypatch.setattr(ocr, "nets", Nets)
    lone = [word for line in read_raster(image, 0).lines for word in line.words if word.text != "Soup"]
    assert [word.text for word in lone] == ([text] if kept else [])
    if kept:
        box = lone[0].box
        assert box.left * 420 < 47 < box.right * 420
        assert box.top * 200 < 107 < box.bottom * 200
