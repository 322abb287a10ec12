"""Who writes to whom: letterheads, the small sender line, receivers, footers."""

from pipkie_cli.synth.codes import digits, identifier
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import pair, some
from pipkie_cli.synth.tables import phrases

_CONTACT = ("seller_phone", "seller_fax", "seller_email", "seller_website", "seller_vat_id", "registration_number")
_FOOT = (
    "seller_phone", "seller_fax", "seller_email", "seller_website", "bank_name", "iban", "bic", "seller_vat_id",
    "tax_number",
    "registration_number",
)  # fmt: skip
_GLUES = (" · ", ", ", " - ", " | ", " ● ", " • ", "   ")


def name_parties(draft: Draft) -> None:
    """Now and then the parties have the names that samples and templates have, or one is written in capitals."""
    rng, language = draft.rng, draft.manner.language
    for kind in ("seller", "buyer"):
        if rng.random() < 0.1:
            draft.facts[f"{kind}_name"] = rng.choice(phrases(f"sample_{kind}", language))
        if rng.random() < 0.06:
            draft.facts[f"{kind}_name"] = draft.value(f"{kind}_name").upper()


def number_line(draft: Draft) -> list[str]:
    """A number of a party that may stand between the heading of its block and its name, or none."""
    rng = draft.rng
    if rng.random() < 0.8:
        return []
    number = digits(rng, 13) if rng.random() < 0.5 else identifier(rng)
    return [f"{rng.choice(('GLN', 'GLN:', 'No.', 'ID:', 'Nr.', 'GLN :', 'Ref.'))} {number}"]


def seller_head(draft: Draft, left: float, right: float, y: float) -> tuple[float, bool]:
    """The letterhead: at the left, right or middle, in a column down the right edge, or none; returns y and whether
    anything names the seller."""
    rng, size = draft.rng, draft.size
    side = rng.choice(("left", "left", "right", "right", "center", "column", "none", "logo", "logo"))
    if side == "none":
        return y, False
    if side == "logo":
        return _logo(draft, left, right, y), False
    if side == "column":
        x = left + (right - left) * rng.uniform(0.7, 0.76)
        _seller(draft, x, y, "left", size * rng.choice((0.8, 0.9, 1)), small=True)
        return y + size * rng.uniform(0, 4), True
    x = {"left": left, "right": right, "center": (left + right) / 2}[side]
    return _seller(draft, x, y, side, size, small=False), True


def _logo(draft: Draft, left: float, right: float, y: float) -> float:
    """The name in large print as its owner draws it: without the legal form, in capitals, spaced, with a claim.

    The full name stands elsewhere; what the logo says is no answer.
    """
    rng, m, size = draft.rng, draft.manner, draft.size
    draft.brand = True
    words = draft.value("seller_name").split()
    brand = " ".join(words[: max(1, min(len(words) - 1, rng.randint(1, 2)))])
    brand = rng.choice((brand, brand.upper(), brand.lower(), " ".join(brand.upper()) if len(brand) < 9 else brand))
    x, align = rng.choice(((left, "left"), (right, "right"), (right, "right"), ((left + right) / 2, "center")))
    y = draft.block([brand], x, y, size=size * rng.choice((1.6, 2.2, 3)), align=align)
    if rng.random() < 0.4:
        y = draft.block([" ".join(m.word() for _ in range(rng.randint(2, 5)))], x, y, size=size * 0.9, align=align)
    for name in some(rng, ["seller_phone", "seller_email", "seller_website"], 0, 2):
        y = draft.block([draft.value(name)], x, y, (name,), size=size * 0.9, align=align)
    return y


