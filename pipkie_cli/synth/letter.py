"""Business letters: invoices, credit notes, orders and delivery notes on one or several A4 or letter pages."""

import datetime

from pipkie_cli.synth.codes import digits
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import pair, pairs, some, stranger
from pipkie_cli.synth.prose import fill, paragraph
from pipkie_cli.synth.tables import fields_of, phrases

_PARTY = ("seller_name", "seller_address", "buyer_name", "buyer_address")
_AMOUNTS = ("net_total", "tax_total", "grand_total", "amount_due", "amount_paid", "discount", "shipping_cost")
_FOOT = (
    "seller_vat_id",
    "tax_number",
    "registration_number",
    "iban",
    "bic",
    "bank_name",
    "seller_phone",
    "seller_fax",
    "seller_email",
    "seller_website",
)


def write_letter(draft: Draft, area: str, page: int, page_count: int) -> None:
    """Write page `page` (from 0) of a letter; totals stand on the last page, parties on the first."""
    rng = draft.rng
    left, right = draft.width * rng.uniform(0.06, 0.12), draft.width * rng.uniform(0.88, 0.95)
    y = draft.height * rng.uniform(0.03, 0.07)
    first, last = page == 0, page == page_count - 1
    if page_count > 1 and rng.random() < 0.8:
        text = rng.choice(phrases("page_of", draft.manner.language)).format(n=page + 1, k=page_count)
        draft.put(right, draft.height * rng.choice((0.025, 0.965)), text, align="right", size=draft.size * 0.9)
    if first:
        y = _head(draft, area, left, right, y)
    elif rng.random() < 0.7:
        y = pairs(
            draft, some(rng, ["invoice_number", "issue_date", "customer_number"], 1, 2), left, y + draft.size, right
        )
    y = _table(draft, left, right, y + draft.size, first, last)
    if last:
        y = _totals(draft, left, right, y + draft.size * 0.5)
        y = _closing(draft, left, right, y + draft.size)
    if (first and rng.random() < 0.75) or (last and rng.random() < 0.3):
        _footer(draft, left, right, max(y + draft.size, draft.height * rng.uniform(0.87, 0.92)))


def _head(draft: Draft, area: str, left: float, right: float, y: float) -> float:
    rng, m, size = draft.rng, draft.manner, draft.size
    middle = left + (right - left) * rng.uniform(0.5, 0.62)
    seller, address = rng.choice(m.pool.companies), list(rng.choice(m.pool.addresses))
    draft.facts["seller_name"] = seller
    side = rng.choice(("left", "right", "center", "none"))
    if side != "none":
        x = {"left": left, "right": right, "center": (left + right) / 2}[side]
        big = size * rng.choice((1, 1.2, 1.6, 2.2))
        y = draft.block([seller], x, y, ("seller_name",), size=big, align=side) + 2
        if rng.random() < 0.7:
            lines = [", ".join(address)] if rng.random() < 0.3 else address
            y = draft.block(lines, x, y, ("seller_address",), align=side)
            for name in some(
                rng,
                [
                    "seller_phone",
                    "seller_fax",
                    "seller_email",
                    "seller_website",
                    "seller_vat_id",
                    "registration_number",
                ],
                0,
                4,
            ):
                if side == "left":
                    y = pair(draft, name, left, y, "inline", 0)
                else:
                    y = (
                        draft.block([f"{draft.label(name)} {draft.value(name)}"], x, y, (name,), align=side)
                        if name in ("seller_email", "seller_website")
                        else y
                    )
    y += size * rng.uniform(1, 4)
    names = [f.name for f in fields_of(area) if f.name not in _AMOUNTS and f.name not in _FOOT]
    info = some(rng, [n for n in names if n not in ("invoice_number", "issue_date", "due_date", "currency")], 0, 5)
    info += [
        n
        for n, p in (
            ("invoice_number", 0.95),
            ("issue_date", 0.93),
            ("due_date", 0.4),
            ("period_from", 0.08),
            ("currency", 0.1),
        )
        if rng.random() < p
    ]
    if "period_from" in info:
        info.append("period_to")
    rng.shuffle(info)
    draft.facts["issue_date"] = m.date(draft.day)
    draft.facts["due_date"] = m.date(draft.day + datetime.timedelta(days=rng.choice((7, 10, 14, 21, 30, 30, 45, 60))))
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        info.append(stranger(draft))
    y_buyer = y
    if rng.random() < 0.9:
        y_buyer = _buyer(draft, left if rng.random() < 0.75 else middle, y, seller, address, side)
    title = rng.choice(
        phrases(
            {"order": "title_order", "delivery": "title_delivery", "credit": "title_credit"}.get(area, "title_invoice"),
            m.language,
        )
    )
    place = rng.random()
    number_in_title = "invoice_number" in info and rng.random() < 0.25
    if number_in_title:
        info.remove("invoice_number")
    if place < 0.45:
        y_info = pairs(draft, info, middle, y, right)
        y = max(y_buyer, y_info) + size * 1.5
        _title(draft, left, y, title, number_in_title)
        return y + size * 2.5
    y = y_buyer + size * rng.uniform(1, 2.5)
    _title(draft, left, y, title, number_in_title)
    cut = rng.randint(0, len(info))
    y_left = pairs(draft, info[:cut], left, y + size * 2.5, middle - size)
    return max(y_left, pairs(draft, info[cut:], middle, y + size * 2.5, right)) + size


