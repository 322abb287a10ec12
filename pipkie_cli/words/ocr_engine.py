"""The two nets of the OCR: where lines are, and what one line says. The only file that knows RapidOCR.

The engine brings the models, their sessions and the detector's geometry. What happens between is done here, because
its own road resizes twice, pads every line to 320 px and counts characters that it then has to find again.
Nothing is downloaded, printed or logged. One thread, one instance per process.
"""

import math
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipkie_cli.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Raster = NDArray[np.uint8]
    Quads = NDArray[np.float32]

# Settings measured in paired runs on invoices and receipts: less than half the CPU of the engine's defaults, and the
# same or better text. One line at a time: a batch is padded to its widest line, which is more work and other text.
SIDE_PX = 1280  # longest side the detector sees; 960 costs 20 % less and loses fine receipt print
DET_AREA_PX = 0.63e6  # a page longer than 2.6 times its width gets a longer side, or print on till rolls is lost
SMALL_PX = 736  # a smaller picture is enlarged for the detector, at most twice: 2 % more words on photos of 450 px
DET_STEP_PX = 32  # the detector takes multiples of it
LINE_PX = 48  # height of a line for the recogniser
TUNED = {"Global.use_cls": False}  # the per-line direction net turns upright lines over: CER 0.5 -> 8.3 on a scan
MODELS = {
    "Det": "PP-OCRv6_det_small.onnx",
    "Rec": "PP-OCRv6_rec_small.onnx",
    "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
}
BLANK = 0  # the recogniser's "no character here"


class Reading(NamedTuple):
    """What the recogniser says about one line."""

    text: str
    score: float  # mean probability of its characters
    columns: tuple[int, ...]  # of each character that is not white space
    n_columns: float  # across the line


@cache
def words_revision() -> str:
    """Everything that decides what is read from the same pixels, for provenance and cache keys."""
    engine = f"rapidocr {version('rapidocr')} PP-OCRv6-small side {SIDE_PX}"
    return f"words/1, {engine}, onnxruntime {version('onnxruntime')}"


def build_engine(tuned: bool) -> Any:
    """A RapidOCR in one thread. `tuned` False: the engine's own defaults otherwise, for comparison only."""
    import cv2
    import rapidocr

    cv2.setNumThreads(1)
    folder = Path(rapidocr.__file__).parent / "models"
    paths = {f"{part}.model_path": folder / name for part, name in MODELS.items()}
    for path in paths.values():
        if not path.is_file():  # given no path, the engine would download
            raise ModelError(f"the OCR model {path.name} is missing", "run: pip install --force-reinstall rapidocr")
    params: dict[str, Any] = {
        "Global.log_level": "critical",
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        **{name: str(path) for name, path in paths.items()},
        **(TUNED if tuned else {}),
    }
    return rapidocr.RapidOCR(params=params)


@cache
def nets() -> "Nets":
    """The nets of this process, loaded when first needed."""
    return Nets(build_engine(tuned=True))


class Nets:
    """Detector and recogniser. Pictures come in as (H, W, 3) uint8 BGR, as the nets were trained."""

    def __init__(self, engine: Any) -> None:
        self._detector = engine._load_det_model()
        self._recogniser = engine._load_rec_model()
        self._characters: list[str] = self._recogniser.postprocess_op.character

    def detect(self, image: "Raster", part: tuple[slice, slice]) -> "Quads":
        """Corners of every line (n, 4, 2) in pixels: top left, top right, bottom right, bottom left.

        Only `part` (rows, columns) of the picture is looked at, at the size that the whole picture asks for.
        """
        import cv2
        import numpy as np

        longest = max(image.shape[:2])
        scale = min(side_px(*image.shape[:2]) / longest, max(1.0, min(SMALL_PX / longest, 2.0)))
        image = image[part]
        height, width = image.shape[:2]
        steps = [max(1, round(side * scale / DET_STEP_PX)) for side in (width, height)]
        small = cv2.resize(image, (steps[0] * DET_STEP_PX, steps[1] * DET_STEP_PX))
        heat = self._detector.session(_as_input(small))
        boxes, _ = self._detector.postprocess_op(heat, (height, width))
        if not len(boxes):
            return np.zeros((0, 4, 2), np.float32)
        return np.asarray(boxes, np.float32) + np.array([part[1].start, part[0].start], np.float32)

    def read(self, crop: "Raster") -> Reading:
        """The text of one line, laid level."""
        import cv2
        import numpy as np

        ratio = crop.shape[1] / crop.shape[0]
        line = np.zeros((1, 3, LINE_PX, int(LINE_PX * max(1.0, ratio))), np.float32)
        width = min(line.shape[3], max(1, math.ceil(LINE_PX * ratio)))
        line[..., :width] = _as_input(cv2.resize(crop, (width, LINE_PX)))
        chances = self._recogniser.session(line)[0]
        best = chances.argmax(axis=1)
        fresh = best != BLANK
        fresh[1:] &= best[1:] != best[:-1]  # CTC: the same character twice in a row is one
        columns = np.flatnonzero(fresh)
        if not len(columns):
            return Reading("", 0.0, (), float(len(best)))
        characters = [self._characters[code] for code in best[columns]]
        printed = tuple(int(c) for c, char in zip(columns, characters, strict=True) for _ in char if not char.isspace())
        score = float(chances[columns, best[columns]].mean())
        return Reading("".join(characters), score, printed, len(best) * width / line.shape[3])


def crop_line(image: "Raster", quad: "NDArray[np.float32]") -> "Raster":
    """The picture between a line's corners, laid level; one that is much higher than wide is turned a quarter left."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    crop: Raster = get_rotate_crop_image(image, quad.copy())
    return crop


def side_px(height: int, width: int) -> int:
    """Longest side in pixels that the detector sees of a picture of this shape."""
    return max(SIDE_PX, round(math.sqrt(DET_AREA_PX * max(height, width) / min(height, width))))


def _as_input(image: Any) -> "NDArray[np.float32]":
    """(1, 3, H, W) float32 from -1 to 1."""
    import numpy as np

    planes = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32)
    scaled: NDArray[np.float32] = planes * np.float32(2 / 255) - np.float32(1)
    return scaled
