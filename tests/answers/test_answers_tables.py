"""Rows of tables: printed rows become items, texts wrap above and below their numbers, what is no item stays out.

Pages are written by hand: a line of print at a height, each word with the column that the model takes it for.
"""

import math
from collections.abc import Sequence

import pytest

from pipkie_cli.answers import answer_tables
from pipkie_cli.nouns import Box, Calibration, Candidate, Cell, Key, TableAnswer, Window, Word

COLUMNS = (
    Key("description", "text", "description"),
    Key("quantity", "number", "quantity"),
    Key("amount", "amount", "amount"),
)
KEYS = (Key("number", "text", "number"),)
SHORT = {"d": "description", "q": "quantity", "a": "amount", "c": "code"}
HEIGHT = 0.01  # of a line; `y` of a line is given in line heights

Line = tuple[float, str]  # y, and words such as `d:Nails q:3 a:4.50`; a word without a column is no value


def page(*lines: Line, page_index: int = 0, columns: Sequence[Key] = COLUMNS, turn: int = 0) -> Window:
    """A window of these lines, all of whose rows are asked; the model's view travels in the text of each word."""
    words = tuple(
        Word(text, Box(0.1 + 0.1 * at, y * HEIGHT, 0.15 + 0.1 * at, (y + 1) * HEIGHT), number, number, "text")
        for number, (y, line) in enumerate(lines)
        for at, text in enumerate(line.split())
    )
    rows = [tuple(i for i, word in enumerate(words) if word.line == number) for number in range(len(lines))]
    cells = tuple(Cell("line_items", column, row) for row in rows for column in columns)
    return Window(page_index, 3, 595, 842, turn, words, KEYS, cells)  # type: ignore[arg-type]


def stand_in(window: Window, p: float = 0.9) -> tuple[tuple[Candidate, ...], ...]:
    """What a model says of the window: first of its keys, then of its cells."""
    return tuple((Candidate(None, 0.0),) for _ in window.keys) + tuple(_cell(window, cell, p) for cell in window.cells)


def _cell(window: Window, cell: Cell, p: float) -> tuple[Candidate, ...]:
    own = [i for i in cell.row if SHORT.get(window.words[i].text.partition(":")[0]) == cell.column.name]
    if not own:
        return (Candidate(None, math.log(p)),)
    return (Candidate((own[0], own[-1]), math.log(p)), Candidate(None, math.log(1 - p)))


def table(*windows: Window) -> TableAnswer:
    (found,) = answer_tables(windows, [stand_in(window) for window in windows])
    return found


def texts(*windows: Window) -> list[tuple[str | None, ...]]:
    """The items, without the marks of the columns."""
    return [
        tuple(
            None if cell.text is None else " ".join(part.partition(":")[2] for part in cell.text.split())
            for cell in row
        )
        for row in table(*windows).rows
    ]


def test_a_row_with_numbers_is_an_item_and_other_rows_are_none() -> None:
    """Header, notes and totals answer ABSENT in all columns; a missing cell of an item is ABSENT."""
    found = table(
        page(
            (1, "Item Qty Amount"), (3, "d:Nails q:3 a:4.50"), (4, "d:Bolts a:2.00"), (5, "q:2"), (6, "Total 6.50"),
            (9, "Thank you"),
        )
    )  # fmt: skip
    assert [[cell.text for cell in row] for row in found.rows] == [
        ["d:Nails", "q:3", "a:4.50"],
        ["d:Bolts", None, "a:2.00"],
        [None, "q:2", None],
    ]
    assert [cell.key for cell in found.rows[1]] == ["description", "quantity", "amount"]
    assert found.rows[0][0].confidence == found.rows[1][1].confidence == pytest.approx(0.9)
    assert found.rows[0][0].place is not None
    assert found.rows[0][0].place.page_number == 1


def test_a_document_without_the_table_has_no_rows() -> None:
    """The table is answered, with nothing; a text without any numbers near is no item either."""
    assert table(page((1, "Dear reader"), (2, "we write d:books"))).rows == ()


