"""Sheets that programs print: headed sections of labels and values, parties by `Name:` under a heading, ledgers."""

import datetime

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.line_items import write_line_items
from pipkie_cli.synth.pairs import pair, pairs, some, stranger
from pipkie_cli.synth.parties import name_parties, number_line
from pipkie_cli.synth.prose import fill
from pipkie_cli.synth.tables import fields_of, phrases
from pipkie_cli.synth.totals import write_totals
from pipkie_cli.synth.values import random_cents

_AREAS = ("invoice", "invoice", "order", "credit", "delivery")


def write_datasheet(draft: Draft, page: int, page_count: int) -> None:
    """An invoice or order as a viewer shows its data: one section below the other, values in one column."""
    rng, m, size = draft.rng, draft.manner, draft.size
    left, right = draft.width * rng.uniform(0.06, 0.12), draft.width * rng.uniform(0.88, 0.95)
    value_x = left + (right - left) * rng.uniform(0.25, 0.5)
    style = rng.choice(("column", "column", "colons", "inline"))
    y = draft.height * rng.uniform(0.04, 0.1)
    draft.facts["issue_date"] = m.date(draft.day)
    draft.facts["due_date"] = m.date(draft.day + datetime.timedelta(days=rng.choice((10, 14, 30, 30, 60))))
    if page_count > 1:
        text = rng.choice(phrases("page_of", m.language)).format(n=page + 1, k=page_count)
        draft.put(right, draft.height * 0.965, text, align="right", size=size * 0.9)
    area = rng.choice(_AREAS)
    name_parties(draft)
    if page == 0:
        if rng.random() < 0.4:  # what the program says about itself
            lines = [fill(draft, text) for text in some(rng, list(phrases("technical", m.language)), 1, 5)]
            y = draft.block(lines, left, y) + size * 0.5
        y = _opening(draft, area, left, value_x, style, y)
        for kind in ("seller", "buyer", "ship_to")[: rng.choice((2, 2, 3))]:
            y = _party(draft, kind, left, value_x, style, y + size)
        if rng.random() < 0.5:
            y = _section(draft, [stranger(draft) for _ in range(rng.randint(1, 4))], left, value_x, style, y + size)
    if page == page_count - 1:
        y, cents = write_line_items(draft, left, right, y + size * 1.5, page == 0, True, 1)
        y = write_totals(draft, left, right, y + size, cents)
        names = some(rng, ["iban", "bic", "bank_name", "due_date", "payment_terms", "payment_method"], 1, 4)
        _section(draft, names, left, value_x, style, y + size)
    elif page:
        write_line_items(draft, left, right, y + size * 1.5, False, False, 1)


def _opening(draft: Draft, area: str, left: float, value_x: float, style: str, y: float) -> float:
    """Kind of document, number and date in one line or as pairs; then what else is known about it."""
    rng, m, size = draft.rng, draft.manner, draft.size
    titles = {"order": "title_order", "delivery": "title_delivery", "credit": "title_credit"}
    title = rng.choice(phrases(titles.get(area, "title_invoice"), m.language))
    big = size * rng.choice((1, 1.3, 1.6))
    names = ["invoice_number", "issue_date"]
    if rng.random() < 0.5:
        nr, of = rng.choice(("Nr.", "No.", "#", "n°", "")), rng.choice(phrases("of_date", m.language))
        parts: list[tuple[str, tuple[str, ...]]] = [
            (title, ()),
            (nr, ()),
            (draft.value("invoice_number"), ("invoice_number",)),
        ]
        draft.line([*parts, (of, ()), (draft.value("issue_date"), ("issue_date",))], left, y, size=big)
        names = []
    else:
        draft.put(left, y, title, size=big)
    y += big * 1.6
    free = [
        f.name for f in fields_of(area) if f.kind in ("id", "date", "currency", "name", "terms") and f.name not in names
    ]
    names += some(rng, [name for name in free if name not in ("invoice_number", "issue_date", "tax_number")], 1, 5)
    if rng.random() < 0.2:
        names.append("period")
    return _section(draft, names, left, value_x, style, y)


def _section(draft: Draft, names: list[str], left: float, value_x: float, style: str, y: float) -> float:
    for name in dict.fromkeys(names):
        y = pair(draft, name, left, y, style, value_x)
    return y


