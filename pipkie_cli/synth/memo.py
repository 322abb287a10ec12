"""Faxes, memos and typed office forms: many short labels, answers of several words, blocks under one label."""

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.pairs import stranger
from pipkie_cli.synth.prose import fill, paragraph, wrap
from pipkie_cli.synth.tables import LANGUAGES, Field, fields_of, office_labels, phrases
from pipkie_cli.synth.values import printed

_LEADERS = ("....", "........", "____", "..", "- - -", ". . . .")
_HINTS = ("(Please print)", "(Check one)", "(Attach copy)", "(If applicable)", "(Last, First)", "(in full)")
_Parts = list[tuple[str, tuple[str, ...]]]


def write_memo(draft: Draft) -> None:
    """Write a page: a heading, who writes to whom, then pairs in one or two columns, blocks, text, a foot."""
    rng, size, m = draft.rng, draft.size, draft.manner
    left, right = draft.width * rng.uniform(0.06, 0.13), draft.width * rng.uniform(0.85, 0.95)
    y = draft.height * rng.uniform(0.03, 0.08)
    if rng.random() < 0.6:
        x, align = rng.choice(((left, "left"), ((left + right) / 2, "center")))
        y = draft.block([draft.value("seller_name")], x, y, ("seller_name",), align=align, size=size * 1.3)
        if rng.random() < 0.5:
            y = draft.block(draft.address("seller_address"), x, y, ("seller_address",), align=align)
    if rng.random() < 0.85:
        title = rng.choice(phrases("title_memo", m.language))
        draft.put((left + right) / 2, y + size, title, align="center", size=size * rng.choice((1.1, 1.6)))
        y += size * 3.2
    if rng.random() < 0.6:
        y = _list(draft, _heads(draft), left, right, y) + size
    names = [office_field(draft) for _ in range(rng.choice((3, 6, 10, 16, 24, 36, 48)))]
    names += [stranger(draft) for _ in range(rng.choice((0, 0, 1, 3)))]
    names = list(dict.fromkeys(names))
    while names:
        n = rng.randint(2, 9)
        y = _section(draft, names[:n], left, right, y) + size * rng.uniform(0.3, 1.6)
        names = names[n:]
    if rng.random() < 0.4:
        y = _block(draft, left, right, y)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        if rng.random() < 0.5:
            y = paragraph(draft, left, right, y) + size * 0.5
        else:
            text = fill(draft, rng.choice(phrases("boiler", m.language)))
            y = draft.block(wrap(draft, text, right - left), left, y) + size * 0.5
    if rng.random() < 0.5:  # the number that an archive stamps on the page
        number = str(rng.randint(10**7, 10**9 - 1))
        draft.put(rng.choice((right, draft.width * 0.6)), max(y, draft.height * 0.94), number, align="right")


def office_field(draft: Draft) -> str:
    """A field under a label of typed forms, asked for as it is printed or in small letters; returns its name."""
    rng = draft.rng
    label, kind = rng.choice(office_labels(draft.manner.language))
    if rng.random() < 0.12:
        label = f"{label} {rng.choice(_HINTS)}"
    shape = rng.random()
    label = label.upper() if shape < 0.35 else label.lower() if shape < 0.38 else label
    name = "office_" + label.casefold().replace(" ", "_")
    labels: dict[str, tuple[str, ...]] = {language: (label,) for language in LANGUAGES}
    if name not in draft.strangers:
        draft.strangers[name] = Field(name, kind, frozenset(), (label, label, label.lower()), labels)
        if kind in ("text", "longtext", "number") and rng.random() < 0.2:
            draft.facts[name] = printed(draft.manner, rng.choice(("id", "text", "time", "name")), draft.day)
    return name


def _heads(draft: Draft) -> list[str]:
    """The fields that say who writes to whom."""
    rng = draft.rng
    names = [field.name for field in fields_of("memo")]
    chosen = [name for name in names if name in ("memo_to", "memo_from") or rng.random() < 0.45]
    chosen.insert(rng.randint(0, len(chosen)), "issue_date")
    draft.facts["issue_date"] = draft.manner.date(draft.day)
    draft.facts["memo_pages"] = str(rng.randint(1, 30))
    if rng.random() < 0.4:
        rng.shuffle(chosen)
    return chosen


