"""The totals of a letter: consistent sums of net, taxes by rate, gross, deposit and rest, in several arrangements."""

from dataclasses import dataclass
from typing import Protocol

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import phrases

_RATES = {
    "de": (19, 19, 19, 7), "fr": (20, 20, 10, 5), "es": (21, 21, 10), "it": (22, 22, 10), "nl": (21, 21, 9),
    "pt": (23, 23, 6),
    "pl": (23, 23, 8), "ms": (6,),
}  # fmt: skip


@dataclass(slots=True)
class _Row:
    label: str
    amount: str
    names: tuple[str, ...]


class _RowMaker(Protocol):
    """Adds a row for a field; its own names, and the label drawn, unless told."""

    def __call__(self, name: str, cents: int, label: str = "", names: tuple[str, ...] | None = None) -> None: ...


def write_totals(draft: Draft, left: float, right: float, y: float, items: int) -> float:
    """Write the block of totals below items that sum up to `items` cents; returns the next y."""
    rng, m, size = draft.rng, draft.manner, draft.size
    rows, taxes = _rows(draft, items)
    style = rng.choice(("right", "right", "right", "right", "inline", "heads", "wide"))
    table_first = rng.random() < 0.5
    with_table = bool(taxes) and rng.random() < (0.8 if len(taxes) > 1 else 0.12)
    if with_table and table_first:
        y = _by_rate(draft, taxes, left, right, y) + size
    if style == "heads" and len(rows) <= 6:
        step = (right - left) / len(rows)
        aligned = rng.choice(("left", "right"))
        for i, row in enumerate(rows):
            x = left + (i + (aligned == "right")) * step
            draft.put(x, y, row.label, align=aligned)
            draft.put(x, y + size * 1.4, row.amount, row.names, align=aligned)
        y += size * 3
    else:
        y = _block(draft, rows, style, left, right, y)
    if with_table and not table_first:
        y = _by_rate(draft, taxes, left, right, y + size)
    if rng.random() < 0.04:
        words = " ".join(m.word() for _ in range(rng.randint(4, 8)))  # the amount in words
        y = draft.block([words], left, y + size * 0.5)
    return y


def _rows(draft: Draft, net: int) -> tuple[list[_Row], list[tuple[int, int, int]]]:
    """Rows of the block, and (rate, base, tax) by rate."""
    rng, m = draft.rng, draft.manner
    rows: list[_Row] = []
    bare = rng.random() < 0.12

    def row(name: str, cents: int, label: str = "", names: tuple[str, ...] | None = None) -> None:
        rows.append(_Row(label or draft.label(name), m.money(cents, bare), (name,) if names is None else names))
        draft.facts.update(dict.fromkeys(rows[-1].names, m.money(cents)))

    if rng.random() < 0.12:
        if rng.random() < 0.4:  # the sum of the items before the discount
            row("net_total", net, rng.choice(phrases("items_sum", m.language)), ())
        discount = net // rng.choice((10, 20, 50))
        row("discount", discount if rng.random() < 0.6 else -discount)
        net -= discount
    if rng.random() < 0.12:
        shipping = rng.choice((490, 500, 790, 1000, rng.randint(300, 9000)))
        row("shipping_cost", shipping)
        net += shipping
    taxes = _taxes(draft, net) if rng.random() < 0.87 else []
    tax = sum(amount for _, _, amount in taxes)
    gross = net + tax
    if taxes and rng.random() < 0.9:
        row("net_total", net)
    if len(taxes) == 1:
        text = rng.choice(phrases("vat_of", m.language)).format(rate=taxes[0][0], net=m.number(net))
        row("tax_total", tax, text if rng.random() < 0.65 else "")
    elif taxes:
        for rate, base, amount in taxes:
            row(
                "tax_total", amount, rng.choice(phrases("vat_of", m.language)).format(rate=rate, net=m.number(base)), ()
            )
        if rng.random() < 0.5:
            row("tax_total", tax)
    elif rng.random() < 0.2:
        row("tax_total", 0)
    _closing_rows(draft, row, gross)
    return rows, taxes


