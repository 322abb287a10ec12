"""Pixels become words with boxes, whichever way up, and the odd picture harms nothing."""

import numpy as np
import pytest
from pictures import draw, ink_box, pixels
from PIL import Image, ImageDraw, ImageFont

from pipkie_cli.nouns import Box, Turn
from pipkie_cli.words import ocr
from pipkie_cli.words.ocr import OcrPage, read_raster, turned
from pipkie_cli.words.ocr_engine import words_revision
from pipkie_cli.words.ocr_lines import OcrWord

LINES = ((20, 15, "Invoice number R-1742"), (20, 65, "Date of issue 04.03.2025"), (20, 115, "Total amount 119,00 EUR"))
TEXTS = [text.split() for _, _, text in LINES]


def words(page: OcrPage) -> list[OcrWord]:
    return [word for line in page.lines for word in line.words]


def texts(page: OcrPage) -> list[list[str]]:
    return [[word.text for word in line.words] for line in sorted(page.lines, key=lambda line: line.words[0].box.top)]


def test_drawn_text_is_read_with_tight_word_boxes() -> None:
    """Every word comes out with its text and a box that fits the drawn ink within a few pixels left and right."""
    image = draw(LINES)
    page = read_raster(pixels(image))
    assert page.turn == 0
    assert texts(page) == TEXTS
    for word in words(page):
        ink = ink_box(image, Box(word.box.left - 0.01, word.box.top, word.box.right + 0.01, word.box.bottom))
        assert word.box.left * 520 == pytest.approx(ink.left * 520, abs=5)
        assert word.box.right * 520 == pytest.approx(ink.right * 520, abs=5)
        assert word.box.top <= ink.top + 0.02
        assert word.box.bottom >= ink.bottom - 0.02


@pytest.mark.parametrize(("fed", "turn"), [(90, 270), (180, 180), (270, 90)])
def test_turned_pictures_are_read_upright(fed: int, turn: Turn) -> None:
    """A picture turned by a quarter, a half or three quarters is read like the upright one, and says the way back."""
    page = read_raster(turned(pixels(draw(LINES)), fed))
    assert page.turn == turn
    assert texts(page) == TEXTS


def test_a_given_turn_is_not_questioned() -> None:
    """A page whose text layer says which way is up is not tested again."""
    page = read_raster(turned(pixels(draw(LINES)), 90), 270)
    assert page.turn == 270
    assert texts(page) == TEXTS


def test_skewed_lines_have_narrow_boxes_and_level_ones() -> None:
    """4 degrees off level a word's box is its own part of the line; laid level, a line's words share a height."""
    text = "Invoice number R-1742 of the fourth of March"
    image = draw([(30, y, text) for y in (60, 120, 180)], 640, 300, 26).rotate(-4, fillcolor="white")
    page = read_raster(pixels(image))
    assert len(page.lines) == 3
    for line in page.lines:
        heights = [word.box.height * 300 for word in line.words]
        assert max(heights) < 60  # the whole line's box is 75 px high
        middles = [(word.level.top + word.level.bottom) / 2 * 300 for word in line.words]
        assert max(middles) - min(middles) < 6
        slanted = [(word.box.top + word.box.bottom) / 2 * 300 for word in line.words]
        assert max(slanted) - min(slanted) > 20


@pytest.mark.parametrize("size", [(1, 1), (1, 10_000), (10_000, 1), (3, 700), (31, 31)])
def test_thin_and_tiny_pictures_are_no_trouble(size: tuple[int, int]) -> None:
    """No size crashes the detector."""
    noise = np.random.default_rng(7).integers(0, 255, (*size, 3), np.uint8)
    assert read_raster(noise).turn == 0


def test_blank_paper_costs_no_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """White, black, softly shaded and grainy paper is blank, and the nets are not asked."""
    shade = np.repeat(np.linspace(120, 250, 800).astype(np.uint8)[:, None], 600, axis=1)
    grain = np.random.default_rng(1).normal(235, 4, (800, 600)).clip(0, 255).astype(np.uint8)
    monkeypatch.setattr(ocr, "nets", None)
    for grey in (np.zeros((5, 5), np.uint8), np.full((800, 600), 255, np.uint8), shade, grain):
        page = read_raster(np.stack([grey] * 3, axis=2))
        assert (page.blank, page.lines) == (True, ())


def test_margins_are_cut_off_and_nothing_else() -> None:
    """A last small line at the foot of a large page, printed in light grey, is inside the part that is looked at."""
    page = Image.new("RGB", (1000, 1400), "white")
    page.paste(draw([(0, 0, "Invoice")], 120, 40, 20), (600, 300))
    ImageDraw.Draw(page).text((100, 1300), "Page 1 of 1", fill=(215, 215, 215), font=ImageFont.load_default(18))
    printed = ocr._printed_part(pixels(page))
    assert printed is not None
    rows, columns = printed
    assert (rows.start, rows.stop) == (pytest.approx(292, abs=8), pytest.approx(1328, abs=8))
    assert (columns.start, columns.stop) == (pytest.approx(88, abs=8), pytest.approx(680, abs=8))


def test_nothing_is_printed_or_logged(capfd: pytest.CaptureFixture[str]) -> None:
    """The engine keeps quiet on both streams, also for a picture without text."""
    read_raster(pixels(draw(LINES[:1], 400, 60)))
    read_raster(np.full((64, 64, 3), 255, np.uint8))
    assert capfd.readouterr() == ("", "")


def test_the_revision_names_engine_and_settings() -> None:
    """Provenance tells which engine read the words."""
    assert "rapidocr 3." in words_revision()
    assert "side 1280" in words_revision()
