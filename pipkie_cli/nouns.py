"""The nouns that travel between the rooms: frozen, with slots, tuples inside. Read this file first.

Places are fractions of the page, 0 to 1, origin top left, y down. Words carry places on the *upright* page (as it
is read); `Box.as_displayed` turns them to the page as displayed, which is what a record shows.
This module imports nothing of the package and nothing heavy.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # annotations only: help must not load numpy
    import numpy as np

Turn = Literal[0, 90, 180, 270]
TextSource = Literal["text", "ocr", "mixed", "none"]
ValueSource = Literal["text", "ocr", "pixels", "embedded_xml", "barcode"]
Decode = Literal["pip", "ar"]

POPPLER_FAILED = "pdfium (poppler failed)"  # the rasterizer of a page that poppler, tried first, did not draw


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in fractions of a page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def union(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def as_displayed(self, turn: Turn) -> "Box":
        """The same place on the page as displayed, when `turn` degrees clockwise made the page upright."""
        if turn == 0:
            return self
        if turn == 180:
            return Box(1 - self.right, 1 - self.bottom, 1 - self.left, 1 - self.top)
        if turn == 90:  # upright x = 1 - displayed y, upright y = displayed x
            return Box(self.top, 1 - self.right, self.bottom, 1 - self.left)
        return Box(1 - self.bottom, self.left, 1 - self.top, self.right)


@dataclass(frozen=True, slots=True)
class Problem:
    """A stated doubt about a document, a page or keys of it. `code` is stable snake_case.

    `message` is for the record: of values that contradict each other it names both. So it never goes to a log.
    """

    code: str
    message: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character of a PDF text layer, with its place on the page as displayed."""

    text: str  # one character as decoded; "" where the font maps it to nothing
    box: Box  # line-height box (pdfium's loose box)
    size_pt: float
    visible: bool  # painted: render mode not 3, alpha > 0, not white on white, at least half a point high
    mapped: bool  # False where the font has no Unicode for it


@dataclass(frozen=True, slots=True, eq=False)
class SourcePage:
    """One page as displayed (after /Rotate, CropBox, EXIF). What leaves `documents/`."""

    page_index: int
    width: float  # of the page as displayed; points for a PDF, pixels for an image: only the ratio is used
    height: float
    glyphs: tuple[Glyph, ...]  # () for images
    image_boxes: tuple[Box, ...]  # raster images painted on a PDF page
    raster: "Callable[[], np.ndarray[Any, Any]]"  # -> (H, W, 3) uint8 RGB, capped in pixels; may raise a DocumentError
    rasterizer: str  # that is tried first: "pdfium", "poppler", "pillow"
    problems: tuple[Problem, ...] = ()

    @property
    def rasterized_by(self) -> str:
        """What drew the picture, once `raster` ran: POPPLER_FAILED where the first one gave up."""
        return str(getattr(self.raster, "rasterizer", self.rasterizer))


@dataclass(frozen=True, slots=True)
class Word:
    """One word with its place on the upright page, in reading order."""

    text: str
    box: Box
    line: int  # printed line on its page, counted in reading order
    segment: int  # run of words on one line without a wide gap: read together by the text stage
    source: Literal["text", "ocr"]
    score: float = 1.0  # recognition score of the OCR line; 1.0 for a text layer
    glued: bool = False  # printed without a blank before it: a part of a longer print, cut off by `words/split.py`


@dataclass(frozen=True, slots=True)
class Page:
    """The words of one page in reading order. What leaves `words/`."""

    page_index: int
    width: float  # of the upright page, same unit as height
    height: float
    turn: Turn  # degrees clockwise from the page as displayed to the upright page
    words: tuple[Word, ...]
    text_source: TextSource
    rasterizer: str | None  # None where no raster was needed
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentId:
    """What a record says about its input."""

    path: str  # as given by the user
    sha256: str
    page_count: int  # pages in the file; may exceed the pages read