def _title(draft: Draft, x: float, y: float, title: str, with_number: bool) -> None:
    rng, big = draft.rng, draft.size * draft.rng.choice((1, 1.3, 1.8))
    if not with_number:
        draft.put(x, y, title, size=big)
        return
    bridge = rng.choice(("", "Nr.", "#", "N°", "No."))
    x = draft.sentence(x, y, [(title, ()), (bridge, ()), (draft.value("invoice_number"), ("invoice_number",))], big)
    if rng.random() < 0.3:
        words = {"de": "vom", "fr": "du", "it": "del", "es": "de", "nl": "van", "pl": "z dnia", "pt": "de"}
        draft.sentence(
            x, y, [(words.get(draft.manner.language, "of"), ()), (draft.facts["issue_date"], ("issue_date",))], big
        )


def _buyer(draft: Draft, x: float, y: float, seller: str, address: list[str], side: str) -> float:
    rng, m, size = draft.rng, draft.manner, draft.size
    if rng.random() < (0.35 if m.language == "de" else 0.1) or side == "none":  # small sender line above the receiver
        glue = rng.choice((" · ", ", ", " - ", " | ", " ● "))
        small = size * 0.7
        parts: list[tuple[str, tuple[str, ...]]] = [
            (seller, ("seller_name",)),
            (glue.strip(), ()),
            (glue.join(address), ("seller_address",)),
        ]
        draft.sentence(x, y, parts, small)
        y += size * 1.6
    if rng.random() < 0.6:
        y = draft.block([draft.label("buyer_name") + rng.choice(("", ":"))], x, y)
    name = rng.choice(m.pool.companies) if rng.random() < 0.65 else rng.choice(m.pool.names)
    y = draft.block([name], x, y, ("buyer_name",))
    if rng.random() < 0.2:
        y = draft.block([rng.choice(m.pool.names)], x, y)
    lines = list(rng.choice(m.pool.addresses))
    if rng.random() < 0.3:
        lines.append(rng.choice(m.pool.countries))
    y = draft.block(lines, x, y, ("buyer_address",))
    if rng.random() < 0.15:
        y = pair(draft, "buyer_vat_id", x, y, "inline", 0)
    if rng.random() < 0.2:  # a second party beside or below
        other = draft.width * 0.55 if x < draft.width * 0.3 else draft.width * 0.08
        top = y - size * 1.22 * (len(lines) + 2)
        draft.put(other, top, draft.label("ship_to_name"))
        draft.block([rng.choice(m.pool.companies)], other, top + size * 1.3, ("ship_to_name",))
        draft.block(rng.choice(m.pool.addresses), other, top + size * 2.6, ("ship_to_address",))
    return y


