"""Till receipts: a narrow strip, the shop on top, items, totals, cash and thanks."""

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import pair, some, stranger
from pipkie_cli.synth.prose import fill, wrap
from pipkie_cli.synth.tables import phrases
from pipkie_cli.synth.values import digits, registration

_HEAD = ("invoice_number", "cashier", "payment_method", "customer_number", "contact_person", "order_number")


def write_receipt(draft: Draft) -> None:
    """Write a receipt from top to bottom; the page grows to its end."""
    rng, size = draft.rng, draft.size
    left, right = draft.width * rng.uniform(0.03, 0.08), draft.width * rng.uniform(0.9, 0.97)
    y = size * rng.uniform(1, 4)
    if rng.random() < 0.12:  # a word written or printed above the shop: its logo, or a scanner's name
        draft.put(draft.width / 2, y, rng.choice(draft.manner.pool.names), align="center", size=size * 1.5)
        y += size * 2.2
    y = _shop(draft, left, y)
    y = _meta(draft, left, right, y + size * rng.uniform(0.2, 1.5))
    y, cents = _items(draft, left, right, y + size * rng.uniform(0.2, 1))
    y = _totals(draft, left, right, y + size * 0.4, cents)
    for _ in range(rng.choice((0, 1, 2, 3, 4))):
        section = "sentence" if rng.random() < 0.2 else "closing"
        text = fill(draft, rng.choice(phrases(section, draft.manner.language)))
        y = draft.block(wrap(draft, text, right - left), draft.width / 2, y + size * 0.2, align="center")
    draft.height = y + size * rng.uniform(1, 6)


def _shop(draft: Draft, left: float, y: float) -> float:
    rng, m, size = draft.rng, draft.manner, draft.size
    align = rng.choice(("center", "center", "center", "left"))
    x = draft.width / 2 if align == "center" else left
    if rng.random() < 0.97:
        scale = rng.choice((1, 1, 1, 1.3, 1.6))
        company = rng.choice(m.pool.companies)
        room = draft.width * 0.92
        y = draft.block(
            wrap(draft, company, room, size * scale), x, y, ("seller_name",), size=size * scale, align=align
        )
    if rng.random() < (0.6 if m.language == "ms" else 0.1):
        number = registration(rng, m.locale)
        shape = rng.choice(
            ("({})", "({})", "{}", "(CO.REG : {})", "CO. REG NO: {}", "REG NO: {}", "(CO NO. {})", "(COMPANY REG: {})")
        )
        before, _, after = shape.partition("{}")
        if before.endswith(" "):
            _centered(draft, [(before, ()), (number + after, ("registration_number",))], x, y, align)
        else:
            draft.put(x, y, shape.format(number), ("registration_number",), align=align)
        y += size * 1.22
    if rng.random() < 0.92:
        lines = list(rng.choice(m.pool.addresses))
        if rng.random() < 0.12:
            lines = wrap(draft, " ".join(lines), draft.width * 0.9)
        y = draft.block(
            [part for line in lines for part in wrap(draft, line, draft.width * 0.94)],
            x,
            y,
            ("seller_address",),
            align=align,
        )
    for name in some(rng, ["seller_phone", "seller_fax", "seller_vat_id", "seller_email", "seller_website"], 0, 3):
        colon = rng.choice((": ", ":", " ", " : ", ". "))
        label = draft.label(name)
        if colon == ":":
            draft.put(x, y, f"{label}:{draft.value(name)}", (name,), align=align)
        else:
            _centered(draft, [(label + colon.rstrip(), ()), (draft.value(name), (name,))], x, y, align)
        y += size * 1.22
    if rng.random() < 0.6:
        draft.put(
            draft.width / 2,
            y + size * 0.3,
            rng.choice(phrases("title_receipt", m.language)),
            align="center",
            size=size * rng.choice((1, 1, 1.3)),
        )
        y += size * 1.8
    return y