def _taxes(draft: Draft, net: int) -> list[tuple[int, int, int]]:
    rng = draft.rng
    rates = _RATES.get(draft.manner.language, (20, 20, 8, 10, 5))
    rate = rng.choice(rates)
    if rng.random() < 0.8:
        return [(rate, net, round(net * rate / 100))]
    other = rng.choice([r for r in (*rates, 0, 5) if r != rate])
    part = round(net * rng.uniform(0.1, 0.9))
    return [(rate, part, round(part * rate / 100)), (other, net - part, round((net - part) * other / 100))]


def _closing_rows(draft: Draft, row: _RowMaker, gross: int) -> None:
    """The total, and what is left of it after a deposit."""
    rng = draft.rng
    paid = gross // rng.choice((2, 3, 4)) if rng.random() < 0.1 else gross if rng.random() < 0.05 else 0
    if not paid and rng.random() < 0.12:
        row("amount_due", gross, names=("grand_total", "amount_due"))
        return
    row("grand_total", gross)
    if paid:
        row("amount_paid", paid if rng.random() < 0.7 else -paid)
        row("amount_due", gross - paid)
    elif rng.random() < 0.1:
        row("amount_due", gross)


def _block(draft: Draft, rows: list[_Row], style: str, left: float, right: float, y: float) -> float:
    """Labels left of their amounts, at the right edge of the page or across it."""
    rng, size = draft.rng, draft.size
    x = left if style == "wide" else left + (right - left) * rng.uniform(0.4, 0.65)
    colon = rng.choice(("", ":", ":"))
    to_edge = style == "right" and rng.random() < 0.25  # labels end at one edge
    edge = right - size * rng.uniform(7, 10)
    big = rng.choice((1, 1, 1.25, 1.5))
    leading = rng.choice((1.3, 1.5, 1.9))
    for i, row in enumerate(rows):
        scale = size * (big if i == len(rows) - 1 else 1)
        label = row.label + colon
        wide, amount_wide = draft.text_width(label, scale), draft.text_width(row.amount, scale)
        start = edge - wide if to_edge else min(x, right - wide - amount_wide - scale)
        start = max(left, start)
        draft.put(start, y, label, size=scale)
        if style == "inline":
            draft.put(start + wide + scale * rng.choice((0.3, 0.5, 1)), y, row.amount, row.names, size=scale)
        else:
            draft.put(
                max(right, start + wide + amount_wide + scale), y, row.amount, row.names, size=scale, align="right"
            )
        y += scale * leading
    return y


def _by_rate(draft: Draft, taxes: list[tuple[int, int, int]], left: float, right: float, y: float) -> float:
    """A small table with one row for each rate of tax."""
    rng, m, size = draft.rng, draft.manner, draft.size
    heads = phrases("tax_heads", m.language)
    width = (right - left) * rng.uniform(0.4, 0.7)
    x = rng.choice((left, right - width))
    edges = [x + width * share for share in (0.25, 0.62, 1)]
    for head, edge in zip(heads, edges, strict=False):
        draft.put(edge, y, head, align="right", size=size * 0.9)
    y += size * 1.3
    for rate, base, tax in taxes:
        texts = (f"{rate}{rng.choice(('%', ' %'))}", m.number(base), m.number(tax))
        for text, edge in zip(texts, edges, strict=True):
            draft.put(edge, y, text, align="right", size=size * 0.9)
        y += size * 1.2
    if len(taxes) > 1 and rng.random() < 0.5:
        sums = (
            ("", ()),
            (m.number(sum(t[1] for t in taxes)), ("net_total",)),
            (m.number(sum(t[2] for t in taxes)), ("tax_total",)),
        )
        for (text, names), edge in zip(sums, edges, strict=True):
            draft.put(edge, y, text, names, align="right", size=size * 0.9)
        y += size * 1.2
    return y