def _table(draft: Draft, left: float, right: float, y: float, first: bool, last: bool) -> float:
    """Line items; their sum is kept for the totals."""
    rng, m, size = draft.rng, draft.manner, draft.size
    n = rng.choice((0, 1, 1, 2, 3, 4, 6, 9, 13, 18)) if last else rng.choice((6, 10, 14, 20))
    width = right - left
    columns = [
        ("head_item", 0.1, "left"),
        ("head_quantity", 0.55, "right"),
        ("head_price", 0.72, "right"),
        ("head_amount", 1.0, "right"),
    ]
    if rng.random() < 0.5:
        columns.insert(0, ("head_position", 0.0, "left"))
    if rng.random() < 0.3:
        columns.insert(-1, ("head_rate", 0.84, "right"))
    if rng.random() < 0.3:
        columns = [(c, 0.28 if c == "head_item" else at, a) for c, at, a in columns]
        columns.insert(1, ("head_code", 0.1, "left"))
    if n and rng.random() < 0.92:
        for section, at, align in columns:
            draft.put(left + width * at, y, rng.choice(phrases(section, m.language)), align=align)
        y += size * 1.7
    rate = f"{rng.choice((5, 6, 7, 19, 20, 21, 22, 23))}{rng.choice(('%', ' %', ',00'))}"
    code_digits, bare, total = rng.randint(3, 7), rng.random() < 0.6, 0
    if not first and rng.random() < 0.6:
        draft.put(left, y, rng.choice(phrases("continued", m.language)))
        draft.put(right, y, m.money(rng.randint(1000, 900000), bare), align="right")
        y += size * 1.6
    for i in range(n):
        quantity = rng.choice((1, 1, 2, 5, 10, rng.randint(1, 60)))
        price = int(10 ** rng.uniform(2, 5))
        total += quantity * price
        unit = rng.choice(("", f" {rng.choice(phrases('unit', m.language))}"))
        cells = {
            "head_position": str(i + 1), "head_item": rng.choice(phrases("product", m.language)),
            "head_code": digits(rng, code_digits),
            "head_quantity": f"{quantity}{unit}",
            "head_price": m.money(price, bare), "head_rate": rate, "head_amount": m.money(quantity * price, bare),
        }  # fmt: skip
        for section, at, align in columns:
            draft.put(left + width * at, y, cells[section], align=align)
        y += size * 1.3
        if rng.random() < 0.15:
            draft.put(
                left + width * columns[-4][1] if len(columns) > 4 else left,
                y,
                " ".join(m.word() for _ in range(rng.randint(2, 5))),
                size=size * 0.9,
            )
            y += size * 1.3
    if not last and rng.random() < 0.7:
        draft.put(left, y, rng.choice(phrases("continued", m.language)))
        draft.put(right, y, m.money(total or 1, bare), align="right")
        y += size * 1.5
    draft.facts["_lines"] = str(total or rng.randint(500, 900000))
    return y


