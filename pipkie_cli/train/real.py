"""Real labelled documents -> training examples: pages read by the real pipeline, questions asked in many ways."""

import dataclasses
import hashlib
import json
import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipkie_cli.nouns import Example, Key, Page, Question, Word
from pipkie_cli.synth import column_key, foreign_key, is_matter_of_taste
from pipkie_cli.train.align import find_spans
from pipkie_cli.train.real_tables import COLUMNS, RealRow, real_rows
from pipkie_cli.train.receipt_rows import receipt_rows

# What else a key of a set is called: (prompt, type). The shipped template's key is asked as often as all of these.
SETS: Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "receipt": {
        "company": ("text", ("company", "company name", "seller name", "shop name", "merchant", "vendor", "store")),
        "date": ("date", ("date", "receipt date", "date of purchase", "invoice date", "transaction date")),
        "address": ("text", ("address", "company address", "shop address", "seller address", "store address")),
        "total": ("amount", ("total", "total amount", "grand total", "amount to pay", "total price")),
    },
    "invoice": {
        "invoice_number": ("text", ("invoice number", "number of the invoice", "invoice no", "document number")),
        "issue_date": ("date", ("issue date", "invoice date", "date of the invoice", "date of issue", "date")),
        "due_date": ("date", ("due date", "payment due date", "payable until")),
        "purchase_order_number": ("text", ("purchase order number", "buyer's order number", "your order", "po number")),
        "order_number": ("text", ("order number", "number of the order")),
        "seller_name": ("text", ("seller name", "supplier", "name of the supplier", "vendor name", "company")),
        "seller_vat_id": ("text", ("seller vat id", "vat number of the seller", "vat id", "supplier vat number")),
        "buyer_name": ("text", ("buyer name", "customer name", "bill to name", "recipient")),
        "net_total": ("amount", ("net total", "total without tax", "net amount", "subtotal before tax")),
        "tax_total": ("amount", ("tax total", "total tax", "vat amount", "amount of tax")),
        "grand_total": ("amount", ("grand total", "total amount", "total including tax", "gross total", "total")),
        "amount_due": ("amount", ("amount due", "amount to pay", "balance due")),
        "currency": ("currency", ("currency", "currency code")),
        "iban": ("text", ("iban", "bank account iban", "iban of the seller")),
    },
}
# Keys that documents of a set surely do not hold: asked to look at a model and to calibrate it, never to teach it.
NEVER: Mapping[str, tuple[tuple[str, str], ...]] = {
    "receipt": (
        ("iban", "text"), ("buyer vat id", "text"), ("flight start date", "date"), ("policy number", "text"),
        ("registrant name", "text"), ("net weight of the vehicle", "number"), ("date of birth", "date"),
        ("contract end date", "date"), ("shipping address", "text"), ("passport number", "text"),
        ("insurance premium", "amount"), ("purchase order number", "text"), ("due date", "date"),
        ("patient name", "text"), ("advertiser", "text"), ("gross salary", "amount"), ("meter reading", "number"),
    ),
    "invoice": (
        ("policy number", "text"), ("flight start date", "date"), ("date of birth", "date"),
        ("registrant name", "text"), ("change given back", "amount"), ("cash paid", "amount"), ("cashier", "text"),
        ("passport number", "text"), ("insurance premium", "amount"), ("patient name", "text"), ("advertiser", "text"),
        ("gross salary", "amount"),
        ("meter reading", "number"), ("table number", "text"), ("expiry date of the passport", "date"),
        ("student number", "text"), ("blood group", "text"),
    ),
}  # fmt: skip


TUNE_SHARE = {"receipt": 0.1, "invoice": 0.05}  # of groups; the invoices' sellers are a dozen


@dataclass(frozen=True, slots=True)
class RealPage:
    """One page of a labelled document with the spans of its labelled keys."""

    kind: str  # a name of SETS
    group: str  # documents of one group (seller, shop) stay on one side of every split
    page: Page
    page_count: int
    spans: Mapping[str, tuple[tuple[int, int], ...]]  # keys found on this page
    rows: tuple[RealRow, ...] = ()  # printed rows with the cells of the line items; () where none is labelled


def to_real_page(kind: str, group: str, page: Page, page_count: int, values: Mapping[str, object]) -> RealPage:
    """Values are the labels as printed; lists are several right values; what is not on the page is left out."""
    spans: dict[str, tuple[tuple[int, int], ...]] = {}
    for key in SETS[kind]:
        wanted = values.get(key)
        texts = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
        found = tuple(span for text in texts if isinstance(text, str) for span in find_spans(page.words, text))
        if found:
            spans[key] = found
    items = values.get("line_items")
    if isinstance(items, list):
        rows = real_rows(page.words, [one for one in items if isinstance(one, Mapping)])
    else:
        rows = receipt_rows(page.words) if kind == "receipt" else ()
    return RealPage(kind, group, page, page_count, spans, rows)


