"""Each page is read where its text is: layer, pixels, or both, and says so."""

from collections.abc import Callable

import numpy as np
import pytest
from layers import HEIGHT, WIDTH, line, turned_away
from pictures import Raster, draw, ink_box, pixels
from PIL import Image

from pipkie_cli.errors import DamagedFile
from pipkie_cli.nouns import Box, Glyph, Page, Problem, SourcePage, Turn
from pipkie_cli.words import read as room
from pipkie_cli.words import read_words
from pipkie_cli.words.ocr import turned

BODY = [g for k in range(8) for g in line("Some words that stand in the text layer of this page", 40, 100 + 30 * k)]
WHOLE = Box(0.0, 0.0, 1.0, 1.0)


def no_raster() -> Raster:
    raise AssertionError("a raster was asked for")


def source(
    glyphs: list[Glyph] | None = None,
    raster: Raster | Callable[[], Raster] = no_raster,
    images: tuple[Box, ...] = (),
    width: float = WIDTH,
    height: float = HEIGHT,
) -> SourcePage:
    make = raster if callable(raster) else lambda: raster
    return SourcePage(0, width, height, tuple(glyphs or ()), images, make, "pdfium")


def paper(*patches: tuple[Image.Image, int, int]) -> Image.Image:
    """A white page of 600 x 800 px with pictures on it: 1 px is 1 point."""
    page = Image.new("RGB", (600, 800), "white")
    for patch, x, y in patches:
        page.paste(patch, (x, y))
    return page


def printed(glyphs: list[Glyph]) -> Image.Image:
    """The page as a viewer shows the text layer: a dark bar for each letter."""
    page = paper()
    for g in glyphs:
        if not g.text.isspace():
            box = (
                int(g.box.left * 600) + 1,
                int(g.box.top * 800) + 2,
                int(g.box.right * 600) - 1,
                int(g.box.bottom * 800) - 3,
            )
            page.paste((0, 0, 0), box)
    return page


def text_of(page: Page) -> str:
    return " ".join(word.text for word in page.words)


def codes(page: Page) -> list[str]:
    return [problem.code for problem in page.problems]


def test_a_text_page_is_read_without_a_raster() -> None:
    """A whole text layer costs no rendering, logos and a tinted table head included."""
    page = read_words(source(BODY, no_raster, (Box(0.7, 0.02, 0.95, 0.1), Box(0.05, 0.12, 0.95, 0.15))))
    assert page.text_source == "text"
    assert page.rasterizer is None
    assert len(page.words) == 8 * 11
    assert {word.score for word in page.words} == {1.0}
    assert {type(side) for word in page.words for side in (word.box.left, word.box.bottom)} == {float}


def test_a_letterhead_behind_the_text_costs_no_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture over the whole page without ink of its own is background: rendered, looked at, left alone."""
    monkeypatch.setattr(room, "read_raster", no_raster)
    page = read_words(source(BODY, pixels(printed(BODY)), (WHOLE,)))
    assert page.text_source == "text"
    assert page.rasterizer == "pdfium"


def test_header_in_text_and_body_in_pixels_are_both_read() -> None:
    """A scan below a text header is read by OCR, the header is not read twice, and each word knows its source."""
    header = [*BODY[:104], *line("Printed from the archive on the fourth of March", 40, 20)]
    scan = draw([(20, 20, "Invoice number R-1742"), (20, 90, "Total amount 119,00 EUR")], 560, 420)
    raster = paper((printed(header), 0, 0), (scan, 20, 360))
    page = read_words(source(header, pixels(raster), (Box(20 / 600, 360 / 800, 580 / 600, 780 / 800),)))
    assert page.text_source == "mixed"
    by_ocr = [word for word in page.words if word.source == "ocr"]
    assert " ".join(word.text for word in by_ocr) == "Invoice number R-1742 Total amount 119,00 EUR"
    assert len(page.words) == len(by_ocr) + 2 * 11 + 9
    total = next(word for word in by_ocr if word.text == "Total")
    assert {type(side) for side in (total.box.left, total.box.top, total.box.right, total.box.bottom)} == {float}
    ink = ink_box(raster, Box(0.05, 455 / 800, 0.19, 480 / 800))
    assert total.box.left == pytest.approx(ink.left, abs=0.01)
    assert total.box.top < ink.top < ink.bottom < total.box.bottom


def test_a_hole_in_the_layer_is_filled_by_ocr() -> None:
    """A value in a broken font is read from the pixels where it stands."""
    hole = line("\ue012\ue013\ue014\ue015\ue016\ue017", 240, 500, size=20.0)
    raster = paper((printed(BODY), 0, 0), (draw([(0, 2, "119,00")], 90, 28, 22), 240, 498))
    page = read_words(source([*BODY, *hole], pixels(raster)))
    assert page.text_source == "mixed"
    assert [word.text for word in page.words if word.source == "ocr"] == ["119,00"]


def test_a_hidden_layer_over_a_scan_is_not_trusted() -> None:
    """Invisible text is dropped with a stated reason, the pixels are read."""
    hidden = [Glyph(g.text, g.box, g.size_pt, False, True) for g in BODY]
    raster = paper((draw([(20, 20, "Invoice R-1742")], 400, 80), 20, 40))
    page = read_words(source(hidden, pixels(raster), (WHOLE,)))
    assert page.text_source == "ocr"
    assert text_of(page) == "Invoice R-1742"
    assert codes(page) == ["text_layer_rejected"]
    assert all(0.5 < word.score <= 1 for word in page.words)


def test_a_stray_letter_over_a_scan_does_not_count() -> None:
    """A page number in text does not make a scan a text page; it stays beside what OCR reads."""
    raster = paper((draw([(20, 20, "Invoice R-1742")], 400, 80), 20, 40), (printed(line("7", 560, 770)), 0, 700))
    page = read_words(source(line("7", 560, 770), pixels(raster), (WHOLE,)))
    assert text_of(page) == "Invoice R-1742 7"
    assert page.text_source == "mixed"


def test_a_few_words_alone_on_a_page_cost_no_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short last page with nothing but its words is a text page."""
    monkeypatch.setattr(room, "read_raster", no_raster)
    glyphs = line("Page 2 of 2", 260, 400)
    page = read_words(source(glyphs, pixels(printed(glyphs))))
    assert page.text_source == "text"
    assert text_of(page) == "Page 2 of 2"


