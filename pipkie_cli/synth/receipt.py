"""Till receipts: a narrow strip, the shop on top, number, date and cashier, items, totals and thanks."""

from pipkie_cli.synth.codes import digits, identifier, registration
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import pair, some, stranger
from pipkie_cli.synth.prose import fill, wrap
from pipkie_cli.synth.receipt_items import write_items
from pipkie_cli.synth.receipt_totals import write_totals
from pipkie_cli.synth.tables import phrases
from pipkie_cli.synth.till import write_till
from pipkie_cli.synth.values import clock

_META = (
    "cashier",
    "payment_method",
    "customer_number",
    "contact_person",
    "order_number",
    "membership_number",
    "terminal_id",
    "table_number",
    "ticket_number",
)
_CONTACT = (
    "seller_phone",
    "seller_phone",
    "seller_phone",
    "seller_fax",
    "seller_vat_id",
    "seller_vat_id",
    "seller_email",
    "seller_website",
    "registration_number",
)
_REGISTERED = (
    "({})",
    "({})",
    "({})",
    "{}",
    "(CO.REG : {})",
    "CO. REG NO: {}",
    "REG NO: {}",
    "(CO NO. {})",
    "(COMPANY REG: {})",
    "BR No.:({})",
    "ROC NO: {}",
)


def write_receipt(draft: Draft) -> None:
    """Write a receipt from top to bottom; the page ends where it ends."""
    rng, size = draft.rng, draft.size
    draft.strip = True
    if draft.manner.language != "ms" and rng.random() < 0.5:
        write_till(draft)
        return
    left, right = draft.width * rng.uniform(0.03, 0.08), draft.width * rng.uniform(0.91, 0.97)
    y = size * rng.uniform(1, 4)
    if rng.random() < 0.15:  # what somebody wrote above the print: a name, a file number, a date
        scrawl = rng.choice((rng.choice(draft.manner.pool.names), digits(rng, 8), digits(rng, 4), identifier(rng)))
        draft.put(draft.width * rng.uniform(0.2, 0.7), y, scrawl, align="center", size=size * rng.uniform(1.2, 1.9))
        y += size * rng.uniform(2, 4)
    if draft.manner.language == "en":
        y = _motto(draft, y)
        _brand(draft)
    y = _shop(draft, left, y)
    dated = _Dated(draft)
    y = _meta(draft, dated, left, right, y + size * rng.uniform(0.2, 1.5))
    if rng.random() < 0.06:
        y = _buyer(draft, left, y)
    y, cents = write_items(draft, left, right, y + size * rng.uniform(0.2, 1))
    y = write_totals(draft, left, right, y + size * 0.4, cents)
    if dated.pending:
        y = dated.write(left, right, y + size * 0.5)
    if rng.random() < 0.06:
        lines = wrap(draft, rng.choice(phrases("thanks_shop", draft.manner.language)), right - left)
        y = draft.block(lines, draft.width / 2, y, align="center")
        y = draft.block(
            wrap(draft, draft.value("seller_name"), right - left), draft.width / 2, y, ("seller_name",), align="center"
        )
    for _ in range(rng.choice((0, 1, 2, 3, 4, 6))):
        section = "sentence" if rng.random() < 0.2 else "closing"
        text = fill(draft, rng.choice(phrases(section, draft.manner.language)))
        y = draft.block(wrap(draft, text, right - left), draft.width / 2, y + size * 0.2, align="center")
    draft.height = y + size * rng.uniform(1, 6)
    draft.fit()
    if rng.random() < 0.12:  # the strip lies on a larger sheet
        draft.onto(draft.width * rng.uniform(1.1, 2.5), draft.height * rng.uniform(1.05, 1.8))


def _motto(draft: Draft, y: float) -> float:
    """What shops print above their names."""
    rng = draft.rng
    for text in some(rng, list(phrases("shop_motto", "en")), 0, 2) if rng.random() < 0.3 else ():
        text = rng.choice((text, text.upper(), f"{text} {rng.randint(1, 300)}"))
        y = draft.block(wrap(draft, text, draft.width * 0.9), draft.width / 2, y, align="center")
    return y


def _brand(draft: Draft) -> None:
    """Most shops and restaurants print a name without a legal form, many with the number or place of the branch."""
    rng, m = draft.rng, draft.manner
    if rng.random() < 0.25:
        return
    first = rng.choice((m.word().capitalize(), m.word().capitalize(), rng.choice(m.pool.names).split()[-1]))
    name = (
        f"{rng.choice(('', '', '', 'The '))}{first}{rng.choice(('', '', chr(39) + 's', f' {m.word().capitalize()}'))}"
    )
    name += f" {rng.choice(phrases('shop_kind', 'en'))}" if rng.random() < 0.65 else ""
    shape = rng.random()
    if shape < 0.12:
        name += rng.choice((" #{}", " {}", " Store {}", " #{}")).format(digits(rng, rng.choice((2, 3, 4, 6))))
    elif shape < 0.2:
        name += rng.choice((" {}", " - {}", ", {}")).format(rng.choice(m.pool.cities))
    draft.facts["seller_name"] = name.upper() if rng.random() < 0.45 else name


