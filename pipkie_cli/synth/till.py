"""European till receipts: chain, branch, tax letters, sum and given, card slip, tax table, signature of the till."""

import datetime

from pipkie_cli.synth.codes import digits, identifier, registration, tax_number
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import some
from pipkie_cli.synth.prose import wrap
from pipkie_cli.synth.receipt_items import write_items
from pipkie_cli.synth.tables import phrases
from pipkie_cli.synth.values import clock

_RATES = {"de": (19, 7), "fr": (20, 5), "es": (21, 10), "it": (22, 10), "nl": (21, 9), "pt": (23, 6), "pl": (23, 8)}
_SHORT = ("%d.%m.%y", "%d.%m.%Y", "%d/%m/%y", "%d/%m/%Y", "%d-%m-%Y", "%Y-%m-%d")
_DATED = {
    "de": ("%d.%m.%y", "%d.%m.%Y", "%d.%m.%Y", "%d.%m.%Y", "%Y-%m-%d"),
    "fr": ("%d/%m/%y", "%d/%m/%Y", "%d/%m/%Y", "%d-%m-%Y"), "nl": ("%d-%m-%Y", "%d-%m-%y", "%d/%m/%Y"),
    "es": ("%d/%m/%Y", "%d/%m/%y", "%d-%m-%Y"), "it": ("%d-%m-%Y", "%d/%m/%Y", "%d/%m/%y", "%d-%m-%y"),
    "pt": ("%d-%m-%Y", "%Y-%m-%d", "%d/%m/%Y"), "pl": ("%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y"),
}  # fmt: skip
_TAX_HEADS = {
    "de": ("MwSt", "Netto", "Steuer", "Brutto"), "fr": ("TVA", "HT", "TVA EUR", "TTC"),
    "es": ("IVA", "Base", "Cuota", "Total"), "it": ("IVA", "Imponibile", "Imposta", "Totale"),
    "nl": ("BTW", "Excl", "BTW", "Incl"), "pt": ("IVA", "Base", "Valor", "Total"),
    "pl": ("PTU", "Netto", "PTU", "Brutto"),
}  # fmt: skip
_TILL = (
    "Bon-Nr.",
    "Kasse",
    "Markt",
    "Bed.",
    "POS",
    "Till",
    "Filiale",
    "Beleg",
    "TSE",
    "Trans",
    "Caisse",
    "Op.",
    "Kassa",
)


def write_till(draft: Draft) -> None:
    """Write the receipt from top to bottom; the page ends where it ends."""
    rng, m, size = draft.rng, draft.manner, draft.size
    if rng.random() < 0.75:
        m.date_pattern = rng.choice(_DATED.get(m.language, _SHORT))
    left, right = draft.width * rng.uniform(0.03, 0.09), draft.width * rng.uniform(0.9, 0.97)
    draft.facts["issue_date"] = m.date(draft.day)
    y = _head(draft, left, right, size * rng.uniform(1, 4))
    early = rng.random() < 0.35
    if early:
        y = _dated(draft, left, right, y)
    if rng.random() < 0.6:
        draft.put(right, y, rng.choice((m.currency[0], m.currency[1], "EUR")), align="right")
        y += size * 1.3
    y, cents = write_items(draft, left, right, y)
    y = _sums(draft, left, right, y + size * 0.3, cents)
    parts = [_taxes, _card, _signature]
    rng.shuffle(parts)
    shares = {_taxes: 0.75, _card: 0.45, _signature: 0.35}
    for part in parts:
        if rng.random() < shares[part]:
            y = part(draft, left, right, y + size * rng.uniform(0.4, 1.2), cents)
    if not early:
        y = _dated(draft, left, right, y + size * 0.5)
    for text in some(rng, list(phrases("till_words", m.language)), 0, 4):
        y = draft.block(wrap(draft, text, right - left), draft.width / 2, y + size * 0.2, align="center")
    draft.height = y + size * rng.uniform(1, 5)
    draft.fit()
    if rng.random() < 0.25:  # the strip lies on a larger sheet
        draft.onto(draft.width * rng.uniform(1.1, 2.5), draft.height * rng.uniform(1.05, 1.6))


