"""Filings with an office: numbered questions, stamps with dates, boxes to tick, legal prose, signatures."""

import datetime

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.pairs import pairs, some, stranger
from pipkie_cli.synth.prose import fill, wrap
from pipkie_cli.synth.tables import fields_of, phrases
from pipkie_cli.synth.values import clock

_NUMBERS = ("{}.", "{}", "({})", "{})", "Item {}.", "{}.(a)", "Q{}")
_SIGNED = ("signatory", "signatory_title", "signature_date")
_OFFICES = (
    "Department of Registration", "Office of the Registrar", "Register of Companies", "State Board", "Amtsgericht",
    "Greffe du tribunal", "Registro Mercantil", "Camera di Commercio", "Kamer van Koophandel", "Sąd Rejonowy",
)  # fmt: skip
_BOXES = (("[X]", "[ ]"), ("☒", "☐"), ("X", ""), ("(x)", "( )"), ("[x]", "[]"), ("■", "□"))
_ASKED = (
    "Is the registrant an individual?", "Have you attached all exhibits?", "Has the address changed since then?",
    "Is any fee unpaid?", "Amendment", "Initial filing", "Corporation", "Partnership", "Association", "Other",
    "Have there been any changes in the last six months?", "Is additional compensation expected?",
)  # fmt: skip


def write_filing(draft: Draft, page: int) -> None:
    """Write one page of a filing; the questions of the first page name who files, others go on with them."""
    rng, size, m = draft.rng, draft.size, draft.manner
    left, right = draft.width * rng.uniform(0.07, 0.13), draft.width * rng.uniform(0.86, 0.93)
    y = draft.height * rng.uniform(0.03, 0.06)
    draft.facts["signature_date"] = m.date(draft.day)
    draft.facts["filing_date"] = m.date(draft.day + datetime.timedelta(days=rng.randint(0, 12)))
    if rng.random() < 0.55:
        y = _stamp(draft, left, right, y)
    if page == 0 or rng.random() < 0.3:
        y = draft.block([rng.choice(_OFFICES)], left, y, size=size * rng.choice((0.9, 1.1)))
        title = rng.choice(phrases("title_filing", m.language))
        y = draft.block([title], draft.width / 2, y + size, size=size * rng.choice((1.1, 1.5)), align="center") + size
    for _ in range(rng.choice((0, 1, 2, 4))):
        y = _prose(draft, left, right, y)
    y = _questions(draft, left, right, y + size * 0.5)
    for _ in range(rng.choice((0, 1, 2, 4, 7, 12))):
        y = _prose(draft, left, right, y + size * 0.2)
    if rng.random() < 0.7:
        _signature(draft, left, right, y + size * rng.uniform(1, 3))


def _stamp(draft: Draft, left: float, right: float, y: float) -> float:
    """What the office stamps or prints across the top: received when, by whom, the number."""
    rng, m, size = draft.rng, draft.manner, draft.size
    at = rng.choice((left, right - size * 16, (left + right) / 2 - size * 8))
    small = size * rng.choice((0.8, 1, 1.2))
    label = draft.label("filing_date")
    parts: list[tuple[str, tuple[str, ...]]] = [(label, ())]
    if rng.random() < 0.4:
        parts.append((rng.choice(("by Registration Unit", "RU/B", "by NSD/U", "Unit 4", ":", "Az. 12")), ()))
    parts.append((draft.value("filing_date"), ("filing_date",)))
    if rng.random() < 0.5:
        parts.append((clock(m), ()))
    draft.line(parts, at, y, size=small)
    if rng.random() < 0.3:
        text = f"OMB No. {rng.randint(1000, 9999)}-{rng.randint(1000, 9999)}; {fill(draft, 'Expires {date}')}"
        draft.put(right, y, text, align="right", size=size * 0.8)
    return y + small * 2


def _prose(draft: Draft, left: float, right: float, y: float) -> float:
    """A paragraph of legal text."""
    rng, language = draft.rng, draft.manner.language
    some_sentences = rng.sample(phrases("boiler", language), min(rng.randint(1, 4), len(phrases("boiler", language))))
    text = fill(draft, " ".join(some_sentences))
    return draft.block(wrap(draft, text, right - left), left, y) + draft.size * 0.4


