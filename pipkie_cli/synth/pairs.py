"""Labels with their values: beside, below, in rows and grids; and pairs that no table of fields foresees."""

import datetime
import random

from pipkie_cli.synth.codes import filled
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.prose import wrap
from pipkie_cli.synth.tables import LANGUAGES, Field, attributes, compound, phrases, subjects

_EMPTY = 0.05  # share of labels without a value
_NEEDED = frozenset(("seller_name", "issue_date", "invoice_number"))  # their labels never stay alone
_HINTS = ("*", "(*)", "(if any)", "(1)", "(required)", "(see overleaf)", "(EUR)", "(DD/MM/YYYY)")
DOUBLES = {"period": ("period_from", "period_to"), "number_date": ("invoice_number", "issue_date")}
_KINDS = (
    "amount",
    "date",
    "id",
    "person",
    "phone",
    "text",
    "text",
    "number",
    "percent",
    "city",
    "company",
    "quantity",
    "email",
    "time",
)


def stranger(draft: Draft) -> str:
    """Make up a field that only this document has; returns its name."""
    rng = draft.rng
    field = (
        _nonsense(draft)
        if rng.random() < 0.25
        else compound(rng.randrange(len(subjects())), rng.randrange(len(attributes())))
    )
    draft.strangers[field.name] = field
    return field.name


def stranger_near(rng: random.Random, name: str) -> Field | None:
    """Another field that shares its subject or its attribute with a compound one; None for other names."""
    for s, about in enumerate(subjects()):
        for a, of in enumerate(attributes()):
            if f"{about['en']}_{of.name}" == name:
                return (
                    compound(s, rng.randrange(len(attributes())))
                    if rng.random() < 0.5
                    else compound(rng.randrange(len(subjects())), a)
                )
    return None


def _nonsense(draft: Draft) -> Field:
    """A label of any words at all, asked for as it is printed."""
    m, rng = draft.manner, draft.rng
    words = [m.word() for _ in range(rng.choice((1, 1, 2, 2, 3)))]
    label = " ".join(word.capitalize() if i == 0 or rng.random() < 0.5 else word for i, word in enumerate(words))
    labels: dict[str, tuple[str, ...]] = {language: (label,) for language in LANGUAGES}
    return Field("_".join(words).lower(), rng.choice(_KINDS), frozenset(), (label, label.lower()), labels)


def pair(
    draft: Draft, name: str, x: float, y: float, style: str, value_x: float, right: float = 0.0, like: str = ""
) -> float:
    """Print label and value of a field; returns the next y. `value_x` serves the styles with a column of values.

    `like`: the field whose labels are used, where the place says whose value it is.

    `period` and `number_date` are two fields in one cell. A value that would pass `right`, if given,
    is wrapped. Now and
    then a label stays without its value, as on forms that nobody filled in.
    """
    rng, size = draft.rng, draft.size
    parts: list[tuple[str, tuple[str, ...]]]
    if name in DOUBLES:
        label, parts = double(draft, name)
    else:
        label, parts = draft.label(like or name), [(draft.value(name), draft.names(name))]
        draft.shown_labels[name] = label
        draft.shown_labels.pop("po_strict", None)
    label = _decorated(rng, label) if draft.official else label
    if rng.random() < _EMPTY and name not in _NEEDED:
        parts = [(rng.choice(("", "", "-", "____________", "n/a")), ())]
        draft.empty.update(DOUBLES.get(name, (name,)))
    colon = rng.choice((":", ":", "", " :"))
    blank = draft.text_width(" ")
    if style == "below":  # the label under the line on which the value is written
        bottom = _value(draft, parts, x, y, right)
        return draft.block([label], x, bottom, size=size * rng.choice((0.7, 0.8))) + size * 0.8
    if style == "above":
        small = size * rng.choice((0.75, 0.85, 1))
        draft.put(x, y, label, size=small)
        return _value(draft, parts, x, y + small * 1.25, right) + size * 0.4
    width = draft.put(x, y, label + ("" if style in ("glued", "colons") else colon))
    if style == "right":
        room = draft.text_width(" ".join(text for text, _ in parts)) + blank
        draft.line(parts, max(value_x, x + width + room), y, align="right")
        return y + size * rng.choice((1.25, 1.4, 1.6))
    if style == "glued":  # no blank behind the colon: one word on the page, two pieces of ink
        at = x + width + draft.put(x + width, y, ":")
    elif style == "colons":  # the colons stand in a column of their own
        at = max(value_x, x + width) + 2 * blank
        draft.put(at - 2 * blank, y, ":")
    elif style == "column":
        at = max(value_x, x + width + blank)
    else:
        at = x + width + blank * rng.choice((1, 1, 1.5, 3))
    return _value(draft, parts, at, y, right) + size * rng.choice((0.03, 0.18, 0.38))