def _centered(draft: Draft, parts: list[tuple[str, tuple[str, ...]]], x: float, y: float, align: str) -> None:
    width = draft.text_width(" ".join(text.strip() for text, _ in parts))
    draft.sentence(x - width / 2 if align == "center" else x, y, parts)


def _meta(draft: Draft, left: float, right: float, y: float) -> float:
    """Number, date with or without time, cashier, table, terminal; in one or two columns."""
    rng, m, size = draft.rng, draft.manner, draft.size
    names = some(rng, list(_HEAD), 0, 4)
    if rng.random() < 0.2:
        names.append(stranger(draft))
    rng.shuffle(names)
    draft.facts["issue_date"] = m.date(draft.day)
    clock = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}{rng.choice(('', f':{rng.randint(0, 59):02}'))}"
    if rng.random() < 0.25:
        clock = f"{rng.randint(1, 12)}:{rng.randint(0, 59):02}{rng.choice((':07', ''))} {rng.choice(('AM', 'PM'))}"
    with_date = rng.random() < 0.97
    date_at = rng.choice(("top", "bottom", "end")) if with_date else "none"
    style = rng.choice(("inline", "inline", "column", "glued"))
    value_x = left + (right - left) * rng.uniform(0.28, 0.45)
    if date_at == "top":
        y = _date(draft, left, right, value_x, style, y, clock)
    i = 0
    while i < len(names):
        if rng.random() < 0.2 and i + 1 < len(names):  # two on one line
            pair(draft, names[i], left, y, "inline", value_x)
            y = pair(draft, names[i + 1], left + (right - left) * 0.55, y, "inline", value_x)
            i += 2
        else:
            y = pair(draft, names[i], left, y, style, value_x)
            i += 1
    if date_at == "bottom":
        y = _date(draft, left, right, value_x, style, y, clock)
    if date_at == "end":
        draft.facts["_clock"] = clock
    if rng.random() < 0.3:
        extra = rng.choice(
            ("Table: {}", "POS: {}", "Till {}", "#{}", "Terminal {}", "Counter {}", "Pax: {}", "Shift {}")
        )
        draft.put(left, y, extra.format(digits(rng, rng.randint(1, 4))))
        y += size * 1.3
    return y


def _date(draft: Draft, left: float, right: float, value_x: float, style: str, y: float, clock: str) -> float:
    rng, size = draft.rng, draft.size
    date = draft.facts["issue_date"]
    shape = rng.random()
    blank = draft.text_width(" ")
    if shape < 0.3:  # no label; time beside, or far right
        width = draft.put(left, y, date, ("issue_date",))
        if rng.random() < 0.75:
            draft.put(left + width + blank if rng.random() < 0.6 else right - draft.text_width(clock), y, clock)
    elif shape < 0.4:  # date and time are one word, as some tills print them
        draft.facts["issue_date"] = f"{date}{rng.choice(('-', 'T', ','))}{clock.split(' ')[0]}"
        pair(draft, "issue_date", left, y, style, value_x)
    else:
        pair(draft, "issue_date", left, y, style, value_x)
        end = max(ink.x + draft.text_width(ink.text) for ink in draft.inks if ink.y == y)
        if rng.random() < 0.35:
            draft.put(end + blank, y, clock)
        elif rng.random() < 0.3:
            draft.put(
                max(end + 2 * blank, (left + right) / 2),
                y,
                f"{rng.choice(('Time', 'TIME', 'Zeit', 'Heure', 'Hora'))}: {clock}",
            )
    return y + size * 1.4