def _questions(draft: Draft, left: float, right: float, y: float) -> float:
    """Numbered questions; the answer stands to the right, on the next line, or in a grid of cells."""
    rng, size = draft.rng, draft.size
    free = [f.name for f in fields_of("filing") if f.name not in (*_SIGNED, "filing_date")]
    names = some(rng, free, 2, 7) + some(
        rng, ["country", "occupation", "expiry_date", "contract_date", "nationality"], 0, 2
    )
    names += [stranger(draft) for _ in range(rng.choice((0, 1, 2, 4, 7)))]
    if "filing_number" not in names and rng.random() < 0.6:
        names.insert(rng.randint(0, min(2, len(names))), "filing_number")
    if rng.random() < 0.4:
        rng.shuffle(names)
    number = rng.randint(1, 12) if rng.random() < 0.3 else 1
    pattern, style = rng.choice(_NUMBERS), rng.choice(("below", "below", "right", "right", "cells", "mixed"))
    if style == "cells":
        return header_rows(draft, names, left, right, y)
    indent = size * rng.choice((0, 1.5, 2.5))
    at = 0
    while at < len(names):
        one = style if style != "mixed" else rng.choice(("below", "right"))
        pieces = names[at : at + (rng.choice((1, 2, 2)) if one == "below" else 1)]
        bottom = y
        for place, name in enumerate(pieces):
            x = left + place * (right - left) * rng.uniform(0.55, 0.65)
            end = left + (right - left) * 0.5 if len(pieces) > 1 and place == 0 else right
            bottom = max(bottom, _question(draft, name, pattern.format(number), x, y, end, indent, one))
            number += 1
        at += len(pieces)
        y = bottom + size * rng.choice((0.2, 0.6, 1.2))
        if rng.random() < 0.15:
            y = _boxes(draft, pattern.format(number), left, right, y)
            number += 1
    return y


def _question(draft: Draft, name: str, number: str, x: float, y: float, end: float, indent: float, style: str) -> float:
    rng, size = draft.rng, draft.size
    label = draft.label(name) + rng.choice(("", "", ":", " (see instructions)", " *"))
    width = draft.put(x, y, number) + draft.text_width(" ")
    width += draft.put(x + width, y, label)
    text = draft.value(name)
    if rng.random() < 0.05:
        draft.empty.add(name)
        draft.put(x + width + size, y, rng.choice(("N/A", "None", "________", "-")))
        return y + size * 1.4
    if style == "right" and x + width + size + draft.text_width(text) < end:
        return draft.block([text], x + width + size * rng.choice((0.4, 1, 4)), y, draft.names(name))
    room = max(end - x - indent, size * 8)
    return draft.block(wrap(draft, text, room), x + indent, y + size * 1.35, draft.names(name))


def _boxes(draft: Draft, number: str, left: float, right: float, y: float) -> float:
    """A question with two boxes, one of them ticked."""
    rng = draft.rng
    ticked, other = rng.choice(_BOXES)
    first, second = (ticked, other) if rng.random() < 0.5 else (other, ticked)
    x = left + draft.put(left, y, f"{number} {rng.choice(_ASKED)}") + draft.size
    draft.line([(first, ()), ("Yes", ()), (second, ()), ("No", ())], min(x, right - draft.size * 8), y)
    return y + draft.size * 1.5


def _signature(draft: Draft, left: float, right: float, y: float) -> float:
    """Date, name and title of who signs: labels under their lines, over them, or beside them."""
    rng, size, m = draft.rng, draft.size, draft.manner
    names = [name for name in _SIGNED if rng.random() < 0.8] or ["signature_date"]
    rng.shuffle(names)
    shape = rng.random()
    if shape < 0.4:
        return pairs(draft, names, left + (right - left) * rng.choice((0, 0.5)), y, right)
    if shape < 0.6:
        return header_rows(draft, names, left, right, y)
    step = (right - left) / len(names)
    for number, name in enumerate(names):  # the label in small print under the line
        x = left + number * step
        text = draft.value(name)
        before = [("/s/", ())] if name == "signatory" and rng.random() < 0.5 else []
        draft.line([*before, (text, (name,))], x, y)
        draft.put(x, y + size * 1.3, rng.choice(("", "(")) + draft.label(name), size=size * 0.8)
    if rng.random() < 0.3:
        draft.put(right, y + size * 3.5, f"Form {m.rng.randint(10, 999)}", align="right", size=size * 0.7)
    return y + size * 3
