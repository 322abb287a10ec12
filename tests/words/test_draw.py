"""Pictures of pages for `pipkie explain --draw`."""

import numpy as np
import pytest

from pipkie_cli.errors import DamagedFile
from pipkie_cli.nouns import Box, Page, SourcePage, Turn, Word
from pipkie_cli.words import draw_page


def source(width: int, height: int) -> SourcePage:
    return SourcePage(0, width, height, (), (), lambda: np.full((height, width, 3), 255, np.uint8), "pillow")


def page(words: tuple[Word, ...], turn: Turn = 0) -> Page:
    return Page(0, 1000, 1400, turn, words, "text", None)


def word(left: float, top: float, line: int, segment: int) -> Word:
    return Word("word", Box(left, top, left + 0.1, top + 0.02), line, segment, "text")


def drawn(picture: object) -> np.ndarray:
    """Where the picture is not white."""
    return (np.asarray(picture) < 250).any(axis=2)


WORDS = (word(0.1, 0.1, 0, 0), word(0.3, 0.1, 0, 1), word(0.1, 0.5, 1, 2))


def test_a_page_without_words_stays_as_it_is() -> None:
    """Nothing is drawn where nothing was seen, and the size stays."""
    picture = draw_page(source(1000, 1400), page(()), {})
    assert picture.size == (1000, 1400)
    assert not drawn(picture).any()


def test_words_segments_and_path_are_drawn_where_they_stand() -> None:
    """Every word is framed at its place, segments differ in colour, and a line runs from word to word."""
    picture = draw_page(source(1000, 1400), page(WORDS), {})
    marks = drawn(picture)
    for one in WORDS:
        assert marks[round(one.box.top * 1400), round(one.box.left * 1000)]
    frames = {picture.getpixel((round(one.box.left * 1000) + 40, round(one.box.top * 1400))) for one in WORDS}
    assert len(frames) == 3
    assert marks[154, 250]  # on the way from the first word to the second
    assert not marks[1000:, 500:].any()


def test_marked_values_carry_their_name() -> None:
    """A marked value is framed, and its plate is larger for a longer name."""
    box = Box(0.4, 0.6, 0.6, 0.62)
    short = drawn(draw_page(source(1000, 1400), page(()), {"iban": [box]}))
    long = drawn(draw_page(source(1000, 1400), page(()), {"purchase_order_number": [box]}))
    assert short[840, 400:600].all()
    assert 0 < short[:836].sum() < long[:836].sum()


def test_a_name_stays_on_the_picture() -> None:
    """Values in the corners have their names inside the picture, also where the boxes leave the page."""
    corners = [Box(-0.1, -0.1, 0.05, 0.01), Box(0.95, 0.98, 1.2, 1.1), Box(0.95, 0, 1, 0.01)]
    for box in corners:
        alone = drawn(draw_page(source(1000, 1400), page(()), {"x": [box]}))
        named = drawn(draw_page(source(1000, 1400), page(()), {"total_amount": [box]}))
        assert named.sum() > alone.sum() + 100


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_boxes_of_a_turned_page_are_drawn_on_the_page_as_displayed(turn: Turn) -> None:
    """Word boxes lie on the upright page, the picture is the page as displayed."""
    one = word(0.1, 0.1, 0, 0)
    place = one.box.as_displayed(turn)
    marks = drawn(draw_page(source(1000, 1400), page((one,), turn), {}))
    assert marks[round(place.top * 1400), round(place.left * 1000)]
    assert not marks[650:750, 450:550].any()


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 3000), (60, 40)])
def test_tiny_pictures_are_enlarged_to_be_read(width: int, height: int) -> None:
    """A stamp of a picture still shows its words and numbers."""
    picture = draw_page(source(width, height), page(WORDS), {"total": [Box(0.1, 0.1, 0.2, 0.2)]})
    assert max(picture.size) >= 1000


def test_pixels_that_cannot_be_had_are_the_callers_error() -> None:
    """What the raster raises comes through."""

    def broken() -> np.ndarray:
        raise DamagedFile("page 1 cannot be drawn")

    with pytest.raises(DamagedFile):
        draw_page(SourcePage(0, 10, 10, (), (), broken, "pdfium"), page(WORDS), {})