def _items(draft: Draft, left: float, right: float, y: float) -> tuple[float, int]:
    """Item lines in one of several shapes; returns the next y and the sum in cents."""
    rng, m, size = draft.rng, draft.manner, draft.size
    shape = rng.choice(("one", "one", "two", "two", "columns"))
    width, total = right - left, 0
    bare = rng.random() < 0.85
    tail = rng.choice(("", "", " SR", " A", " S", "*", " B")) if m.language != "en" or rng.random() < 0.3 else ""
    if rng.random() < 0.5:
        draft.put(left, y, rng.choice(phrases("head_item", m.language)))
        if shape == "columns":
            draft.put(left + width * 0.58, y, rng.choice(phrases("head_quantity", m.language)), align="right")
            draft.put(left + width * 0.78, y, rng.choice(phrases("head_price", m.language)), align="right")
        draft.put(right, y, rng.choice(phrases("head_amount", m.language)), align="right")
        y += size * 1.4
    for _ in range(rng.choice((1, 1, 2, 3, 4, 5, 7, 10, 14, 20))):
        quantity = rng.choice((1, 1, 1, 2, 3, rng.randint(1, 12)))
        price = int(10 ** rng.uniform(1.8, 4))
        total += quantity * price
        text, code = rng.choice(phrases("product", m.language)), digits(rng, rng.choice((4, 6, 7, 13)))
        if shape == "two":
            draft.put(left, y, f"{code} {text}" if rng.random() < 0.3 else text)
            y += size * 1.25
            if rng.random() < 0.3:
                draft.put(left, y, code)
            draft.put(
                left + width * 0.3,
                y,
                rng.choice(
                    (
                        f"{quantity} x {m.number(price)}",
                        f"{quantity} @ {m.number(price)}",
                        f"{quantity} X {m.money(price)}",
                        f"{quantity}.00 {m.number(price)}",
                    )
                ),
            )
        elif shape == "columns":
            draft.put(left, y, _cut(draft, text, width * 0.45))
            draft.put(left + width * 0.58, y, str(quantity), align="right")
            draft.put(left + width * 0.78, y, m.number(price), align="right")
        else:
            draft.put(
                left,
                y,
                f"{quantity} {_cut(draft, text, width * 0.6)}"
                if rng.random() < 0.5
                else _cut(draft, text, width * 0.65),
            )
        draft.put(right, y, m.money(quantity * price, bare) + tail, align="right")
        y += size * rng.choice((1.25, 1.3, 1.5))
    if rng.random() < 0.3:
        draft.put(left, y, rng.choice(("-", "=", "*")) * rng.randint(8, 30))
        y += size * 1.2
    return y, total


