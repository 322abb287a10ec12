"""An analyst's labelled pages, and some made-up ones, as an endless stream of training batches.

Her pages are few, so each is varied: other digits, other case, keys asked as the template has them and now and then
with fewer aliases or by another name, and keys that the page does not hold. Tables are asked of some rows: items, and
rows that look like items and are none.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipkie_cli.nouns import Example, Key, Page, Question
from pipkie_cli.prompts import fold
from pipkie_cli.synth import foreign_key, make_example
from pipkie_cli.train.finetune_align import Found
from pipkie_cli.train.finetune_tables import RowFound
from pipkie_cli.train.real import other_case, other_digits
from pipkie_cli.train.stream import Mix, Stream

MADE_UP_SHARE = 0.3  # of the documents: what keeps the shipped templates known
EMPTY_SHARE = 0.15  # of her documents' turns: a page without any of the values, where there is one
LEAST_WORDS = 5
ROWS, ITEMS_SHARE, NUMBERED_SHARE = 8, 0.5, 0.35  # rows asked of a page; of them items, and others with a digit
COLUMNS = 4  # of a table that are asked at once
N_CELLS = 24


@dataclass(frozen=True, slots=True)
class Own:
    """What is learnt from: documents, each as its pages with the places of its labels, and the keys asked."""

    documents: Sequence[Sequence[Found]]
    keys: Mapping[str, Key]  # tables too

    def example(self, rng: random.Random) -> Example:
        pages = rng.choice(self.documents)
        holding = [page for page in pages if page.holds_something]
        others = [page for page in pages if not page.holds_something]
        found = rng.choice(others if others and (not holding or rng.random() < EMPTY_SHARE) else holding)
        return make_own_example(found, self.keys, rng)


class OwnStream(Stream):
    """Her documents, mixed with made-up ones."""

    def __init__(self, own: Own, made_up_share: float, batch_size: int, tokenizer_json: str, seed: int) -> None:
        mix = Mix((), {}, batch_size=batch_size, n_keys=max(12, len(own.keys)), n_cells=N_CELLS)
        super().__init__(mix, tokenizer_json, seed)
        self.own, self.made_up_share = own, made_up_share

    def example(self, index: int) -> Example:
        rng = random.Random(f"{self.seed}:{index}")
        if rng.random() < self.made_up_share:
            return make_example(rng.getrandbits(61))
        return self.own.example(rng)


def plain_example(found: Found, keys: Mapping[str, Key]) -> Example:
    """The page as it is, its keys asked as extraction asks them; no tables."""
    return Example(
        found.page, found.page_count, tuple(Question(keys[name], spans) for name, spans in found.spans.items())
    )


def make_own_example(found: Found, keys: Mapping[str, Key], rng: random.Random) -> Example:
    """A fresh example of a page."""
    questions = [Question(_asked(keys[name], rng), spans) for name, spans in found.spans.items()]
    questions += [Question(key, ()) for key in _foreign(found.page, keys, rng)]
    questions += _cells(found, keys, rng)
    page = found.page
    if rng.random() < 0.6:
        page = other_digits(page, _words_of_dates(found, keys), rng)
    if rng.random() < 0.1:
        page = other_case(page, rng)
    return Example(page, found.page_count, tuple(questions))


def _cells(found: Found, keys: Mapping[str, Key], rng: random.Random) -> list[Question]:
    """The columns of one table, asked of some rows of the page."""
    tables = sorted({row.table for row in found.rows})
    if not tables:
        return []
    table = rng.choice(tables)
    columns = keys[table].columns
    asked = [_asked(column, rng) for column in rng.sample(columns, min(len(columns), COLUMNS))]
    return [
        Question(column, row.cells.get(column.name, ()), row.words)
        for row in _drawn([row for row in found.rows if row.table == table], found.page, rng)
        for column in asked
        if column.name not in row.unsure
    ]


def _drawn(rows: Sequence[RowFound], page: Page, rng: random.Random) -> list[RowFound]:
    """Items, rows with a digit that are none (sums and taxes look like items), and a few of the rest."""
    items, others = [row for row in rows if row.cells], [row for row in rows if not row.cells]
    numbered = [row for row in others if any(char.isdigit() for index in row.words for char in page.words[index].text)]
    drawn = rng.sample(items, min(len(items), max(1, round(ROWS * ITEMS_SHARE))))
    drawn += rng.sample(numbered, min(len(numbered), round(ROWS * NUMBERED_SHARE)))
    rest = [row for row in others if row not in drawn]
    return drawn + rng.sample(rest, min(len(rest), max(1, ROWS - len(drawn))))


def _asked(key: Key, rng: random.Random) -> Key:
    """Mostly the key as it is; else with fewer aliases, with none, or by one of them."""
    turn = rng.random()
    if turn < 0.7 or not key.aliases:
        return key
    if turn < 0.8:
        return replace(key, aliases=())
    if turn < 0.9:
        return replace(key, aliases=tuple(rng.sample(key.aliases, rng.randint(1, len(key.aliases)))))
    names = [key.prompt, *key.aliases]
    rng.shuffle(names)
    return replace(key, prompt=names[0], aliases=tuple(names[1:]))


def _foreign(page: Page, keys: Mapping[str, Key], rng: random.Random) -> list[Key]:
    """Keys that the page surely does not hold: no word of theirs is printed or asked."""
    said = {fold(word.text) for word in page.words}
    for key in (*keys.values(), *(column for table in keys.values() for column in table.columns)):
        said.update(
            fold(word) for text in (key.name, key.prompt, *key.aliases) for word in text.replace("_", " ").split()
        )
    drawn = {key.name: key for key in (foreign_key("invoice", rng) for _ in range(rng.randint(0, 3)))}
    return [
        key for key in drawn.values() if said.isdisjoint(fold(word) for word in key.prompt.split() if len(word) > 3)
    ]


def _words_of_dates(found: Found, keys: Mapping[str, Key]) -> set[str]:
    """Words of labelled dates: the 14 of "14 MAR 2018" does not look like one."""
    columns = {(table.name, column.name): column for table in keys.values() for column in table.columns}
    labelled = [(keys[name], spans) for name, spans in found.spans.items()]
    labelled += [(columns[row.table, name], spans) for row in found.rows for name, spans in row.cells.items()]
    return {
        word.text
        for key, spans in labelled
        if key.type in ("date", "datetime")
        for first, last in spans
        for word in found.page.words[first : last + 1]
    }


def by_document(pages: Sequence[Found]) -> list[list[Found]]:
    """Pages with enough words to learn from, those of a document together."""
    documents: dict[str, list[Found]] = defaultdict(list)
    for page in pages:
        if len(page.page.words) >= LEAST_WORDS and (page.spans or page.rows):
            documents[page.document].append(page)
    return list(documents.values())
