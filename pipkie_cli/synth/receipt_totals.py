"""The totals of a receipt: consistent sums of net, tax, rounding, total, cash and change, and the table of taxes."""

from dataclasses import dataclass

from pipkie_cli.synth.codes import identifier
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import phrases

_RATES = {
    "ms": (6, 6, 6, 0),
    "de": (7, 19, 19),
    "fr": (20, 10, 5),
    "es": (10, 21, 4),
    "it": (22, 10, 4),
    "nl": (9, 21),
    "pt": (6, 23),
    "pl": (5, 8, 23),
}
_SUMMARY = {
    "ms": ("GST Summary", "Amount(RM)", "Tax(RM)"), "de": ("MwSt", "Netto", "Steuer"),
    "fr": ("TVA", "HT", "Montant TVA"), "es": ("IVA", "Base", "Cuota"),
    "it": ("IVA", "Imponibile", "Imposta"), "nl": ("BTW", "Over", "Bedrag"), "pt": ("IVA", "Base", "Valor"),
    "pl": ("PTU", "Netto", "Kwota"),
}  # fmt: skip
_ROUNDED = (
    "ROUNDED TOTAL",
    "Total Rounded",
    "TOTAL AFTER ROUNDING",
    "Rounded Total (RM)",
    "NETT TOTAL",
    "Total After Adj Incl GST",
    "Final Total",
    "Net Total",
)


@dataclass(slots=True)
class _Row:
    label: str
    amount: str
    names: tuple[str, ...]
    pays: bool = False  # its label says how it was paid


@dataclass(slots=True)
class _Sums:
    """In cents."""

    rate: int
    net: int
    tax: int
    gross: int  # before rounding


def write_totals(draft: Draft, left: float, right: float, y: float, items: int) -> float:
    """Write the block of totals and what follows it; returns the next y."""
    rng, m = draft.rng, draft.manner
    rate = rng.choice(_RATES.get(m.language, (20, 8, 6, 10)))
    inclusive = rng.random() < (0.15 if m.locale == "en_US" else 0.75)
    tax = round(items * rate / (100 + rate)) if inclusive else round(items * rate / 100)
    gross = items if inclusive else items + tax
    sums = _Sums(rate, gross - tax, tax, gross)
    y = _print(draft, _rows(draft, sums, items), left, right, y)
    if rng.random() < (0.6 if m.language == "ms" else 0.35):
        y = _summary(draft, sums, left, right, y + draft.size * 0.5)
    if rng.random() < 0.08:
        y = _card(draft, left, right, y + draft.size, sums.gross)
    if m.language == "en" and rng.random() < 0.12:
        y = _tips(draft, left, right, y + draft.size, sums)
    return y