def _value(draft: Draft, parts: list[tuple[str, tuple[str, ...]]], x: float, y: float, right: float) -> float:
    """Print the parts of a value; a single one that passes `right` on several lines."""
    if len(parts) == 1 and right - x > draft.size * 8 and draft.text_width(parts[0][0]) > right - x:
        return draft.block(wrap(draft, parts[0][0], right - x), x, y, parts[0][1])
    return draft.line(parts, x, y)


def _decorated(rng: random.Random, label: str) -> str:
    """Numbers before and hints behind a label, as forms have them."""
    shape = rng.random()
    if shape < 0.06:
        return f"{filled(rng, rng.choice(('#.', '#', '(#)', '#a', '#.#', '##.', '(a)', 'b)')))} {label}"
    return f"{label} {rng.choice(_HINTS)}" if shape < 0.12 else label


def double(draft: Draft, name: str) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """One label with two values."""
    rng, language = draft.rng, draft.manner.language
    one, other = DOUBLES[name]
    label = rng.choice(phrases(name, language))
    draft.shown_labels[one] = draft.shown_labels[other] = label
    between = rng.choice(phrases("until" if name == "period" else "of_date", language))
    if name == "period" and one not in draft.facts:
        first = draft.day + datetime.timedelta(days=rng.randint(-200, 60))
        draft.facts[one] = draft.manner.date(first)
        draft.facts[other] = draft.manner.date(
            first + datetime.timedelta(days=rng.choice((6, 13, 27, 29, 30, 89, 364)))
        )
    return label, [(draft.value(one), (one,)), (between, ()), (draft.value(other), (other,))]


def pairs(draft: Draft, names: list[str], x: float, y: float, right: float) -> float:
    """Print several fields in one style between x and right; returns the next free y."""
    if not names:
        return y
    rng = draft.rng
    styles = ("inline", "inline", "column", "column", "column", "colons", "above", "right", "grid", "glued")
    style = "below" if draft.official and rng.random() < 0.12 else rng.choice(styles)
    if style == "grid":
        return grid(draft, names, x, y, right)
    value_x = right if style == "right" else x + (right - x) * rng.uniform(0.35, 0.6)
    for name in names:
        y = pair(draft, name, x, y, style, value_x, right, like=label_like(names, name))
    return y


def label_like(names: list[str], name: str) -> str:
    """Beside the seller's own number of the order, the buyer's is labelled as the buyer's."""
    return "po_strict" if name == "order_number" and "seller_order_number" in names else ""


def grid(draft: Draft, names: list[str], x: float, y: float, right: float) -> float:
    """Header cells above their values, several to a row."""
    n = max(1, min(len(names), draft.rng.randint(2, 5), int((right - x) / (draft.size * 9)) or 1))
    step = (right - x) / n
    for first in range(0, len(names), n):
        y = max(
            pair(draft, name, x + i * step, y, "above", 0, x + (i + 0.95) * step, like=label_like(names, name))
            for i, name in enumerate(names[first : first + n])
        )
        y += draft.size * 0.4
    return y


def some(rng: random.Random, names: list[str], least: int, most: int) -> list[str]:
    return rng.sample(names, min(len(names), rng.randint(least, most)))
