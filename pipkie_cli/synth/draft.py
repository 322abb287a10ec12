"""A document while it is being written: printed pieces of text with places in points and the fields they state."""

import datetime
import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipkie_cli.nouns import Key
from pipkie_cli.synth.tables import Field, fields, more_fields
from pipkie_cli.synth.values import Manner, printed

# Advance widths of a sans-serif face in thousandths of the size, by character; others are taken as 556.
_NARROW = {c: 278 for c in " .,:;/!ItfI[]\\|'"} | {c: 222 for c in "ijl'|"} | {c: 333 for c in "-()r`"}
_WIDE = (
    {c: 667 for c in "ABEKPSVXY&"}
    | {c: 722 for c in "CDHNRUw"}
    | {c: 778 for c in "GOQ"}
    | {"m": 833, "M": 833, "W": 944, "%": 889, "@": 1015}
)
_ADVANCE = _NARROW | _WIDE | {c: 500 for c in "ckszvxyJ"} | {"T": 611, "F": 611, "Z": 611}


@dataclass(slots=True)
class Ink:
    """One printed run of text on one line."""

    text: str
    x: float  # left edge, points
    y: float  # top edge, points
    width: float  # points
    size: float  # of the face, points; also the height of its box
    names: tuple[str, ...]  # of the fields that it states; () for anything else
    occurrence: int  # pieces of one value share it


