"""Pictures of a page with what pipkie saw on it, for `pipkie explain --draw`.

Comes in: a page, its words, marked boxes. Goes out: a PIL image. Never writes a file.
"""

import colorsys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pipkie_cli.nouns import Box, Page, SourcePage, Word

if TYPE_CHECKING:
    from PIL import ImageDraw
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

FADE = 0.35  # of white over the page: print stays readable under colours
LEAST_SIDE = 1000  # pixels of the longer side: small pictures are enlarged, or no number could be read
GOLDEN = 0.381966  # of the colour circle from one segment to the next: neighbours always differ
SAME_LINE, NEXT_LINE = (0, 0, 255, 150), (230, 0, 0, 110)  # colours of the path from word to word

Rectangle = tuple[float, float, float, float]


def draw_page(source: SourcePage, page: Page, marks: Mapping[str, Sequence[Box]]) -> "Image":
    """The page as displayed. A colour is a segment, a red number the first word of a line (counted from 0), the path
    the reading order (blue along a line, red to the next one). `marks`: boxes as displayed, framed under their name.

    Raises what `source.raster` raises.
    """
    from PIL import ImageDraw, ImageFont

    picture = _background(source)
    draw = ImageDraw.Draw(picture, "RGBA")
    boxes = [_pixels(word.box.as_displayed(page.turn), picture.size) for word in page.words]
    _draw_words(draw, page.words, boxes)
    _draw_path(draw, page.words, boxes, max(1, picture.width // 800))
    font = ImageFont.load_default(size=max(picture.size) / 150)
    for number, word in enumerate(page.words):
        if number == 0 or page.words[number - 1].line != word.line:
            left, top, _, _ = boxes[number]
            draw.text((left, top), str(number), fill=(200, 0, 0), font=font, anchor="rt")
    font = ImageFont.load_default(size=max(picture.size) / 110)
    for place, (name, marked) in enumerate(marks.items()):
        colour = _colour(place, 0.75)
        for box in marked:
            rectangle = _pixels(box, picture.size)
            draw.rectangle(rectangle, outline=colour, width=max(2, picture.width // 400))
            _draw_name(draw, name, rectangle, colour, font)
    return picture


def _background(source: SourcePage) -> "Image":
    from PIL import Image

    picture = Image.fromarray(source.raster()).convert("RGB")
    scale = LEAST_SIDE / max(picture.size)
    if scale > 1:
        picture = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
    return Image.blend(picture, Image.new("RGB", picture.size, "white"), FADE)


def _pixels(box: Box, size: tuple[int, int]) -> Rectangle:
    left, right = sorted((box.left * size[0], box.right * size[0]))
    top, bottom = sorted((box.top * size[1], box.bottom * size[1]))
    return left, top, right, bottom


def _colour(number: int, brightness: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(number * GOLDEN % 1, 1, brightness)
    return round(red * 255), round(green * 255), round(blue * 255)


def _draw_words(draw: "ImageDraw.ImageDraw", words: Sequence[Word], boxes: Sequence[Rectangle]) -> None:
    for word, box in zip(words, boxes, strict=True):
        colour = _colour(word.segment, 0.8)
        draw.rectangle(box, outline=colour, fill=(*colour, 35))


def _draw_path(draw: "ImageDraw.ImageDraw", words: Sequence[Word], boxes: Sequence[Rectangle], width: int) -> None:
    middles = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in boxes]
    for (word, start), (following, end) in pairwise(zip(words, middles, strict=True)):
        draw.line((start, end), fill=SAME_LINE if word.line == following.line else NEXT_LINE, width=width)


def _draw_name(
    draw: "ImageDraw.ImageDraw",
    name: str,
    box: Rectangle,
    colour: tuple[int, int, int],
    font: "FreeTypeFont | ImageFont",
) -> None:
    """The name on a plate above the box, or inside its top where the page ends."""
    left, top, right, bottom = draw.textbbox((0, 0), name, font=font)
    width, height = right - left + 6, bottom - top + 6
    x = min(max(0.0, box[0]), max(0.0, draw.im.size[0] - width))
    y = max(0.0, box[1] - height)
    draw.rectangle((x, y, x + width, y + height), fill=(255, 255, 255, 225), outline=colour)
    draw.text((x + 3 - left, y + 3 - top), name, fill=colour, font=font)
