"""Rows of label cells with the values in the row beneath: the heads of orders, contracts and invoices."""

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import DOUBLES, double, label_like
from pipkie_cli.synth.prose import wrap

_Parts = list[tuple[str, tuple[str, ...]]]


def header_rows(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    """Print fields in rows of label cells above rows of value cells; returns the next y.

    Columns are as wide as what stands in them, or all alike; a value may be missing, or be a range of two dates.
    """
    rng, size = draft.rng, draft.size
    per_row = rng.randint(3, 7)
    align = rng.choice(("left", "left", "left", "center"))
    small = size * rng.choice((0.75, 0.85, 1, 1))
    gap = size * rng.choice((1.15, 1.3, 1.6, 2.1))
    even = rng.random() < 0.5
    for first in range(0, len(names), per_row):
        cells = [_cell(draft, name, label_like(names, name)) for name in names[first : first + per_row]]
        edges = _edges(draft, cells, left, right, even)
        bottom = y
        for (label, parts), x, end in zip(cells, edges, edges[1:], strict=False):
            at = (x + end) / 2 if align == "center" else x
            draft.put(at, y, label, size=small, align=align)
            text = " ".join(part for part, _ in parts)
            if len(parts) == 1 and draft.text_width(text) > end - x > size * 4:
                lines = wrap(draft, text, end - x - size * 0.3)
                bottom = max(bottom, draft.block(lines, at, y + gap, parts[0][1], align=align))
            else:
                bottom = max(bottom, draft.line(parts, at, y + gap, align=align))
        y = bottom + size * rng.choice((0.1, 0.3, 0.8))
    return y


def _cell(draft: Draft, name: str, like: str) -> tuple[str, _Parts]:
    """Label and value of a cell; now and then one without a value."""
    if name in DOUBLES:
        return double(draft, name)
    label = draft.label(like or name)
    draft.shown_labels[name] = label
    draft.shown_labels.pop("po_strict", None)
    if draft.rng.random() < 0.06:
        draft.empty.add(name)
        return label, [("", ())]
    return label, [(draft.value(name), draft.names(name))]


def _edges(draft: Draft, cells: list[tuple[str, _Parts]], left: float, right: float, even: bool) -> list[float]:
    """Left edges of the columns, and the right one of the last."""
    blank = draft.size * draft.rng.uniform(0.8, 1.6)
    wants = [
        max(draft.text_width(label), min(draft.text_width(" ".join(t for t, _ in parts)), draft.size * 16)) + blank
        for label, parts in cells
    ]
    if even:
        wants = [max(sum(wants) / len(wants), (right - left) / len(wants))] * len(wants)
    elif sum(wants) < right - left and draft.rng.random() < 0.6:
        wants = [want * (right - left) / sum(wants) for want in wants]
    edges = [left]
    for want in wants:
        edges.append(edges[-1] + want)
    return edges