def _seller(draft: Draft, x: float, y: float, align: str, size: float, small: bool) -> float:
    rng, m = draft.rng, draft.manner
    name = draft.value("seller_name")
    big = size * (rng.choice((1, 1.1)) if small else rng.choice((1, 1.2, 1.6, 2.2)))
    lines = [name] if small else _two(draft, name)
    if small and draft.text_width(name, big) > draft.width * 0.25 and " " in name:
        cut = name.rfind(" ", 0, len(name) * 2 // 3)
        lines = [name[:cut], name[cut + 1 :]] if cut > 0 else [name]
    y = draft.block(lines, x, y, ("seller_name",), size=big, align=align) + 1
    if not small and rng.random() < 0.15:  # a line of advertising
        y = draft.block([" ".join(m.word().capitalize() for _ in range(rng.randint(2, 5)))], x, y, align=align)
    if rng.random() < 0.75 or small:
        address = draft.address("seller_address")
        if not small and rng.random() < 0.3:
            address = [", ".join(line.rstrip(",") for line in address)]
        y = draft.block(address, x, y, ("seller_address",), size=size, align=align)
        if rng.random() < 0.15:
            y = draft.block([rng.choice(m.pool.countries)], x, y, size=size, align=align)
    for name in some(rng, list(_CONTACT), 0, 5 if small else 4):
        colon = rng.choice((":", "", ":", "."))
        bare = name in ("seller_email", "seller_website") and rng.random() < 0.5
        parts = [] if bare else [(draft.label(name) + colon, ())]
        y = draft.line([*parts, (draft.value(name), (name,))], x, y, size=size, align=align)
    return y


def sender_line(draft: Draft, x: float, y: float) -> float:
    """The seller in small print above the receiver's address, for the window of the envelope."""
    rng = draft.rng
    small, glue = draft.size * rng.choice((0.65, 0.7, 0.8)), rng.choice(_GLUES)
    address = glue.join(line.rstrip(",") for line in draft.address("seller_address"))
    parts: list[tuple[str, tuple[str, ...]]] = [(draft.value("seller_name"), ("seller_name",))]
    parts += [(glue, ()), (address, ("seller_address",))]
    draft.line(parts, x, y, size=small, glue="")
    return y + draft.size * rng.choice((1.1, 1.6))


def receiver(draft: Draft, x: float, y: float, kind: str, labelled: float) -> float:
    """Name and address of the buyer or of who gets the goods (`kind`: buyer, ship_to); `labelled`: how often."""
    rng, m = draft.rng, draft.manner
    name, address = f"{kind}_name", f"{kind}_address"
    if rng.random() < labelled:
        label = draft.label(name) + rng.choice(("", ":"))
        if rng.random() < 0.12 and kind == "buyer":  # label and name on one line
            y = draft.line([(label, ()), (draft.value(name), (name,))], x, y)
            return draft.block(draft.address(address), x, y, (address,))
        y = draft.block([label, *number_line(draft)], x, y) + draft.size * rng.choice((0, 0.3))
    if kind == "buyer" and rng.random() < 0.35 and name not in draft.facts:
        draft.facts[name] = rng.choice(m.pool.names)
        if rng.random() < 0.25:
            y = draft.block([rng.choice(phrases("value_title", m.language))], x, y)
    before = rng.random() < 0.12 and kind == "buyer"
    if before:
        y = draft.block(_contact_lines(draft), x, y)
    if rng.random() < 0.08 and kind == "buyer":  # numbers of the receiver above the name
        y = pair(draft, "customer_number", x, y, "inline", 0)
    y = draft.block(_two(draft, draft.value(name)), x, y, (name,))
    if rng.random() < 0.2 and not before:
        y = draft.block(_contact_lines(draft), x, y)
    y = draft.block(draft.address(address), x, y, (address,))
    if rng.random() < 0.2:
        y = draft.block([rng.choice(m.pool.countries)], x, y)
    if kind == "buyer":
        for name, chance in (("buyer_vat_id", 0.18), ("buyer_phone", 0.08), ("buyer_email", 0.08)):
            if rng.random() < chance:
                like = name.replace("buyer", "seller") if rng.random() < 0.6 or name != "buyer_vat_id" else ""
                y = pair(draft, name, x, y, "inline", 0, like=like)
    return y


def _contact_lines(draft: Draft) -> list[str]:
    """A person or a department at the receiver: before or behind its name, and no part of it."""
    rng, m = draft.rng, draft.manner
    person = f"{rng.choice(('z.Hd. ', 'c/o ', 'Attn: ', '', '', 'z. H. ', 'Att. '))}{rng.choice(m.pool.names)}"
    department = rng.choice(phrases("value_department", m.language))
    return rng.choice(([person], [department], [department, person]))


def _two(draft: Draft, name: str) -> list[str]:
    """A long name may take two lines."""
    cut = name.rfind(" ", 0, len(name) * 2 // 3)
    return [name[:cut], name[cut + 1 :]] if cut > 0 and len(name) > 18 and draft.rng.random() < 0.15 else [name]


def footer(draft: Draft, left: float, right: float, y: float) -> float:
    """Two to four columns of small print: the seller's address, bank, register, contact."""
    rng = draft.rng
    body, draft.size = draft.size, draft.size * rng.choice((0.7, 0.78, 0.85))
    if rng.random() < 0.2:  # all in one or two centred lines
        parts: list[tuple[str, tuple[str, ...]]] = [(draft.value("seller_name"), ("seller_name",))]
        for name in some(rng, list(_FOOT), 1, 4):
            parts += [(rng.choice(("-", "·", "|", "")), ()), (draft.label(name), ()), (draft.value(name), (name,))]
        y = draft.line(parts, (left + right) / 2, y, align="center")
    else:
        n = rng.randint(2, 4)
        step = (right - left) / n
        names = some(rng, list(_FOOT), 2, 9)
        names.sort(key=_FOOT.index)
        share = -(-len(names) // (n - 1)) or 1
        columns = [names[i : i + share] for i in range(0, len(names), share)]
        start = len(draft.inks)
        bottom = _foot_address(draft, left, y) if rng.random() < 0.7 else y
        for column in columns:
            x = max((ink.x + ink.width for ink in draft.inks[start:]), default=left - draft.size) + draft.size
            x = max(x, left + step * round((x - left) / step))
            top, style = y, rng.choice(("inline", "inline", "column"))
            for name in column:
                top = pair(draft, name, x, top, style, x + step * 0.35)
            bottom = max(bottom, top)
        y = bottom
    draft.size = body
    return y


def _foot_address(draft: Draft, x: float, y: float) -> float:
    y = draft.block(_two(draft, draft.value("seller_name")), x, y, ("seller_name",))
    y = draft.block(draft.address("seller_address"), x, y, ("seller_address",))
    if draft.rng.random() < 0.3:
        boss = {"de": "Geschäftsführer:", "fr": "Gérant :", "it": "Amministratore:", "es": "Administrador:"}
        y = draft.block(
            [f"{boss.get(draft.manner.language, 'Director:')} {draft.rng.choice(draft.manner.pool.names)}"], x, y
        )
    return y
