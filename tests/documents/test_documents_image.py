"""Pictures: frames as pages, upright by EXIF, dark print on white paper in eight bits."""

from pathlib import Path
from typing import Any

import make
import numpy as np
import pytest
from PIL import Image, ImageOps

from pipkie_cli.documents import open_document
from pipkie_cli.documents.limits import MAX_RASTER_PX, MAX_RASTER_SIDE_PX
from pipkie_cli.errors import TooLarge


def rasters(tmp_path: Path, data: bytes) -> list[Any]:
    path = tmp_path / "a.bin"
    path.write_bytes(data)
    with open_document(path, shown="a.bin") as document:
        pages = list(document.pages())
    found = []
    for page in pages:
        pixels = page.raster()
        assert (pixels.dtype, pixels.ndim, pixels.shape[2]) == (np.uint8, 3, 3)
        assert (page.height, page.width) == pixels.shape[:2]
        assert (page.glyphs, page.image_boxes, page.rasterizer) == ((), (), "pillow")
        found.append(pixels)
    return found


def corner(width: int = 40, height: int = 20) -> Image.Image:
    """White paper with a black top left quarter: its place tells how a picture is turned."""
    image = Image.new("L", (width, height), 255)
    image.paste(0, (0, 0, width // 2, height // 2))
    return image


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
def test_every_format_is_read(tmp_path: Path, kind: str) -> None:
    """Dark is dark and white is white, whatever the format."""
    (pixels,) = rasters(tmp_path, make.encode(corner(), kind))
    assert pixels.shape == (20, 40, 3)
    assert pixels[:8, :16].max() < 40
    assert pixels[12:, :].min() > 215


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_exif_turns_the_picture(tmp_path: Path, kind: str, orientation: int) -> None:
    """All eight orientations show the page as a viewer does."""
    exif = Image.Exif()
    exif[274] = orientation
    data = make.encode(corner(), kind, exif=exif)
    (pixels,) = rasters(tmp_path, data)
    plain = tmp_path / "plain.jpg"
    plain.write_bytes(make.encode(corner(), "JPEG", exif=exif))
    want = ImageOps.exif_transpose(Image.open(plain)).convert("RGB")
    assert pixels.shape[:2] == (want.height, want.width)
    assert np.abs(pixels.astype(int) - np.asarray(want)).mean() < 3
    upright = {1: (0, 0), 2: (0, -1), 3: (-1, -1), 4: (-1, 0), 5: (0, 0), 6: (0, -1), 7: (-1, -1), 8: (-1, 0)}
    assert pixels[upright[orientation]].max() < 60


def test_frames_of_a_tiff_are_pages(tmp_path: Path) -> None:
    """Frames may differ in size and mode."""
    first, second, third = rasters(tmp_path, make.tiff(corner(), corner(60, 90).convert("1"), make.ramp16()))
    assert (first.shape, second.shape, third.shape) == ((20, 40, 3), (90, 60, 3), (32, 64, 3))


def test_a_tiff_of_frames_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finding 200,000 frames of an 18 MB file would take hours."""
    monkeypatch.setattr("pipkie_cli.documents.image.MAX_FRAMES", 2)
    assert len(rasters(tmp_path, make.tiff(corner(), corner()))) == 2
    with pytest.raises(TooLarge, match="more than 2 pictures"):
        rasters(tmp_path, make.tiff(corner(), corner(), corner()))


def test_thumbnails_in_a_tiff_are_no_pages(tmp_path: Path) -> None:
    """A reduced copy of the page before it is not read twice."""
    import io

    from PIL import TiffImagePlugin

    thumbnail = corner(8, 4)
    thumbnail.encoderinfo = {"tiffinfo": {254: 1}}  # type: ignore[attr-defined]
    out = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(out, True) as file:
        for image, info in ((corner(), {}), (thumbnail, {254: 1}), (corner(50, 30), {})):
            image.save(file, format="TIFF", tiffinfo=info)
            file.newFrame()
    assert [pixels.shape[:2] for pixels in rasters(tmp_path, out.getvalue())] == [(20, 40), (30, 50)]


def test_a_torn_tiff_keeps_its_first_pages(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What is whole is read, what is not is said, and libtiff is silent."""
    data = make.tiff(corner(), corner(), compression="tiff_lzw")
    path = tmp_path / "a.tif"
    path.write_bytes(data[: len(data) - 100])
    with open_document(path, shown="a") as document:
        codes = [problem.code for problem in document.problems]
        pages = [[problem.code for problem in page.problems] for page in document.pages()]
    assert pages[0] == []
    assert codes == ["repaired"] or pages[1:] == [["page_unreadable"]]
    assert capfd.readouterr() == ("", "")


def test_animations_give_their_first_frame(tmp_path: Path) -> None:
    """And say so."""
    path = tmp_path / "a.gif"
    path.write_bytes(make.encode(corner(), "GIF", save_all=True, append_images=[corner(40, 20).rotate(180)]))
    with open_document(path, shown="a") as document:
        (page,) = list(document.pages())
        assert [problem.code for problem in document.problems] == ["first_frame_only"]
    assert page.raster()[2, 2].max() < 40


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "L", "RGB"])
def test_transparent_paper_is_white(tmp_path: Path, mode: str) -> None:
    """Black print on transparent black must not become a black page."""
    print_ = corner()
    if mode in ("RGBA", "LA"):
        image = Image.merge("LA", (Image.new("L", print_.size, 0), ImageOps.invert(print_)))
        data = make.encode(image.convert(mode), "PNG")
    else:
        data = make.encode(print_.convert(mode), "PNG")
        if mode == "P":
            flat = print_.convert("P")
            data = make.encode(flat, "PNG", transparency=flat.getpixel((39, 19)))
        elif mode == "L":
            data = make.encode(print_, "PNG", transparency=255)
        elif mode == "RGB":
            data = make.encode(print_.convert("RGB"), "PNG", transparency=(255, 255, 255))
    (pixels,) = rasters(tmp_path, data)
    assert pixels[:10, :20].max() == 0
    assert pixels[10:, :].min() == 255


