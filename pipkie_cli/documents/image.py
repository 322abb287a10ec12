"""Pictures through Pillow: frames as pages, upright by EXIF, eight bits of RGB on white paper."""

import math
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pipkie_cli.documents.limits import MAX_FRAMES, MAX_PIXELS_DECODE, MAX_RASTER_PX, MAX_RASTER_SIDE_PX
from pipkie_cli.documents.sniff import Format
from pipkie_cli.documents.source import FileBytes
from pipkie_cli.errors import DamagedFile, DocumentError, TooLarge
from pipkie_cli.nouns import Problem, SourcePage

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image

_SUBFILE_TYPE = 254  # TIFF tag; bit 0: a reduced copy of another frame, bit 2: a transparency mask
_NOT_A_PAGE = 0b101
_PHOTOMETRIC = 262  # TIFF tag; 0: white is zero
_ORIENTATION = 274  # EXIF and TIFF tag


class ImageReader:
    """A picture file. TIFF frames are pages; of an animation the first frame is."""

    rasterizer = "pillow"

    def __init__(self, source: FileBytes, kind: Format) -> None:
        from PIL import Image

        self._shown = source.shown
        with _pillow_errors(source.shown):
            self._image = Image.open(BytesIO(source.data), formats=[kind.upper()])
            self._frames, self.problems = self._tiff_pages() if kind == "tiff" else ([0], self._animation())
        self.page_count = len(self._frames)

    def _animation(self) -> tuple[Problem, ...]:
        n_frames = int(getattr(self._image, "n_frames", 1))
        if n_frames == 1 or self._image.format == "MPO":  # MPO: a photograph that some phones store twice
            return ()
        return (Problem("first_frame_only", f"an animation of {n_frames} frames: only the first was read"),)

    def _tiff_pages(self) -> tuple[list[int], tuple[Problem, ...]]:
        """Frames that are pages: scanners also store thumbnails and masks. All frames when nothing else is there."""
        pages: list[int] = []
        index = 0
        problems: tuple[Problem, ...] = ()
        while True:
            try:
                self._image.seek(index)
            except EOFError:
                break
            except Exception:  # noqa: BLE001 - a torn directory raises as many types as a torn picture; those before it are whole
                problems = (Problem("repaired", f"the file is damaged behind page {index}: parts may be missing"),)
                break
            if index == MAX_FRAMES:
                hint = "split the document"
                raise TooLarge(f"{self._shown} holds more than {MAX_FRAMES} pictures, the limit", hint=hint)
            kind = self._image.tag_v2.get(_SUBFILE_TYPE, 0)  # type: ignore[attr-defined]
            if not (isinstance(kind, int) and kind & _NOT_A_PAGE):
                pages.append(index)
            index += 1
        return pages or list(range(index)), problems

    def load(self, page_index: int) -> SourcePage:
        """Decodes the frame at once: only then is it known to be whole, and how it is turned."""
        with _pillow_errors(f"{self._shown}, page {page_index + 1}"):
            self._image.seek(self._frames[page_index])
            width, height = self._image.size
            if width * height > MAX_PIXELS_DECODE:
                raise _too_many_pixels(self._shown, f"{width} x {height} pixels")
            pixels = _rgb(self._image)
        height, width = pixels.shape[:2]
        return SourcePage(page_index, float(width), float(height), (), (), lambda: pixels, "pillow")

    def close(self) -> None:
        self._image.close()