def _totals(draft: Draft, left: float, right: float, y: float, items: int) -> float:
    """Subtotal, tax, rounding, total, cash and change, the tax summary; sums are consistent."""
    rng, m, size = draft.rng, draft.manner, draft.size
    rate = rng.choice((6, 6, 0) if m.language == "ms" else (7, 19, 20, 21, 10, 5))
    inclusive = rng.random() < 0.7
    tax = round(items * rate / (100 + rate)) if inclusive else round(items * rate / 100)
    gross = items if inclusive else items + tax
    net = gross - tax
    rows: list[tuple[str, int | str, tuple[str, ...]]] = []
    paid_by = ""  # a label that says how it was paid
    if rng.random() < 0.25:
        rows.append(
            (rng.choice(("Total Qty", "Items", "Item Count", "TOTAL QTY", "No. of items")), str(rng.randint(1, 30)), ())
        )
    if rng.random() < 0.1:
        rows.append((draft.label("discount"), rng.choice((0, gross // 20)), ("discount",)))
    if rng.random() < 0.45:
        rows.append(
            (draft.label("net_total"), items if inclusive else net, ("net_total",) if not inclusive or not tax else ())
        )
    if rng.random() < 0.45:
        label = (
            rng.choice(phrases("vat_of", m.language)).format(rate=rate, net=m.number(net))
            if rng.random() < 0.5
            else draft.label("tax_total")
        )
        rows.append((label, tax, ("tax_total",)))
    if m.language == "ms" and rng.random() < 0.5:
        final = (gross + 2) // 5 * 5
        if rng.random() < 0.6:
            rows.append((draft.label("grand_total"), gross, ("grand_total",) if final == gross else ()))
        rows.append((draft.label("rounding"), final - gross, ("rounding",)))
        gross = final
        label = rng.choice(
            (
                "ROUNDED TOTAL",
                "Total Rounded",
                "TOTAL AFTER ROUNDING",
                "Rounded Total (RM)",
                "NETT TOTAL",
                draft.label("grand_total"),
            )
        )
    else:
        label = draft.label("grand_total")
    rows.append((label, gross, ("grand_total",)))
    if rng.random() < 0.5:
        given = rng.choice((gross, -(-gross // 1000) * 1000, -(-gross // 5000) * 5000))
        paid_by = draft.label("cash")
        rows.append((paid_by, given, ("cash",)))
        if given != gross or rng.random() < 0.7:
            rows.append((draft.label("change"), given - gross, ("change",)))
    elif rng.random() < 0.4:
        paid_by = draft.value("payment_method")
        rows.append((paid_by, gross, ("grand_total",)))
    big = rng.choice((1, 1, 1, 1.3))
    style = rng.choice(("right", "right", "right", "inline", "column"))
    colon = rng.choice(("", "", ":", " :"))
    lead = left if rng.random() < 0.6 else left + (right - left) * rng.uniform(0.1, 0.4)
    bare = rng.random() < 0.6
    column = left + (right - left) * rng.uniform(0.55, 0.7)
    for label, amount, names in rows:
        scale = big if "grand_total" in names else 1
        width = draft.put(lead, y, label, ("payment_method",) if label == paid_by else (), size=size * scale)
        width += draft.put(lead + width, y, colon, size=size * scale)
        text = amount if isinstance(amount, str) else m.money(amount, bare)
        end = lead + width + size * 0.5
        if style == "right" and end + draft.text_width(text, size * scale) < right:
            draft.put(right, y, text, names, align="right", size=size * scale)
        else:
            draft.put(max(end, column) if style == "column" else end, y, text, names, size=size * scale)
        y += size * 1.35 * scale
    if rng.random() < (0.55 if m.language == "ms" else 0.3):
        y = _summary(draft, left, right, y + size * 0.5, rate, net, tax)
    if "_clock" in draft.facts:
        y = _date(draft, left, right, left + (right - left) * 0.4, "inline", y, draft.facts.pop("_clock"))
    return y


def _summary(draft: Draft, left: float, right: float, y: float, rate: int, net: int, tax: int) -> float:
    """The small table of tax rates with base and tax."""
    rng, m, size = draft.rng, draft.manner, draft.size
    heads = {
        "ms": ("GST Summary", "Amount(RM)", "Tax(RM)"), "de": ("MwSt", "Netto", "Steuer"), "fr": ("TVA", "HT", "Montant"), "es": ("IVA", "Base", "Cuota"),
        "it": ("IVA", "Imponibile", "Imposta"), "nl": ("BTW", "Over", "Bedrag"), "pt": ("IVA", "Base", "Valor"), "pl": ("PTU", "Netto", "Kwota"),
    }.get(m.language, ("Tax", "Net", "Amount"))  # fmt: skip
    middle = left + (right - left) * 0.6
    draft.put(left, y, heads[0])
    draft.put(middle, y, heads[1], align="right")
    draft.put(right, y, heads[2], align="right")
    y += size * 1.3
    code = rng.choice(("SR", "S", "SR @")) if m.language == "ms" else rng.choice("AB12")
    draft.put(left, y, rng.choice((f"{code} {rate}%", f"{code} = {rate}%", f"{rate}%", f"{code} ({rate}%)")))
    draft.put(middle, y, m.number(net), ("net_total",), align="right")
    draft.put(right, y, m.number(tax), ("tax_total",), align="right")
    return y + size * 1.4


def _cut(draft: Draft, text: str, room: float) -> str:
    while len(text) > 4 and draft.text_width(text) > room:
        text = text[:-1]
    return text.strip()
