"""Papers of the kinds that the shipped templates foresee, beside invoices and receipts: payslips, statements, claims.

A paper states most keys of one template under labels that the template names, and is asked for all of them as the
template asks. Its table has the template's columns.
"""

import datetime
import itertools
from functools import cache

from pipkie_cli.nouns import Key, Template
from pipkie_cli.synth.cells import CELL
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.header_rows import header_rows
from pipkie_cli.synth.pairs import pairs, stranger
from pipkie_cli.synth.prose import paragraph, wrap
from pipkie_cli.synth.shipped import NEVER_ASKED
from pipkie_cli.synth.tables import LANGUAGES, Field, phrases
from pipkie_cli.synth.values import printed, random_cents

_OWN_LAYOUTS = ("invoice", "receipt")  # have layouts of their own
_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")  # in which the first aliases of a key stand
_BY_NAME = {  # kind of value by the name of a key, or by its last words
    "employer": "company", "insurer": "company", "carrier": "company", "bank_name": "bank", "seller_name": "company",
    "payer_name": "company", "payee_name": "company", "ship_to_name": "company", "buyer_name": "company",
    "contact_person": "name", "last_name": "lastname", "first_name": "firstname", "name": "person", "holder": "name",
    "address": "address", "authority": "city", "place": "city", "place_of_loss": "city", "reason": "longtext",
    "description_of_loss": "longtext", "description": "product", "terms": "terms", "method": "paymethod",
    "incoterms": "incoterm", "weight": "weight", "plate": "plate", "time_of_loss": "time", "gender": "gender",
    "nationality": "nation", "country": "country", "tariff": "product", "unit": "unit", "phone": "phone",
    "email": "email", "period": "month", "height": "height", "consumption": "usage", "informed": "yes",
    "injuries": "yes", "number": "id", "reference": "id", "rate": "amount", "iban": "iban", "bic": "bic",
}  # fmt: skip
_BY_TYPE = {
    "tax_id": "vat", "percent": "percent", "integer": "number", "boolean": "yes", "datetime": "date", "choice": "text",
}  # fmt: skip
_YES = {
    "en": "Yes No", "de": "Ja Nein", "fr": "Oui Non", "es": "Sí No", "it": "Sì No", "nl": "Ja Nee", "pt": "Sim Não",
    "pl": "Tak Nie",
}  # fmt: skip
_SENDERS = ("seller_name", "employer", "bank_name", "insurer", "payer_name", "issuing_authority")
_RECEIVERS = ("buyer_name", "employee_name", "account_holder", "payee_name", "ship_to_name", "insured_name")
_RANGE = ("period_from", "period_to")
_LEFT_OUT = 0.2  # share of keys that a paper does not state
_SUMS = ("total", "balance", "salary", "deductions", "tax", "due", "debits", "credits")


@cache
def paper_templates() -> tuple[Template, ...]:
    from pipkie_cli.templates import find_templates

    return tuple(one for one in find_templates((), None) if one.name not in (*NEVER_ASKED, *_OWN_LAYOUTS))


def write_paper(draft: Draft) -> None:
    """Write a page: who sends it and who gets it, what the template asks in sections, its table, its sums."""
    rng, size = draft.rng, draft.size
    template = rng.choice(paper_templates())
    left, right = draft.width * rng.uniform(0.05, 0.11), draft.width * rng.uniform(0.89, 0.95)
    names = _state(draft, template)
    y = _head(draft, template, names, left, right, draft.height * rng.uniform(0.03, 0.07))
    sums = [name for name in names if _is_sum(draft, name)] if rng.random() < 0.7 else []
    names = [name for name in names if name not in sums]
    for start in _RANGE[:1] if rng.random() < 0.6 else ():
        y = _range(draft, names, start, left, y)
    names += [stranger(draft) for _ in range(rng.choice((0, 0, 1, 3, 6)))]
    if rng.random() < 0.6:
        rng.shuffle(names)
    while names:
        n = rng.randint(2, 9)
        part, names = names[:n], names[n:]
        y = _section(draft, part, left, right, y) + size * rng.uniform(0.4, 1.6)
    for table in (key for key in template.keys if key.columns):
        if rng.random() < 0.85:
            y = _table(draft, table, left, right, y) + size
    y = _total_rows(draft, sums, left, right, y)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        y = paragraph(draft, left, right, y + size * 0.5)


