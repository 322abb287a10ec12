"""What is asked about a made-up page: keys as analysts write them, right spans, keys that the page does not hold."""

import random
from collections.abc import Sequence

from pipkie_cli.nouns import Key, Question
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.pairs import DOUBLES, stranger_near
from pipkie_cli.synth.shipped import shipped_keys, shipped_templates
from pipkie_cli.synth.tables import LANGUAGES, Field, fields, fields_of, office_labels, phrases

_ABSENT_SHARE = 0.22  # beside the keys of whole templates: 0.3 with them
_MOST = 16
# Asking for the first on a page that states only the second would be a matter of taste.
_TASTE = {
    "amount_due": "grand_total", "tax_number": "seller_vat_id", "grand_total": "amount_due", "cash": "grand_total",
    "seller_phone": "buyer_phone", "seller_email": "buyer_email",
    "receipt_number": "invoice_number", "ship_to_name": "buyer_name", "ship_to_address": "buyer_address",
}  # fmt: skip
_OTHER_KINDS = (
    "visa", "tenant", "student", "pension", "warranty", "scholarship", "laboratory", "museum", "wedding", "livestock",
    "parking", "library", "membership", "hotel", "harvest", "theatre",
)  # fmt: skip


def ask(draft: Draft, spans: dict[str, list[tuple[int, int]]], broken: set[str]) -> tuple[Question, ...]:
    """Questions for the fields with spans, and for absent ones; fields in `broken` are left alone."""
    rng = draft.rng
    present = [name for name in spans if name not in broken and (name != "currency" or rng.random() < 0.2)]
    rng.shuffle(present)
    del present[rng.choice((4, 8, _MOST)) :]
    stated = set(spans) | broken
    own = bool(draft.asked_as)  # a page of one template: what other keys mean there is a matter of taste
    asked = [] if own or rng.random() < 0.65 else _whole_template(rng, spans, stated, broken)
    empty = [draft.find(name) for name in sorted(draft.empty - stated)]
    n = round(len(present) * rng.uniform(0, 2 * _ABSENT_SHARE / (1 - _ABSENT_SHARE)))
    absent = _absent_of_others(draft) if own else _absent(draft, stated, max(1, n))
    for field in empty + [draft.find(name) for name in present] + absent:
        key = _key(draft, field, stated)
        if key is not None:
            asked.append(Question(key, _sorted(spans.get(field.name, ()))))
    rng.shuffle(asked)
    unique = {question.key.name: question for question in asked}
    return tuple(unique.values())


def _sorted(found: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(set(found)))


def _whole_template(
    rng: random.Random, spans: dict[str, list[tuple[int, int]]], stated: set[str], broken: set[str]
) -> list[Question]:
    """Every key of a shipped template, as `pipkie extract` asks them, but for the matters of taste."""
    return [
        Question(key, _sorted(spans.get(name, ())))
        for name, key in rng.choice(shipped_templates())
        if not key.columns and name not in broken and (name in spans or _TASTE.get(name) not in stated)
    ]


def _absent(draft: Draft, stated: set[str], n: int) -> list[Field]:
    """Absent fields. The hard ones come first: of a kind that the page states, or half of a compound that it states."""
    rng, table = draft.rng, fields()
    kinds = {draft.find(name).kind for name in stated if name in table or name in draft.strangers}
    foreseen = (*table.values(), *(fields_of("receipt") if draft.strip else ()))  # on receipts theirs count twice
    free = [field for field in foreseen if field.name not in stated and _TASTE.get(field.name) not in stated]
    near = [field for field in free if field.kind in kinds]
    near_fields = [draft.find(name) for name in sorted(stated) if name in table]
    chosen = []
    for _ in range(n):
        if rng.random() < 0.25:
            chosen += _unprinted_label(draft)
        elif near_fields and rng.random() < 0.3:
            chosen.append(_of_another_kind(draft, rng.choice(near_fields)))
        elif draft.strangers and rng.random() < 0.3:
            other = stranger_near(rng, rng.choice(list(draft.strangers)))
            if other is not None and other.name not in stated:
                chosen.append(other)
        elif free:
            chosen.append(rng.choice(near if near and rng.random() < 0.7 else free))
    return chosen


