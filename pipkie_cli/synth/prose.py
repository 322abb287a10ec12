"""Running text: sentences with values that are asked for or only distract, and how text is cut into lines."""

import datetime
import re

from pipkie_cli.synth.codes import identifier
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import fields, phrases

_PLACES = re.compile(r"(\{\w+\})")
_WORDS = re.compile(r" *[^ ]+ *$| *[^ ]+| +")


def fill(draft: Draft, text: str) -> str:
    """Put dates, amounts and numbers into a sentence; they are distractors."""
    rng, m = draft.rng, draft.manner
    day = draft.day + datetime.timedelta(days=rng.randint(-300, 300))
    return (
        text.replace("{date}", m.date(day))
        .replace("{amount}", m.money(rng.randint(500, 500000)))
        .replace("{id}", identifier(rng))
    )


def tagged(draft: Draft, text: str, x: float, y: float, fit: float = 0.0) -> float:
    """Print a sentence whose places name fields; returns the next y. Text wider than `fit` is cut into lines."""
    parts: list[tuple[str, tuple[str, ...]]] = []
    for piece in _PLACES.split(text):
        name = piece.strip("{}")
        if piece[:1] == "{" and name in fields():
            parts.append((draft.value(name), (name,)))
        elif piece:
            parts.append((fill(draft, piece), ()))
    lines: list[list[tuple[str, tuple[str, ...]]]] = [[]]
    width = 0.0
    for part, names in parts:
        for chunk in [part] if names else _WORDS.findall(part):
            wide = draft.text_width(chunk)
            if fit and width and width + wide > fit and chunk[:1] == " ":
                lines.append([])
                width = 0.0
            lines[-1].append((chunk if lines[-1] else chunk.lstrip(), names))
            width += wide
    for line in lines:
        y = draft.line(line, x, y, glue="")
    return y


def paragraph(draft: Draft, left: float, right: float, y: float) -> float:
    """Running text with dates, amounts and numbers that nobody asks for."""
    rng, m = draft.rng, draft.manner
    words: list[str] = []
    for _ in range(rng.choice((1, 2, 3, 5))):
        if rng.random() < 0.5:
            words += fill(draft, rng.choice(phrases("sentence", m.language))).split()
        else:
            words += [m.word() for _ in range(rng.randint(5, 15))]
    return draft.block(wrap(draft, " ".join(words), right - left), left, y)


def wrap(draft: Draft, text: str, room: float, size: float | None = None) -> list[str]:
    """Cut a text into lines that fit the room."""
    lines: list[str] = []
    for word in text.split():
        if lines and draft.text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