WRAPPED = {
    "below": ([(1, "d:Steel q:3 a:4.50"), (2, "d:nails"), (4, "d:Bolts q:1 a:2.00")], ["Steel nails", "Bolts"]),
    "below, evenly": (
        [(1, "d:Steel q:3 a:4.50"), (2, "d:nails"), (3, "d:50mm"), (4, "d:Bolts q:1 a:2.00")],
        ["Steel nails 50mm", "Bolts"],
    ),
    "above": ([(1, "d:Steel"), (2, "d:nails q:3 a:4"), (4, "d:Hex"), (5, "d:bolts a:2")], ["Steel nails", "Hex bolts"]),
    "above the numbers, evenly": (
        [(1, "d:Steel"), (2, "q:3 a:4"), (3, "d:Hex"), (4, "d:bolts"), (5, "q:1 a:2")],
        ["Steel", "Hex bolts"],
    ),
    "below the numbers, evenly": (
        [(1, "q:3 a:4"), (2, "d:Steel"), (3, "d:nails"), (4, "q:1 a:2"), (5, "d:Bolts")],
        ["Steel nails", "Bolts"],
    ),
    "around the numbers": (
        [(1, "d:Steel"), (1.5, "q:3 a:4"), (2, "d:nails"), (3.5, "d:Hex"), (4, "q:1 a:2"), (4.5, "d:bolts")],
        ["Steel nails", "Hex bolts"],
    ),
    "in three lines, numbers at the middle one": (
        [(1, "d:A"), (2, "d:B a:4"), (3, "d:C"), (4.5, "d:D"), (5.5, "d:E a:2"), (6.5, "d:F")],
        ["A B C", "D E F"],
    ),
    "of one item only": (
        [(1, "d:Nails a:4"), (2.5, "d:Hex"), (3, "a:2"), (3.5, "d:bolts"), (5, "d:Nuts a:1")],
        ["Nails", "Hex bolts", "Nuts"],
    ),
}


@pytest.mark.parametrize(("lines", "expected"), WRAPPED.values(), ids=WRAPPED.keys())
def test_texts_wrap_above_and_below_their_numbers(lines: list[Line], expected: list[str]) -> None:
    """A row of text goes with the item it is nearer to; in even print with one that has no text yet, else the upper."""
    assert [row[0] for row in texts(page(*lines))] == expected


def test_a_text_far_from_every_item_is_no_part_of_one() -> None:
    """Four lines off is another paragraph, above and below; a chain of texts may go on as long as it likes."""
    chain: list[Line] = [(y, f"d:{y}") for y in range(20, 30)]
    lines: list[Line] = [(1, "d:Intro"), (10, "d:Nails a:4"), (16, "d:Middle"), (19, "d:Bolts a:2"), *chain]
    expected = ["Nails", f"Middle Bolts {' '.join(map(str, range(20, 30)))}"]
    assert [row[0] for row in texts(page(*lines, (40, "d:Regards")))] == expected


def test_items_go_on_across_pages() -> None:
    """Pages in order; the repeated header and the sum carried forward answer ABSENT and are no items."""
    first = page((1, "Item Qty Amount"), (3, "d:Nails q:3 a:4.50"), (5, "Carried forward 4.50"))
    second = page((1, "Item Qty Amount"), (2, "Brought forward 4.50"), (4, "d:Bolts a:2.00"), page_index=1)
    assert texts(first, second) == [("Nails", "3", "4.50"), ("Bolts", None, "2.00")]
    places = [row[0].place for row in table(first, second).rows]
    assert [place.page_number for place in places if place] == [1, 2]


def test_a_text_at_the_top_of_a_page_goes_on_with_the_item_before_only_if_nothing_is_nearer() -> None:
    """An item near below on the same page has it, else the last item of the page before; never of one before that."""
    first = page((1, "d:Steel a:4"))
    assert texts(first, page((1, "d:Hex"), (2, "a:2"), page_index=1)) == [("Steel", None, "4"), ("Hex", None, "2")]
    continued = page((1, "d:nails"), (2, "d:50mm"), (20, "d:Bolts a:2"), page_index=1)
    assert [row[0] for row in texts(first, continued)] == ["Steel nails 50mm", "Bolts"]
    alone = page((1, "d:nails"), (20, "d:Conditions"), page_index=1)
    assert [row[0] for row in texts(first, alone)] == ["Steel nails"]
    assert [row[0] for row in texts(first, page((1, "d:nails"), page_index=2))] == ["Steel"]


