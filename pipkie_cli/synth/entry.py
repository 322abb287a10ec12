"""Entry forms: every printed label is a question of its own, asked as it is printed; ticks, notes, grids of figures.

What stands beside, under or over a label may be a tick, a dash that stands for nought, a sentence over three lines, or
one of several figures of its row. The same label may stand at several places; each of its values is a right answer.
"""

from collections.abc import Callable

from pipkie_cli.nouns import Key
from pipkie_cli.synth.codes import filled, identifier
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.prose import fill, paragraph, wrap
from pipkie_cli.synth.tables import LANGUAGES, Field, attributes, compound, office_labels, phrases, subjects
from pipkie_cli.synth.values import printed

MOST_NOTE_WORDS = 28  # a span has at most 32
_TICKS = ("X", "X", "x", "XX", "XXX", "✓", "[X]", "[x]", "(X)", "☒", "yes", "Yes")
_OPEN = ("", "", "__", "____", "[ ]", "( )", "☐", "[]")
_SHORT = ("N/A", "None", "n/a", "TBD", "-0-", "0", "same", "see below", "as above", "to be decided", "pending", "open")
_CODES = (
    "##", "###", "#.#", "#.##", "(#.##)", "A##", "AB", "ABC", "#-#", "##.# %", "# 1/2", "(##)", "$ -#-",
    "## mm", "##.# mm", "### mg", "#.# kg", "##.# cm", "##°C", "#,### pcs", "## sec.", "$#,### +/- 10%", "# of #",
)  # fmt: skip
_EMPTY = (0.12, 0.12, 0.12, 0.12, 0.75)  # shares of labels that nobody filled in: of few, or of nearly all of a block
_KINDS = (
    "amount", "date", "date", "id", "person", "person", "name", "phone", "text", "text", "text", "number", "number",
    "percent", "city", "company", "quantity", "time",
)  # fmt: skip
_ENDS = (":", ":", ":", "", "", " :", "-", "?", "...", " #", ".")