def _head(draft: Draft, left: float, right: float, y: float) -> float:
    """Chain, company and branch: the name of the chain may be the company's, or stand alone above it."""
    rng, m, size = draft.rng, draft.manner, draft.size
    x, align = rng.choice(((draft.width / 2, "center"), (draft.width / 2, "center"), (left, "left")))
    chain = rng.choice(phrases("till_chain", m.language))
    shape = rng.random()
    if shape < 0.45:  # one name only
        draft.facts["seller_name"] = chain if shape < 0.3 else draft.value("seller_name")
    elif shape < 0.75:  # the chain with its legal form
        form = draft.value("seller_name").split()[-1]
        draft.facts["seller_name"] = f"{chain} {rng.choice(m.pool.names).split()[-1]} {form}"
        if rng.random() < 0.4:
            y = draft.block([chain], x, y, align=align, size=size * rng.choice((1.3, 1.8)))
    name = wrap(draft, draft.value("seller_name"), draft.width * 0.9, size * 1.2)
    y = draft.block(name, x, y, ("seller_name",), align=align, size=size * rng.choice((1, 1.2, 1.5)))
    address = draft.address("seller_address")
    if rng.random() < 0.25:
        address = [", ".join(line.rstrip(",") for line in address)]
    lines = [part for line in address for part in wrap(draft, line, draft.width * 0.9)]
    if rng.random() < 0.95:
        y = draft.block(lines, x, y, ("seller_address",), align=align)
    for field in some(
        rng, ["seller_phone", "seller_vat_id", "tax_number", "seller_website", "registration_number"], 0, 3
    ):
        parts = [(draft.label(field) + rng.choice((":", "", ".")), ()), (draft.value(field), (field,))]
        if field == "seller_phone" and rng.random() < 0.35:
            parts = parts[1:]
        if draft.text_width(" ".join(text for text, _ in parts)) > draft.width * 0.95:
            parts = parts[1:]
        y = draft.line(parts, x, y, align=align)
    return y + size * rng.uniform(0.2, 1.2)


def _dated(draft: Draft, left: float, right: float, y: float) -> float:
    """Date and time with the numbers of the till: labelled, bare, or in one row."""
    rng, m, size = draft.rng, draft.manner, draft.size
    draft.facts["purchase_time"] = clock(m)
    time = (draft.facts["purchase_time"], ("purchase_time",))
    date = (draft.facts["issue_date"], ("issue_date",))
    shape = rng.random()
    numbers: list[tuple[str, tuple[str, ...]]] = []
    for text in some(rng, list(_TILL), 0, 3):
        numbers.append((f"{text}{rng.choice((':', '', ' '))}{digits(rng, rng.randint(1, 5))}", ()))
    if rng.random() < 0.3:
        draft.also["receipt_number"] = ("invoice_number",)
        parts = [(draft.label("receipt_number") + rng.choice((":", "")), ())]
        y = draft.line([*parts, (draft.value("receipt_number"), draft.names("receipt_number"))], left, y)
    if shape < 0.35:
        row = [(rng.choice(phrases("till_date", m.language)), ()), date]
        if rng.random() < 0.8:
            row += [(rng.choice(phrases("till_clock", m.language)), ()), time]
        y = draft.line(row, left, y)
        y = draft.line(numbers, left, y) if numbers else y
    elif shape < 0.6:  # date left, time right
        draft.put(left, y, date[0], date[1])
        draft.put(right, y, *time, align="right")
        y = draft.line(numbers, left, y + size * 1.3) if numbers else y + size * 1.3
    else:  # one row in any order
        row = [date, time, *numbers]
        if rng.random() < 0.4:
            rng.shuffle(row)
        while draft.text_width(" ".join(text for text, _ in row)) > right - left and len(row) > 2:
            row.remove(next(part for part in reversed(row) if not part[1]))
        y = draft.line(row, left, y)
    return y + size * rng.uniform(0.1, 0.8)


