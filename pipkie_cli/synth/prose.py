"""Running text: sentences with dates, amounts and numbers that nobody asks for, and how text is cut into lines."""

import datetime

from pipkie_cli.synth.codes import identifier
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import phrases


def fill(draft: Draft, text: str) -> str:
    """Put dates, amounts and numbers into a sentence; they are distractors."""
    rng, m = draft.rng, draft.manner
    day = draft.day + datetime.timedelta(days=rng.randint(-300, 300))
    return (
        text.replace("{date}", m.date(day))
        .replace("{amount}", m.money(rng.randint(500, 500000)))
        .replace("{id}", identifier(rng))
    )


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