def _totals(draft: Draft, left: float, right: float, y: float) -> float:
    """The block of totals: consistent sums, one or two VAT rates, at times a deposit and what remains."""
    rng, m, size = draft.rng, draft.manner, draft.size
    net = int(draft.facts.pop("_lines"))
    rows: list[tuple[str, int, tuple[str, ...]]] = []
    if rng.random() < 0.1:
        discount = net // rng.choice((10, 20, 50))
        rows.append((draft.label("discount"), discount, ("discount",)))
        net -= discount
    if rng.random() < 0.12:
        shipping = rng.choice((490, 500, 790, 1000, rng.randint(300, 9000)))
        rows.append((draft.label("shipping_cost"), shipping, ("shipping_cost",)))
        net += shipping
    rate = rng.choice(
        {
            "de": (19, 19, 7),
            "fr": (20, 20, 10),
            "es": (21, 21, 10),
            "it": (22, 22, 10),
            "nl": (21, 21, 9),
            "pt": (23, 23, 6),
            "pl": (23, 23, 8),
        }.get(m.language, (20, 8, 10, 5))
    )
    taxes = [(rate, round(net * rate / 100))]
    taxed = rng.random() < 0.85
    if taxed and rng.random() < 0.15:
        part = net // 3
        taxes = [(rate, round((net - part) * rate / 100)), (rate // 3 or 5, round(part * (rate // 3 or 5) / 100))]
    tax = sum(amount for _, amount in taxes)
    gross = net + tax if taxed else net
    if taxed and rng.random() < 0.9:
        rows.append((draft.label("net_total"), net, ("net_total",)))
    if taxed:
        if len(taxes) == 1:
            text = (
                rng.choice(phrases("vat_of", m.language)).format(rate=rate, net=m.number(net))
                if rng.random() < 0.7
                else draft.label("tax_total")
            )
            rows.append((text, tax, ("tax_total",)))
        else:
            rows += [
                (rng.choice(phrases("vat_of", m.language)).format(rate=r, net=m.number(net)), a, ()) for r, a in taxes
            ]
            if rng.random() < 0.5:
                rows.append((draft.label("tax_total"), tax, ("tax_total",)))
    paid = gross // rng.choice((2, 3, 4)) if rng.random() < 0.1 else 0
    if rng.random() < 0.12 and not paid:
        rows.append((draft.label("amount_due"), gross, ("grand_total", "amount_due")))
    else:
        rows.append((draft.label("grand_total"), gross, ("grand_total",)))
    if paid:
        rows += [
            (draft.label("amount_paid"), paid, ("amount_paid",)),
            (draft.label("amount_due"), gross - paid, ("amount_due",)),
        ]
    elif rng.random() < 0.1:
        rows.append((draft.label("amount_due"), gross, ("amount_due",)))
    style = rng.choice(("right", "right", "right", "grid", "inline"))
    colon = rng.choice(("", ":", ":"))
    if style == "grid" and len(rows) <= 5:
        step = (right - left) / len(rows)
        for i, (label, amount, names) in enumerate(rows):
            draft.put(left + i * step, y, label)
            draft.put(left + i * step, y + size * 1.4, m.money(amount), names)
        return y + size * 3
    x = left + (right - left) * rng.uniform(0.45, 0.65)
    for i, (label, amount, names) in enumerate(rows):
        scale = 1.25 if i == len(rows) - 1 and rng.random() < 0.3 else 1
        width = draft.put(x, y, label + colon, size=size * scale)
        if style == "inline":
            draft.put(x + width + size * 0.4, y, m.money(amount), names, size=size * scale)
        else:
            draft.put(max(right, x + width + size * 7), y, m.money(amount), names, size=size * scale, align="right")
        y += size * 1.4 * scale
    return y


def _closing(draft: Draft, left: float, right: float, y: float) -> float:
    """Sentences below the totals, some with a due date, some with dates and amounts that nobody asks for."""
    rng, m, size = draft.rng, draft.manner, draft.size
    if rng.random() < 0.35:
        text = rng.choice(phrases("due_sentence", m.language))
        before, _, after = text.partition("{due}")
        day = draft.day + datetime.timedelta(days=rng.randint(3, 12))
        before = before.replace("{date}", m.date(day))
        after = after.replace("{date}", m.date(day))
        if after.startswith((".", ",")):
            draft.facts["due_date"], mark = draft.facts.get("due_date", m.date(draft.day)), after[0]
            parts = [(before, ()), (draft.facts["due_date"] + mark, ("due_date",)), (after[1:], ())]
        else:
            parts = [(before, ()), (draft.value("due_date"), ("due_date",)), (after, ())]
        draft.sentence(left, y, parts, size * 0.95)
        y += size * 1.4
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        section = "sentence" if rng.random() < 0.4 else "closing"
        text = rng.choice(phrases(section, m.language))
        y = draft.block([fill(draft, text)], left, y, size=size * 0.95)
    if rng.random() < 0.2:  # terms and conditions
        for _ in range(rng.randint(1, 5)):
            y = paragraph(draft, left, right, y + size * 0.4)
    return y


def _footer(draft: Draft, left: float, right: float, y: float) -> float:
    """Three or four columns of small print: address, bank, register, contact."""
    rng, size = draft.rng, draft.size * 0.78
    n = rng.randint(2, 4)
    step = (right - left) / n
    names = some(rng, list(_FOOT), 2, 8)
    names.sort(key=_FOOT.index)
    body, draft.size = draft.size, size
    for i in range(n):
        top = y
        for name in names[i::n]:
            top = pair(draft, name, left + i * step, top, "inline", 0)
    draft.size = body
    return y
