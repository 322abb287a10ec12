"""Where labels of a key stand on a page, and what stands beside them and below them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tokenizer import tokenizer_json

from pipkie_cli.models.mini import PieceReader, make_inputs
from pipkie_cli.models.mini.labels import MISREAD, PART, REST, Cues, label_cues
from pipkie_cli.nouns import Box, Cell, Key, Window, Word
from pipkie_cli.prompts import printed_rows

TOTAL = Key("total", "amount", "grand total", ("Total", "Invoice No.", "Summe"))
NUMBER = Key("number", "text", "invoice number", ("Invoice No.",))

Printed = tuple[int, int, str]  # column, line, a segment's words


def words_of(*printed: Printed) -> tuple[Word, ...]:
    """Segments of words 0.04 wide, columns 0.1 apart, lines 0.02 apart and 0.015 high."""
    words = []
    for number, (column, line, text) in enumerate(printed):
        for at, word in enumerate(text.split()):
            left = 0.1 * column + 0.045 * at
            words.append(Word(word, Box(left, 0.02 * line, left + 0.04, 0.02 * line + 0.015), line, number, "text"))
    return tuple(words)


def cues_of(words: tuple[Word, ...], *keys: Key, cells: tuple[Cell, ...] = ()) -> Cues:
    return label_cues(Window(0, 1, 600, 800, 0, words, keys, cells))


def marked(cue: str, *printed: Printed, key: Key = TOTAL) -> dict[str, float]:
    """Words that this cue of the key marks, with their weights."""
    words = words_of(*printed)
    (row,) = getattr(cues_of(words, key), cue)
    return {word.text: float(weight) for word, weight in zip(words, row, strict=True) if weight}


def lines(*texts: str) -> tuple[Printed, ...]:
    return tuple((0, line, text) for line, text in enumerate(texts))


# -------------------------------------------------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Total 12.50", {"Total"}),
        ("GRAND TOTAL: 12.50", {"GRAND", "TOTAL:"}),  # case and marks do not matter
        ("Invoice No. 17", {"Invoice", "No."}),
        ("Invoice No 17", {"Invoice", "No"}),
        ("InvoiceNo.: 17", {"InvoiceNo.:"}),  # nor do blanks
        ("Invoice N o . 17", {"Invoice", "N", "o", "."}),  # OCR tears words apart
        ("Total:12.50 EUR", {"Total:12.50"}),  # glued: the word holds label and value
        ("Subtotal 12.50", set()),
        ("Invoice 17", set()),
        ("Sümme 3", {"Sümme"}),  # accents do not matter
    ],
)
def test_printed_labels_are_marked(line: str, label: set[str]) -> None:
    """The prompt and every alias, of one word or several."""
    assert set(marked("matches", (0, 0, line))) == label


def test_a_label_does_not_cross_segments() -> None:
    """What stands in another column is another text."""
    assert marked("matches", *lines("Invoice", "No. 17")) == {}
    assert set(marked("matches", *lines("Invoice No.", "17"))) == {"Invoice", "No."}


def test_longer_labels_count_more() -> None:
    """ "Grand total" is surer than "total"; a word of both gets the higher weight, none above 1; so do their values."""
    short, long = (marked("matches", (0, 0, text)) for text in ("Total", "Grand total"))
    assert 0.5 < short["Total"] < long["Grand"] == long["total"] <= 1
    letters = Key("k", "text", "a label of many letters")
    assert marked("matches", (0, 0, "a label of many letters"), key=letters)["label"] == 1.0
    for cue, value in (("beside", (3, 0, "9.00")), ("below", (0, 1, "9.00"))):
        short, long = (marked(cue, (0, 0, text), value) for text in ("Total", "Grand total"))
        assert 0.5 < short["9.00"] < long["9.00"] <= 1


def test_labels_of_one_key_do_not_mark_another() -> None:
    """One row per key, the same whatever else is asked."""
    words = words_of(*lines("Summe 3", "Invoice No. 17"))
    both = cues_of(words, TOTAL, NUMBER)
    assert both.matches.astype(bool).tolist() == [[True, False, True, True, False], [False, False, True, True, False]]
    for row, key in enumerate((TOTAL, NUMBER)):
        for together, alone in zip(both, cues_of(words, key), strict=True):
            np.testing.assert_array_equal(together[row], alone[0])


# ----------------------------------------------------------------------------------------------------- beside and below


@pytest.mark.parametrize(
    ("printed", "first", "rest"),
    [
        (((0, 0, "Total 12.50 EUR"),), {"12.50"}, {"EUR"}),
        (((0, 0, "Total :  12.50"),), {"12.50"}, set()),  # marks stand between
        (((0, 0, "Total"), (3, 0, "..."), (5, 0, "12.50 EUR")), {"12.50"}, {"EUR"}),  # across a gap
        (((0, 0, "Total"), (3, 0, "12.50"), (5, 0, "paid")), {"12.50"}, set()),  # the next segment alone
        (((3, 0, "12.50"), (0, 0, "Total")), {"12.50"}, set()),  # read in another order
        (((0, 0, "Total"), (0, 2, "12.50")), set(), set()),
        (((0, 0, "12.50"), (3, 0, "Total")), set(), set()),  # a value to the left
        (((0, 0, "Total"),), set(), set()),
    ],
)
def test_the_rest_of_the_line_is_beside(printed: tuple[Printed, ...], first: set[str], rest: set[str]) -> None:
    """The first word counts most, the words after it in its segment less."""
    weights = marked("beside", *printed)
    (most,) = set(marked("matches", *printed).values())
    assert {text for text, weight in weights.items() if weight == pytest.approx(most)} == first
    assert {text for text, weight in weights.items() if weight == pytest.approx(REST * most)} == rest
    assert set(weights) == first | rest


@pytest.mark.parametrize(
    ("printed", "first", "rest"),
    [
        (((0, 0, "Total"), (0, 1, "12.50 EUR"), (0, 2, "9.00")), {"12.50"}, {"EUR"}),  # the nearest
        (((0, 0, "Total"), (3, 1, "A-1"), (0, 2, "12.50")), {"12.50"}, set()),  # a row of other columns between
        (((0, 0, "Total"), (0, 5, "12.50")), set(), set()),  # too far down
        (((0, 0, "12.50"), (0, 1, "Total")), set(), set()),  # above is not below
        (((0, 0, "Grand total"), (0, 1, "1"), (1, 1, "2")), {"1"}, set()),  # nearest to the label's left edge
        (((0, 0, "Total"), (3, 1, "12.50")), set(), set()),
    ],
)
def test_the_nearest_print_is_below(printed: tuple[Printed, ...], first: set[str], rest: set[str]) -> None:
    """Under the label's width, within a few lines."""
    weights = marked("below", *printed)
    (most,) = set(marked("matches", *printed).values())
    assert {text for text, weight in weights.items() if weight == pytest.approx(most)} == first
    assert {text for text, weight in weights.items() if weight == pytest.approx(REST * most)} == rest
    assert set(weights) == first | rest


