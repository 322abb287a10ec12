"""Window -> arrays of the mini model: pieces of every segment, places, shapes of words, labels that match a key.

NumPy only; the same code feeds training and extraction, so that they cannot drift apart.
Letters: N words, K keys (those of the window, then the columns of its cells), F features of a place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mini.labels import label_cues
from pipkie_cli.nouns import Window, Word
from pipkie_cli.prompts import alias_text, prompt_text

Array = npt.NDArray[Any]

KEY_TYPES = (
    "text", "date", "time", "datetime", "amount", "number", "integer", "percent", "currency", "email", "phone", "url",
    "iban", "bic", "tax_id", "country", "choice", "boolean",
)  # fmt: skip  # the order is part of a checkpoint: add at the end only
TRAINED_TYPES = frozenset({"text", "date", "amount", "number", "currency"})
LIKE = {"integer": "number", "percent": "number"}  # other types are read as texts and understood by `values/`
SEGMENT_LENGTHS = (6, 10, 16, 26, 42)  # pieces with <s> and </s>; segments are padded to the next of these
MAX_SEGMENT_PIECES = 24  # without <s> and </s>
MAX_WORD_PIECES = 10
MAX_KEY_PIECES = 40
LINE_HEIGHTS = 40.0  # places are in line heights, divided by this so that a page is about 0 to 2
OCTAVES = 8

_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}[-./ ]?[A-Za-zé]{3,}[-./ ]?\d{2,4}")
_AMOUNT = re.compile(r"[^\w]*[A-Za-z]{0,3}[^\w]*\d{1,3}(?:[.,' ]?\d{3})*[.,]\d{2}[^\w]*[A-Za-z]{0,3}[^\w]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w/.#-]+")
_CURRENCY = re.compile(r"[$€£¥]|RM|zł|EUR|USD|CHF|GBP|MYR|PLN", re.IGNORECASE)
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?")
SHAPES = 18


@lru_cache(maxsize=200_000)
def word_shape(text: str) -> tuple[float, ...]:
    """SHAPES numbers 0 to 1 that the pieces of a word do not show well: digits, case, marks, what it looks like."""
    length = len(text)
    digits = sum(char.isdigit() for char in text)
    letters = [char for char in text if char.isalpha()]
    upper = sum(char.isupper() for char in letters)
    return (
        digits / length,
        float(digits == length),
        float(digits > 0),
        len(letters) / length,
        upper / len(letters) if letters else 0.0,
        float(bool(letters) and letters[0].isupper()),
        min(length, 20) / 20,
        float(length == 1),
        float(text[-1] == ":"),
        float(text[-1] in ",;"),
        float(not any(char.isalnum() for char in text)),
        float(bool(_DATE.search(text))),
        float(bool(_AMOUNT.fullmatch(text))),
        float(bool(_YEAR.search(text))),
        float(bool(_CODE.fullmatch(text))),
        float(bool(_CURRENCY.search(text))),
        float(bool(_TIME.search(text))),
        float("@" in text or "www" in text.lower()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class MiniInputs:
    """One window as arrays. Picklable."""

    segments: tuple[tuple[int, ...], ...]  # piece ids with <s> and </s>
    segment_words: tuple[tuple[int, ...], ...]  # per piece the index of its word, -1 for <s> and </s>
    places: Array  # (N, F) float32
    centres: Array  # (N, 2) float32, line heights
    prompts: tuple[tuple[int, ...], ...]  # K sequences with <s> and </s>
    aliases: tuple[tuple[int, ...], ...]  # K
    asked: tuple[str, ...]  # K: the type of each key
    types: Array  # (K,) int64: what the network is told of it
    matches: Array  # (K, N) float32, 0 to 1, as `labels.Cues` has them
    beside: Array  # (K, N)
    below: Array  # (K, N)
    in_row: Array  # (K, N) float32: 1 where the cell's row holds the word; all 0 for a key that is no cell
    gaps: Array  # (N,) float64: wide gaps within lines that stand before each word, counted over the page

    @property
    def cost(self) -> int:
        return len(self.places)


PLACE_FEATURES = 6 * 2 * OCTAVES + 2 * 2 * OCTAVES + 4 + SHAPES


class PieceReader:
    """Text -> piece ids, word by word, remembered: words repeat within and between pages."""

    def __init__(self, tokenizer_json: str) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(tokenizer_json)
        self.bos, self.eos, self.pad, self.unknown = (
            self._special(piece) for piece in ("<s>", "</s>", "<pad>", "<unk>")
        )
        self.word = lru_cache(maxsize=200_000)(self._word)

    def _special(self, piece: str) -> int:
        found = self._tokenizer.token_to_id(piece)
        if found is None:
            raise ModelError(f"the tokenizer has no {piece}", hint="the checkpoint is damaged: fetch it again")
        return int(found)

    def _word(self, text: str) -> tuple[int, ...]:
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids[:MAX_WORD_PIECES]
        return tuple(ids) or (self.unknown,)

    def sequence(self, text: str) -> tuple[int, ...]:
        """A key's text with <s> and </s>."""
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids[:MAX_KEY_PIECES]
        return (self.bos, *(ids or (self.unknown,)), self.eos)  # control characters alone give no piece


