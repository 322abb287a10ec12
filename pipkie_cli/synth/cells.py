"""What is asked about the table of a made-up page: columns of its rows, items and others, as extraction asks them."""

import random
from collections.abc import Mapping, Sequence
from itertools import groupby

from pipkie_cli.nouns import Key, Question, Word
from pipkie_cli.prompts import printed_rows
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.noise import Mark
from pipkie_cli.synth.shipped import shipped_columns
from pipkie_cli.synth.tables import LANGUAGES, phrases
from pipkie_cli.words import is_currency_word

CELL = "@"  # what the names of cells begin with: "@amount" on the ink of every amount of the table
LEFT_ALONE = "@?"  # on the ink of rows of which it is a matter of taste whether they are items
# column -> section of phrases with its printed headers, type, what people ask for
_COLUMNS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "description": ("head_item", "text", ("description", "item", "item description", "product", "article", "name")),
    "quantity": ("head_quantity", "number", ("quantity", "qty", "number of pieces", "count")),
    "unit_price": ("head_price", "amount", ("unit price", "price", "price per unit", "single price")),
    "amount": ("head_amount", "amount", ("amount", "line total", "total of the line", "sum", "total price")),
    "tax_rate": ("head_rate", "percent", ("tax rate", "vat rate", "vat percent")),
    "item_code": ("head_code", "text", ("item code", "article number", "sku", "product code")),
    "position": ("head_position", "number", ("position", "line number", "item number")),
    "date": ("head_date", "date", ("date", "date of the item", "service date")),
}
_USUAL = ("description", "quantity", "unit_price", "amount")  # columns that most templates have
_MOST_ROWS = 7
_OF_ONE = {"unit", "per", "single", "each", "one"}  # words of a prompt that say so
_NEVER_THERE = 0.12  # share of pages without a table that are asked for one


def ask_cells(draft: Draft, words: Sequence[Word], marks: Sequence[tuple[Mark, ...]]) -> tuple[Question, ...]:
    """Some columns asked of some rows; () for most pages without a table."""
    rng = draft.rng
    stated = {name[1:] for owners in marks for names, _ in owners for name in names if name[:1] == CELL}
    if not words or (not stated and rng.random() > _NEVER_THERE):
        return ()
    if draft.asked_columns:
        columns, most = list(draft.asked_columns), 5
    else:
        columns, most = [name for name in _USUAL if name in stated or rng.random() < 0.3], 4
        columns += [one for one in _COLUMNS if one not in _USUAL and rng.random() < (0.5 if one in stated else 0.03)]
    keys = {
        name: draft.asked_columns.get(name) or column_key(name, rng, draft.columns.get(name))
        for name in rng.sample(columns, min(len(columns), rng.randint(2, most)))
    }
    amounts = {name for name, key in keys.items() if key.type == "amount"}
    found = [(row, _cells(words, marks, row, amounts)) for row in printed_rows(words)]
    known = [(row, cells) for row, cells in found if cells is not None]
    items, others = [one for one in known if one[1]], [one for one in known if not one[1]]
    n = rng.randint(2, _MOST_ROWS)
    chosen = rng.sample(items, min(len(items), max(1, round(n * 0.5))))
    numbered = [one for one in others if any(_has_digit(words[index]) for index in one[0])]
    hard = rng.sample(numbered, min(len(numbered), round(n * 0.4)))  # sums and taxes look like items
    chosen += hard + rng.sample(others, min(len(others), max(0, n - len(chosen) - len(hard))))
    unique = {row: cells for row, cells in chosen}
    return tuple(
        Question(key, cells.get(name, ()), row)
        for row, cells in unique.items()
        for name, key in keys.items()
        if not is_matter_of_taste(key, cells)
    )


def is_matter_of_taste(key: Key, cells: Mapping[str, object]) -> bool:
    """Whether a "price" that is not said to be that of one may mean the only sum of the row."""
    only_sum = "amount" in cells and "unit_price" not in cells
    return key.name == "unit_price" and only_sum and not _OF_ONE & set(key.prompt.casefold().split())


def _has_digit(word: Word) -> bool:
    return any(char.isdigit() for char in word.text)


def column_key(name: str, rng: random.Random, printed: str | None = None) -> Key:
    """A shipped column, or one as somebody would write it; at times the header that the page prints is an alias."""
    if (shipped := shipped_columns().get(name)) and rng.random() < 0.3:
        return rng.choice(shipped)
    section, kind, prompts = _COLUMNS[name]
    n = rng.choice((0, 0, 1, 2, 4, 6))
    aliases = [rng.choice(phrases(section, rng.choice(LANGUAGES))) for _ in range(n)]
    if n and printed and rng.random() < 0.6:
        aliases[0] = printed
    prompt = name.replace("_", " ") if rng.random() < 0.5 else rng.choice(prompts)
    return Key(name, kind, prompt, tuple(dict.fromkeys(aliases)))


def _cells(
    words: Sequence[Word], marks: Sequence[tuple[Mark, ...]], row: Sequence[int], amounts: set[str]
) -> dict[str, tuple[tuple[int, int], ...]] | None:
    """The spans of the row by column; None for a row with a word of two values, a torn value, or left alone."""
    found: dict[str, list[tuple[int, int]]] = {}
    owned = [(owner, index) for index in row for owner in marks[index] if owner[0][:1] and owner[0][0][:1] == CELL]
    if any(len(marks[index]) > 1 for _, index in owned):
        return None
    for (names, _), group in groupby(sorted(owned), key=lambda one: one[0]):
        positions = [index for _, index in group]
        if names[0] == LEFT_ALONE or positions[-1] - positions[0] + 1 != len(positions):
            return None
        column = names[0][1:]
        first, last = positions[0], positions[-1]
        if column in amounts:
            first, last = bare_amount(words, (first, last))
        found.setdefault(column, []).append((first, last))
    return {column: tuple(spans) for column, spans in found.items()}


def bare_amount(words: Sequence[Word], span: tuple[int, int]) -> tuple[int, int]:
    """An amount without the signs of currency around it."""
    first, last = span
    while first < last and is_currency_word(words[first].text):
        first += 1
    while first < last and is_currency_word(words[last].text):
        last -= 1
    return first, last
