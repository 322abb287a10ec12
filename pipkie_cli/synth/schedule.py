"""Orders and contracts with a schedule: a grid of labels and values, dense rows of dates, times and rates, sums."""

import datetime

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.pairs import grid, pair, pairs, some, stranger
from pipkie_cli.synth.prose import fill, wrap
from pipkie_cli.synth.tables import fields_of, phrases
from pipkie_cli.synth.values import random_cents

_SUMS = ("gross_amount", "agency_commission", "net_amount", "spot_count")
_DAYS = ("MTWTF--", "M-F", "MTWTFSS", "-----SS", "Sa-Su", "Mo-Fr", "1111100", "M.W.F..", "Mon-Sun", "------S")
_TIMES = (
    "6a-9a",
    "5:00-6:30 PM",
    "06:00-09:00",
    "6:00P - 6:30P",
    "11:35 PM-12:37 AM",
    "19:00-20:15",
    "XM-ROS",
    "4p-5p",
)
_LENGTHS = (":30", ":15", ":60", "30", "00:30", "30s", "15")
_RULES = ("-", "_", "=")


def write_schedule(draft: Draft, page: int, page_count: int) -> None:
    """Write one page of an order or contract; sums stand on the last one, the head on each or on the first."""
    rng, size, m = draft.rng, draft.size, draft.manner
    left, right = draft.width * rng.uniform(0.04, 0.09), draft.width * rng.uniform(0.91, 0.97)
    y = draft.height * rng.uniform(0.02, 0.05)
    last = page == page_count - 1
    _facts(draft)
    if rng.random() < 0.7:
        text = rng.choice(phrases("page_of", m.language)).format(n=page + 1, k=page_count)
        draft.put(right, rng.choice((y, draft.height * 0.97)), text, align="right", size=size * 0.9)
    if page == 0 or rng.random() < 0.7:
        y = _head(draft, left, right, y)
    else:
        y = header_rows(draft, some(rng, ["schedule_number", "advertiser", "period"], 0, 3), left, right, y)
    room = draft.height * rng.uniform(0.5, 0.9)
    n = rng.choice((2, 5, 10, 18, 28, 40) if last else (14, 24, 36, 48))
    y, cents, spots = _rows(draft, n, left, right, y + size * rng.uniform(0.3, 1.5), room)
    if last:
        if rng.random() < 0.4:
            y = _by_month(draft, left, right, y + size)
        y = _sums(draft, left, right, y + size * rng.uniform(0.3, 1.5), cents, spots)
        if rng.random() < 0.35:
            y = pairs(draft, some(rng, ["signatory", "signature_date", "signatory_title"], 1, 3), left, y + size, right)
    for _ in range(rng.choice((0, 0, 1, 2, 5)) if last else 0):
        text = fill(draft, rng.choice(phrases("boiler", m.language)))
        y = draft.block(wrap(draft, text, (right - left) / 0.8), left, y + size * 0.4, size=size * 0.8)


def _facts(draft: Draft) -> None:
    """The dates of the order: entered before it runs, printed later; they are near each other and differ."""
    rng, date = draft.rng, draft.manner.date
    start = draft.day + datetime.timedelta(days=rng.randint(1, 60))
    draft.facts["period_from"] = date(start)
    draft.facts["period_to"] = date(start + datetime.timedelta(days=rng.choice((0, 6, 6, 13, 20, 27, 29, 60, 89, 364))))
    draft.facts["original_date"] = date(draft.day)
    draft.facts["revised_date"] = date(draft.day + datetime.timedelta(days=rng.randint(1, 9)))
    draft.facts["print_date"] = date(draft.day + datetime.timedelta(days=rng.randint(0, 40)))
    number = draft.value("schedule_number")
    if rng.random() < 0.25:  # number and revision in one cell
        draft.facts["schedule_number"] = number.split(" ")[0]


