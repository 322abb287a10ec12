"""Pictures of where a model looked on a page, slot by slot, as figure 3 of PIP (arXiv 2601.19613) shows it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

    from pipkie_cli.models import AnyBackend
    from pipkie_cli.models.mllm import KeyHeat
    from pipkie_cli.nouns import Box, Input, Picture, RunOptions, Sheet
    from pipkie_cli.pipeline import Trace

PANEL = 320  # pixels of the longer side of one page
ACROSS = 4  # panels in a row
MOST_SLOTS = 23  # beside the panel of the whole value
CAPTION = 20  # pixels of the line above a panel
FADE, GLOW = 0.45, 0.75  # of white over the page, of red over its hottest cell


def write_heat(
    item: "Input", trace: "Trace", keys: set[str], options: "RunOptions", backend: "AnyBackend", folder: Path
) -> Iterator[str]:
    """Write a picture of every value of `keys` on every sheet that holds it, and say where.

    Nothing for a model that points at words, or that writes token by token. Raises DocumentErrors, OutputError.
    """
    from pipkie_cli.models.mllm import MllmBackend
    from pipkie_cli.pipeline import looks

    if not isinstance(backend, MllmBackend):
        return
    for sheet, found in looks(item, trace, options, backend):
        for key, (tokens, heat) in zip(sheet.keys, found, strict=True):
            if key.name in keys and tokens:
                yield _write(folder, item.path.stem, key.name, sheet, tokens, heat)


def _write(folder: Path, stem: str, key: str, sheet: "Sheet", tokens: Sequence[str], heat: "KeyHeat") -> str:
    """One picture, of the page that the value's place is on."""
    from pipkie_cli.errors import OutputError

    place = heat.place([picture.page_index for picture in sheet.pictures])
    assert place is not None
    number = next(at for at, one in enumerate(sheet.pictures) if one.page_index == place.page_number - 1)
    path = folder / f"{stem}-page-{place.page_number:03}-{key}-heat.png"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draw_heat(sheet.pictures[number], tokens, heat.pictures[number], place.boxes).save(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}", hint="choose another folder") from error
    return str(path)


def draw_heat(
    picture: "Picture", tokens: Sequence[str], heat: "np.ndarray[Any, Any]", boxes: "Sequence[Box]"
) -> "Image":
    """The page once with the heat of the whole value and `boxes`, then once for every slot, under its token.

    `heat` (slots, rows, columns) on that page. Red is the hottest cell of its own panel: panels do not compare.
    """
    from PIL import Image, ImageDraw, ImageFont

    from pipkie_cli.cli.console import printable

    page = _page(picture.pixels)
    panels = [("".join(tokens), _heated(page, heat.mean(0)))]
    _frame(panels[0][1], boxes)
    panels += [(token, _heated(page, one)) for token, one in zip(tokens[:MOST_SLOTS], heat, strict=False)]
    across = min(ACROSS, len(panels))
    width, height = page.width + 8, page.height + CAPTION + 8
    whole = Image.new("RGB", (across * width, -(-len(panels) // across) * height), "white")
    draw, font = ImageDraw.Draw(whole), ImageFont.load_default(size=13)
    for at, (caption, panel) in enumerate(panels):
        left, top = at % across * width, at // across * height
        draw.text((left + 4, top + 3), printable(f"{at}: {caption}" if at else caption)[:40], fill="black", font=font)
        whole.paste(panel, (left + 4, top + CAPTION))
    return whole


def _page(pixels: "np.ndarray[Any, Any]") -> "Image":
    from PIL import Image

    page = Image.fromarray(pixels).convert("RGB")
    scale = PANEL / max(page.size)
    page = page.resize((max(1, round(page.width * scale)), max(1, round(page.height * scale))))
    return Image.blend(page, Image.new("RGB", page.size, "white"), FADE)


def _heated(page: "Image", heat: "np.ndarray[Any, Any]") -> "Image":
    """`heat` (rows, columns) in red over the page."""
    import numpy as np
    from PIL import Image

    share = np.uint8(255 * GLOW * heat / max(float(heat.max()), 1e-12))
    glow = Image.fromarray(share).resize(page.size, Image.Resampling.BILINEAR)
    return Image.composite(Image.new("RGB", page.size, (215, 0, 0)), page, glow)


def _frame(panel: "Image", boxes: "Sequence[Box]") -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(panel)
    for box in boxes:
        corners = (box.left * panel.width, box.top * panel.height, box.right * panel.width, box.bottom * panel.height)
        draw.rectangle(corners, outline=(0, 60, 200), width=2)
