"""One page -> its words: from the text layer where it is real, else by OCR, region by region where both are needed.

Rules, in this order:
1. A text layer that is hidden, undecodable or no writing is rejected, and the page is read by OCR (flagged).
2. A real one of MIN_LAYER glyphs or more is read without a raster, unless pictures cover more than PICTURE_SHARE of
   the page where no text stands, or it has holes (print it does not decode). Logos stay below that.
3. Then the raster is made. Where the picture holds no ink beside the text (a letterhead, a tint), that is all;
   else the part of the page with such ink is read by OCR, and text wins where both say something.
4. A layer of less than STURDY glyphs cannot say which way is up: the whole page is read by OCR then, and text wins
   where both say something; one of less than MIN_LAYER only if the two agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError
from pipkie_cli.nouns import Box, Page, Problem, SourcePage, TextSource, Turn, Word
from pipkie_cli.words.ocr import OcrPage, read_raster, turned
from pipkie_cli.words.order import arrange
from pipkie_cli.words.split import split_words
from pipkie_cli.words.text_layer import LayerWord, TextLayer, read_text_layer, shared_share, turn_upright

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_LAYER = 20  # glyphs
PICTURE_SHARE = 0.25  # of the page; logos and product pictures stay below
GRID = 48  # cells across and down the page in which cover is counted
UNDER_TEXT = 0.3  # of an OCR word that lies under a word of the text layer: it is the same print
LINE_UNDER_TEXT = 0.6  # of an OCR line: the rest of it is the same print, too
AGREE = 0.5  # likeness of a short layer and the OCR of the same place
MAX_PAGE_WORDS = 10_000  # a dense newspaper page has 6,000; each 450 more cost a forward of the model
STURDY = 100  # glyphs whose direction decides alone which way is up


@dataclass(frozen=True, slots=True)
class _Found:
    """A word before it is placed. `level` is where the reading order sees it."""

    text: str
    box: Box
    level: Box
    source: str
    score: float = 1.0


def read_words(page: SourcePage) -> Page:
    """The words of one page, upright and in reading order. Never raises for what is on the page.

    A raster that cannot be made leaves a page without OCR words and the problem `page_unreadable`.
    """
    layer = read_text_layer(page.glyphs, page.width, page.height)
    problems = list(page.problems)
    if layer.rejected:
        problems.append(Problem("text_layer_rejected", f"{_name(page)}: the text layer is not used: {layer.rejected}"))
    uncovered = _uncovered(page, layer)
    if layer.n_glyphs >= MIN_LAYER and not layer.rejected and not layer.holes and _share(uncovered) <= PICTURE_SHARE:
        return _page(page, layer.turn, [_from_layer(word) for word in layer.words], None, problems)
    try:
        raster = page.raster()
    except DocumentError as error:
        if all(problem.code != "page_unreadable" for problem in problems):
            problems.append(Problem("page_unreadable", f"{_name(page)}: {error.message}"))
        return _page(page, layer.turn, [_from_layer(word) for word in layer.words], None, problems)
    if not layer.words:
        turn, found = _all_by_ocr(raster, problems, page)
    elif layer.n_glyphs < STURDY:
        turn, found = _short_layer(raster, layer)
    else:
        turn, found = _beside_layer(raster, layer, uncovered)
    return _page(page, turn, found, page.rasterized_by, problems)


def _name(page: SourcePage) -> str:
    return f"page {page.page_index + 1}"


def _page(
    page: SourcePage, turn: Turn, found: Sequence[_Found], rasterizer: str | None, problems: list[Problem]
) -> Page:
    """Put the words in order and say where they came from."""
    width, height = (page.width, page.height) if turn in (0, 180) else (page.height, page.width)
    words = tuple(
        Word(
            found[placed.index].text,
            found[placed.index].box,
            placed.line,
            placed.segment,
            "text" if found[placed.index].source == "text" else "ocr",
            found[placed.index].score,
        )
        for placed in arrange([word.level for word in found], width, height)
    )
    words, _ = split_words(words)
    if len(words) > MAX_PAGE_WORDS:
        words = words[:MAX_PAGE_WORDS]
        problems.append(Problem("words_cut", f"{_name(page)}: only the first {MAX_PAGE_WORDS} words were read"))
    if turn:
        problems.append(Problem("page_turned", f"{_name(page)}: turned {turn} degrees clockwise to be read"))
    sources = {word.source for word in words}
    source: TextSource = "none" if not sources else "mixed" if len(sources) == 2 else sources.pop()
    return Page(page.page_index, width, height, turn, words, source, rasterizer, tuple(problems))


def _from_layer(word: LayerWord) -> _Found:
    return _Found(word.text, word.box, word.box, "text")


def _all_by_ocr(raster: "NDArray[np.uint8]", problems: list[Problem], page: SourcePage) -> tuple[Turn, list[_Found]]:
    read = read_raster(raster)
    if read.blank:
        problems.append(Problem("blank_page", f"{_name(page)}: nothing is printed on it"))
    elif not read.lines:
        problems.append(Problem("no_text", f"{_name(page)}: something is on it, but no text was found"))
    return read.turn, _from_ocr(read)


def _from_ocr(read: OcrPage, region: Box | None = None, layer: Sequence[LayerWord] = ()) -> list[_Found]:
    """OCR words in page fractions, without those that the text layer has too."""
    found = []
    for line in read.lines:
        words = [
            _Found(w.text, _inside(w.box, region), _inside(w.level, region), "ocr", line.score) for w in line.words
        ]
        fresh = [w for w in words if all(shared_share(w.box, other.box) < UNDER_TEXT for other in layer)]
        if _length(fresh) >= (1 - LINE_UNDER_TEXT) * _length(words):
            found.extend(fresh)
    return found


def _inside(box: Box, region: Box | None) -> Box:
    if region is None:
        return box
    w, h = region.width, region.height
    return Box(
        region.left + box.left * w, region.top + box.top * h, region.left + box.right * w, region.top + box.bottom * h
    )


def _length(words: Sequence[_Found]) -> int:
    return sum(len(word.text) for word in words)


def _short_layer(raster: "NDArray[np.uint8]", layer: TextLayer) -> tuple[Turn, list[_Found]]:
    """A handful of letters: a stamp on a scan, a page number, a last line; or the only text of a short page."""
    text = [_from_layer(word) for word in layer.words]
    if _tells_all(raster, layer):
        return layer.turn, text
    read = read_raster(raster)
    if not read.lines:
        return layer.turn, text
    words = [_as_turned(word, layer.turn, read.turn) for word in layer.words]
    whole, beside = _from_ocr(read), _from_ocr(read, None, words)
    under = [word for word in whole if any(shared_share(word.box, other.box) >= UNDER_TEXT for other in words)]
    printed, said = _letters(under), _letters([_from_layer(word) for word in words])
    if layer.n_glyphs < MIN_LAYER and under and SequenceMatcher(None, printed, said).ratio() < AGREE:
        return read.turn, whole
    return read.turn, [_from_layer(word) for word in words] + beside


def _tells_all(raster: "NDArray[np.uint8]", layer: TextLayer) -> bool:
    """Nothing is printed beside the few words of the layer, and they look like words."""
    text = "".join(word.text for word in layer.words)
    if sum(map(str.isalnum, text)) < len(text) / 2:
        return False  # '"7+%-' for 'Phone': too short for the test of letter pairs
    return not bool(_inked(turned(raster, layer.turn), layer.words).any())


def _letters(words: Sequence[_Found]) -> str:
    return "".join(sorted("".join(word.text for word in words).casefold()))


def _as_turned(word: LayerWord, was: Turn, now: Turn) -> LayerWord:
    return LayerWord(word.text, turn_upright(word.box.as_displayed(was), now))


def _beside_layer(raster: "NDArray[np.uint8]", layer: TextLayer, uncovered: Any) -> tuple[Turn, list[_Found]]:
    """A real layer, and pictures or holes beside it that may hold text: OCR there, text first."""
    import numpy as np

    upright = turned(raster, layer.turn)
    text = [_from_layer(word) for word in layer.words]
    cells = np.rot90(uncovered, -layer.turn // 90) & _inked(upright, layer.words)
    for hole in layer.holes:
        cells[_cells(hole)] = True
    region = _around(cells)
    if region is None:
        return layer.turn, text
    height, width = upright.shape[:2]
    part = upright[
        int(region.top * height) : max(1, round(region.bottom * height)),
        int(region.left * width) : max(1, round(region.right * width)),
    ]
    if not part.size:
        return layer.turn, text
    read = read_raster(part, 0)
    return layer.turn, text + _from_ocr(read, region, layer.words)


def _uncovered(page: SourcePage, layer: TextLayer) -> Any:
    """Cells of the displayed page that a picture covers and no text."""
    import numpy as np

    cells = np.zeros((GRID, GRID), bool)
    for box in page.image_boxes:
        cells[_cells(box)] = True
    for word in layer.words:
        cells[_cells(word.box.as_displayed(layer.turn))] = False
    return cells


def _share(cells: Any) -> float:
    return float(cells.mean())


def _cells(box: Box) -> tuple[slice, slice]:
    """The grid cells that a box touches."""

    def span(low: float, high: float) -> slice:
        start = min(GRID - 1, max(0, int(low * GRID)))
        return slice(start, max(start + 1, min(GRID, int(-(-high * GRID // 1)))))

    return span(box.top, box.bottom), span(box.left, box.right)


def _inked(upright: "NDArray[np.uint8]", words: Sequence[LayerWord]) -> Any:
    """Cells with ink that is not a word of the text layer."""
    import numpy as np

    grey = upright.mean(axis=2, dtype=np.float32)
    height, width = grey.shape
    paper = float(np.median(grey))
    for word in words:
        box = word.box
        grey[
            int(box.top * height) : int(box.bottom * height) + 1, int(box.left * width) : int(box.right * width) + 1
        ] = paper
    cells = np.zeros((GRID, GRID), bool)
    for row, strip in enumerate(np.array_split(grey, GRID)):
        for column, cell in enumerate(np.array_split(strip, GRID, axis=1)):
            cells[row, column] = bool(cell.size and cell.max() - cell.min() > 60)
    return cells


def _around(cells: Any) -> Box | None:
    """The box around all marked cells, one cell wider on every side."""
    import numpy as np

    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not len(rows):
        return None
    top, bottom, left, right = int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])
    return Box(
        max(0, left - 1) / GRID, max(0, top - 1) / GRID, min(GRID, right + 2) / GRID, min(GRID, bottom + 2) / GRID
    )