def _state(draft: Draft, template: Template) -> list[str]:
    """Make fields of the template's keys; returns the names of those that the paper states, in the template's order."""
    rng = draft.rng
    names = []
    for key in (key for key in template.keys if not key.columns):
        name = f"paper_{key.name}"
        draft.strangers[name] = Field(name, _kind(key), frozenset(), (key.prompt,), _labels(key))
        draft.asked_as[name] = key
        if rng.random() < (0.04 if key.required else _LEFT_OUT):
            draft.empty.add(name)
            continue
        names.append(name)
        special = _special(draft, key)
        if special is not None:
            draft.facts[name] = special
    return names


def _kind(key: Key) -> str:
    words = key.name.split("_")
    for first in range(len(words)):
        kind = _BY_NAME.get("_".join(words[first:]))
        if kind and (key.type in ("text", "choice", "boolean") or kind in ("month", "usage")):
            return kind
    return _BY_TYPE.get(key.type, key.type)


def _labels(key: Key) -> dict[str, tuple[str, ...]]:
    """Printed labels by language: a template names the commonest of each language first, then others."""
    prompt = key.prompt[:1].upper() + key.prompt[1:]
    if len(key.aliases) < len(_LANGUAGES):
        return {language: (prompt, *key.aliases) for language in LANGUAGES}
    others = key.aliases[len(_LANGUAGES) :]
    firsts = dict(zip(_LANGUAGES, key.aliases, strict=False))
    some = others[:: max(1, len(others) // 2)]
    return {
        language: (firsts.get(language, prompt),) * 4 + some + ((prompt, prompt) if language == "en" else ())
        for language in LANGUAGES
    }


def _special(draft: Draft, key: Key) -> str | None:
    """The printed value where it is of no kind that every document knows."""
    rng, m = draft.rng, draft.manner
    kind = _kind(key)
    if key.choices:
        choice = rng.choice(key.choices)
        return rng.choice((choice.value.replace("_", " ").capitalize(), *choice.printed))
    if kind == "yes":
        words = _YES.get(m.language, _YES["en"]).split()
        return rng.choice((*words, *words, "X"))
    if kind == "month":
        return m.date(draft.day, rng.choice(("%n %Y", "%n %Y", "%m/%Y", "%m.%Y", "%a %Y")))
    if kind == "height":
        return rng.choice((f"{rng.randint(150, 199)} cm", f"1{m.decimal}{rng.randint(50, 99)} m"))
    if key.name in ("issue_date", "statement_date", "order_date"):
        return m.date(draft.day)
    if key.name == "birth_date":
        return m.date(draft.day - datetime.timedelta(days=rng.randint(6600, 30000)))
    return None


def _is_sum(draft: Draft, name: str) -> bool:
    return draft.find(name).kind == "amount" and name.rpartition("_")[2] in _SUMS


def _head(draft: Draft, template: Template, names: list[str], left: float, right: float, y: float) -> float:
    """A sender and a receiver without labels, as on letters, and what kind of paper it is."""
    rng, size = draft.rng, draft.size
    bare = {
        name: rng.random() < share
        for group, share in ((_SENDERS, 0.6), (_RECEIVERS, 0.45))
        for name in [f"paper_{one}" for one in group if f"paper_{one}" in names][:1]
    }
    for name, big in zip([name for name, alone in bare.items() if alone], (1.4, 1.0), strict=False):
        names.remove(name)
        x = rng.choice((left, left, (left + right) / 2))
        lines = [draft.value(name), *(rng.choice(draft.manner.pool.addresses) if rng.random() < 0.7 else ())]
        draft.block(lines[:1], x, y, (name,), size=size * big)
        y = draft.block(lines[1:], x, y + size * big * 1.22) + size * rng.uniform(0.3, 1.5)
    title = template.title if draft.manner.language == "en" else rng.choice(template.detect_words or (template.title,))
    x, align = rng.choice(((left, "left"), ((left + right) / 2, "center"), (right, "right")))
    big = size * rng.choice((1.2, 1.6, 2))
    draft.put(x, y, title.title() if rng.random() < 0.5 else title.upper(), align=align, size=big)
    return y + big * 1.8


def _range(draft: Draft, names: list[str], start: str, left: float, y: float) -> float:
    """Both ends of a period under one label."""
    one, other = (f"paper_{name}" for name in _RANGE)
    if one not in names or other not in names:
        return y
    rng = draft.rng
    names.remove(one)
    names.remove(other)
    first = draft.day - datetime.timedelta(days=rng.randint(20, 400))
    draft.facts[one] = draft.manner.date(first)
    draft.facts[other] = draft.manner.date(first + datetime.timedelta(days=rng.choice((27, 29, 30, 89, 364))))
    label = rng.choice((draft.label(one), *phrases("period", draft.manner.language)))
    draft.shown_labels[one] = draft.shown_labels[other] = label
    between = rng.choice(phrases("until", draft.manner.language))
    x = left + draft.put(left, y, label + rng.choice((":", ""))) + draft.size * rng.choice((0.4, 4))
    return draft.line([(draft.value(one), (one,)), (between, ()), (draft.value(other), (other,))], x, y) + draft.size


def _section(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    rng, size = draft.rng, draft.size
    shape = rng.random()
    if shape < 0.3:
        return header_rows(draft, names, left, right, y)
    if shape < 0.6 and len(names) > 2:
        middle, half = left + (right - left) * rng.uniform(0.45, 0.6), (len(names) + 1) // 2
        return max(pairs(draft, names[:half], left, y, middle - size), pairs(draft, names[half:], middle, y, right))
    return pairs(draft, names, left, y, left + (right - left) * rng.uniform(0.5, 1))


def _table(draft: Draft, table: Key, left: float, right: float, y: float) -> float:
    """Heads and rows of the template's table; a text may be wrapped; the sum below is no row of it."""
    rng, m, size = draft.rng, draft.manner, draft.size
    columns = [column for column in table.columns if rng.random() < 0.85] or list(table.columns[:2])
    small = size * rng.choice((0.8, 0.9, 1))
    weights = [3.0 if _is_wide(column) else 1.3 if column.type in ("amount", "date") else 1.0 for column in columns]
    edges = [left, *(left + (right - left) * part / sum(weights) for part in itertools.accumulate(weights))]
    for column, x, end in zip(columns, edges, edges[1:], strict=False):
        label = rng.choice(_labels(column).get(m.language) or _labels(column)["en"])
        draft.columns[column.name] = label
        draft.asked_columns[column.name] = column
        numeric = column.type in ("amount", "number")
        draft.put(end - size if numeric else x, y, label, size=small, align="right" if numeric else "left")
    y += small * rng.choice((1.4, 1.8))
    sparse = [column.name for column in columns if column.name in ("debit", "credit", "discount", "rate", "quantity")]
    for _ in range(rng.choice((1, 2, 3, 5, 8, 12, 20))):
        skipped = {name for name in sparse if rng.random() < 0.4}
        y = max(
            _cell(draft, column, x, end, y, small) if column.name not in skipped else y
            for column, x, end in zip(columns, edges, edges[1:], strict=False)
        ) + small * rng.choice((0.1, 0.1, 0.5))
    if rng.random() < 0.5:
        draft.put(left, y, rng.choice(phrases("head_amount", m.language)), size=small)
        draft.put(right - size, y, m.money(random_cents(rng)), size=small, align="right")
        y += small * 1.5
    return y


def _is_wide(column: Key) -> bool:
    return column.type == "text" and "description" in column.name


def _cell(draft: Draft, column: Key, x: float, end: float, y: float, size: float) -> float:
    rng, m = draft.rng, draft.manner
    kind = _kind(column)
    if kind == "amount":
        cents = random_cents(rng)
        text = m.money(-cents if column.name == "amount" and rng.random() < 0.2 else cents, True)
    elif kind == "number":
        text = str(rng.randint(1, 60))
    elif kind == "unit":
        text = rng.choice(phrases("unit", m.language))
    else:
        text = _special(draft, column) or printed(m, kind, draft.day)
    mark = (CELL + column.name,)
    if column.type in ("amount", "number"):
        draft.put(end - draft.size, y, text, mark, size=size, align="right")
        return y + size * 1.3
    lines = wrap(draft, text, end - x - size, size)[: 3 if _is_wide(column) else 1]
    return draft.block(lines, x, y, mark, size=size)


def _total_rows(draft: Draft, names: list[str], left: float, right: float, y: float) -> float:
    """Sums below each other at the right, or in a row of heads."""
    rng, size = draft.rng, draft.size
    if names and rng.random() < 0.3:
        return header_rows(draft, names, left, right, y)
    x = left + (right - left) * rng.choice((0, 0.4, 0.55))
    for name in names:
        draft.put(x, y, draft.label(name) + rng.choice((":", "", "")))
        draft.put(right, y, draft.value(name), (name,), align="right")
        y += size * rng.choice((1.3, 1.5))
    return y