def test_cmyk_is_not_inverted(tmp_path: Path) -> None:
    """No ink is white, full black is black."""
    for kind in ("JPEG", "TIFF"):
        (pixels,) = rasters(tmp_path, make.encode(corner().convert("RGB").convert("CMYK"), kind))
        assert pixels[2, 2].max() < 60
        assert pixels[-2, -2].min() > 200


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_are_scaled(tmp_path: Path, kind: str) -> None:
    """A ramp from black to white stays one; a plain conversion would clip it to white."""
    (pixels,) = rasters(tmp_path, make.encode(make.ramp16(), kind))
    row = pixels[0, :, 0].astype(int)
    assert row[0] == 0
    assert row[-1] == 255
    assert abs(row[32] - 128) < 5


@pytest.mark.parametrize("top", [4095, 255])
def test_twelve_bits_in_sixteen_are_bright(tmp_path: Path, top: int) -> None:
    """Scanners store 12 bits in 16: paper is not black."""
    deep = Image.fromarray(np.full((4, 4), top, np.uint16))
    (pixels,) = rasters(tmp_path, make.encode(deep, "TIFF"))
    assert pixels.min() == 255


def test_floating_point_grey_is_read(tmp_path: Path) -> None:
    """0 to 1 becomes black to white; what is no number is black."""
    deep = np.linspace(0, 1, 16, dtype=np.float32).reshape(4, 4)
    deep[0, 0] = np.nan
    (pixels,) = rasters(tmp_path, make.encode(Image.fromarray(deep), "TIFF"))
    assert (pixels[0, 0, 0], pixels[-1, -1, 0]) == (0, 255)


@pytest.mark.parametrize("size", [(1, 1), (1, 10_000), (10_000, 1)])
def test_thin_pictures_are_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """No division by nothing anywhere."""
    (pixels,) = rasters(tmp_path, make.png(Image.new("L", size, 200)))
    assert pixels.shape == (size[1], size[0], 3)


@pytest.mark.parametrize("size", [(6000, 4000), (900, 20_000)])
def test_large_pictures_are_shrunk_no_more_than_needed(tmp_path: Path, size: tuple[int, int]) -> None:
    """The shape stays, the pixels come near the limit."""
    (pixels,) = rasters(tmp_path, make.png(Image.new("1", size, 1)))
    height, width = pixels.shape[:2]
    assert width * height <= MAX_RASTER_PX
    assert max(width, height) <= MAX_RASTER_SIDE_PX
    assert width * height > 0.99 * MAX_RASTER_PX or max(width, height) > 0.99 * MAX_RASTER_SIDE_PX
    assert width / height == pytest.approx(size[0] / size[1], rel=0.01)


def test_own_pixel_limit_stands_before_decoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture under Pillow's limit and above ours is refused before memory is taken."""
    monkeypatch.setattr("pipkie_cli.documents.image.MAX_PIXELS_DECODE", 700)
    monkeypatch.setattr("pipkie_cli.documents.image._rgb", None)
    path = tmp_path / "a.png"
    path.write_bytes(make.png(corner()))
    with pytest.raises(TooLarge, match="40 x 20"):
        open_document(path, shown="a")


def test_broken_exif_does_not_lose_the_picture(tmp_path: Path) -> None:
    """Only the turn is unknown."""
    (pixels,) = rasters(tmp_path, make.encode(corner(), "JPEG", exif=b"Exif\x00\x00II*\x00\xff\xff\xff\x7f"))
    assert pixels[2, 2].max() < 60