# --------------------------------------------------------------------------------------------------------------- cells

NAME, PRICE = Key("name", "text", "description"), Key("price", "amount", "price", ("Total",))
TABLE = ((0, 0, "Description"), (5, 0, "Total"), (0, 1, "Tea"), (5, 1, "3.00"), (0, 9, "Cake"), (5, 9, "4.00"))


def test_cells_stand_under_their_header() -> None:
    """However far down their row is; nothing of a row is beside a header, and other rows are not the cell's."""
    words = words_of(*TABLE, (0, 10, "Total 7.00"))
    rows = printed_rows(words)
    cells = tuple(Cell("items", column, row) for row in rows for column in (NAME, PRICE))
    cues = cues_of(words, PRICE, cells=cells)
    below = {
        (words[row[0]].text, column.name): [words[i].text for i in np.flatnonzero(of_cell)]
        for (_, column, row), of_cell in zip(((c.table, c.column, c.row) for c in cells), cues.below[1:], strict=True)
    }
    assert below["Tea", "name"] == ["Tea"]
    assert below["Tea", "price"] == ["3.00"]
    assert below["Cake", "name"] == ["Cake"]
    assert below["Cake", "price"] == ["4.00"]
    assert below["Description", "price"] == []  # the header's own row
    assert not cues.beside[1:].any()
    assert cues.beside[0].any()  # of the key that is no cell
    for at, cell in enumerate(cells, start=1):
        np.testing.assert_array_equal(cues.matches[at].astype(bool), [
            word.text == ("Description" if cell.column is NAME else "Total") for word in words
        ])  # fmt: skip


