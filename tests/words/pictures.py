"""Drawn pictures for the OCR tests: small, so that a test takes a fraction of a second."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pipkie_cli.nouns import Box

Raster = NDArray[np.uint8]


def draw(lines: Sequence[tuple[int, int, str]], width: int = 520, height: int = 200, size: int = 24) -> Image.Image:
    """White paper with black lines of text at (x, y)."""
    image = Image.new("RGB", (width, height), "white")
    font = ImageFont.load_default(size)
    for x, y, text in lines:
        ImageDraw.Draw(image).text((x, y), text, fill="black", font=font)
    return image


def pixels(image: Image.Image) -> Raster:
    return np.asarray(image.convert("RGB"), np.uint8)


def ink_box(image: Image.Image, area: Box | None = None) -> Box:
    """The box around everything dark, in fractions of the picture; `area` limits where it is looked for."""
    dark = pixels(image).min(axis=2) < 128
    height, width = dark.shape
    if area is not None:
        outside = np.ones_like(dark)
        outside[
            int(area.top * height) : int(area.bottom * height), int(area.left * width) : int(area.right * width)
        ] = 0
        dark = dark & ~outside
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return Box(columns[0] / width, rows[0] / height, (columns[-1] + 1) / width, (rows[-1] + 1) / height)