@dataclass(slots=True)
class Draft:
    """The page being written, with everything that is stated on it."""

    rng: random.Random
    manner: Manner
    width: float
    height: float
    size: float  # of the body text, points
    day: datetime.date
    mono: float = 0.0  # advance of every character in sizes; 0 for a proportional face
    inks: list[Ink] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)  # printed value by field, the same wherever it stands
    also: dict[str, tuple[str, ...]] = field(default_factory=dict)  # other fields that a field's value states, too
    brand: bool = False  # a logo shows the seller's name in another form
    strip: bool = False  # of paper from a till
    official: bool = False  # a form: its labels are numbered and hinted at
    addresses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strangers: dict[str, Field] = field(default_factory=dict)  # fields made up for this document
    empty: set[str] = field(default_factory=set)  # fields whose label stands without a value
    unasked: set[str] = field(default_factory=set)  # fields stated in a way that no span gives
    shown_labels: dict[str, str] = field(default_factory=dict)  # the label printed beside a field
    columns: dict[str, str] = field(default_factory=dict)  # the header printed over a column of the table
    asked_as: dict[str, Key] = field(default_factory=dict)  # keys of the one template that this page is asked for
    asked_columns: dict[str, Key] = field(default_factory=dict)  # and the columns of its table
    _occurrences: int = 0

    def advances(self, text: str, size: float) -> list[float]:
        """The width of every character in points."""
        if self.mono:
            return [self.mono * size] * len(text)
        unit = size / 1000
        return [_ADVANCE.get(c, 556) * unit for c in text]

    def text_width(self, text: str, size: float | None = None) -> float:
        """The width of a text in points; in the size of the body unless told."""
        size = size or self.size
        if self.mono:
            return self.mono * size * len(text)
        return sum(map(_ADVANCE.get, text.upper() if self.manner.upper else text, itertools.repeat(556))) * size / 1000

    def occurrence(self) -> int:
        """A number for the pieces of the next value."""
        self._occurrences += 1
        return self._occurrences

    def put(
        self,
        x: float,
        y: float,
        text: str,
        names: tuple[str, ...] = (),
        *,
        size: float | None = None,
        align: str = "left",
        occurrence: int | None = None,
    ) -> float:
        """Print `text` at x (its left edge, centre or right edge); returns its width in points."""
        size = size or self.size
        if self.manner.upper:
            text = text.upper()
        width = self.text_width(text, size)
        left = x - (width if align == "right" else width / 2 if align == "center" else 0)
        if text:
            self.inks.append(
                Ink(text, left, y, width, size, names, self.occurrence() if occurrence is None else occurrence)
            )
        return width

    def block(
        self,
        lines: Sequence[str],
        x: float,
        y: float,
        names: tuple[str, ...] = (),
        *,
        size: float | None = None,
        align: str = "left",
    ) -> float:
        """Print lines below each other as one value; returns the next free y."""
        size = size or self.size
        occurrence = self.occurrence()
        for line in lines:
            self.put(x, y, line, names, size=size, align=align, occurrence=occurrence)
            y += size * 1.22
        return y

    def settle(self) -> None:
        """Push aside what would be printed over something else: cells that are too wide for their columns."""
        rows: list[list[Ink]] = []
        for ink in sorted(self.inks, key=lambda ink: ink.y):
            near = [row for row in rows[-3:] if ink.y - row[0].y < 0.6 * ink.size]
            near[0].append(ink) if near else rows.append([ink])
        for row in rows:
            row.sort(key=lambda ink: ink.x)
            for before, ink in itertools.pairwise(row):
                over = before.x + before.width - ink.x
                if over > 0.1 * ink.size:
                    ink.x += over + 0.4 * ink.size

    def fit(self) -> None:
        """Make the page as large as what is printed on it needs, in its own proportions."""
        near = min((ink.x for ink in self.inks), default=0.0)
        if near < 0:
            for ink in self.inks:
                ink.x -= near
        far = max((ink.x + ink.width for ink in self.inks), default=0.0)
        low = max((ink.y + ink.size for ink in self.inks), default=0.0)
        grow = max(1.0, far / (0.985 * self.width), low / (0.985 * self.height))
        self.width, self.height = self.width * grow, self.height * grow

    def onto(self, width: float, height: float) -> None:
        """Lay what is printed into the middle of a larger page."""
        dx, dy = (width - self.width) / 2, (height - self.height) / 2
        for ink in self.inks:
            ink.x += dx
            ink.y += dy
        self.width, self.height = width, height

    def value(self, name: str) -> str:
        """The printed value of a field, drawn at first use."""
        if name not in self.facts:
            kind = self.find(name).kind
            if kind == "address":
                self.address(name)
            else:
                self.facts[name] = printed(self.manner, kind, self.day)
        return self.facts[name]

    def names(self, name: str) -> tuple[str, ...]:
        """Every field that the value of a field states."""
        return (name, *self.also.get(name, ()))

    def find(self, name: str) -> Field:
        return self.strangers.get(name) or fields().get(name) or more_fields()[name]

    def label(self, name: str) -> str:
        """A printed label for a field; sometimes English in a foreign document. Kept, for the aliases of questions."""
        language = self.manner.language if self.rng.random() < 0.92 else "en"
        label = self.rng.choice(self.find(name).labels_in(language))
        if self.rng.random() < 0.04 and language != "en":  # in two languages
            label = (
                f"{label}{self.rng.choice((' / ', '/', ' - ', ' '))}{self.rng.choice(self.find(name).labels_in('en'))}"
            )
        if self.rng.random() < 0.15:
            label = label.upper()
        self.shown_labels[name] = label
        return label

    def line(
        self,
        parts: Sequence[tuple[str, tuple[str, ...]]],
        x: float,
        y: float,
        *,
        size: float | None = None,
        align: str = "left",
        glue: str = " ",
        occurrence: int | None = None,
    ) -> float:
        """Print parts behind each other, each with its own names, `glue` between them; returns the next y.

        `occurrence` is that of the first part, which may go on from the line above.
        """
        size = size or self.size
        parts = [(text, names) for text, names in parts if text]
        width = self.text_width(glue.join(text for text, _ in parts), size)
        at = x - (width if align == "right" else width / 2 if align == "center" else 0)
        step = self.text_width(glue, size) if glue else 0.0
        for number, (text, names) in enumerate(parts):
            at += self.put(at, y, text, names, size=size, occurrence=occurrence if number == 0 else None) + step
        return y + size * 1.22

    def address(self, name: str) -> list[str]:
        """The lines of an address, the same wherever it stands."""
        if name not in self.addresses:
            self.addresses[name] = self.rng.choice(self.manner.pool.addresses)
            self.facts[name] = ", ".join(line.rstrip(",") for line in self.addresses[name])
        return list(self.addresses[name])
