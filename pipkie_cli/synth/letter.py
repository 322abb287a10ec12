"""Business letters: invoices, credit notes, orders and delivery notes on one or several A4 or letter pages."""

import datetime

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.line_items import write_line_items
from pipkie_cli.synth.pairs import pairs, some, stranger
from pipkie_cli.synth.parties import footer, name_parties, number_line, receiver, seller_head, sender_line
from pipkie_cli.synth.prose import fill, paragraph, tagged
from pipkie_cli.synth.tables import fields_of, phrases
from pipkie_cli.synth.totals import write_totals

_TITLES = {"order": "title_order", "delivery": "title_delivery", "credit": "title_credit"}
_ELSEWHERE = frozenset((  # fields that stand in totals, letterhead or footer, or are drawn with a chance of their own
    "net_total", "tax_total", "grand_total", "amount_due", "amount_paid", "discount", "shipping_cost",
    "seller_vat_id", "tax_number",
    "registration_number", "iban", "bic", "bank_name", "seller_phone", "seller_fax", "seller_email",
    "seller_website", "invoice_number",
    "issue_date", "due_date", "currency", "buyer_vat_id",
))  # fmt: skip
_USUAL = (
    ("invoice_number", 0.95),
    ("issue_date", 0.93),
    ("due_date", 0.4),
    ("period", 0.08),
    ("currency", 0.08),
    ("delivery_date", 0.2),
    ("order_date", 0.12),
)


def write_letter(draft: Draft, area: str, page: int, page_count: int) -> None:
    """Write page `page` (from 0) of a letter; totals stand on the last page, parties on the first."""
    rng, size = draft.rng, draft.size
    left, right = draft.width * rng.uniform(0.06, 0.12), draft.width * rng.uniform(0.88, 0.95)
    y = draft.height * rng.uniform(0.03, 0.07)
    first, last = page == 0, page == page_count - 1
    name_parties(draft)
    draft.facts["issue_date"] = draft.manner.date(draft.day)
    before = {"delivery_date": (-12, 4), "order_date": (-70, -1), "print_date": (0, 9)}  # days from its own date
    for name, days in before.items():
        draft.facts[name] = draft.manner.date(draft.day + datetime.timedelta(days=rng.randint(*days)))
    draft.facts["due_date"] = draft.manner.date(
        draft.day + datetime.timedelta(days=rng.choice((7, 10, 14, 21, 30, 30, 45, 60)))
    )
    if rng.random() < (0.8 if page_count > 1 else 0.15):
        text = rng.choice(phrases("page_of", draft.manner.language)).format(n=page + 1, k=page_count)
        draft.put(right, draft.height * rng.choice((0.025, 0.965)), text, align="right", size=size * 0.9)
    y = _first_head(draft, area, left, right, y) if first else _next_head(draft, left, right, y)
    sign = -1 if area == "credit" and rng.random() < 0.4 else 1
    y, cents = write_line_items(draft, left, right, y + size * rng.uniform(0.5, 2), first, last, sign)
    if last and (area != "delivery" or rng.random() < 0.2):
        y = write_totals(draft, left, right, y + size * rng.uniform(0.3, 1.5), cents)
    if last:
        y = _closing(draft, left, right, y + size)
    if rng.random() < (0.7 if first else 0.35) or _only_logo(draft):
        footer(draft, left, right, max(y + size, draft.height * rng.uniform(0.87, 0.92)))


def _only_logo(draft: Draft) -> bool:
    """Whether the page shows a logo, but the seller's name nowhere yet."""
    return draft.brand and not any("seller_name" in ink.names for ink in draft.inks)


def _next_head(draft: Draft, left: float, right: float, y: float) -> float:
    """What a following page repeats: little or nothing."""
    rng = draft.rng
    if rng.random() < 0.25:
        y = draft.block([draft.value("seller_name")], left, y, ("seller_name",))
    names = some(rng, ["invoice_number", "issue_date", "customer_number"], 1, 2) if rng.random() < 0.6 else []
    return pairs(draft, names, left, y + draft.size, right)


def _first_head(draft: Draft, area: str, left: float, right: float, y: float) -> float:
    rng, size = draft.rng, draft.size
    middle = left + (right - left) * rng.uniform(0.5, 0.62)
    y, named = seller_head(draft, left, right, y)
    y += size * rng.uniform(1, 4)
    info = _info(draft, area)
    title = rng.choice(phrases(_TITLES.get(area, "title_invoice"), draft.manner.language))
    in_title = "invoice_number" in info and rng.random() < 0.3
    if in_title:
        info.remove("invoice_number")
    early = rng.random() < 0.15  # the title above everything
    if early:
        y = _title(draft, left, y, title, in_title) + size
    y_parties, beside = _parties(draft, left, middle, y, named)
    if rng.random() < 0.5:
        y = max(y_parties, pairs(draft, info, middle, y if beside else y_parties + size, right)) + size * rng.uniform(
            0.8, 2
        )
        y = y if early else _title(draft, left, y, title, in_title)
    else:
        y = y_parties + size * rng.uniform(1, 2.5)
        y = y if early else _title(draft, left, y, title, in_title) + size * 0.5
        if rng.random() < 0.22:  # labels in one row, their values in the next
            y = header_rows(draft, info, left, right, y)
        elif rng.random() < 0.35:  # all in one column, in a row of cells or in pairs
            y = pairs(draft, info, left, y, right if rng.random() < 0.5 else middle)
        else:
            cut = rng.randint(0, len(info))
            y = max(pairs(draft, info[:cut], left, y, middle - size), pairs(draft, info[cut:], middle, y, right))
    if rng.random() < 0.25:
        y = draft.block([rng.choice(phrases("greeting", draft.manner.language))], left, y + size * 0.8)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        y = tagged(draft, rng.choice(phrases("tagged", draft.manner.language)), left, y + size * 0.3)
    return y