@dataclass(frozen=True, slots=True)
class Key:
    """What is asked: one key of a template."""

    name: str
    type: str  # a name of values.registry
    prompt: str
    aliases: tuple[str, ...] = ()
    required: bool = False
    description: str = ""
    columns: tuple["Key", ...] = ()  # of a table (type "table"): what is asked of every row
    choices: tuple["Choice", ...] = ()  # of type "choice": the values there are
    pattern: str | None = None  # regular expression that the whole typed value, a string, must match
    term: str | None = None  # EN 16931 business term of an e-invoice that holds this key's value, such as "BT-1"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a key of type `choice`, and how it may be printed."""

    value: str
    printed: tuple[str, ...] = ()  # besides the value itself


@dataclass(frozen=True, slots=True)
class Locale:
    """Hints of a template; None means: decide from the document, else flag."""

    languages: tuple[str, ...] = ()
    dates: Literal["dmy", "mdy", "ymd"] | None = None
    decimal: Literal[".", ","] | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """One document type."""

    name: str
    title: str
    keys: tuple[Key, ...]
    locale: Locale
    detect_words: tuple[str, ...]
    detect_not: tuple[str, ...]
    digest: str  # first 12 hex digits of the SHA-256 of the canonical content
    origin: str  # path it was read from, for messages
    rules: tuple[str, ...] = ()  # expressions over keys and columns, as written
    detect_print: Literal["narrow"] | None = None  # such papers come on a roll: their print is narrow
    max_pixels: int | None = None  # of one page, for models that read pixels; None: the checkpoint's own cap

    @property
    def label(self) -> str:
        return f"{self.name}@{self.digest}"


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a table, asked of one printed row: its value stands among the words of the row, or it is ABSENT."""

    table: str  # name of the table's key
    column: Key
    row: tuple[int, ...]  # indices into the words of the window, ascending; cells of one row share it


@dataclass(frozen=True, slots=True)
class Window:
    """Words, keys and cells that share one forward: one page, or a stretch of a long one. What leaves `prompts/`.

    A model answers `asked`, in this order: the keys, then the column of every cell.
    """

    page_index: int
    page_count: int
    width: float  # of the upright page, same unit as height
    height: float
    turn: Turn
    words: tuple[Word, ...]
    keys: tuple[Key, ...]  # those without columns
    cells: tuple[Cell, ...] = ()

    @property
    def asked(self) -> tuple[Key, ...]:
        return (*self.keys, *(cell.column for cell in self.cells))


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One page as displayed, as pixels."""

    page_index: int
    pixels: "np.ndarray[Any, Any]"  # (H, W, 3) uint8 RGB


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Pages and keys that share one forward of a model that reads pixels. What leaves `prompts/` for such a model."""

    pictures: tuple[Picture, ...]  # at most the backend's `max_pictures`
    page_count: int
    keys: tuple[Key, ...]  # those without columns: tables are not asked
    max_pixels: int | None = None  # of one picture, as the user or the template caps it; None: the checkpoint's cap


@dataclass(frozen=True, slots=True)
class Question:
    """One key of a training example with every right span of words (first, last); () means ABSENT.

    With a `row` it is a column of a table, asked of the words of that row.
    """

    key: Key
    spans: tuple[tuple[int, int], ...]
    row: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One page with questions and right answers: what `synth/` makes and training reads."""

    page: Page
    page_count: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One guess of a model for one key. `words` None is the guess ABSENT."""

    words: tuple[int, int] | None  # first and last index into the words of `window`, inclusive
    score: float  # log-probability among all spans of the window and ABSENT


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: page and one box per printed line, on the page as displayed."""

    page_number: int  # from 1
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What a model that reads pixels wrote for one key. `text` None: it wrote that the sheet does not hold the key."""

    text: str | None
    score: float  # log-probability of what it wrote
    place: Place | None = None
    flags: tuple[str, ...] = ()  # "value_truncated" ...
    passes: int = 1  # forwards that went over the slots it was read from; above 1 some were masked and read again


@dataclass(frozen=True, slots=True)
class Answer:
    """Text as printed, confidence and provenance of one key. `text` None is ABSENT."""

    key: str
    text: str | None
    confidence: float  # calibrated, 0 to 1; for ABSENT the probability that the key is absent
    place: Place | None
    source: ValueSource | None
    runners_up: tuple["Answer", ...] = ()  # best first, for explain and for rules
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The rows of one table, down the pages; each holds an answer per column, in the template's order."""

    key: str
    rows: tuple[tuple[Answer, ...], ...]
    asked: bool = True  # False: the model reads no tables; what the document states exactly may fill it all the same

    def cell_name(self, row: int, column: str) -> str:
        """What a cell is called in typed values and problems: `line_items[3].amount`, rows from 0 as in JSON."""
        return f"{self.key}[{row}].{column}"

    def named_cells(self) -> Iterator[tuple[str, Answer]]:
        """Every cell under its name, row by row."""
        return ((self.cell_name(number, cell.key), cell) for number, row in enumerate(self.rows) for cell in row)


