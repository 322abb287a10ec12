"""Pieces of pages around an answer: what pipkie took in red, where the right text stands in green.

Comes in: a measured document and the road. Goes out: pictures as bytes. Pages are drawn once each, one at a time.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import DocumentError
from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.evaluate.metrics import fold
from pipkie_cli.nouns import Box, Page, Word

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

    from pipkie_cli.evaluate.road import PipelineRoad

MARGIN_X, MARGIN_Y = 0.35, 0.03  # of the page, around what is marked: the label beside or above a value
WIDEST_PX = 760
NARROWEST_PX = 320  # a small crop is enlarged, or nobody could read it
QUALITY = 60  # of a JPEG: print stays readable
MAX_WORDS = 60  # of a right text that is searched on the page
TAKEN, RIGHT = (214, 39, 40), (44, 160, 44)


def crops_of(measured: Measured, wrong: Sequence[Judged], road: "PipelineRoad") -> dict[int, bytes]:
    """JPEG of each of the wrong answers, by its place in the list; one that stands nowhere on a page has none."""
    from pipkie_cli.documents import open_document

    document, options = measured.document, road.options
    try:
        pages = {page.page_index: page for page in road.read(document).pages}
        marks = {place: found for place, one in enumerate(wrong) if (found := _marks(one, pages))}
        crops: dict[int, bytes] = {}
        with open_document(
            document.path, shown=document.shown, passwords=options.passwords, max_pages=options.max_pages
        ) as opened:
            for source in opened.pages():
                here = {place: found for place, found in marks.items() if found[0] == source.page_index}
                if here:
                    crops |= dict(_cut(source.raster, here))
        return crops
    except DocumentError:  # a page without pixels was measured all the same: there is nothing to look at
        return {}


Marks = tuple[int, Sequence[Box], Sequence[Box]]  # page index, boxes taken, boxes of the right text, as displayed


def _marks(judged: Judged, pages: dict[int, Page]) -> Marks | None:
    place = judged.given.place
    if place is not None:
        index = place.page_number - 1
        page = pages.get(index)
        return index, place.boxes, _right_boxes(judged, page) if page else ()
    for index, page in pages.items():
        boxes = _right_boxes(judged, page)
        if boxes:
            return index, (), boxes
    return None


def _right_boxes(judged: Judged, page: Page) -> tuple[Box, ...]:
    for text in judged.expected:
        words = find_text(page.words, text)
        if words:
            return tuple(word.box.as_displayed(page.turn) for word in words)
    return ()


def find_text(words: Sequence[Word], text: str) -> Sequence[Word]:
    """The first run of words that prints a text, blanks and case aside; () where none does."""
    wanted = _letters(text)
    if not wanted:
        return ()
    letters = [_letters(word.text) for word in words]
    for start in range(len(words)):
        seen = ""
        for end in range(start, min(start + MAX_WORDS, len(words))):
            seen += letters[end]
            if seen == wanted:
                return words[start : end + 1]
            if not wanted.startswith(seen):
                break
    return ()


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def _cut(raster: "Callable[[], np.ndarray[Any, Any]]", marks: dict[int, Marks]) -> Iterator[tuple[int, bytes]]:
    from PIL import Image

    picture = Image.fromarray(raster()).convert("RGB")
    for place, (_, taken, right) in marks.items():
        yield place, _jpeg(_crop(picture, taken, right))


def _crop(picture: "Image", taken: Sequence[Box], right: Sequence[Box]) -> "Image":
    """The marked piece with a margin, everything framed."""
    from PIL import ImageDraw

    piece = _around((*taken, *right))
    left, top = round(piece.left * picture.width), round(piece.top * picture.height)
    size = (round(piece.right * picture.width), round(piece.bottom * picture.height))
    crop = picture.crop((left, top, max(left + 1, size[0]), max(top + 1, size[1])))
    scale = min(WIDEST_PX / crop.width, max(1.0, NARROWEST_PX / crop.width))
    crop = crop.resize((max(1, round(crop.width * scale)), max(1, round(crop.height * scale))))
    draw = ImageDraw.Draw(crop)
    for boxes, colour in ((right, RIGHT), (taken, TAKEN)):
        for box in boxes:
            x = [(edge * picture.width - left) * scale for edge in sorted((box.left, box.right))]
            y = [(edge * picture.height - top) * scale for edge in sorted((box.top, box.bottom))]
            draw.rectangle((x[0] - 2, y[0] - 2, x[1] + 2, y[1] + 2), outline=colour, width=2)
    return crop


def _around(boxes: Sequence[Box]) -> Box:
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    left, right = sorted((whole.left - MARGIN_X, whole.right + MARGIN_X))
    top, bottom = sorted((whole.top - MARGIN_Y, whole.bottom + MARGIN_Y))
    return Box(max(0.0, left), max(0.0, top), min(1.0, right), min(1.0, bottom))


def _jpeg(picture: "Image") -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()