def write_entry(draft: Draft) -> None:
    """Write a page of such sections, one below the other."""
    rng, size, m = draft.rng, draft.size, draft.manner
    left, right = draft.width * rng.uniform(0.06, 0.13), draft.width * rng.uniform(0.85, 0.95)
    y = draft.height * rng.uniform(0.03, 0.08)
    for _ in range(rng.choice((0, 1, 1, 2))):
        title = " ".join(m.word() for _ in range(rng.randint(1, 5)))
        title = rng.choice((title.upper(), title.title(), rng.choice(phrases("title_memo", m.language))))
        draft.put((left + right) / 2, y, title, align="center", size=size * rng.choice((1, 1.2, 1.5)))
        y += size * rng.choice((1.5, 2.2))
    sections: tuple[Callable[[Draft, float, float, float], float], ...] = (_list, _list, _row, _row, _ticks, _matrix)
    for _ in range(rng.choice((2, 3, 4, 6, 8))):
        if rng.random() < 0.12:
            y = paragraph(draft, left, right, y) + size
        y = rng.choice((*sections, _note))(draft, left, right, y) + size * rng.uniform(0.3, 1.8)
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        y = _signed(draft, left, right, y + size)
    for _ in range(rng.choice((0, 0, 0, 1, 2, 4))):  # what OCR makes of handwriting and stamps
        scrawl = "".join(rng.choice("aeilnrstuCDJLM.,-'~/") for _ in range(rng.randint(2, 7)))
        draft.put(
            rng.uniform(left, right * 0.9), rng.uniform(size, max(y, size * 2)), scrawl, size=size * rng.uniform(0.9, 2)
        )
    if rng.random() < 0.5:  # the number that an archive stamps on the page
        draft.put(right, max(y, draft.height * 0.93), str(rng.randint(10**6, 10**9)), align="right")
    asked_in_vain = sorted(draft.empty)  # most options of a form are not ticked: a few of them are enough
    draft.empty = set(rng.sample(asked_in_vain, min(len(asked_in_vain), 1 + len(draft.facts) // 4)))


def _field(draft: Draft, label: str = "") -> str:
    """A field under a label, another one each time, asked for as it is printed; returns its name."""
    rng = draft.rng
    label = label or _label(draft)
    name = "entry_" + label.casefold().strip(" :.?#-")
    labels: dict[str, tuple[str, ...]] = {language: (label,) for language in LANGUAGES}
    draft.strangers[name] = Field(name, "text", frozenset(), (label,), labels)
    asked = label.strip(" :.") if rng.random() < 0.85 else label
    asked = asked if rng.random() < 0.85 else asked.lower()
    draft.shown_labels[name] = label
    draft.asked_as[name] = Key(name.replace(" ", "_"), "text", asked or label)
    return name


def _label(draft: Draft) -> str:
    """A few words: of typed forms, of a subject and an attribute, or any words at all."""
    rng, m = draft.rng, draft.manner
    shape = rng.random()
    if shape < 0.3:
        label = rng.choice(office_labels(m.language))[0]
    elif shape < 0.5:
        about, of = rng.randrange(len(subjects())), rng.randrange(len(attributes()))
        label = rng.choice(compound(about, of).labels_in(m.language))
    else:
        words = [m.word() for _ in range(rng.choice((1, 1, 2, 2, 2, 3, 3, 4, 6, 8)))]
        label = " ".join(word.capitalize() if rng.random() < 0.5 else word for word in words)
        label = label[0].upper() + label[1:]
    shape = rng.random()
    if shape < 0.05:
        label = f"{filled(rng, rng.choice(('#.', '(#)', '#a.', 'A.', '-')))} {label}"
    elif shape < 0.1:
        label = f"{label} ({m.word()})"
    elif shape < 0.13:
        label = f"{label} / {m.word()}"
    return label.upper() if rng.random() < 0.35 else label


def _value(draft: Draft, name: str) -> str:
    """What somebody filled in, line breaks in it; another value each time that the label stands on the page."""
    rng, m = draft.rng, draft.manner
    shape = rng.random()
    if shape < 0.08:
        text = rng.choice(_SHORT)
    elif shape < 0.18:
        text = filled(rng, rng.choice(_CODES))
    elif shape < 0.24:
        text = identifier(rng)
    elif shape < 0.38:
        text = " ".join(m.word() for _ in range(rng.choice((2, 3, 4, 5, 7, 10, 15, 22))))
        text = text.capitalize() + rng.choice(("", ".", ".")) if rng.random() < 0.6 else text
    elif shape < 0.43:
        text = rng.choice((", ", "\n")).join(line.rstrip(",") for line in rng.choice(m.pool.addresses))
    elif shape < 0.55:
        text = _compound(draft)
    elif shape < 0.65:
        text = _named(draft)
    else:
        text = printed(m, rng.choice(_KINDS), draft.day)
    text = text.upper() if rng.random() < 0.12 else text
    draft.facts[name] = text.replace("\n", " ")
    return text


def _named(draft: Draft) -> str:
    """What a thing is called, with marks and figures in it."""
    rng = draft.rng

    def some() -> str:
        return " ".join(draft.manner.word() for _ in range(rng.choice((1, 1, 2, 2, 3))))

    joint = rng.choice(
        (" ({})", " ({})", " - {}", " -{}", "- {}", ", {}", " / {}", " w/ {}", " #{}", ' "{}"', " & {}", ": {}")
    )
    second = some() if rng.random() < 0.75 else filled(rng, rng.choice(_CODES))
    text = some() + joint.format(second) + rng.choice(("", "", f" {some()}"))
    return text.title() if rng.random() < 0.6 else text


def _compound(draft: Draft) -> str:
    """Several things that answer one question: two people, a date and its time, a figure with a remark."""
    rng, m = draft.rng, draft.manner

    def one() -> str:
        return printed(m, rng.choice(_KINDS), draft.day)

    shape = rng.random()
    if shape < 0.25:
        people = [printed(m, rng.choice(("person", "name")), draft.day) for _ in range(rng.choice((2, 2, 3, 4)))]
        return rng.choice(("/", " / ", ", ", " & ", "\n", "\n", " ")).join(people)
    if shape < 0.4:
        return f"{printed(m, 'date', draft.day)} {rng.choice(('', '- ', 'at ', 'by '))}{printed(m, 'time', draft.day)}"
    if shape < 0.55:
        return f"{printed(m, rng.choice(('person', 'company', 'city')), draft.day)} {rng.choice(('', '('))}{one()}"
    if shape < 0.75:
        return f"{one()} {rng.choice(('-', '/', '+', 'x', '=', 'to', '(', '&'))} {one()}"
    if shape < 0.85:
        return f"{filled(rng, rng.choice(_CODES))} {m.word()} {rng.choice(('', one()))}".strip()
    return rng.choice((" ", "; ", ", ", "\n")).join(one() for _ in range(rng.randint(2, 4)))


def _broken(draft: Draft, text: str, room: float) -> list[str]:
    """The lines of a value: as it was written, and where it would pass the room."""
    return [line for part in text.split("\n") for line in wrap(draft, part, room)]


def _pair(draft: Draft, name: str, x: float, y: float, right: float, style: str, value_x: float, empty: float) -> float:
    """Label and value within x and right; a share `empty` of the labels alone. Returns the next free y."""
    rng, size = draft.rng, draft.size
    label = draft.shown_labels[name] + rng.choice(_ENDS)
    room = max(right - x, size * 6)
    if style == "above" or draft.text_width(label) > room * 0.7:
        y = draft.block(wrap(draft, label, room), x, y, size=size * rng.choice((0.8, 0.9, 1)))
        at = x + size * rng.choice((0, 0, 1))
    else:
        at = x + draft.put(x, y, label) + draft.text_width(" ") * rng.choice((1, 1, 2, 4))
        at = max(at, value_x) if style == "column" else at
    if rng.random() < empty:
        _leave_empty(draft, name)
        draft.put(at, y, rng.choice(_OPEN))
        return y + size * 1.3
    lines = _broken(draft, _value(draft, name), max(right - at, size * 5))
    if rng.random() < 0.05:  # the line to write on, as OCR reads it
        lines[0] = f"_{lines[0]}"
    return draft.block(lines, at, y, (name,)) + size * 0.1


def _leave_empty(draft: Draft, name: str) -> None:
    """Asked in vain, unless the label has a value elsewhere on the page."""
    if name not in draft.facts:
        draft.empty.add(name)


def _list(draft: Draft, left: float, right: float, y: float) -> float:
    """One pair a line, in one column or two."""
    rng, size = draft.rng, draft.size
    style = rng.choice(("inline", "inline", "column", "column", "above"))
    columns = rng.choice((1, 1, 2))
    empty = rng.choice(_EMPTY)
    step, pitch = (right - left) / columns, size * rng.choice((0.1, 0.3, 0.8))
    bottoms = [y] * columns
    for number in range(rng.randint(2, 7) * columns):
        column = number % columns
        x = left + column * step
        bottoms[column] = pitch + _pair(
            draft, _field(draft), x, bottoms[column], x + step - size, style, x + step * rng.uniform(0.4, 0.45), empty
        )
    return max(bottoms)


def _row(draft: Draft, left: float, right: float, y: float) -> float:
    """Several pairs beside each other, in lines."""
    rng, size = draft.rng, draft.size
    style = rng.choice(("inline", "above", "above"))
    empty = rng.choice(_EMPTY)
    for _ in range(rng.choice((1, 1, 2, 3))):
        n = rng.randint(2, 5 if style == "above" else 3)
        step = (right - left) / n
        y = max(
            _pair(draft, _field(draft), left + at * step, y, left + (at + 0.95) * step, style, 0, empty)
            for at in range(n)
        ) + size * rng.choice((0.2, 0.6))
    return y


def _ticks(draft: Draft, left: float, right: float, y: float) -> float:
    """Options, one or more of them ticked before or behind their words; those that are not are asked in vain."""
    rng, size = draft.rng, draft.size
    if rng.random() < 0.6:
        y = draft.block([_label(draft) + rng.choice(_ENDS)], left, y)
    n, before = rng.randint(2, 10), rng.random() < 0.55
    columns = rng.choice((1, 2, 3, 4))
    step, tick, blank = (right - left) / columns, rng.choice(_TICKS), rng.choice(_OPEN)
    ticked = rng.choice((0.15, 0.3, 0.6))
    wide = max(draft.text_width(tick), draft.text_width(blank)) + draft.text_width(" ") * rng.choice((1, 2))
    for number in range(n):
        words = " ".join(draft.manner.word() for _ in range(rng.choice((1, 1, 2, 3)))).capitalize()
        name = _field(draft, words if rng.random() < 0.7 else words.upper())
        x = left + (number % columns) * step
        y += size * 1.35 if number and number % columns == 0 else 0
        at = x if before else x + draft.text_width(draft.shown_labels[name]) + draft.text_width(" ")
        if rng.random() < ticked:
            draft.facts[name] = tick
            draft.put(at, y, tick, (name,))
        else:
            _leave_empty(draft, name)
            draft.put(at, y, blank)
        draft.put(x + wide if before else x, y, draft.shown_labels[name])
    return y + size * 1.4


def _matrix(draft: Draft, left: float, right: float, y: float) -> float:
    """Heads over columns and beside rows; a figure answers the head of its column and that of its row."""
    rng, size, m = draft.rng, draft.size, draft.manner
    n_columns, n_rows = rng.randint(1, 5), rng.randint(2, 7)
    first = left + (right - left) * rng.uniform(0.25, 0.4)
    step = (right - first) / n_columns
    heads = [
        _field(draft, rng.choice((m.word().upper(), m.word().title(), f"{m.word().title()} {at}")))
        for at in range(n_columns)
    ]
    for at, head in enumerate(heads):
        draft.put(first + at * step, y, draft.shown_labels[head])
    y += size * rng.choice((1.3, 1.7))
    code = rng.choice(("##.#", "#,###", "(#.##)", "###", "$#,###", "#", "#.## *"))
    kinds = [rng.choice(_KINDS) if rng.random() < 0.35 else "" for _ in heads]  # of whole columns; "" is a figure
    full = rng.choice((0.6, 0.9, 1))
    for _ in range(n_rows):
        row = _field(draft)
        draft.put(left, y, wrap(draft, draft.shown_labels[row], first - left - size)[0])
        for at, head in enumerate(heads):
            if rng.random() < full:
                names = tuple(dict.fromkeys((row, head)))
                text = printed(m, kinds[at], draft.day) if kinds[at] else filled(rng, code)
                draft.facts.update(dict.fromkeys(names, text))
                draft.put(first + at * step, y, text, names)
        y += size * rng.choice((1.25, 1.25, 1.5))
    draft.empty.update(name for name in heads if name not in draft.facts)
    return y


def _note(draft: Draft, left: float, right: float, y: float) -> float:
    """A label before sentences that answer it, beginning on its line or under it."""
    rng, m, size = draft.rng, draft.manner, draft.size
    name = _field(draft)
    label = draft.shown_labels[name] + rng.choice(_ENDS)
    text = rng.choice(phrases(rng.choice(("sentence", "boiler")), m.language))
    words = [*fill(draft, text).split(), *(m.word() for _ in range(rng.choice((0, 0, 4, 10))))][:MOST_NOTE_WORDS]
    draft.facts[name] = " ".join(words)
    shape = rng.random()
    if shape < 0.2:  # in a column of its own
        draft.put(left, y, label)
        at = max(left + draft.text_width(label) + size, left + (right - left) * rng.uniform(0.2, 0.4))
        return draft.block(wrap(draft, " ".join(words), max(right - at, size * 8)), at, y, (name,))
    if shape < 0.55:
        indent = size * rng.choice((0, 0, 2))
        y = draft.block([label], left, y)
        return draft.block(wrap(draft, " ".join(words), right - left - indent), left + indent, y, (name,))
    at = left + draft.put(left, y, label) + draft.text_width(" ")
    return draft.block(wrap(draft, " ".join(words), max(right - at, size * 8)), at, y, (name,))


def _signed(draft: Draft, left: float, right: float, y: float) -> float:
    """Who signed, and when: the same labels at every place; each of their values is right."""
    rng, size, m = draft.rng, draft.size, draft.manner
    who, when = (
        _field(draft, rng.choice(("By", "Signed", "Name", "Approved", "BY"))),
        _field(draft, rng.choice(("Date", "DATE", "Date"))),
    )
    middle = left + (right - left) * rng.uniform(0.5, 0.7)
    under, end = rng.random() < 0.4, rng.choice((":", "", " "))
    for name, kind, x in ((who, rng.choice(("person", "name")), left), (when, "date", middle)):
        label = draft.shown_labels[name] + end
        at = x if under else x + draft.text_width(label) + draft.text_width(" ")
        if rng.random() < 0.75:
            draft.facts[name] = printed(m, kind, draft.day)
            draft.put(at, y, draft.facts[name], (name,))
            draft.empty.discard(name)
        else:
            _leave_empty(draft, name)
        draft.put(x, y + (size * 1.3 if under else 0), label, size=size * (0.85 if under else 1))
    return y + size * (3 if under else 1.8)