@contextmanager
def _pillow_errors(what: str) -> Iterator[None]:
    """Turns whatever Pillow raises on a bad file into a DocumentError."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pixels there is an own limit; of odd metadata a reader wants no word
            yield
    except DocumentError:
        raise
    except (Image.DecompressionBombError, MemoryError) as error:
        raise _too_many_pixels(what, "too many pixels") from error
    except Exception as error:
        hint = "open it in a viewer and save it again, or scan it again"
        raise DamagedFile(f"{what}: the picture cannot be decoded ({type(error).__name__})", hint=hint) from error


@contextmanager
def _quiet_libtiff() -> Iterator[None]:
    """libtiff writes to descriptor 2 itself (200 lines for one fuzzed file); the exception says enough."""
    try:
        kept = os.dup(2)
    except OSError:  # started with stderr closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _too_many_pixels(what: str, size: str) -> TooLarge:
    limit = MAX_PIXELS_DECODE // 1_000_000
    return TooLarge(f"{what} has {size}, the limit is {limit} million", hint="save it at 300 dpi or less")


def _rgb(image: "Image.Image") -> "np.ndarray[Any, Any]":
    """The frame as displayed, (H, W, 3) uint8 RGB, shrunk to the limits of a raster."""
    import numpy as np

    orientation = _orientation(image)
    with _quiet_libtiff() if image.format == "TIFF" else nullcontext():
        image.load()
    flat = _shrunk(_eight_bits(image))
    if _is_transparent(flat):
        from PIL import Image

        layered = flat.convert("RGBA")
        paper = Image.new("RGBA", layered.size, "white")  # transparent pixels are black underneath
        flat = Image.alpha_composite(paper, layered)
    pixels = np.asarray(flat.convert("RGB"))
    return np.ascontiguousarray(_turned(pixels, orientation))


def _orientation(image: "Image.Image") -> int:
    """EXIF orientation 1 to 8. Pillow turns TIFF frames itself while it loads them."""
    if image.format == "TIFF":
        return 1
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001 - a broken EXIF block raises as many types as a broken picture, and the picture is fine
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turned(pixels: "np.ndarray[Any, Any]", orientation: int) -> "np.ndarray[Any, Any]":
    """Undoes an EXIF orientation (table of EXIF 2.3, tag 274)."""
    if orientation in (5, 6, 7, 8):
        pixels = pixels.swapaxes(0, 1)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return pixels


def _eight_bits(image: "Image.Image") -> "Image.Image":
    """Modes that can be shrunk and composed: L, RGB, CMYK or with alpha."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        return _scaled(image)
    if image.mode == "1":
        return image.convert("L")
    if image.mode in ("P", "PA"):
        return image.convert("RGBA" if _is_transparent(image) else "RGB")
    if image.mode in ("L", "RGB") and _is_transparent(image):  # one colour stands for transparent
        return image.convert("RGBA")
    return image


def _is_transparent(image: "Image.Image") -> bool:
    return image.mode in ("LA", "La", "RGBA", "RGBa", "PA") or "transparency" in image.info


def _scaled(image: "Image.Image") -> "Image.Image":
    """Deep grey to eight bits: a plain convert("L") clips and gives a white page. 12 bits in 16 are common."""
    import numpy as np
    from PIL import Image

    deep = np.array(image, dtype=np.float32)  # 600 MB at the limit of pixels: all below happens in place
    np.nan_to_num(deep, copy=False, posinf=0.0, neginf=0.0)
    low = float(min(deep.min(), 0.0))
    top = float(deep.max()) - low
    full = 1.0 if top <= 1.0 and image.mode == "F" else float(2 ** max(8, int(np.ceil(np.log2(top + 1)))) - 1)
    deep -= low
    deep *= 255.0 / full
    grey = np.clip(deep, 0, 255, out=deep).astype(np.uint8)
    tags = getattr(image, "tag_v2", {})
    if image.mode.startswith("I;16") and tags.get(_PHOTOMETRIC) == 0:  # Pillow turns white-is-zero only for 8 bits
        grey = 255 - grey
    return Image.fromarray(grey)


def _shrunk(image: "Image.Image") -> "Image.Image":
    """At most MAX_RASTER_PX pixels and MAX_RASTER_SIDE_PX a side, averaging so that thin print stays."""
    from PIL import Image

    width, height = image.size
    share = min(1.0, math.sqrt(MAX_RASTER_PX / (width * height)), MAX_RASTER_SIDE_PX / max(width, height))
    if share == 1.0:
        return image
    size = (max(1, int(width * share)), max(1, int(height * share)))
    return image.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)
