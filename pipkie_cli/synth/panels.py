"""Pages in columns: bills, policies, notices: panels side by side, each with pairs, charges or small print."""

import datetime
import itertools

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.pairs import pairs, some, stranger
from pipkie_cli.synth.parties import receiver
from pipkie_cli.synth.prose import fill, tagged, wrap
from pipkie_cli.synth.tables import fields_of, phrases
from pipkie_cli.synth.values import random_cents

_AREAS = (
    ("utility", "invoice"), ("utility", "statement"), ("insurance",), ("insurance", "vehicle"), ("travel",),
    ("medical", "person"), ("rental", "contract"), ("employment", "person"), ("freight", "delivery"), ("event",),
    ("certificate", "form"), ("media", "contract"), ("freight", "order"),
)  # fmt: skip
_ON_TOP = ("seller_name", "buyer_name", "issue_date", "due_date", "period_from", "period_to", "amount_due")


def write_panels(draft: Draft) -> None:
    """Write a page: who sends it, who gets it, then two or three columns of panels, and small print below."""
    rng, size, m = draft.rng, draft.size, draft.manner
    left, right = draft.width * rng.uniform(0.05, 0.09), draft.width * rng.uniform(0.91, 0.95)
    draft.facts["issue_date"] = m.date(draft.day)
    draft.facts["due_date"] = m.date(draft.day + datetime.timedelta(days=rng.choice((10, 14, 21, 30))))
    y = _top(draft, left, right, draft.height * rng.uniform(0.03, 0.06))
    names = _names(draft)
    n = rng.choice((2, 2, 3))
    edges = _edges(draft, n, left, right)
    bottoms = [y] * n
    while names:
        column = bottoms.index(min(bottoms))
        take = rng.randint(2, 6)
        x, end = edges[column], edges[column + 1] - size
        bottoms[column] = _panel(draft, names[:take], x, end, bottoms[column]) + size * rng.uniform(0.8, 2)
        names = names[take:]
    y = max(bottoms)
    if rng.random() < 0.4:  # small print, in as many columns
        y = _small_print(draft, edges, y)
    if rng.random() < 0.4:  # the slip to tear off, which says the most important once more
        slip = some(
            rng,
            [name for name in ("amount_due", "due_date", "account_number", "buyer_name") if name in draft.facts],
            1,
            4,
        )
        draft.put(left, y, "- " * int((right - left) / draft.text_width("- ") * 0.95))
        header_rows(draft, slip, left, right, y + size * 2)
    draft.unasked -= {name for ink in draft.inks for name in ink.names}  # sums of charges beside a labelled total


def _top(draft: Draft, left: float, right: float, y: float) -> float:
    """Sender and receiver, beside each other or below."""
    rng, size = draft.rng, draft.size
    top = draft.block([draft.value("seller_name")], left, y, ("seller_name",), size=size * rng.choice((1.1, 1.6, 2)))
    if rng.random() < 0.7:
        top = draft.block(draft.address("seller_address"), left, top, ("seller_address",))
    for name in some(rng, ["seller_phone", "seller_website", "seller_vat_id"], 0, 2):
        top = draft.line([(draft.label(name), ()), (draft.value(name), (name,))], left, top)
    if rng.random() < 0.75:
        beside = rng.random() < 0.5
        x = left + (right - left) * 0.55 if beside else left
        top = max(top, receiver(draft, x, y if beside else top + size, "buyer", 0.3))
    return top + size * rng.uniform(1, 2.5)


def _names(draft: Draft) -> list[str]:
    """What the panels state, in any order."""
    rng = draft.rng
    areas = rng.choice(_AREAS)
    known = [field.name for area in areas for field in fields_of(area) if field.name not in _ON_TOP]
    names = some(rng, known, 4, 16) + some(rng, ["issue_date", "due_date", "period", "amount_due"], 2, 4)
    names += [stranger(draft) for _ in range(rng.choice((0, 2, 4, 8)))]
    names = list(dict.fromkeys(names))
    rng.shuffle(names)
    return names


def _edges(draft: Draft, n: int, left: float, right: float) -> list[float]:
    """Left edges of n columns, and the right one of the last."""
    rng = draft.rng
    shares = [rng.uniform(0.7, 1.6 if n == 2 else 1.2) for _ in range(n)]
    edges = [left]
    for share in shares:
        edges.append(edges[-1] + (right - left) * share / sum(shares))
    return edges


def _panel(draft: Draft, names: list[str], x: float, end: float, y: float) -> float:
    """A heading, then pairs, a sum of rows, or a sentence."""
    rng, size, m = draft.rng, draft.size, draft.manner
    if rng.random() < 0.6:
        heading = " ".join(m.word().capitalize() for _ in range(rng.randint(1, 3)))
        y = draft.block([heading], x, y, size=size * rng.choice((1, 1.15, 1.3))) + size * 0.3
    if rng.random() < 0.2:
        y = tagged(draft, rng.choice(phrases("due_tagged", m.language)), x, y, fit=end - x) + size * 0.4
    y = pairs(draft, names, x, y, end)
    shape = rng.random()
    if shape < 0.3:
        return _charges(draft, x, end, y + size * 0.5)
    if shape < 0.55:
        text = fill(draft, rng.choice(phrases(rng.choice(("boiler", "sentence", "closing")), m.language)))
        y = draft.block(wrap(draft, text, end - x), x, y + size * 0.4, size=size * 0.9)
    return y


def _charges(draft: Draft, x: float, end: float, y: float) -> float:
    """Rows of charges with their sum, which is no total of the page."""
    rng, m, size = draft.rng, draft.manner, draft.size
    total = 0
    for _ in range(rng.randint(2, 6)):
        cents = random_cents(rng) // 10
        total += cents
        width = draft.text_width(m.money(cents)) + size
        text = wrap(draft, rng.choice(phrases("product", m.language)), max(size * 5, end - x - width))[0]
        draft.put(x, y, text)
        draft.put(end, y, m.money(cents), align="right")
        y += size * 1.35
    if rng.random() < 0.6:
        draft.put(end, y, m.money(total), align="right")
        draft.unasked.update(("net_total", "grand_total"))
        y += size * 1.35
    return y


def _small_print(draft: Draft, edges: list[float], y: float) -> float:
    """Terms in small print, a text to each column."""
    rng, size = draft.rng, draft.size
    small, bottoms = size * rng.choice((0.7, 0.8)), []
    texts = phrases("boiler", draft.manner.language)
    for x, end in itertools.pairwise(edges):
        text = fill(draft, " ".join(rng.sample(texts, min(len(texts), rng.randint(2, 7)))))
        bottoms.append(draft.block(wrap(draft, text, end - x - size, small), x, y, size=small))
    return max(bottoms) + size
