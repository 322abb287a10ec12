"""What is asked about a made-up page: keys as analysts write them, right spans, and keys that the page does not hold."""

import random
from functools import cache

from pipkie_cli.nouns import Key, Question
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import LANGUAGES, Field, fields

_ABSENT_SHARE = 0.3
_MOST = 16
# Asking for the first on a page that states only the second would be a matter of taste.
_TASTE = {
    "amount_due": "grand_total", "tax_number": "seller_vat_id", "grand_total": "amount_due", "cash": "grand_total",
    "ship_to_name": "buyer_name", "ship_to_address": "buyer_address",
}  # fmt: skip
_TEMPLATE_NAMES = {  # a template's name for a field, where it differs
    "company": "seller_name", "address": "seller_address", "date": "issue_date", "receipt_number": "invoice_number",
    "total": "grand_total", "tax": "tax_total", "purchase_order_number": "order_number",
}  # fmt: skip


@cache
def _shipped() -> dict[str, tuple[Key, ...]]:
    """The keys of the shipped templates by field: what users will ask most."""
    from pipkie_cli.templates import find_templates

    keys: dict[str, tuple[Key, ...]] = {}
    for template in find_templates((), None):
        for key in template.keys:
            name = _TEMPLATE_NAMES.get(key.name, key.name)
            keys[name] = (*keys.get(name, ()), key)
    return keys


def ask(draft: Draft, spans: dict[str, list[tuple[int, int]]], broken: set[str]) -> tuple[Question, ...]:
    """Questions for the fields with spans, and for absent ones; fields in `broken` are left alone."""
    rng = draft.rng
    present = [name for name in spans if name not in broken]
    rng.shuffle(present)
    del present[rng.choice((4, 8, _MOST)) :]
    stated = set(spans) | broken
    absent = _absent(rng, stated, max(1, round(len(present) * rng.uniform(0, 2 * _ABSENT_SHARE / (1 - _ABSENT_SHARE)))))
    asked = [Question(_key(draft, draft.find(name)), tuple(sorted(set(spans[name])))) for name in present]
    asked += [Question(_key(draft, fields()[name]), ()) for name in absent]
    rng.shuffle(asked)
    unique = {question.key.name: question for question in asked}
    return tuple(unique.values())


def _absent(rng: random.Random, stated: set[str], n: int) -> list[str]:
    """Absent fields; those of a kind that the page states are the hard ones and come first."""
    table = fields()
    kinds = {table[name].kind for name in stated if name in table}
    free = [name for name in table if name not in stated and _TASTE.get(name) not in stated]
    near = [name for name in free if table[name].kind in kinds]
    chosen = [rng.choice(near if near and rng.random() < 0.7 else free) for _ in range(n)] if free else []
    return list(dict.fromkeys(chosen))


def _key(draft: Draft, field: Field) -> Key:
    rng = draft.rng
    shipped = _shipped().get(field.name)
    if shipped and rng.random() < 0.5:
        return rng.choice(shipped)
    prompt = rng.choice(field.prompts)
    if rng.random() < 0.1:
        prompt = prompt.title() if rng.random() < 0.5 else prompt.upper()
    return Key(prompt.lower().replace(" ", "_"), field.type, prompt, _aliases(draft, field))


def _aliases(draft: Draft, field: Field) -> tuple[str, ...]:
    """None to four printed labels; half of the time the one on this page is not among them."""
    rng = draft.rng
    n = rng.choice((0, 0, 1, 1, 2, 3, 4))
    shown = draft.shown_labels.get(field.name)
    labels = [rng.choice(field.labels_in(rng.choice(LANGUAGES))) for _ in range(n)]
    if shown and n and rng.random() < 0.5:
        labels[0] = shown
    return tuple(dict.fromkeys(labels))