def _tips(draft: Draft, left: float, right: float, y: float, sums: _Sums) -> float:
    """What a guest may give: lines to fill in, or a table of shares; neither is a tip that was given."""
    rng, m, size = draft.rng, draft.manner, draft.size
    if "tip" not in draft.facts and "tip" not in draft.shown_labels:
        draft.empty.add("tip")
    if rng.random() < 0.5:
        for label in (
            rng.choice(("Tip", "TIP:", "Gratuity", "Tip Amount:")),
            rng.choice(("Total", "TOTAL:", "Total=")),
        ):
            end = draft.put(left, y, label) + left + draft.text_width(" ")
            if rng.random() < 0.7:
                draft.put(end, y, "_" * max(4, int((right - end) / draft.text_width("_") * rng.uniform(0.5, 0.9))))
            y += size * rng.choice((1.3, 1.8))
        return y
    heading = rng.choice(("Suggested Tip", "Gratuity Guide", "Tip Suggestions:", "For your convenience"))
    draft.put((left + right) / 2, y, heading, align="center")
    y += size * 1.3
    for share in rng.choice(((15, 18, 20), (18, 20, 22), (15, 20), (20, 25))):
        text = rng.choice(("{}% = {}", "{}% Tip = {}", "{}%: {}", "{}% is {}"))
        draft.put(left, y, text.format(share, m.money(sums.net * share // 100)))
        y += size * 1.25
    return y


def _rows(draft: Draft, sums: _Sums, items: int) -> list[_Row]:
    rng, m = draft.rng, draft.manner
    bare = rng.random() < 0.6
    rows: list[_Row] = []

    def row(name: str, cents: int, label: str = "", names: tuple[str, ...] | None = None) -> None:
        rows.append(_Row(label or draft.label(name), m.money(cents, bare), (name,) if names is None else names))

    if rng.random() < 0.3:
        count = str(rng.randint(1, 30))
        if rng.random() < 0.3:  # the count beside its label, and the sum of the items behind it
            rows.append(_Row(f"{draft.label('item_count')} {count}", m.money(items, bare), ()))
            draft.unasked.add("item_count")
        else:
            rows.append(
                _Row(draft.label("item_count"), f"{count}.00" if rng.random() < 0.1 else count, ("item_count",))
            )
    if rng.random() < 0.12:
        off = rng.choice((0, 0, sums.gross // 20))
        row("discount", off)
    if rng.random() < (0.75 if m.language == "en" else 0.45):
        if rng.random() < 0.5:  # with tax in it, it is no net total
            row("subtotal", items, names=("subtotal", "net_total") if items == sums.net else ("subtotal",))
        else:
            row("net_total", sums.net)
            draft.unasked.add("subtotal")  # a matter of taste
    if rng.random() < 0.08:
        row("service_charge", sums.net // 10)
    if rng.random() < 0.4:
        label = rng.choice(phrases("vat_of", m.language)).format(rate=sums.rate, net=m.number(sums.net))
        row("tax_total", sums.tax, label if rng.random() < 0.5 else "")
    if rng.random() < (0.3 if m.language in {"ms", "en"} else 0):
        _other_totals(draft, rows, sums, bare)
    final = sums.gross
    if m.language == "en" and rng.random() < 0.15:
        tip = sums.net * rng.choice((10, 15, 18, 20)) // 100
        row("tip", tip, f"{draft.label('tip')} 18%" if rng.random() < 0.15 else "")
        final += tip
    if m.language == "ms" and rng.random() < 0.55:
        final = (sums.gross + 2) // 5 * 5
        if rng.random() < 0.7:
            row("grand_total", sums.gross, names=("grand_total",) if final == sums.gross else ())
        row("rounding", final - sums.gross)
        row("grand_total", final, rng.choice(_ROUNDED) if rng.random() < 0.6 else "")
    else:
        to_pay = m.language != "ms" and rng.random() < 0.2
        label = draft.label("amount_due") if to_pay else ""
        row("grand_total", final, label, ("grand_total", "amount_due") if to_pay else None)
        if rng.random() < 0.08:
            row("rounding", 0)
    kind = rng.random()
    if kind < 0.55:  # the label itself then states how it was paid
        given = rng.choice((final, -(-final // 1000) * 1000, -(-final // 5000) * 5000, -(-final // 100) * 100))
        row("cash", given)
        rows[-1].pays = True
        if given != final or rng.random() < 0.7:
            row("change", given - final)
    elif kind < 0.75:
        row("grand_total", final, draft.value("payment_method"))
        rows[-1].pays = True
    if rng.random() < 0.08:  # taxes told after the payment
        row(
            "tax_total",
            sums.tax,
            rng.choice(phrases("vat_of", m.language)).format(rate=sums.rate, net=m.number(sums.net)),
        )
    return rows


def _other_totals(draft: Draft, rows: list[_Row], sums: _Sums, bare: bool) -> None:
    """Lines that begin as that of the total does and state a part of it, a count or nothing."""
    rng, m = draft.rng, draft.manner
    tax = "GST" if m.language == "ms" else rng.choice(("Tax", "VAT"))
    parts: tuple[tuple[str, int, tuple[str, ...]], ...] = (
        (f"Total {sums.rate}% supplies", sums.net, ("net_total",)),
        (f"Total {sums.rate}% (Excl. {tax})", sums.net, ("net_total",)),
        (f"Total {sums.rate}% (Inc. {tax})", sums.gross, ()),
        ("Total 0% supplies", 0, ()),
        (f"Total 0% {tax}", 0, ()),
        (f"Total {tax}", sums.tax, ("tax_total",)),
        (f"Total {tax} Amount", sums.tax, ("tax_total",)),
        (f"Total Sales (Excl {tax})", sums.net, ("net_total",)),
        ("Total Savings", sums.gross // 20, ()),
        ("Total Discount", 0, ()),
        ("Total Coupons", 0, ()),
    )
    chosen = sorted(rng.sample(range(len(parts)), rng.choice((1, 1, 2, 3))))
    for label, cents, names in (parts[index] for index in chosen):
        rows.append(_Row(label.upper() if rng.random() < 0.3 else label, m.money(cents, bare), names))
    if rng.random() < 0.3:
        count = rng.randint(1, 30)
        rows.append(_Row(rng.choice(("Total Qty", "Total Items", "Total Pcs")), str(count), ()))
        draft.unasked.add("item_count")


def _print(draft: Draft, rows: list[_Row], left: float, right: float, y: float) -> float:
    """Labels and amounts in one of the usual arrangements."""
    rng, size = draft.rng, draft.size
    big = rng.choice((1, 1, 1, 1.3, 1.5))
    style = rng.choice(("right", "right", "right", "right", "inline", "column", "stacked"))
    colon = rng.choice(("", "", ":", " :"))
    lead = left if rng.random() < 0.6 else left + (right - left) * rng.uniform(0.1, 0.4)
    ends_right = rng.random() < 0.2  # labels end at one edge, before their colons
    edge = left + (right - left) * rng.uniform(0.6, 0.68)
    for row in rows:
        scale = size * (big if "grand_total" in row.names else 1)
        wide = draft.text_width(row.label + colon, scale)
        x = edge - wide if ends_right and edge - wide > left else lead
        if x + wide + draft.text_width(row.amount, scale) > right:
            x = left
        end = x + (_paid(draft, row.label, x, y, scale) if row.pays else draft.put(x, y, row.label, size=scale))
        end += draft.put(end, y, colon, size=scale) + scale * 0.5
        width = draft.text_width(row.amount, scale)
        if end + width > right or (style == "stacked" and "grand_total" in row.names and big > 1):
            y += scale * 1.25
            draft.put(right, y, row.amount, row.names, align="right", size=scale)
        elif style == "inline":
            draft.put(end, y, row.amount, row.names, size=scale)
        elif style == "column":
            draft.put(min(max(end, edge), right - width), y, row.amount, row.names, size=scale)
        else:
            draft.put(right, y, row.amount, row.names, align="right", size=scale)
        y += scale * rng.choice((1.25, 1.3, 1.4))
    return y


def _paid(draft: Draft, label: str, x: float, y: float, size: float) -> float:
    """Print a label of which one word may say how it was paid; returns its width."""
    means = {text.casefold() for text in phrases("means", draft.manner.language)}
    words = label.split()
    if label in phrases("value_payment", draft.manner.language):
        return draft.put(x, y, label, ("payment_method",), size=size)
    at = next((i for i, word in enumerate(words) if word.casefold() in means), None)
    if at is None:
        draft.unasked.add("payment_method")
        return draft.put(x, y, label, size=size)
    parts = [(" ".join(words[:at]), ()), (words[at], ("payment_method",)), (" ".join(words[at + 1 :]), ())]
    draft.line(parts, x, y, size=size)
    return draft.text_width(label, size)


def _summary(draft: Draft, sums: _Sums, left: float, right: float, y: float) -> float:
    """The small table of tax rates: base and tax of each, at times their sums."""
    rng, m, size = draft.rng, draft.manner, draft.size
    heads = _SUMMARY.get(m.language, ("Tax", "Net", "Amount"))
    middle = left + (right - left) * rng.uniform(0.55, 0.68)
    if rng.random() < 0.9:
        draft.put(left, y, heads[0])
        draft.put(middle, y, heads[1], align="right")
        draft.put(right, y, heads[2], align="right")
        y += size * 1.3
    code = rng.choice(("SR", "S", "SR @", "GST")) if m.language == "ms" else rng.choice("AB12")
    shapes = (
        f"{code} {sums.rate}%",
        f"{code} = {sums.rate}%",
        f"{sums.rate}%",
        f"{code} ({sums.rate}%)",
        f"{code}={sums.rate}%",
        f"{code} {sums.rate}",
    )
    rows = [(rng.choice(shapes), sums.net, sums.tax)]
    if rng.random() < 0.35:
        zero = rng.choice(("ZR 0%", "Z = 0%", "ZRL=0%", "E 0%")) if m.language == "ms" else f"{rng.choice('BC')} 0%"
        rows.append((zero, 0, 0))
    if rng.random() < 0.2:
        rows.append((rng.choice(("Total", "TOTAL :", "Total:")), sums.net, sums.tax))
    for label, net, tax in rows:
        draft.put(left, y, label)
        draft.put(middle, y, m.number(net), ("net_total",) if net == sums.net else (), align="right")
        draft.put(right, y, m.number(tax), ("tax_total",) if tax == sums.tax else (), align="right")
        y += size * 1.3
    return y


def _card(draft: Draft, left: float, right: float, y: float, gross: int) -> float:
    """The slip of a card payment below the receipt."""
    rng, m, size = draft.rng, draft.manner, draft.size
    lines = [
        rng.choice(("Card No. ************", "VISA XXXX XXXX XXXX ", "Karten-Nr. ########## ", "PAN ..."))
        + f"{rng.randint(1000, 9999)}",
        f"{rng.choice(('Approval Code', 'AID', 'Genehmigungs-Nr.', 'Auth', 'Trace No.'))} {identifier(rng)}",
    ]
    y = draft.block(lines, left, y)
    draft.put(left, y, rng.choice(("Amount", "Betrag", "Sale", "Montant", "AMOUNT:")))
    draft.put(right, y, m.money(gross), align="right")
    return y + size * 1.3