def _type_index(type_name: str) -> int:
    """What the network is told of a type. Training asks for TRAINED_TYPES only; the rows of the others are as they were
    drawn: told "choice", it took a date for the class of a membership that it finds as a text."""
    return KEY_TYPES.index(type_name if type_name in TRAINED_TYPES else LIKE.get(type_name, "text"))


def make_inputs(window: Window, reader: PieceReader) -> MiniInputs:
    """The arrays of one window. Needs at least one word."""
    segments, segment_words = _segments(window.words, reader)
    boxes = _boxes_in_line_heights(window)
    return MiniInputs(
        segments=segments,
        segment_words=segment_words,
        places=_places(window, boxes),
        centres=np.stack([boxes[:, 0], (boxes[:, 1] + boxes[:, 3]) / 2], 1),
        prompts=tuple(reader.sequence(prompt_text(key)) for key in window.asked),
        aliases=tuple(reader.sequence(alias_text(key)) for key in window.asked),
        asked=tuple(key.type for key in window.asked),
        types=np.array([_type_index(key.type) for key in window.asked], np.int64),
        **label_cues(window)._asdict(),
        in_row=_in_row(window),
        gaps=_gaps(window.words),
    )


def _gaps(words: Sequence[Word]) -> Array:
    wide = [before.line == word.line and before.segment != word.segment for before, word in pairwise(words)]
    return np.concatenate([[0.0], np.cumsum(wide)])


def _in_row(window: Window) -> Array:
    """(K, N) float32: the words that stand in the row of each cell."""
    rows = np.zeros((len(window.asked), len(window.words)), np.float32)
    for at, cell in enumerate(window.cells, start=len(window.keys)):
        rows[at, list(cell.row)] = 1
    return rows


def _segments(
    words: Sequence[Word], reader: PieceReader
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    segments: list[list[int]] = []
    owners: list[list[int]] = []
    previous = None
    for index, word in enumerate(words):
        pieces = reader.word(word.text)
        if word.segment != previous or len(segments[-1]) + len(pieces) > MAX_SEGMENT_PIECES:
            segments.append([])
            owners.append([])
            previous = word.segment
        segments[-1].extend(pieces)
        owners[-1].extend([index] * len(pieces))
    return (
        tuple((reader.bos, *pieces, reader.eos) for pieces in segments),
        tuple((-1, *owner, -1) for owner in owners),
    )


def _boxes_in_line_heights(window: Window) -> Array:
    """(N, 4) float32: left, top, right, bottom in median word heights of the window."""
    boxes = np.array([(w.box.left, w.box.top, w.box.right, w.box.bottom) for w in window.words], np.float32)
    boxes = boxes * np.array([window.width, window.height] * 2, np.float32)
    line_height = max(float(np.median(boxes[:, 3] - boxes[:, 1])), 1e-3 * window.height, 1e-6)
    scaled: Array = np.clip(boxes / line_height, -50, 1000)
    return scaled


def _places(window: Window, boxes: Array) -> Array:
    """(N, F): Fourier features of the box in line heights and of its centre on the page, page number, source, shape."""
    size = np.stack([boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]], 1)
    absolute = np.concatenate([boxes, size], 1) / LINE_HEIGHTS  # (N, 6)
    on_page = np.array(
        [((w.box.left + w.box.right) / 2, (w.box.top + w.box.bottom) / 2) for w in window.words], np.float32
    )
    octaves = (np.pi / 2) * 2.0 ** np.arange(OCTAVES, dtype=np.float32)
    angles = np.concatenate([absolute, on_page], 1)[:, :, None] * octaves  # (N, 8, OCTAVES)
    fourier = np.concatenate([np.sin(angles), np.cos(angles)], 2).reshape(len(boxes), -1)
    flags = np.array(
        [
            (
                float(window.page_index == 0),
                float(window.page_index == window.page_count - 1),
                float(window.page_count > 1),
                float(word.source == "ocr"),
            )
            for word in window.words
        ],
        np.float32,
    )
    shapes = np.array([word_shape(word.text) for word in window.words], np.float32)
    return np.concatenate([fourier, flags, shapes], 1).astype(np.float32)