def _shop(draft: Draft, left: float, y: float) -> float:
    """Name, registration, address and contact of the shop."""
    rng, m, size = draft.rng, draft.manner, draft.size
    align = rng.choice(("center", "center", "center", "left"))
    x = draft.width / 2 if align == "center" else left
    registered = registration(rng, m.locale) if rng.random() < (0.65 if m.language == "ms" else 0.1) else ""
    if rng.random() < 0.97:
        y, registered = _company(draft, x, y, align, registered)
    if registered:
        before, _, after = rng.choice(_REGISTERED).partition("{}")
        y = draft.line([(before, ()), (registered, ("registration_number",)), (after, ())], x, y, align=align, glue="")
    if rng.random() < 0.12:  # the branch, or a name of the shop that is not the company's
        text = rng.choice(
            (f"({rng.choice(m.pool.cities)})", rng.choice(m.pool.companies), f"BRANCH: {rng.choice(m.pool.cities)}")
        )
        y = draft.line([(text, ())], x, y, align=align)
    contact = some(rng, list(dict.fromkeys(rng.sample(_CONTACT, len(_CONTACT)))), 0, 4)
    if registered:
        contact = [name for name in contact if name != "registration_number"]
    early = contact[:1] if rng.random() < 0.08 else []
    for name in early:
        y = _contact(draft, name, x, y, align)
    if rng.random() < 0.92:
        y = _address(draft, x, y, align)
    for name in contact[len(early) :]:
        y = _contact(draft, name, x, y, align)
    if rng.random() < 0.6:
        title = rng.choice(phrases("title_receipt", m.language))
        draft.put(draft.width / 2, y + size * 0.3, title, align="center", size=size * rng.choice((1, 1, 1.3)))
        y += size * 1.8
    return y


def _company(draft: Draft, x: float, y: float, align: str, registered: str) -> tuple[float, str]:
    """The company on one or two lines, at times with its number on the same line; returns what is left of it."""
    rng = draft.rng
    size = draft.size * rng.choice((1, 1, 1, 1.2, 1.3, 1.6))
    company = draft.value("seller_name")
    lines = wrap(draft, company, draft.width * 0.92, size)
    if len(company.split()) > 2 and rng.random() < 0.12:  # the legal form below the name
        words = company.split()
        cut = rng.randint(1, len(words) - 1)
        lines = [" ".join(words[:cut]), " ".join(words[cut:])]
    if registered and rng.random() < 0.25:
        occurrence = draft.occurrence()
        for line in lines[:-1]:
            draft.put(x, y, line, ("seller_name",), size=size, align=align, occurrence=occurrence)
            y += size * 1.22
        parts = ((lines[-1], ("seller_name",)), (f"({registered})", ("registration_number",)))
        return draft.line(parts, x, y, align=align, size=size, occurrence=occurrence), ""
    return draft.block(lines, x, y, ("seller_name",), size=size, align=align), registered


def _address(draft: Draft, x: float, y: float, align: str) -> float:
    rng = draft.rng
    lines = draft.address("seller_address")
    if rng.random() < 0.15:
        lines = [" ".join(lines)]
    elif rng.random() < 0.1:
        lines = [", ".join(line.rstrip(",") for line in lines)]
    narrow = draft.width * rng.uniform(0.7, 0.95)
    lines = [part for line in lines for part in wrap(draft, line, narrow)]
    if rng.random() < 0.03:
        y = draft.line([(draft.label("seller_address"), ())], x, y, align=align)
    return draft.block(lines, x, y, ("seller_address",), align=align)


def _contact(draft: Draft, name: str, x: float, y: float, align: str) -> float:
    """One line of contact data; telephone and fax may share it."""
    rng = draft.rng
    parts: list[tuple[str, tuple[str, ...]]] = []
    colon = rng.choice((":", ":", "", " :", "."))
    telephone = 0.06 if draft.manner.language == "ms" else 0.6
    bare = rng.random() < {"seller_email": 0.5, "seller_website": 0.5, "seller_phone": telephone}.get(name, 0.04)
    if not bare:
        parts.append((draft.label(name) + colon, ()))
    parts.append((draft.value(name), (name,)))
    if name == "seller_phone" and rng.random() < 0.25:
        parts += [(draft.label("seller_fax") + colon, ()), (draft.value("seller_fax"), ("seller_fax",))]
    if draft.text_width(" ".join(text for text, _ in parts)) > draft.width and len(parts) > 2:
        parts = parts[:2]
    return draft.line(parts, x, y, align=align)


