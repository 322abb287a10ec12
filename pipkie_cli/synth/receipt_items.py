"""The items of a receipt in the shapes that tills print."""

from pipkie_cli.synth.cells import LEFT_ALONE
from pipkie_cli.synth.codes import digits
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import phrases

_TAILS = {
    "ms": ("", "", " SR", " S", "SR", " ZRL", " *S", " T"),
    "de": (" A", " B", "", " 1", " A*"),
    "pl": ("A", "B", "C"),
}
_Parts = list[tuple[str, tuple[str, ...]]]  # of one cell: texts, one behind the other, with what they state
_EXTRAS = (">{}", "Add {}", "no {}", "NO {}", "+ {}", "* {}", "W/ {}", "well done", "To go", "({})", "Side {}", "-{}")
_QUANTITY, _PRICE, _AMOUNT = ("@quantity",), ("@unit_price",), ("@amount",)
_COLUMNS = {
    "head_item": "description", "head_quantity": "quantity", "head_price": "unit_price", "head_amount": "amount",
}  # fmt: skip


def write_items(draft: Draft, left: float, right: float, y: float) -> tuple[float, int]:
    """Item lines in one of several shapes; returns the next y and the sum in cents."""
    rng, m, size = draft.rng, draft.manner, draft.size
    shape = rng.choice(("one", "one", "two", "two", "columns", "columns", "counted"))
    tail = rng.choice(_TAILS.get(m.language, ("", "", " A", " B", " *", " T")))
    bare = rng.random() < 0.85
    if rng.random() < 0.55:
        y = _heads(draft, shape, left, right, y)
    total = 0
    below = rng.random() < 0.5  # in two lines: the name first, or the numbers first
    indent = left + (right - left) * rng.uniform(0.07, 0.2)  # of the name, where the quantity stands before it
    extras = 0.3 if shape == "counted" and rng.random() < 0.4 else 0.03
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 5, 7, 10, 14, 20))):
        quantity = rng.choice((1, 1, 1, 2, 3, rng.randint(1, 12)))
        price = int(10 ** rng.uniform(1.8, 4))
        total += quantity * price
        amount: _Parts = [(m.money(quantity * price, bare), _AMOUNT), (tail, ())]
        if shape == "two":
            y = _two_lines(draft, left, right, y, quantity, price, amount, below)
        elif shape == "columns":
            y = _row(
                draft, [_name(draft), [(str(quantity), _QUANTITY)], [(m.number(price), _PRICE)], amount], left, right, y
            )
        elif shape == "counted":
            draft.put(left, y, str(quantity), _QUANTITY)
            y = _row(draft, [_name(draft), amount], indent, right, y)
        else:
            counted: _Parts = [(str(quantity), _QUANTITY), (" ", ())] if rng.random() < 0.5 else []
            y = _row(draft, [[*counted, *_name(draft)], amount], left, right, y)
        if rng.random() < 0.05:
            off = -(quantity * price // 10)
            total += off
            y = _row(
                draft,
                [
                    [(rng.choice(("Discount", "Rabatt", "Disc 10%", "Remise", "-10%")), (LEFT_ALONE,))],
                    [(m.money(off, bare), (LEFT_ALONE,))],
                ],
                left,
                right,
                y,
            )
        if rng.random() < extras:  # how the item above is wanted
            extra = rng.choice(_EXTRAS).format(rng.choice(phrases("product", m.language)))
            x = indent if shape == "counted" else left + draft.text_width("  ")
            y = _row(draft, [[(extra, (LEFT_ALONE,))]], x, right, y)
        y += size * rng.choice((0, 0, 0, 0.2))
    if rng.random() < 0.4:
        draft.put(
            left, y, rng.choice("-=*_.") * max(4, int((right - left) / draft.text_width("-") * rng.uniform(0.5, 0.98)))
        )
        y += size * 1.2
    return y, total


def _heads(draft: Draft, shape: str, left: float, right: float, y: float) -> float:
    rng, language = draft.rng, draft.manner.language
    sections = ["head_item", "head_amount"]
    if shape == "columns" or (shape == "two" and rng.random() < 0.5):
        sections = ["head_item", "head_quantity", "head_price", "head_amount"]
    elif shape == "counted":
        sections = ["head_quantity", *sections]
    headers = [rng.choice(phrases(section, language)) for section in sections]
    draft.columns.update((_COLUMNS[section], header) for section, header in zip(sections, headers, strict=True))
    if shape == "counted":
        left += draft.put(left, y, headers.pop(0)) + draft.text_width(" ")
    return _row(draft, [[(header, ())] for header in headers], left, right, y)


def _name(draft: Draft) -> _Parts:
    rng = draft.rng
    name = rng.choice(phrases("product", draft.manner.language))
    if rng.random() < 0.15:
        name = f"{name} {rng.choice(('500G', '1.5L', 'XL', '12PCS', '40ML', '#6', '2IN1', 'NO.5', '(R)'))}"
    if rng.random() < 0.04:  # as dishes are numbered
        name = f"{rng.randint(1, 120)}{rng.choice(('', '', 'a', 'B'))}.{rng.choice(('', ' '))}{name}"
    code: _Parts = [(digits(rng, rng.choice((3, 4, 6, 10, 12, 13))), ("@item_code",)), (" ", ())]
    return [*(code if rng.random() < 0.12 else ()), (name, ("@description",))]


def _two_lines(
    draft: Draft, left: float, right: float, y: float, quantity: int, price: int, amount: _Parts, below: bool
) -> float:
    """Name on one line, code, quantity and price on the other."""
    rng, m = draft.rng, draft.manner
    times = rng.choice((" x ", " X ", "x", " @ ", "*", " * "))
    numbers: _Parts = [(str(quantity), _QUANTITY), (times, ()), (m.number(price), _PRICE)]
    if rng.random() < 0.2:
        numbers.reverse()
    code: _Parts = [(digits(rng, rng.choice((4, 5, 6, 7, 12, 13))), ("@item_code",))] if rng.random() < 0.6 else []
    name = [_name(draft)]
    if rng.random() < 0.2:
        name.append([(rng.choice(("SR", "*S", "T", "Z")), ())])
    if code and rng.random() < 0.6:
        cells = [code, numbers, amount]
    else:
        cells = [[*code, (" ", ()), *numbers] if code else numbers, amount]
    if below:
        y = _row(draft, name, left, right, y)
        return _row(draft, cells, left, right, y)
    y = _row(draft, cells, left, right, y)
    return _row(draft, name, left, right, y)


def _row(draft: Draft, cells: list[_Parts], left: float, right: float, y: float) -> float:
    """The first cell left, the others right-aligned in columns that do not touch; too long a text is cut short."""
    blank = draft.text_width(" ")
    edge, n = right, len(cells) - 1
    step = (right - left) * 0.2
    for number, cell in enumerate(reversed(cells[1:])):
        edge = min(edge, right - number * step)
        draft.line(cell, edge, y, align="right", glue="")
        edge -= draft.text_width(_text(cell)) + 1.2 * blank
    before, (text, names) = cells[0][:-1], cells[0][-1]
    while len(text) > 4 and n and left + draft.text_width(_text(before) + text) > edge:
        text = text[:-1]
    draft.line([*before, (text.strip(), names)], left, y, glue="")
    return y + draft.size * 1.28


def _text(parts: _Parts) -> str:
    return "".join(text for text, _ in parts)