def test_a_cell_without_a_header_has_no_cue() -> None:
    """A table may print none, or only below."""
    words = words_of((0, 0, "Tea"), (5, 0, "3.00"), (5, 1, "Total"))
    row = printed_rows(words)[0]
    assert not cues_of(words, cells=(Cell("items", PRICE, row), Cell("items", NAME, row))).below.any()


def test_the_model_is_given_the_cues() -> None:
    """One row per key, then per cell, as the arrays of the window have them."""
    words = words_of(*TABLE)
    window = Window(0, 1, 600, 800, 0, words, (TOTAL,), (Cell("items", PRICE, printed_rows(words)[1]),))
    inputs = make_inputs(window, PieceReader(tokenizer_json()))
    for name, cue in label_cues(window)._asdict().items():
        assert getattr(inputs, name).shape == (2, len(words))
        np.testing.assert_array_equal(getattr(inputs, name), cue)


# ------------------------------------------------------------------------------------------------------- whatever comes

fractions = st.floats(-0.5, 1.5, width=32)
boxes = st.builds(Box, fractions, fractions, fractions, fractions)  # also turned inside out, or outside the page
texts = st.sampled_from(["Total", "Grand", "total:", ":", "--", "12.50", "Invoice", "No.", "Total:3", ""]) | st.text()
segments = st.integers(0, 3)
any_words = st.lists(st.tuples(texts, boxes, segments), min_size=1, max_size=12)


@settings(deadline=None)
@given(any_words)
def test_any_page_has_cues(printed: list[tuple[str, Box, int]]) -> None:
    """Words of any text and place: weights from 0 to 1 for every key and cell, and no error."""
    words = tuple(Word(text, box, segment, segment, "ocr") for text, box, segment in printed)
    cells = tuple(Cell("items", PRICE, row) for row in printed_rows(words))
    for cue in cues_of(words, TOTAL, NUMBER, cells=cells):
        assert cue.shape == (2 + len(cells), len(words))
        assert cue.dtype == np.float32
        assert cue.min() >= 0
        assert cue.max() <= 1


# ----------------------------------------------------------------------------------------------- parts and misread ones


def of_source(source: str, text: str, key: Key) -> float:
    """The greatest weight of `matches` on a line read from text or by OCR."""
    words = tuple(replace(word, source=source) for word in words_of(*lines(text)))
    return float(label_cues(Window(0, 1, 600, 800, 0, words, (key,))).matches.max())


ORDER = Key("order_number", "text", "order number", ("Order no.",))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Order no.: 17", 1.0),
        ("Alt order no.: 17", PART),  # another number's label
        ("Order no. of the agency: 17", PART),
        ("17 Order no.: 18", 1.0),  # what stands before it is no label
        ("Order no. 17 A: 18", 1.0),
    ],
)
def test_a_part_of_a_longer_label_counts_half(text: str, share: float) -> None:
    whole = of_source("text", "Order no.", ORDER)
    assert of_source("text", text, ORDER) == pytest.approx(share * whole)


@pytest.mark.parametrize("text", ["0rder no: 17", "Orer no: 17", "Orrder no: 17"])
def test_ocr_may_misread_one_letter_of_a_label(text: str) -> None:
    """One letter otherwise, missing or too many; a text layer misreads none."""
    whole = of_source("ocr", "Order no.", ORDER)
    assert of_source("ocr", text, ORDER) == pytest.approx(MISREAD * whole)
    assert of_source("text", text, ORDER) == 0