def test_a_few_garbled_letters_give_way_to_the_pixels() -> None:
    """Too short for the letter test, but OCR of the same place reads something else."""
    glyphs = line('"7+%-', 50, 50, size=24.0)
    raster = paper((draw([(0, 0, "Phone")], 90, 40), 45, 46))
    page = read_words(source(glyphs, pixels(raster)))
    assert text_of(page) == "Phone"
    assert page.text_source == "ocr"


def test_a_blank_page_is_blank() -> None:
    """Blank paper has no words, the source none and the problem blank_page."""
    page = read_words(source(None, pixels(paper())))
    assert (page.words, page.text_source, codes(page)) == ((), "none", ["blank_page"])


def test_a_picture_without_text_says_so() -> None:
    """Ink without text is another problem than blank paper."""
    picture = Image.new("RGB", (300, 300), "white")
    picture.paste((40, 90, 200), (60, 60, 240, 240))
    assert codes(read_words(source(None, pixels(picture)))) == ["no_text"]


def test_a_page_that_cannot_be_drawn_ends_nothing() -> None:
    """The raster's error becomes the page's problem, once, and what text there is stays."""

    def broken() -> Raster:
        raise DamagedFile("page 1 cannot be drawn")

    page = read_words(source(line("Page 2", 50, 50), broken))
    assert text_of(page) == "Page 2"
    assert codes(page) == ["page_unreadable"]
    told = SourcePage(0, 1, 1, (), (), broken, "pdfium", (Problem("page_unreadable", "page 1 cannot be loaded"),))
    assert codes(read_words(told)) == ["page_unreadable"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_lead_back_to_the_page_as_displayed_in_text(turn: Turn) -> None:
    """For a text layer that runs any way, `as_displayed` of a word is where its glyphs stand on the displayed page."""
    size = (WIDTH, HEIGHT) if turn in (0, 180) else (HEIGHT, WIDTH)
    page = read_words(source(turned_away(BODY, turn), no_raster, (), *size))
    assert (page.turn, page.width, page.height) == (turn, WIDTH, HEIGHT)
    assert text_of(page).startswith("Some words that stand")
    assert codes(page) == (["page_turned"] if turn else [])
    first = turned_away(BODY[:4], turn)
    whole = first[0].box.union(first[-1].box)
    shown = page.words[0].box.as_displayed(page.turn)
    assert (shown.left, shown.top, shown.right, shown.bottom) == pytest.approx(
        (whole.left, whole.top, whole.right, whole.bottom)
    )


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_lead_back_to_the_page_as_displayed_in_pixels(turn: Turn) -> None:
    """For turned pixels, the box of a word on the displayed page holds the word's ink there."""
    upright = pixels(draw([(20, 20, "Invoice number R-1742"), (300, 140, "Total 119,00")], 560, 200))
    shown = turned(upright, 360 - turn)
    page = read_words(source(None, shown, (), shown.shape[1], shown.shape[0]))
    assert page.turn == turn
    assert text_of(page) == "Invoice number R-1742 Total 119,00"
    assert (page.width, page.height) == (560, 200)
    box = next(word.box for word in page.words if word.text == "119,00").as_displayed(page.turn)
    height, width = shown.shape[:2]
    inside = shown[
        round(box.top * height) : round(box.bottom * height), round(box.left * width) : round(box.right * width)
    ]
    assert (inside < 128).any()
    for word in page.words:  # painting every box white leaves no ink: no word has another place
        box = word.box.as_displayed(page.turn)
        shown = shown.copy()
        shown[
            max(0, round(box.top * height) - 3) : round(box.bottom * height) + 3,
            max(0, round(box.left * width) - 3) : round(box.right * width) + 3,
        ] = 255
    assert not (shown < 128).any()


def test_words_stand_in_reading_order_with_lines() -> None:
    """Words of a skewed picture are put on their lines although the right end hangs lower than the next line begins."""
    lines = [
        "first line of a long row of words",
        "second line of a long row of words",
        "third line of a long row of words",
    ]
    image = draw([(30, 60 + 34 * k, text) for k, text in enumerate(lines)], 640, 260, 24).rotate(-4, fillcolor="white")
    page = read_words(source(None, pixels(image), (), 640, 260))
    assert text_of(page) == " ".join(lines)
    assert [word.line for word in page.words] == [k for k in range(3) for _ in lines[k].split()]


def test_a_raster_is_read_only_and_never_changed() -> None:
    """Whoever gave the raster finds it as it was."""
    raster = pixels(paper((draw([(20, 20, "Invoice R-1742")], 400, 80), 20, 40)))
    raster.setflags(write=False)
    before = raster.copy()
    read_words(source(BODY[:52], raster, (WHOLE,)))
    assert np.array_equal(raster, before)


def test_a_page_of_words_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words beyond the limit are left, so that no page costs the model hours, and the page says so."""
    monkeypatch.setattr(room, "MAX_PAGE_WORDS", 20)
    page = read_words(source(BODY))
    assert len(page.words) == 20
    assert [problem.code for problem in page.problems] == ["words_cut"]