def make_real_example(real: RealPage, shipped: Mapping[str, Key], rng: random.Random, n_keys: int = 12) -> Example:
    """A fresh example of a page: other prompts, other digits, some keys that it does not hold."""
    questions = []
    for name, spans in real.spans.items():
        questions.append(Question(_ask(name, real.kind, shipped, rng), spans))
    foreign = {key.name: key for key in (foreign_key(real.kind, rng) for _ in range(rng.randint(1, 4)))}
    questions += [Question(key, ()) for key in foreign.values()]
    rng.shuffle(questions)
    questions = questions[:n_keys] + _cells(real.page, real.rows, rng)
    page = real.page
    if rng.random() < 0.6:
        page = other_digits(page, _words_of_dates(real), rng)
    if rng.random() < 0.15:
        page = other_case(page, rng)
    return Example(page, real.page_count, tuple(questions))


def _cells(page: Page, rows: Sequence[RealRow], rng: random.Random) -> list[Question]:
    """Some columns asked of some rows, more of them items than not."""
    items, others = [row for row in rows if row.cells], [row for row in rows if not row.cells]
    chosen = rng.sample(items, min(len(items), rng.randint(2, 4)))
    if chosen:
        numbered = [row for row in others if any(page.words[index].text[-1:].isdigit() for index in row.words)]
        chosen += rng.sample(numbered, min(len(numbered), rng.randint(1, 3)))  # sums and taxes look like items
        chosen += rng.sample(others, min(len(others), 1))
    keys = [column_key(name, rng) for name in rng.sample(COLUMNS, rng.randint(2, 4))]
    return [
        Question(key, row.cells.get(key.name, ()), row.words)
        for row in chosen
        for key in keys
        if key.name not in row.unsure and not is_matter_of_taste(key, row.cells)
    ]


def _ask(name: str, kind: str, shipped: Mapping[str, Key], rng: random.Random) -> Key:
    key_type, prompts = SETS[kind][name]
    known = shipped.get(name)
    if known is not None and rng.random() < 0.5:
        return known
    aliases: tuple[str, ...] = ()
    if known is not None and known.aliases and rng.random() < 0.5:
        aliases = tuple(rng.sample(known.aliases, min(len(known.aliases), rng.randint(1, 4))))
    return Key(name, key_type, rng.choice(prompts), aliases)


def _words_of_dates(real: RealPage) -> set[str]:
    """Words of labelled dates: the 14 of "14 MAR 2018" does not look like one."""
    return {
        word.text
        for name, spans in real.spans.items()
        if SETS[real.kind][name][0] == "date"
        for first, last in spans
        for word in real.page.words[first : last + 1]
    }


def other_digits(page: Page, kept: set[str], rng: random.Random) -> Page:
    """Digits of words that are no dates replaced, equal words equally: the same few numbers are not learnt by heart."""
    renamed: dict[str, str] = {}

    def rename(text: str) -> str:
        if not any(char.isdigit() for char in text) or _date_like(text) or text in kept:
            return text
        if text not in renamed:
            renamed[text] = "".join(
                rng.choice("123456789") if char.isdigit() and char != "0" else char for char in text
            )
        return renamed[text]

    words = tuple(dataclasses.replace(word, text=rename(word.text)) for word in page.words)
    return dataclasses.replace(page, words=words)


def _date_like(text: str) -> bool:
    return sum(text.count(mark) for mark in "/-.:") >= 2 or (len(text) == 4 and text[:2] in ("19", "20"))


def other_case(page: Page, rng: random.Random) -> Page:
    change = rng.choice((str.upper, str.lower, str.title))
    words: tuple[Word, ...] = tuple(dataclasses.replace(word, text=change(word.text)) for word in page.words)
    return dataclasses.replace(page, words=words)


def is_tune_group(group: str, kind: str) -> bool:
    """A stable share of the groups of a training part is kept back, to tune and calibrate on."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF < TUNE_SHARE[kind]


def read_cached(path: Path) -> Iterator[RealPage]:
    """Pages that `python -m pipkie_cli.train pages` wrote."""
    with path.open("rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return


def labels_of(folder: Path, part: str | None) -> Sequence[Mapping[str, object]]:
    """Lines of labels.jsonl, of one part of split.json where a part is named."""
    rows = (folder / "labels.jsonl").read_bytes().splitlines()  # of bytes: U+2028 inside a value ends no line
    lines = [json.loads(row) for row in rows]
    if part is None:
        return lines
    names = set(json.loads((folder / "split.json").read_text(encoding="utf-8"))[part])
    return [line for line in lines if {line["file"], Path(line["file"]).name, Path(line["file"]).stem} & names]