def _info(draft: Draft, area: str) -> list[str]:
    """The fields of the information block."""
    rng = draft.rng
    free = [field.name for field in fields_of(area) if field.name not in _ELSEWHERE]
    info = some(rng, free, 0, rng.choice((3, 5, 9)))
    info += [name for name, chance in _USUAL if rng.random() < chance]
    if rng.random() < 0.3 and "order_number" not in info:
        info.append("order_number")
    if rng.random() < 0.25:  # other numbers beside the buyer's: of the confirmation, of the contract
        info += [
            "seller_order_number",
            *some(rng, ["contract_number", "delivery_note_number", "customer_number"], 0, 2),
        ]
    info = list(dict.fromkeys(info))
    info += [stranger(draft) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
    if rng.random() < 0.08 and {"invoice_number", "issue_date"} <= set(info):
        info = [name for name in info if name not in ("invoice_number", "issue_date")] + ["number_date"]
    rng.shuffle(info)
    return info


def _title(draft: Draft, x: float, y: float, title: str, with_number: bool) -> float:
    """The kind of document, at times with its number and date behind it; returns the next y."""
    rng, big = draft.rng, draft.size * draft.rng.choice((1, 1.2, 1.5, 1.9))
    parts: list[tuple[str, tuple[str, ...]]] = [(title, ())]
    if with_number:
        parts += [
            (rng.choice(("", "Nr.", "#", "N°", "No.", ":")), ()),
            (draft.value("invoice_number"), ("invoice_number",)),
        ]
        if rng.random() < 0.4:
            parts += [
                (rng.choice(phrases("of_date", draft.manner.language)), ()),
                (draft.facts["issue_date"], ("issue_date",)),
            ]
    draft.line(parts, x, y, size=big)
    return y + big * 1.4


def _parties(draft: Draft, left: float, middle: float, y: float, named: bool) -> tuple[float, bool]:
    """The receiver, and beside or below it where the goods go to; at times the seller as a party of its own.

    Returns the next y and whether the place from `middle` on is still free.
    """
    rng, size = draft.rng, draft.size
    if rng.random() < 0.08:
        return y, True
    x, other = (left, middle) if rng.random() < 0.85 else (middle, left)
    if not named and rng.random() < 0.6:  # seller and buyer as two labelled blocks
        label = draft.label(rng.choice(("seller_name", "seller_strict"))) + rng.choice((":", ""))
        top = draft.block([label, *number_line(draft)], other, y)
        top = draft.block([draft.value("seller_name")], other, top, ("seller_name",))
        top = draft.block(draft.address("seller_address"), other, top, ("seller_address",))
        return max(top, receiver(draft, x, y, "buyer", 1.0)) + size, False
    start = y
    if rng.random() < (0.4 if draft.manner.language == "de" else 0.1) or not named:
        start = sender_line(draft, x, y)
    bottom = receiver(draft, x, start, "buyer", 0.6)
    if rng.random() > 0.18:
        return bottom, x == left
    if rng.random() < 0.25:
        return receiver(draft, x, bottom + size, "ship_to", 1.0) + size, x == left
    return max(bottom, receiver(draft, other, y, "ship_to", 1.0)) + size, False


def _closing(draft: Draft, left: float, right: float, y: float) -> float:
    """Sentences below the totals, some with a due date, some with dates and amounts that nobody asks for."""
    rng, m, size = draft.rng, draft.manner, draft.size
    if rng.random() < 0.4:
        y = tagged(draft, rng.choice(phrases("due_tagged", m.language)), left, y, fit=right - left)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        section = "sentence" if rng.random() < 0.4 else "closing"
        y = draft.block([fill(draft, rng.choice(phrases(section, m.language)))], left, y, size=size * 0.95)
    if rng.random() < 0.2:  # bank account as text, not in the footer
        y = pairs(
            draft, some(rng, ["iban", "bic", "bank_name"], 1, 3), left, y + size * 0.5, left + (right - left) * 0.6
        )
    if rng.random() < 0.25:  # terms and conditions
        for _ in range(rng.choice((1, 2, 4, 8))):
            y = paragraph(draft, left, right, y + size * 0.4)
    if rng.random() < 0.15:
        y = draft.block([rng.choice(m.pool.names)], left, y + size * 2)
        if rng.random() < 0.5:
            y = draft.block([draft.value("seller_name")], left, y, ("seller_name",))
    return y