def _meta(draft: Draft, dated: "_Dated", left: float, right: float, y: float) -> float:
    """Number, cashier, table, terminal and their like: below each other, or in two columns."""
    rng, size = draft.rng, draft.size
    names = some(rng, list(_META), 0, 4)
    if rng.random() < 0.75:
        draft.also["receipt_number"] = ("invoice_number",)
        names.append("receipt_number")
    if rng.random() < 0.2:
        names.append(stranger(draft))
    rng.shuffle(names)
    style = rng.choice(("inline", "inline", "inline", "column", "glued", "colons"))
    value_x = left + (right - left) * rng.uniform(0.28, 0.45)
    middle = left + (right - left) * rng.uniform(0.5, 0.62)
    in_columns = rng.random() < 0.35
    place = rng.random()
    if place < 0.35:
        y = dated.write(left, right, y)
    at = 0
    while at < len(names):
        bottom = pair(draft, names[at], left, y, style, value_x)
        at += 1
        if in_columns and rng.random() < 0.8:
            if dated.pending and place < 0.7:
                dated.write(middle, right, y, short=True)
            elif at < len(names):
                pair(draft, names[at], middle, y, "inline", 0)
                at += 1
        y = bottom
    if dated.pending and place < 0.7:
        y = dated.write(left, right, y)
    if rng.random() < 0.25:
        extra = rng.choice(
            ("POS: {}", "Till {}", "#{}", "Counter {}", "Pax: {}", "Shift {}", "TRN {}", "SH01 {}", "OPERATOR {}")
        )
        y = draft.line([(extra.format(digits(rng, rng.randint(1, 6))), ())], left, y)
    if rng.random() < 0.3:
        draft.put(left, y, rng.choice("-=*_.") * int((right - left) / draft.text_width("-") * 0.95))
        y += size
    return y


class _Dated:
    """The date of a receipt: with or without label and time, at the place that the layout chooses."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.clock = draft, clock(draft.manner)
        draft.facts["purchase_time"] = self.clock
        draft.facts["issue_date"] = draft.manner.date(draft.day)
        self.pending = draft.rng.random() < 0.97

    def write(self, left: float, right: float, y: float, short: bool = False) -> float:
        """Print it; `short` leaves the time away."""
        if not self.pending:
            return y
        self.pending = False
        draft, rng = self.draft, self.draft.rng
        blank = draft.text_width(" ")
        shape = rng.random()
        if short:
            pair(draft, "issue_date", left, y, "inline", 0)
        elif shape < 0.3:
            self._unlabelled(left, right, y)
        elif shape < 0.36:  # date and time are one word, as some tills print them
            draft.facts["issue_date"] += rng.choice(("-", "T", ",")) + self.clock.split(" ")[0]
            draft.unasked.add("purchase_time")
            pair(draft, "issue_date", left, y, "inline", 0)
        else:
            pair(draft, "issue_date", left, y, rng.choice(("inline", "inline", "glued")), 0)
            end = max(ink.x + ink.width for ink in draft.inks if ink.y == y)
            if rng.random() < 0.4:
                draft.put(end + blank, y, self.clock, ("purchase_time",))
            elif rng.random() < 0.4:
                wide = draft.text_width(f"Time: {self.clock}")
                pair(draft, "purchase_time", max(end + 2 * blank, right - wide), y, "inline", 0)
        return y + draft.size * 1.4

    def _unlabelled(self, left: float, right: float, y: float) -> None:
        """Date, time and the till's own numbers in one row, in any order."""
        draft, rng = self.draft, self.draft.rng
        parts: list[tuple[str, tuple[str, ...]]] = [(draft.facts["issue_date"], ("issue_date",))]
        if rng.random() < 0.75:
            parts.append((self.clock, ("purchase_time",)))
        if rng.random() < 0.3:
            parts.append((identifier(rng), ()))
        if rng.random() < 0.12:
            parts.append((rng.choice(("Mon", "TUE", "Fri,", "SAT", "Wednesday")), ()))
        if rng.random() < 0.25:
            rng.shuffle(parts)
        x = left
        spread = rng.random() < 0.4 and len(parts) == 2
        for text, names in parts:
            x += draft.put(x, y, text, names) + draft.text_width(" ") * rng.choice((1, 1, 2, 3))
            if spread:
                x = max(x, right - draft.text_width(parts[-1][0]))


def _buyer(draft: Draft, left: float, y: float) -> float:
    """A customer below the head, as on delivery rounds."""
    rng, m = draft.rng, draft.manner
    if rng.random() < 0.6:
        y = draft.block([draft.label("buyer_name") + rng.choice(("", ":"))], left, y)
    y = draft.block(wrap(draft, rng.choice(m.pool.companies), draft.width * 0.9), left, y, ("buyer_name",))
    lines = [part for line in rng.choice(m.pool.addresses) for part in wrap(draft, line, draft.width * 0.9)]
    return draft.block(lines, left, y, ("buyer_address",)) + draft.size * 0.5