def _party(draft: Draft, kind: str, left: float, value_x: float, style: str, y: float) -> float:
    """A heading that names the part somebody plays, then name, address and numbers under plain labels."""
    rng, language, size = draft.rng, draft.manner.language, draft.size
    y = (
        draft.block([draft.label(f"{kind}_name") + rng.choice(("", ":"))], left, y, size=size * rng.choice((1, 1.2)))
        + size * 0.3
    )
    colon = rng.choice((":", " :", ""))

    def plain(section: str, lines: list[str], name: str) -> float:
        width = draft.put(left, y, rng.choice(phrases(section, language)) + colon)
        x = max(value_x, left + width + size) if style != "inline" else left + width + size * 0.4
        return draft.block(lines, x, y, (name,) if name else ()) + size * 0.2

    y = draft.block(number_line(draft), left, y)
    if rng.random() < 0.4:
        y = plain(
            "plain_number",
            [draft.value("customer_number")] if kind == "buyer" else [str(rng.randint(1000, 99999999))],
            "customer_number" if kind == "buyer" else "",
        )
    y = plain("plain_name", [draft.value(f"{kind}_name")], f"{kind}_name")
    if kind == "seller" and rng.random() < 0.2:
        y = pair(draft, "contact_person", left, y, style, value_x)
    if style != "inline" and rng.random() < 0.2:  # a person before the street, who is no part of the name
        y = plain("plain_address", [rng.choice(draft.manner.pool.names)], "") - size * 0.2
        y = draft.block(draft.address(f"{kind}_address"), value_x, y, (f"{kind}_address",))
    else:
        y = plain("plain_address", draft.address(f"{kind}_address"), f"{kind}_address")
    if kind == "seller":
        names = some(rng, ["seller_vat_id", "tax_number", "seller_phone", "seller_email", "contact_person"], 1, 4)
        return _section(draft, names, left, value_x, style, y)
    for name in some(rng, ["buyer_vat_id", "buyer_phone", "buyer_email"], 0, 2) if kind == "buyer" else []:
        y = pair(draft, name, left, y, style, value_x, like=name.replace("buyer", "seller"))
    return y


def write_statement(draft: Draft) -> None:
    """A statement of account: holder, period, balances, and a ledger of dated amounts."""
    rng, m, size = draft.rng, draft.manner, draft.size
    left, right = draft.width * rng.uniform(0.06, 0.12), draft.width * rng.uniform(0.88, 0.95)
    y = draft.height * rng.uniform(0.04, 0.08)
    y = draft.block([draft.value("bank_name")], left, y, ("bank_name",), size=size * 1.3)
    y = draft.block(
        [rng.choice(phrases("title_statement", m.language))], left, y + size, size=size * rng.choice((1, 1.4))
    )
    names = some(rng, [f.name for f in fields_of("statement")], 3, 9)
    names += rng.choice(([], ["period"], ["period_from", "period_to"]))
    names = [name for name in names if name not in ("bank_name", "closing_balance", "opening_balance")]
    y = pairs(draft, names, left, y + size, left + (right - left) * rng.uniform(0.5, 1))
    balance = random_cents(rng)
    y = _balance(draft, "opening_balance", balance, left, right, y + size)
    day = draft.day - datetime.timedelta(days=40)
    for _ in range(rng.choice((3, 6, 10, 18, 28, 45))):
        day += datetime.timedelta(days=rng.randint(0, 5))
        cents = rng.choice((-1, -1, 1)) * random_cents(rng)
        balance += cents
        draft.put(left, y, m.date(day))
        draft.put(left + size * 8, y, f"{rng.choice(phrases('product', m.language))[:28]}")
        draft.put(right - size * 9, y, m.money(cents, True), align="right")
        if rng.random() < 0.9:
            draft.put(right, y, m.money(balance, True), align="right")
        y += size * 1.35
    _balance(draft, "closing_balance", balance, left, right, y)


def _balance(draft: Draft, name: str, cents: int, left: float, right: float, y: float) -> float:
    draft.facts[name] = draft.manner.money(cents)
    if draft.rng.random() < 0.85:
        draft.put(left, y, draft.label(name))
        draft.put(right, y, draft.facts[name], (name,), align="right")
        y += draft.size * 1.6
    return y