def test_a_text_over_two_rows_has_a_box_for_each_and_the_lesser_confidence() -> None:
    """Boxes of a text that goes over the page's end are those of the page where it begins."""
    window = page((1, "d:Steel a:4"), (2, "d:nails"), turn=180)
    sure = stand_in(window, 0.9)
    doubtful = stand_in(window, 0.7)
    (found,) = answer_tables([window], [(*sure[:4], *doubtful[4:])])
    cell = found.rows[0][0]
    assert (cell.text, cell.source) == ("d:Steel d:nails", "text")
    assert cell.confidence == pytest.approx(0.7)
    assert cell.place is not None
    assert [box.top for box in cell.place.boxes] == pytest.approx([0.98, 0.97])  # turned back to the page as displayed
    over = table(page((1, "d:Steel a:4")), page((1, "d:nails"), page_index=1)).rows[0][0]
    assert over.place is not None
    assert (over.place.page_number, len(over.place.boxes)) == (1, 1)


def cut(window: Window, first: int, last: int) -> Window:
    """The words first to last of a window, with the rows that they make."""
    words = window.words[first:last]
    lines = dict.fromkeys(word.line for word in words)
    rows = [tuple(i for i, word in enumerate(words) if word.line == line) for line in lines]
    cells = tuple(Cell("line_items", column, row) for row in rows for column in COLUMNS)
    return Window(window.page_index, 3, 595, 842, 0, words, KEYS, cells)


def test_a_row_in_two_overlapping_windows_counts_once() -> None:
    """A row that the cut of the windows divides is read where it is whole; one in both is no likelier for it."""
    whole = page((1, "d:Nails q:3 a:4"), (3, "d:Steel d:bolts q:1 a:2"), (5, "d:Nuts q:9 a:1"))
    upper, lower = cut(whole, 0, 5), cut(whole, 3, 10)  # the upper one ends within the second row
    assert texts(upper, lower) == texts(whole)
    both = table(whole, whole)
    assert [[cell.text for cell in row] for row in both.rows] == [
        [cell.text for cell in row] for row in table(whole).rows
    ]
    assert both.rows[0][0].confidence == pytest.approx(0.9)


def test_rows_stand_from_top_to_bottom_whatever_the_reading_order() -> None:
    """A table that is read column by column, or in the second window first, keeps its printed order."""
    assert [row[0] for row in texts(page((5, "d:Bolts a:2"), (1, "d:Nails a:4")))] == ["Nails", "Bolts"]


def test_in_a_table_of_texts_every_row_is_an_item() -> None:
    """Nothing tells a wrapped line from the next row there."""
    columns = (Key("description", "text", "description"), Key("code", "text", "code"))
    assert texts(page((1, "d:Nails c:N1"), (2, "d:Bolts"), columns=columns)) == [("Nails", "N1"), ("Bolts", None)]


def test_cells_are_answered_like_keys() -> None:
    """Types, the margin of ABSENT and calibration hold for cells as well."""
    window = page((1, "a:DE1 a:198,00"))
    guesses = (Candidate((0, 0), math.log(0.6)), Candidate((1, 1), math.log(0.3)), Candidate(None, math.log(0.1)))
    absent = (Candidate(None, 0.0),)
    (found,) = answer_tables([window], [(absent, absent, absent, guesses)])
    assert [cell.text for cell in found.rows[0]] == [None, None, "a:DE1"]  # neither is an amount: the likelier stays
    calibration = Calibration(absent_margin=math.log(7))
    assert answer_tables([window], [(absent, absent, absent, guesses)], calibration)[0].rows == ()


def test_two_tables_are_kept_apart() -> None:
    """Each has its own rows and columns, in the template's order; a cell that was not asked is absent and unsure."""
    window = page((1, "d:Nails a:4"), (2, "d:Bolts q:3 a:2"))
    other = Key("code", "number", "code")
    cells = tuple(
        cell
        for row in dict.fromkeys(cell.row for cell in window.cells)
        for cell in (*(Cell("line_items", column, row) for column in COLUMNS), Cell("others", other, row))
    )
    both = Window(0, 1, 595, 842, 0, window.words, (), cells[:-2])
    found = answer_tables([both], [stand_in(both)])
    assert [(one.key, len(one.rows)) for one in found] == [("line_items", 2), ("others", 0)]
    last = found[0].rows[1][2]
    assert (last.key, last.text, last.confidence) == ("amount", None, 0.0)
