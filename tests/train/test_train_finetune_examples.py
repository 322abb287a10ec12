"""Her few pages, seen in many ways."""

import itertools
import random
from collections.abc import Sequence

from finetune_tiny import ITEMS, KEYS
from made_tokenizer import tokenizer_json
from tiny import page_of

from pipkie_cli.nouns import Example, Key, Question
from pipkie_cli.train.finetune_align import Found
from pipkie_cli.train.finetune_examples import Own, OwnStream, by_document, make_own_example, plain_example
from pipkie_cli.train.finetune_tables import RowFound

NAMED = {key.name: key for key in KEYS}
LINES = ("note number A-17", "day 14 MAR 2024", "total 12.50", "Order number 4711 advertiser")
SPANS = {"number": ((2, 2),), "day": ((4, 6),), "total": ((8, 8),)}
FULL = Found(page_of(LINES), 2, "a.pdf", SPANS)
EMPTY = Found(page_of(("terms and conditions", "of the house")), 2, "a.pdf", dict.fromkeys(SPANS, ()))


def many(n: int = 200) -> list[Example]:
    return [make_own_example(FULL, NAMED, random.Random(seed)) for seed in range(n)]


def texts(example: Example, name: str) -> list[str]:
    (question,) = [one for one in example.questions if one.key.name == name]
    return [" ".join(word.text for word in example.page.words[a : b + 1]) for a, b in question.spans]


def test_the_same_seed_gives_the_same_example() -> None:
    """Reproducible, and different seeds differ."""
    assert make_own_example(FULL, NAMED, random.Random(3)) == make_own_example(FULL, NAMED, random.Random(3))
    assert len({repr(example) for example in many(50)}) > 40


def test_digits_change_but_not_those_of_dates() -> None:
    """The same few numbers are not learnt by heart; a date stays one."""
    assert len({texts(example, "number")[0].upper() for example in many()}) > 20
    assert {texts(example, "day")[0].upper() for example in many()} == {"14 MAR 2024"}


def test_keys_are_asked_in_several_ways_mostly_as_they_are() -> None:
    """Fewer aliases, none, or an alias in the prompt's place; name and type never change."""
    asked = [question.key for example in many() for question in example.questions if question.key.name == "number"]
    assert 0.6 < sum(key == NAMED["number"] for key in asked) / len(asked) < 0.9
    assert {key.prompt for key in asked} == {"number", "No.", "Order number"}
    assert any(not key.aliases for key in asked)
    assert {key.type for key in asked} == {"text"}


def test_foreign_keys_are_absent_and_no_word_of_theirs_is_printed() -> None:
    """`purchase order number` is not asked of a page that prints `Order number`, nor `advertiser` of one with it."""
    foreign = [question for example in many() for question in example.questions if question.key.name not in NAMED]
    assert len({question.key.prompt for question in foreign}) > 10
    assert all(question.spans == () for question in foreign)
    assert not {"purchase order number", "advertiser", "policy number"} & {one.key.prompt for one in foreign}


def test_pages_without_values_come_now_and_then() -> None:
    """They teach where nothing is; most turns go to the pages that hold something."""
    own = Own(by_document([FULL, EMPTY]), NAMED)
    examples = [own.example(random.Random(seed)) for seed in range(300)]
    empty = sum(len(example.page.words) == len(EMPTY.page.words) for example in examples)
    assert 20 < empty < 90


def test_pages_that_teach_nothing_are_left_out() -> None:
    """Blank pages, and pages of documents without a label that was found."""
    blank, unlabelled = Found(page_of(("one",)), 1, "b.pdf", SPANS), Found(page_of(LINES), 1, "c.pdf", {})
    assert by_document([FULL, blank, EMPTY, unlabelled]) == [[FULL, EMPTY]]


def test_the_stream_mixes_made_up_documents_in() -> None:
    """Their share is kept, and batches are made of both."""
    stream = OwnStream(Own([[FULL]], NAMED), 0.5, 2, tokenizer_json(), seed=1)
    own = sum(_is_own(stream.example(index)) for index in range(60))
    assert 15 < own < 45
    (batch,) = itertools.islice(OwnStream(Own([[FULL]], NAMED), 0.0, 2, tokenizer_json(), seed=1), 1)
    assert batch.asked.any(1).tolist() == [True, True]


def _is_own(example: Example) -> bool:
    words: Sequence[str] = [word.text.lower() for word in example.page.words]
    return words[:2] == ["note", "number"]


def test_a_plain_example_asks_as_extraction_does() -> None:
    """The page and the keys as they are: what confidence is fitted on."""
    example = plain_example(FULL, NAMED)
    assert example.page == FULL.page
    assert [question.key for question in example.questions] == list(KEYS)


BILL = ("Tea 1.50", "Cake 2.00", "Total 3.50", "Tax 0.50", "Thank you", "for coming", "number 7")
ROWS = (
    RowFound("items", (0, 1), {"name": ((0, 0),), "price": ((1, 1),)}),
    RowFound("items", (2, 3), {"price": ((3, 3),)}, frozenset({"name"})),
    *(RowFound("items", (at, at + 1), {}) for at in (4, 6, 8, 10, 12)),
)
WITH_ROWS = Found(page_of(BILL), 1, "b.pdf", {"number": ((13, 13),)}, ROWS)
ALL_KEYS = {**NAMED, "items": ITEMS}


def asked_cells(found: Found, keys: dict[str, Key] = ALL_KEYS, n: int = 100) -> list[list[Question]]:
    return [
        [one for one in make_own_example(found, keys, random.Random(seed)).questions if one.row] for seed in range(n)
    ]


def test_columns_are_asked_of_rows_that_are_items_and_of_others() -> None:
    """Every item here; rows with digits before those without; nothing where the row is unsure."""
    of_row: dict[tuple[int, ...], int] = {}
    for cells in asked_cells(WITH_ROWS):
        assert {(one.key.name, one.row, one.spans) for one in cells} >= {
            ("name", (0, 1), ((0, 0),)),
            ("price", (0, 1), ((1, 1),)),
            ("price", (2, 3), ((3, 3),)),
        }
        assert not any(one.key.name == "name" and one.row == (2, 3) for one in cells)
        for row in {one.row for one in cells}:
            of_row[row] = of_row.get(row, 0) + 1
    assert all(of_row[row] == 100 for row in ((0, 1), (2, 3), (4, 5), (6, 7), (12, 13)))  # three with a digit
    assert of_row[8, 9]
    assert of_row[10, 11]


def test_columns_are_asked_in_several_ways_under_their_name() -> None:
    """As keys are."""
    asked = {one.key for cells in asked_cells(WITH_ROWS) for one in cells}
    assert {(key.name, key.type) for key in asked} == {("name", "text"), ("price", "amount")}
    assert {key.prompt for key in asked if key.name == "name"} == {"item", "Article"}


def test_a_page_whose_rows_hold_something_teaches() -> None:
    """Without any key found, too; dates of cells stay dates."""
    only_rows = Found(WITH_ROWS.page, 1, "b.pdf", {}, ROWS)
    assert by_document([only_rows]) == [[only_rows]]
    assert only_rows.holds_something
    dated = Key("items", "table", "items", columns=(Key("name", "date", "day"), Key("price", "amount", "price")))
    prices = {
        example.page.words[1].text
        for seed in range(50)
        for example in [make_own_example(only_rows, {"items": dated}, random.Random(seed))]
    }
    assert len(prices) > 10