def _head(draft: Draft, left: float, right: float, y: float) -> float:
    """Who sends the order, its title, and what is known about it: several blocks side by side or below each other."""
    rng, size, m = draft.rng, draft.size, draft.manner
    top = y
    seller: tuple[str, ...] = ("seller_name",)
    x, align = rng.choice(((left, "left"), (right, "right"), ((left + right) / 2, "center"), (left, "left")))
    if rng.random() < 0.8:
        if rng.random() < 0.3:
            draft.facts["seller_name"] = draft.value("station")
            seller = ("seller_name", "station")
        y = draft.block([draft.value("seller_name")], x, y, seller, size=size * rng.choice((1, 1.3)), align=align)
        if rng.random() < 0.7:
            y = draft.block(draft.address("seller_address"), x, y, ("seller_address",), align=align)
        if rng.random() < 0.4:
            label = rng.choice(("Main:", "Phone:", "Tel.", ""))
            y = draft.line([(label, ()), (draft.value("seller_phone"), ("seller_phone",))], x, y, align=align)
    title = rng.choice(phrases("title_schedule", m.language))
    beside = align == "left" and rng.random() < 0.5
    draft.put(
        right if beside else left, top if beside else y, title, align="right" if beside else "left", size=size * 1.5
    )
    y = (max(y, top + size * 2) if beside else y + size * 2) + size * rng.uniform(0.2, 1)
    names = _names(draft)
    if rng.random() < 0.35:  # the customer and the agency as blocks of an address beside what is known
        y = _parties(draft, left, right, y, names)
    style = rng.choice(("rows", "rows", "rows", "columns", "columns", "grid", "mixed"))
    if style == "rows":
        return header_rows(draft, names, left, right, y)
    if style == "grid":
        return grid(draft, names, left, y, right)
    if style == "mixed":
        cut = rng.randint(1, len(names))
        y = pairs(draft, names[:cut], left, y, left + (right - left) * rng.uniform(0.4, 1))
        return header_rows(draft, names[cut:], left, right, y + size * 0.4)
    n = rng.choice((2, 2, 3))
    step, share = (right - left) / n, -(-len(names) // n)
    return max(
        pairs(draft, names[i * share : (i + 1) * share], left + i * step, y, left + (i + 0.95) * step) for i in range(n)
    )


def _names(draft: Draft) -> list[str]:
    """The fields of the head, in any order."""
    rng = draft.rng
    free = [
        f.name for f in fields_of("schedule") if f.name not in (*_SUMS, "advertiser", "agency_name", "schedule_number")
    ]
    names = [
        name
        for name, share in (("schedule_number", 0.95), ("advertiser", 0.9), ("agency_name", 0.55))
        if rng.random() < share
    ]
    names += some(rng, free, 2, 9)
    names += rng.choice((["period"], ["period"], ["period_from", "period_to"], ["period_from", "period_to"], []))
    names += some(rng, ["print_date", "payment_terms", "department", "customer_number", "order_number"], 0, 2)
    names += [stranger(draft) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    names = list(dict.fromkeys(names))
    if rng.random() < 0.6:
        rng.shuffle(names)
    if "period_from" in names:  # start and end stand together
        names.remove("period_to")
        names.insert(names.index("period_from") + 1, "period_to")
    return names


def _parties(draft: Draft, left: float, right: float, y: float, names: list[str]) -> float:
    """Customer and agency with their addresses, under labels, side by side."""
    rng, size = draft.rng, draft.size
    kinds = [name for name in ("agency_name", "advertiser") if name in names]
    bottom = y
    for number, kind in enumerate(kinds):
        names.remove(kind)
        x = left + number * (right - left) * 0.5
        at = pair(draft, kind, x, y, rng.choice(("above", "above", "inline")), 0, x + (right - left) * 0.45)
        if rng.random() < 0.75:
            at = draft.block(rng.choice(draft.manner.pool.addresses), x, at)
        bottom = max(bottom, at)
    return bottom + size * 0.6


def _rows(draft: Draft, n: int, left: float, right: float, y: float, low: float) -> tuple[float, int, int]:
    """The schedule: heads, then rows of one or two lines; returns the next y, the sum in cents and the spots."""
    rng, m, size = draft.rng, draft.manner, draft.size
    small = size * rng.choice((0.75, 0.85, 0.95))
    kinds = ["line", "station", "programme", "from", "to", "days", "time", "length", "count", "rate", "amount"]
    kinds = [kind for kind in kinds if kind in ("programme", "rate", "amount") or rng.random() < 0.75]
    heads = {
        "line": "Ln", "station": "Ch", "programme": "Description", "from": "Start Date", "to": "End Date",
        "days": "Days", "time": "Start/End Time", "length": "Len", "count": "Spots", "rate": "Rate", "amount": "Amount",
    }  # fmt: skip
    weights = {"programme": 2.4, "time": 1.9, "from": 1.4, "to": 1.4, "rate": 1.4, "amount": 1.5, "days": 1.3}
    total = sum(weights.get(kind, 0.8) for kind in kinds)
    edges, at = {}, left
    for kind in kinds:
        edges[kind] = at
        at += (right - left) * weights.get(kind, 0.8) / total
    for kind in kinds:
        text = rng.choice(phrases("head_amount", m.language)) if kind == "amount" else heads[kind]
        draft.put(edges[kind], y, text, size=small)
    y += small * rng.choice((1.3, 1.7))
    weekly = rng.random() < 0.4
    channel, cents, count, bare = draft.value("station")[:4], 0, 0, rng.random() < 0.4
    for row in range(n):
        spots, rate = rng.randint(1, 12), random_cents(rng) // 10 + 500
        start = draft.day + datetime.timedelta(days=rng.randint(1, 80))
        cells = {
            "line": str(row + 1), "station": channel, "programme": rng.choice(phrases("programme", m.language)),
            "from": m.date(start), "to": m.date(start + datetime.timedelta(days=rng.randint(0, 20))),
            "days": rng.choice(_DAYS), "time": rng.choice(_TIMES), "length": rng.choice(_LENGTHS),
            "count": str(spots), "rate": m.money(rate, bare), "amount": m.money(rate * spots, bare),
        }  # fmt: skip
        for kind in kinds:
            draft.put(edges[kind], y, cells[kind], size=small)
        y += small * 1.3
        if weekly and rng.random() < 0.7:
            week = f"{rng.choice(('Weeks:', 'Week', 'Wk'))} {cells['from']} {cells['to']} {cells['days']} {spots}"
            draft.put(left + size * 2, y, f"{week} {m.number(rate)}", size=small)
            y += small * 1.3
        cents, count = cents + rate * spots, count + spots
        if y > low:
            break
    return y, cents, count


def _by_month(draft: Draft, left: float, right: float, y: float) -> float:
    """A small table of months with sums that nobody asks for."""
    rng, m, size = draft.rng, draft.manner, draft.size
    step = min((right - left) / 4, size * 11)
    for number, text in enumerate(("Month", "# Spots", "Gross", "Net")):
        draft.put(left + number * step, y, text, size=size * 0.9)
    for row in range(rng.randint(1, 4)):
        y += size * 1.25
        gross = random_cents(rng) + 10000
        day = draft.day + datetime.timedelta(days=30 * row)
        cells = (m.date(day, "%n %Y"), str(rng.randint(1, 90)), m.money(gross), m.money(gross * 85 // 100))
        for number, text in enumerate(cells):
            draft.put(left + number * step, y, text, size=size * 0.9)
    return y + size * 1.6


def _sums(draft: Draft, left: float, right: float, y: float, cents: int, spots: int) -> float:
    """Gross, commission, net and spots: below each other, in a row of heads, or only one of them."""
    rng, m, size = draft.rng, draft.manner, draft.size
    share = rng.choice((15, 15, 15, 10, 20))
    commission = cents * share // 100
    values = {
        "gross_amount": m.money(cents), "agency_commission": m.money(-commission if rng.random() < 0.3 else commission),
        "net_amount": m.money(cents - commission), "spot_count": str(spots),
    }  # fmt: skip
    draft.facts.update(values)
    if rng.random() < 0.2:  # one sum alone is the total, whatever it is called
        draft.also["gross_amount"] = ("grand_total",)
        label = draft.label("gross_amount" if rng.random() < 0.4 else "grand_total")
        x = rng.choice((left, left + (right - left) * 0.5))
        draft.put(x, y, label + rng.choice((":", "")))
        draft.put(right, y, values["gross_amount"], ("gross_amount", "grand_total"), align="right")
        draft.unasked.update(("agency_commission", "net_amount", "net_total"))
        return y + size * 1.5
    names = [name for name in _SUMS if rng.random() < (0.5 if name == "spot_count" else 0.85)] or ["gross_amount"]
    if rng.random() < 0.3:
        names = ["spot_count", *(name for name in names if name != "spot_count")]
    if rng.random() < 0.4:
        return header_rows(draft, names, rng.choice((left, left + (right - left) * 0.4)), right, y)
    x = left + (right - left) * rng.choice((0, 0.4, 0.6))
    if rng.random() < 0.6:
        end = rng.choice((right, x + (right - x) * 0.7))
        if "net_amount" in names and rng.random() < 0.3:  # the total is before what the agency keeps
            draft.also["gross_amount"] = ("grand_total",)
            draft.unasked.add("net_total")
        for name in names:
            plain = name == "gross_amount" and name in draft.also
            label = draft.label("grand_total" if plain else name)
            label += f" ({share}%)" if "comm" in name and rng.random() < 0.3 else ""
            draft.put(x, y, label + rng.choice((":", ":", "")))
            draft.put(end, y, values[name], draft.names(name), align="right")
            y += size * 1.4
        return y
    return pairs(draft, names, x, y, right)
