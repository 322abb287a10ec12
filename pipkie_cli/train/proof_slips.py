"""Till slips for the proof of one-pass reading: small pictures with a few keys, drawn from a seed.

A slip is 224 x 112 px of print on a till's grid of letters: 16 to a line, four lines, a letter 14 px wide. A merged
cell of the model (28 px) holds two letters. Names and places of the slips to test on come from words that no training
slip prints; dates, sums and numbers are drawn anew. Stage 1 sees crops: one string on one line.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from pipkie_cli.errors import InputError
from pipkie_cli.nouns import Box, Key

LONGEST_VALUE = 8  # letters
CELL = 28  # pixels that one token of the model stands for, either way
LETTER = CELL // 2  # px: the pitch of a letter
COLUMNS, LINES = 16, 4
BASELINE = 22  # px below the top of a line
SWAY = 1  # px that a line may stand off the grid, either way
ABSENT = 0.12  # share of the asked keys that a slip does not print
FACES = ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf", "LiberationMono-Regular.ttf")
CONSONANTS, VOWELS = "BDFGKLMNPRSTVZ", "AEIOU"
CROPPED = "0123456789" * 2 + CONSONANTS + VOWELS + "X.-"  # letters of the crops that print no value
LABELS: Mapping[str, tuple[str, ...]] = {  # key -> what a slip prints beside its value
    "name": ("name", "client", "guest"),
    "city": ("city", "place", "town"),
    "date": ("date", "day"),
    "due": ("due", "pay by"),
    "total": ("total", "amount", "sum"),
    "tax": ("tax", "vat"),
    "number": ("number", "no.", "bill"),
    "table": ("table", "seat"),
}
KEYS = {name: Key(name, "text", name) for name in LABELS}
ASKED = 4  # keys per slip

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Slip:
    """A picture with what is asked of it. A crop is a slip with one key, `READ`."""

    picture: Picture  # (H, W) grey
    keys: tuple[Key, ...]
    values: tuple[str | None, ...]  # per key, as printed; None: not on the slip
    places: tuple[Box | None, ...]  # per key, where its value stands


READ = Key("read", "text", "read")  # what a crop is asked


def words(part: str) -> tuple[str, ...]:
    """Made-up names of `part`, "train" or "test": no word is in both."""
    pen, made = random.Random("words"), set[str]()
    while len(made) < 1200:
        syllables = "".join(pen.choice(CONSONANTS) + pen.choice(VOWELS) for _ in range(pen.randint(1, 2)))
        made.add(syllables + pen.choice(["", *"NRSLK"]) + pen.choice(["", *"AOE"]))
    shuffled = sorted(word for word in made if len(word) >= 3)
    pen.shuffle(shuffled)
    return tuple(shuffled[:200] if part == "test" else shuffled[200:])


def draw_slip(pen: random.Random, names: Sequence[str], faces: Sequence[str | None] = FACES) -> Slip:
    """Four keys are asked; some are not printed, and sometimes a line is printed that is not asked."""
    drawn = pen.sample(list(LABELS), ASKED + 1)
    printed = [key for key in drawn[:ASKED] if pen.random() > ABSENT]
    if len(printed) < LINES and pen.random() < 0.7:
        printed.append(drawn[ASKED])
    pen.shuffle(printed)
    values = {key: _value(pen, key, names) for key in printed}
    face, case, layout = pen.choice(faces), pen.choice((str, str.capitalize, str.upper)), pen.randrange(3)
    paper = Image.new("L", (COLUMNS * LETTER, LINES * CELL), 255)
    first, places = pen.randint(0, LINES - len(printed)), dict[str, Box]()
    for line, (key, value) in enumerate(values.items(), first):
        label = case(pen.choice(LABELS[key]))
        if layout == 0:  # one behind the other
            _print(pen, paper, line, 0, f"{label}: {value}", face)
            column = len(f"{label}: ")
        else:  # in two columns: values below one another, or flush right
            _print(pen, paper, line, 0, label + ":" * (layout - 1), face)
            column = COLUMNS // 2 if layout == 1 else COLUMNS - len(value)
            _print(pen, paper, line, column, value, face)
        places[key] = Box(column / COLUMNS, line / LINES, (column + len(value)) / COLUMNS, (line + 1) / LINES)
    asked = drawn[:ASKED]
    pen.shuffle(asked)
    return Slip(
        np.asarray(paper),
        tuple(KEYS[key] for key in asked),
        tuple(map(values.get, asked)),
        tuple(map(places.get, asked)),
    )


def draw_crop(pen: random.Random, names: Sequence[str], longest: int, faces: Sequence[str | None] = FACES) -> Slip:
    """One line with one string of at most `longest` letters, half of them values, or beginnings of such."""
    length = pen.randint(1, longest)
    text = "".join(pen.choice(CROPPED) for _ in range(length))
    if pen.random() < 0.5:
        text = _value(pen, pen.choice(list(LABELS)), names)[:length]
    columns = (longest + 5) // 2 * 2
    paper = Image.new("L", (columns * LETTER, CELL), 255)
    column = pen.randint(0, columns - len(text))
    _print(pen, paper, 0, column, text, pen.choice(faces))
    return Slip(np.asarray(paper), (READ,), (text,), (Box(column / columns, 0.0, (column + len(text)) / columns, 1.0),))


def _value(pen: random.Random, key: str, names: Sequence[str]) -> str:
    if key in ("name", "city"):
        return pen.choice(names)
    if key in ("date", "due"):
        return f"{pen.randint(1, 28):02d}.{pen.randint(1, 12):02d}.{pen.randint(20, 29)}"
    if key in ("total", "tax"):
        return f"{pen.randint(1, 999)}.{pen.randint(0, 99):02d}"
    if key == "number":
        return f"{pen.choice('ABRX')}-{pen.randint(100, 99999)}"
    return str(pen.randint(1, 99))


def _print(pen: random.Random, paper: Image.Image, line: int, column: int, text: str, face: str | None) -> None:
    place = (column * LETTER + pen.uniform(-SWAY, SWAY), line * CELL + BASELINE + pen.randint(-SWAY, SWAY))
    ImageDraw.Draw(paper).text(place, text, font=_font(face), fill=0, anchor="ls")


@lru_cache
def _font(face: str | None) -> ImageFont.FreeTypeFont:
    """A face at the size whose figures are as wide as a column; None: Pillow's own, which is not of equal widths.

    Raises InputError where the machine does not have it.
    """
    if face is None:
        font = ImageFont.load_default(LETTER)
        if not isinstance(font, ImageFont.FreeTypeFont):
            raise InputError("this Pillow draws no fonts", hint="install a Pillow with FreeType")
        return font
    try:
        measure = ImageFont.truetype(face, 100)
    except OSError as error:
        raise InputError(
            f"the font {face} is not here", hint="apt-get install fonts-dejavu fonts-liberation"
        ) from error
    return ImageFont.truetype(face, LETTER * 100 / measure.getlength("0"))