def _absent_of_others(draft: Draft) -> list[Field]:
    """Fields of other kinds of paper."""
    rng = draft.rng
    asked = [draft.find(name) for name in sorted(draft.asked_as)]
    return [_of_another_kind(draft, rng.choice(asked)) for _ in range(rng.randint(0, 2))] + _unprinted_label(draft)


def _unprinted_label(draft: Draft) -> list[Field]:
    """A label of office forms of which no word is printed as a label here; none where the draw is printed."""
    label, kind = draft.rng.choice(office_labels(draft.manner.language if draft.rng.random() < 0.7 else "en"))
    printed = {word for shown in draft.shown_labels.values() for word in shown.casefold().split()}
    if printed & set(label.casefold().split()):
        return []
    return [Field(label.casefold().replace(" ", "_"), kind, frozenset(), (label, label.lower(), label.upper()), {})]


def _of_another_kind(draft: Draft, field: Field) -> Field:
    """A stated field with a word before it that makes it another thing: the page holds a date, but no visa's date."""
    word = draft.rng.choice(_OTHER_KINDS)
    prompts = tuple(f"{word} {prompt.lower()}" for prompt in field.prompts)
    return Field(f"{word}_{field.name}", field.kind, frozenset(), prompts, {})


def _key(draft: Draft, field: Field, stated: set[str]) -> Key | None:
    """A key for a field as somebody would write it; None where every prompt would mean another stated field, too."""
    rng = draft.rng
    if field.name in draft.asked_as and rng.random() < 0.85:
        return draft.asked_as[field.name]
    shipped = shipped_keys().get(field.name)
    if shipped and rng.random() < 0.4:
        return rng.choice(shipped)
    others = [draft.find(name) for name in stated if name != field.name]
    taken = {prompt for other in others for prompt in other.prompts}
    taken |= {"address"} if "buyer_address" in stated else set()  # whose?
    if field.name == "seller_vat_id" and "buyer_vat_id" in stated:
        taken |= {prompt for prompt in field.prompts if "seller" not in prompt}
    prompts = [prompt for prompt in field.prompts if prompt not in taken]
    if not prompts:
        return None
    prompt = rng.choice(prompts)
    own = draft.shown_labels.get(field.name, "").casefold()  # of two values under one label, it names each
    printed = {label.casefold() for name, label in draft.shown_labels.items() if name != field.name}
    aliases = tuple(
        label for label in _aliases(draft, field) if label.casefold() == own or label.casefold() not in printed
    )
    shape = rng.random()
    if shape < 0.2 and field.name in draft.shown_labels:  # asked as it is printed, for want of a better word
        label = draft.shown_labels[field.name].strip(" :.")
        prompt = prompt if label.casefold() in printed or not label else rng.choice((label, label, label.lower()))
        aliases = aliases if rng.random() < 0.3 else ()
    elif shape < 0.28:  # people write their templates in their own language, too
        label = rng.choice(field.labels_in(draft.manner.language))
        prompt = prompt if label.casefold() in printed else label
    elif shape < 0.36:
        prompt = prompt.title() if rng.random() < 0.5 else prompt.upper()
    return Key(prompt.lower().replace(" ", "_"), field.type, prompt, aliases)


def _aliases(draft: Draft, field: Field) -> tuple[str, ...]:
    """None to four printed labels; half of the time the one on this page is not among them."""
    rng = draft.rng
    n = rng.choice((0, 0, 0, 1, 1, 2, 3, 4))
    shown = draft.shown_labels.get(field.name)
    labels = [rng.choice(field.labels_in(rng.choice(LANGUAGES))) for _ in range(n)]
    double = next((name for name, two in DOUBLES.items() if field.name in two), None)
    if double and rng.random() < 0.5:  # labels over both values of a pair, as people name them for each
        labels += [rng.choice(phrases(double, draft.manner.language)) for _ in range(rng.choice((1, 2, 4)))]
    if shown and labels and rng.random() < 0.5:
        labels[0] = shown
    return tuple(dict.fromkeys(labels))
