"""Forms, statements and sheets of `label: value`: known fields of other areas, fields of their own, running text."""

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import grid, pairs, some, stranger
from pipkie_cli.synth.prose import paragraph
from pipkie_cli.synth.tables import fields, phrases

_AREAS = (
    ("form",), ("form", "person"), ("person",), ("insurance",), ("insurance", "vehicle"), ("vehicle",), ("utility",),
    ("statement",), ("rental", "contract"),
    ("travel",), ("medical", "person"), ("employment", "person"), ("delivery",), ("certificate", "form"),
    ("media", "period"), ("event",), ("order",), ("invoice",),
    ("form", "period"), ("contract", "period"),
)  # fmt: skip


def write_form(draft: Draft) -> None:
    """Write a page of sections, each with pairs, a small table or some text."""
    rng, m, size = draft.rng, draft.manner, draft.size
    left, right = draft.width * rng.uniform(0.05, 0.12), draft.width * rng.uniform(0.86, 0.95)
    y = draft.height * rng.uniform(0.04, 0.08)
    if rng.random() < 0.6:
        y = draft.block([draft.value("seller_name")], left, y, ("seller_name",), size=size * rng.choice((1, 1.5)))
        if rng.random() < 0.6:
            y = draft.block(draft.address("seller_address"), left, y, ("seller_address",))
    title = rng.choice(phrases("title_form", m.language))
    draft.put(rng.choice((left, draft.width * 0.4)), y + size, title, size=size * rng.choice((1.2, 1.8)))
    y += size * 4
    draft.official = rng.random() < 0.4
    areas = rng.choice(_AREAS)
    known = [f.name for f in fields().values() if f.areas & set(areas) and "party" not in f.areas]
    known = some(rng, known, 2, 14)
    if rng.random() < 0.3:
        known.append("period")
    names = known + [stranger(draft) for _ in range(rng.choice((2, 4, 6, 10, 16, 28)))]
    names = list(dict.fromkeys(names))
    rng.shuffle(names)
    while names:
        n = rng.randint(2, 8)
        part, names = names[:n], names[n:]
        if rng.random() < 0.4:
            draft.put(left, y, " ".join(m.word().capitalize() for _ in range(rng.randint(1, 3))), size=size * 1.15)
            y += size * 1.8
        if rng.random() < 0.35 and len(part) > 3:
            half, middle = len(part) // 2, (left + right) / 2
            y = max(pairs(draft, part[:half], left, y, middle - size), pairs(draft, part[half:], middle, y, right))
        elif rng.random() < 0.25:
            y = grid(draft, part, left, y, right)
        else:
            y = pairs(draft, part, left, y, left + (right - left) * rng.uniform(0.5, 1))
        y += size * rng.uniform(0.5, 2)
        if rng.random() < 0.3:
            y = paragraph(draft, left, right, y) + size
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4, 9))):
        y = paragraph(draft, left, right, y) + size * 0.4
