"""The table of what was sold: columns in many arrangements, wrapped texts, carried sums."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipkie_cli.synth.codes import digits
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.prose import wrap
from pipkie_cli.synth.tables import phrases

# Columns with the place of their edge between the margins; a negative one is a right edge.
_TABLES: tuple[tuple[tuple[str, float], ...], ...] = (
    (("head_item", 0.0), ("head_quantity", -0.62), ("head_price", -0.8), ("head_amount", -1)),
    (("head_position", 0.0), ("head_item", 0.07), ("head_quantity", -0.6), ("head_price", -0.8), ("head_amount", -1)),
    (("head_quantity", 0.0), ("head_item", 0.12), ("head_price", -0.8), ("head_amount", -1)),
    (("head_quantity", 0.0), ("head_item", 0.14), ("head_rate", -0.66), ("head_price", -0.82), ("head_amount", -1)),
    (("head_position", 0.0), ("head_code", 0.06), ("head_item", 0.22), ("head_quantity", -0.66),
    ("head_price", -0.83), ("head_amount", -1)),
    (("head_code", 0.0), ("head_item", 0.2), ("head_quantity", -0.62), ("head_price", -0.78), ("head_rate", -0.86),
    ("head_amount", -1)),
    (("head_item", 0.0), ("head_price", 0.5), ("head_quantity", 0.66), ("head_amount", 0.82)),
    (("head_position", 0.0), ("head_item", 0.08), ("head_price", -0.62), ("head_quantity", -0.73),
    ("head_rate", -0.85), ("head_amount", -1)),
    (("head_item", 0.0), ("head_amount", -1)),
    (("date", 0.0), ("head_item", 0.16), ("head_quantity", -0.7), ("head_amount", -1)),
)  # fmt: skip

_COLUMNS = {
    "head_position": "position", "head_item": "description", "head_code": "item_code", "head_rate": "tax_rate",
    "head_quantity": "quantity", "head_price": "unit_price", "head_amount": "amount", "date": "date",
}  # fmt: skip  # as questions name them (cells.py)
_Parts = Sequence[tuple[str, tuple[str, ...]]]  # of one cell: texts with what they state


@dataclass(slots=True)
class _Look:
    """What all rows of one table share."""

    columns: tuple[tuple[str, float], ...]
    left: float
    right: float
    bare: bool  # amounts without currency
    rate: str
    code_digits: int
    unit: str
    sign: int  # -1 on credit notes that print negative amounts


def write_line_items(
    draft: Draft, left: float, right: float, y: float, first: bool, last: bool, sign: int
) -> tuple[float, int]:
    """Write the table; returns the next y and the sum of the rows in cents."""
    rng, m, size = draft.rng, draft.manner, draft.size
    n = (
        rng.choice((0, 1, 1, 2, 3, 4, 6, 9, 14, 22, 34) if first else (0, 0, 0, 1, 2, 5, 12, 25))
        if last
        else rng.choice((6, 10, 14, 20, 28, 40))
    )
    rate = f"{rng.choice((5, 6, 7, 19, 20, 21, 22, 23))}{rng.choice(('%', ' %', f'{m.decimal}00', f'{m.decimal}0%'))}"
    unit = rng.choice(phrases("unit", m.language)) if rng.random() < 0.5 else ""
    look = _Look(rng.choice(_TABLES), left, right, rng.random() < 0.6, rate, rng.randint(3, 7), unit, sign)
    if n and rng.random() < 0.94:
        y = _heads(draft, look, y)
    brought = 0 if first else rng.randint(1000, 900000)
    if not first and rng.random() < 0.7:
        y = _carried(draft, look, y, brought)
    total = brought
    for i in range(n):
        y, cents = _item(draft, look, y, i)
        total += cents
    if not last and rng.random() < 0.75:
        y = _carried(draft, look, y + size * 0.3, total)
    return y, total or sign * rng.randint(500, 900000)


def _heads(draft: Draft, look: _Look, y: float) -> float:
    language = draft.manner.language
    cells: dict[str, _Parts] = {}
    for name, _ in look.columns:
        header = draft.rng.choice(phrases("head_date" if name == "date" else name, language))
        draft.columns[_COLUMNS[name]] = header
        cells[name] = ((header, ()),)
    return _row(draft, look, cells, y) + draft.size * draft.rng.choice((0.1, 0.4, 0.8))


def _carried(draft: Draft, look: _Look, y: float, cents: int) -> float:
    draft.put(look.left, y, draft.rng.choice(phrases("continued", draft.manner.language)))
    draft.put(look.right, y, draft.manner.money(cents, look.bare), align="right")
    return y + draft.size * 1.5


def _item(draft: Draft, look: _Look, y: float, i: int) -> tuple[float, int]:
    rng, m, size = draft.rng, draft.manner, draft.size
    quantity = rng.choice((1, 1, 2, 5, 10, rng.randint(1, 60)))
    price = int(10 ** rng.uniform(2, 5))
    cents = look.sign * quantity * price
    text = rng.choice(phrases("product", m.language))
    if rng.random() < 0.3:
        text += f" {' '.join(m.word() for _ in range(rng.randint(1, 6)))}"
    texts = {
        "head_position": str(i + 1), "head_item": text, "head_code": digits(rng, look.code_digits),
        "head_rate": look.rate, "head_quantity": str(quantity), "head_price": m.money(price, look.bare),
        "head_amount": m.money(cents, look.bare), "date": m.date(draft.day),
    }  # fmt: skip
    cells: dict[str, _Parts] = {name: ((texts[name], (f"@{_COLUMNS[name]}",)),) for name, _ in look.columns}
    if look.unit and "head_quantity" in cells:
        cells["head_quantity"] = (*cells["head_quantity"], (look.unit, ()))
    y = _row(draft, look, cells, y)
    return y + size * rng.choice((0, 0.1, 0.3)), cents


def _row(draft: Draft, look: _Look, cells: Mapping[str, _Parts], y: float) -> float:
    """Cells at their edges; the text of the item is wrapped into its own column."""
    width, bottom = look.right - look.left, y + draft.size * 1.3
    for number, (name, at) in enumerate(look.columns):
        x = look.left + width * abs(at)
        if name == "head_item":
            following = [abs(edge) - (0.16 if edge < 0 else 0) for _, edge in look.columns[number + 1 :]]
            room = width * ((min(following) if following else 1) - abs(at))
            ((text, names),) = cells[name]
            for line_number, line in enumerate(wrap(draft, text, max(room, draft.size * 6))):
                draft.put(x, y + line_number * draft.size * 1.2, line, names)
                bottom = max(bottom, y + (line_number + 1) * draft.size * 1.25)
        else:
            draft.line(cells[name], x, y, align="right" if at < 0 else "left")
    return bottom