def _section(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    """Some fields: in a list, in two columns, in label cells over value cells, or running along lines."""
    rng, size = draft.rng, draft.size
    if rng.random() < 0.2:
        heading = " ".join(draft.manner.word() for _ in range(rng.randint(1, 4)))
        y = draft.block([heading.upper() if rng.random() < 0.6 else heading.title()], left, y) + size * 0.3
    shape = rng.random()
    if shape < 0.35:
        return _list(draft, names, left, right, y)
    if shape < 0.55 and len(names) > 1:
        middle = left + (right - left) * rng.uniform(0.45, 0.6)
        half = (len(names) + 1) // 2
        return max(_list(draft, names[:half], left, middle - size, y), _list(draft, names[half:], middle, right, y))
    if shape < 0.75:
        return header_rows(draft, names, left, right, y)
    return _running(draft, names, left, right, y)


def _list(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    """One field a line; values in a column, behind the label, behind dots, or under the label."""
    rng, size = draft.rng, draft.size
    style = rng.choice(("column", "column", "inline", "inline", "leaders", "under"))
    colon = rng.choice((":", ":", ":", "", " :", "-"))
    value_x = left + (right - left) * rng.uniform(0.2, 0.45)
    leader = rng.choice(_LEADERS)
    pitch = size * rng.choice((1.3, 1.5, 2, 2.4))
    for name in names:
        width = draft.put(left, y, draft.label(name) + colon)
        parts = _answer(draft, name)
        x = left + width + draft.text_width(" ") * rng.choice((1, 1, 2))
        if style == "leaders":
            x += draft.put(x, y, leader) + draft.text_width(" ")
        elif style == "column":
            x = max(x, value_x)
        elif style == "under":
            x, y = left + size * rng.choice((0, 1)), y + size * 1.3
        y = _print(draft, parts, x, right, y) - size * 1.22 + pitch
    return y


def _running(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    """Fields one behind the other, several to a line, as dense forms have them."""
    rng, size = draft.rng, draft.size
    x, colon = left, rng.choice((":", ":", "", " "))
    gap = size * rng.uniform(1, 4)
    for name in names:
        label, parts = draft.label(name) + colon, _answer(draft, name)
        want = draft.text_width(label) + draft.text_width(" ".join(text for text, _ in parts)) + size
        if x > left and x + want > right:
            x, y = left, y + size * rng.choice((1.4, 1.8))
        x += draft.put(x, y, label) + draft.text_width(" ")
        if x + draft.text_width(parts[0][0]) > right and len(parts) == 1:
            y = draft.block(wrap(draft, parts[0][0], right - left), left, y + size * 1.3, parts[0][1])
            x = left
            continue
        draft.line(parts, x, y)
        x += draft.text_width(" ".join(text for text, _ in parts)) + gap
    return y + size * 1.6


def _answer(draft: Draft, name: str) -> _Parts:
    """The value of a field; nothing where nobody filled it in."""
    if draft.rng.random() < 0.12 and name not in ("seller_name", "issue_date"):
        draft.empty.add(name)
        return [(draft.rng.choice(("", "", "______", "........", "-")), ())]
    return [(draft.value(name), draft.names(name))]


def _print(draft: Draft, parts: _Parts, x: float, right: float, y: float) -> float:
    if len(parts) == 1 and parts[0][1] and right - x > draft.size * 6 and draft.text_width(parts[0][0]) > right - x:
        return draft.block(wrap(draft, parts[0][0], right - x), x, y, parts[0][1])
    return draft.line(parts, x, y)


def _block(draft: Draft, left: float, right: float, y: float) -> float:
    """Columns under heads: each head governs the values below it, of which any is a right answer."""
    rng, m, size = draft.rng, draft.manner, draft.size
    names = list(dict.fromkeys(office_field(draft) for _ in range(rng.randint(2, 5))))
    names = [name for name in names if name not in draft.facts and name not in draft.shown_labels]
    if not names:
        return y
    step, rows = (right - left) / len(names), rng.choice((1, 2, 3, 5))
    for number, name in enumerate(names):
        x = left + number * step
        draft.put(x, y, draft.label(name))
        at = y + size * rng.choice((1.3, 1.5))
        kind = draft.find(name).kind
        for _ in range(rows):
            text = printed(m, "text" if kind in ("longtext", "address") else kind, draft.day)
            draft.facts[name] = text
            draft.put(x, at, text[: max(4, int(step / size * 1.6))].strip(), (name,))
            at += size * 1.35
    return y + size * 1.5 * (rows + 1)