@dataclass(frozen=True, slots=True)
class Fact:
    """What an e-invoice or a payment code states of one business term: exact, not read off the page."""

    term: str  # of EN 16931, such as "BT-1"
    text: str  # as it stands there
    plain: str  # the same with dates in ISO 8601 and decimals with a point
    source: Literal["embedded_xml", "barcode"]
    place: Place | None = None  # of the code; an XML has none


@dataclass(frozen=True, slots=True)
class Code:
    """A barcode on a page, one- or two-dimensional, as it was decoded."""

    kind: str  # "EAN-13", "QR Code" ...
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Calibration:
    """How probabilities become confidences: sigmoid(scale * logit(p) + shift) that the words are the right
    ones, times exp(-misread * unsure letters) that OCR read them without a mistake. Fitted on documents that training
    did not see, for clean text layers, for OCR and for pixels apart. The default changes nothing."""

    text: tuple[float, float] = (1.0, 0.0)  # scale, shift
    ocr: tuple[float, float] = (1.0, 0.0)
    pixels: tuple[float, float] = (1.0, 0.0)
    absent: tuple[float, float] = (1.0, 0.0)
    absent_margin: float = 0.0  # a value must be likelier than ABSENT by this factor's logarithm
    misread: tuple[float, float] = (0.0, 0.0)  # mistakes per unsure letter, of values of type text and of other types


@dataclass(frozen=True, slots=True)
class Value:
    """A typed value. `value` None with a flag: could not be typed, raw stays."""

    value: str | int | float | bool | None  # JSON type; dates as ISO 8601 strings, amounts as exact decimal numbers
    flags: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()  # possible readings where ambiguous


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """The chosen document type and every candidate's score, best first. `template` None: none fits."""

    template: Template | None
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Everything a user chose, built once in `cli/` and handed down by argument."""

    templates: tuple[Template, ...]  # the candidates; one means: this one, unasked
    template_given: bool = False  # the user named the template(s): one of them is used even at a low score
    model: str = "mini"
    max_pages: int = 50
    passwords: tuple[str, ...] = ()
    confidence_floor: float = 0.5
    split: Literal["auto", "page", "never"] = "never"  # a file is one document, or cut to several
    facts: bool = True  # read e-invoices and codes too; measurements of what is read off the page leave them out
    decode: Decode = "pip"  # "ar": token by token, as an ordinary checkpoint was trained
    passes: int = 1  # of a model that reads pixels: slots it is unsure of are masked and read again
    max_pixels: int | None = None  # of one page, for such a model; None: the template's cap, else the checkpoint's
    cache: Path | None = None  # folder of read pages; it changes no record
    cache_bytes: int = 2_000_000_000  # that it may hold


@dataclass(frozen=True, slots=True)
class Input:
    """A planned input file."""

    path: Path
    shown: str  # how the record names it
    url: str | None = None  # where it is stored, if it is no file of this machine; `path` is then its name alone
    stamp: str | None = None  # what the store says of its state; another content has another
