"""Pictures of a page with what pipkie saw on it, for `pipkie explain --draw`.

Comes in: a page, its words, marked boxes. Goes out: a PIL image. Never writes a file.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pipkie_cli.nouns import Box, Page, SourcePage

if TYPE_CHECKING:
    from PIL import ImageDraw
    from PIL.Image import Image


def draw_page(source: SourcePage, page: Page, marks: Mapping[str, Sequence[Box]]) -> "Image":
    """The page as displayed with word boxes and the marked values (boxes as displayed) under their key names."""
    from PIL import Image, ImageDraw

    picture = Image.fromarray(source.raster())
    draw = ImageDraw.Draw(picture)
    for word in page.words:
        _frame(draw, word.box.as_displayed(page.turn), picture.size, "blue")
    for name, boxes in marks.items():
        for box in boxes:
            _frame(draw, box, picture.size, "red")
            draw.text((box.left * picture.width, box.top * picture.height), name, fill="red")
    return picture


def _frame(draw: "ImageDraw.ImageDraw", box: Box, size: tuple[int, int], colour: str) -> None:
    x0, x1 = sorted((box.left * size[0], box.right * size[0]))
    y0, y1 = sorted((box.top * size[1], box.bottom * size[1]))
    draw.rectangle((x0, y0, x1, y1), outline=colour)