def _sums(draft: Draft, left: float, right: float, y: float, cents: int) -> float:
    """The sum, what was given, what came back."""
    rng, m, size = draft.rng, draft.manner, draft.size
    big = size * rng.choice((1, 1, 1.3, 1.6))
    bare = rng.random() < 0.7
    total = m.money(cents, bare)
    label = rng.choice(phrases("till_total", m.language))
    if rng.random() < 0.25:
        draft.put(left, y, f"{rng.choice(('Posten', 'Artikel', 'Items', 'Art.', 'Pos'))}: {rng.randint(1, 30)}")
        draft.unasked.add("item_count")
        y += size * 1.3
    draft.shown_labels["grand_total"] = label
    between = (m.currency[0],) if rng.random() < 0.3 and m.currency[0] not in label else ()
    width = draft.put(left, y, label, size=big)
    if between:
        draft.put(max(left + width + big, left + (right - left) * 0.5), y, between[0], size=big)
    draft.put(right, y, total, ("grand_total",), align="right", size=big)
    y += big * 1.5
    kind = rng.random()
    if kind < 0.85:
        given = rng.choice((cents, -(-cents // 500) * 500, -(-cents // 1000) * 1000, -(-cents // 5000) * 5000))
        paid = rng.choice(phrases("till_given", m.language))
        cash = paid.casefold().split()[0] in _cash_words(m.language)
        given = given if cash else cents
        draft.put(left, y, paid, ("payment_method",) if not cash and " " not in paid else ())
        if cash or " " in paid:
            draft.unasked.add("payment_method")
        draft.put(right, y, m.money(given, bare), ("cash",) if cash else (), align="right")
        draft.unasked.update(() if cash else ("cash",))
        y += size * 1.3
        if cash and (given > cents or rng.random() < 0.4):
            draft.put(left, y, rng.choice(phrases("till_change", m.language)))
            back = given - cents if rng.random() < 0.7 else cents - given
            draft.put(right, y, m.money(back, bare), ("change",), align="right")
            y += size * 1.3
    draft.unasked.add("amount_due")
    return y


def _cash_words(language: str) -> frozenset[str]:
    words = "cash given bar gegeben barzahlung especes efectivo entregado contante contant numerario dinheiro gotówka"
    return frozenset(words.split()) if language else frozenset()


def _taxes(draft: Draft, left: float, right: float, y: float, cents: int) -> float:
    """Rate, net, tax and gross by rate, with letters; at times a row of sums."""
    rng, m, size = draft.rng, draft.manner, draft.size
    heads = _TAX_HEADS.get(m.language, ("VAT", "Net", "Tax", "Gross"))
    rates = list(_RATES.get(m.language, (20, 5)))
    rng.shuffle(rates)
    gross_parts = [cents] if rng.random() < 0.55 else [cents * 6 // 10, cents - cents * 6 // 10]
    order = rng.choice(((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (0, 1, 2)))
    edges = [left + (right - left) * share for share in (0.28, 0.54, 0.77, 1.0)][: len(order)]
    edges[-1] = right
    if rng.random() < 0.85:
        draft.put(left, y, heads[0])
        for place, edge in zip(order[1:], edges[1:], strict=True):
            draft.put(edge, y, heads[place], align="right")
        y += size * 1.25
    alone = len(gross_parts) == 1
    sums = [0, 0, 0]
    for number, (rate, gross) in enumerate(zip(rates, gross_parts, strict=False)):
        tax = round(gross * rate / (100 + rate))
        row = (0, gross - tax, tax, gross)
        sums = [sums[0] + row[1], sums[1] + row[2], sums[2] + row[3]]
        letter = "AB"[number]
        shown = rng.choice((f"{letter} {rate}%", f"{letter}={rate},0%", f"{rate} %", f"{letter}: {rate},00%"))
        draft.put(left, y, shown)
        for place, edge in zip(order[1:], edges[1:], strict=True):
            names = {1: ("net_total",), 2: ("tax_total",), 3: ("grand_total",)}[place] if alone else ()
            draft.put(edge, y, m.number(row[place]), names, align="right")
        y += size * 1.25
    if not alone and rng.random() < 0.5:
        draft.put(left, y, rng.choice(("Summe", "Total", "Gesamt", "Totale", "Totaal")))
        for place, edge in zip(order[1:], edges[1:], strict=True):
            names = {1: ("net_total",), 2: ("tax_total",), 3: ("grand_total",)}[place]
            draft.put(edge, y, m.number(sums[place - 1]), names, align="right")
        y += size * 1.25
    return y


def _card(draft: Draft, left: float, right: float, y: float, cents: int) -> float:
    """The slip of the terminal: its own amount, date and numbers; the amount is the total once more."""
    rng, m, size = draft.rng, draft.manner, draft.size
    words = phrases("till_card", m.language)
    if rng.random() < 0.6:
        y = draft.block([rng.choice(words[:1])], draft.width / 2, y, align="center")
    rows = rng.randint(1, 5)
    for _ in range(rows):
        draft.put(left, y, rng.choice(words[1:-1]) + rng.choice((":", "", " :")))
        draft.put(right, y, identifier(rng), align="right")
        y += size * 1.25
    if rng.random() < 0.5:
        y = draft.line([(f"{draft.facts['issue_date']}", ("issue_date",)), (clock(m), ())], left, y)
        draft.unasked.add("purchase_time")  # which of the two?
    if rng.random() < 0.7:
        draft.put(left, y, next((w for w in words if w.split()[0] in _AMOUNTS), words[-1]))
        draft.put(right, y, m.money(cents, True), ("grand_total",), align="right")
        y += size * 1.25
    return draft.block([f"{'#' * rng.choice((8, 12))}{digits(rng, 4)}"], left, y) if rng.random() < 0.5 else y


_AMOUNTS = ("Amount", "Betrag", "MONTANT", "Importe", "Importo", "Bedrag", "Valor", "Kwota")


def _signature(draft: Draft, left: float, right: float, y: float, cents: int) -> float:
    """What the law makes tills print: times in ISO form, serial numbers, signatures."""
    rng, size = draft.rng, draft.size
    start = datetime.datetime.combine(
        draft.day, datetime.time(rng.randint(7, 21), rng.randint(0, 59), rng.randint(0, 59))
    )
    iso = start.strftime("%Y-%m-%dT%H:%M:%S") + rng.choice(("", "Z", ".000Z", "+01:00"))
    lines = [
        f"{rng.choice(('TSE-Start', 'Start', 'Beginn', 'Vorgangsbeginn', 'Inizio', 'Begin'))}: {iso}",
        f"TSE-Stop: {iso}", f"{rng.choice(('TSE-Transaktion', 'Signaturzähler', 'Trans.', 'TA-Nr'))}: {digits(rng, 6)}",
        f"Seriennummer: {''.join(rng.choices('0123456789abcdef', k=20))}", f"Seriennr. Kasse: {identifier(rng)}",
        "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkl0123456789+/=", k=28)),
        f"{rng.choice(('St.Nr.', 'USt-Nr.', 'ATCUD', 'Reg.'))} {tax_number(rng)} {registration(rng, 'de_DE')}",
    ]  # fmt: skip
    chosen = [line for line in lines if rng.random() < 0.6]
    return draft.block([part for line in chosen for part in wrap(draft, line, right - left)], left, y, size=size * 0.9)
