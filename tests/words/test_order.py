"""Reading order on hand-made layouts. A page is 100 characters of width 1 by 140; a line is 2 high."""

import math
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipkie_cli.nouns import Box
from pipkie_cli.words import Placed, arrange

WIDTH, HEIGHT = 100.0, 140.0
Layout = list[tuple[str, Box]]


def printed(text: str, x: float, y: float, height: float = 2.0) -> Layout:
    """The words of one line; a letter is half as wide as high, as is a space."""
    words = []
    for word in text.split(" "):
        if word:
            right = x + len(word) * height / 2
            words.append((word, Box(x / WIDTH, y / HEIGHT, right / WIDTH, (y + height) / HEIGHT)))
        x += (len(word) + 1) * height / 2
    return words


def block(lines: str, x: float, y: float, pitch: float = 2.4) -> Layout:
    return [
        word for row, line in enumerate(lines.strip().split("\n")) for word in printed(line.strip(), x, y + row * pitch)
    ]


def turned(layout: Layout, degrees: float) -> Layout:
    """The layout as a skewed scan shows it: every word keeps its size, its middle moves."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    moved = []
    for word, box in layout:
        x, y = (box.left + box.right) / 2 * WIDTH - 50, (box.top + box.bottom) / 2 * HEIGHT - 70
        left = (x * cosine - y * sine + 50) / WIDTH - box.width / 2
        top = (x * sine + y * cosine + 70) / HEIGHT - box.height / 2
        moved.append((word, Box(left, top, left + box.width, top + box.height)))
    return moved


def bent(layout: Layout, depth: float) -> Layout:
    """The layout on paper that bends: the middle of every line lies `depth` lower than its ends."""
    moved = []
    for word, box in layout:
        fall = depth * math.sin(math.pi * (box.left + box.right) / 2) / HEIGHT
        moved.append((word, Box(box.left, box.top + fall, box.right, box.bottom + fall)))
    return moved


def shuffled(layout: Layout) -> Layout:
    return random.Random(7).sample(layout, len(layout))


def lines_of(layout: Layout) -> list[str]:
    """The text of every line in reading order, with " | " between segments; shuffled first: order must not matter."""
    layout = shuffled(layout)
    lines: list[str] = []
    before: Placed | None = None
    for placed in arrange([box for _, box in layout], WIDTH, HEIGHT):
        word = layout[placed.index][0]
        if before is None or placed.line != before.line:
            lines.append(word)
        else:
            lines[-1] += (" " if placed.segment == before.segment else " | ") + word
        before = placed
    return lines


SELLER = "Nordlicht Handel GmbH\nHafenstrasse 12\n20457 Hamburg\nDeutschland"
BUYER = "Caffe Mazzini S.r.l.\nVia Garibaldi 4\n16124 Genova\nItalia"


@pytest.mark.parametrize("boxes", [[], [Box(0.1, 0.1, 0.2, 0.12)]])
def test_pages_of_no_and_one_word(boxes: list[Box]) -> None:
    """Nothing gives nothing; one word is line 0, segment 0."""
    assert arrange(boxes, WIDTH, HEIGHT) == tuple(Placed(n, 0, 0) for n in range(len(boxes)))


def test_two_address_blocks_are_read_one_after_the_other() -> None:
    """Addresses side by side on the same baselines stay whole."""
    layout = block(SELLER, 8, 20) + block(BUYER, 60, 20)
    assert lines_of(layout) == SELLER.split("\n") + BUYER.split("\n")


def test_blocks_of_different_pitch_are_read_one_after_the_other() -> None:
    """Addresses side by side that share no baseline stay whole, also with three in a row and more lines in one."""
    long = "Bestellung vom 3. Mai\nLieferung frei Haus\nSpedition Kruse\nRampe 4 links\nAnmeldung am Tor\nTel 0421 555"
    layout = block(SELLER, 4, 20, pitch=3.1) + block(BUYER, 38, 21, pitch=2.3) + block(long, 70, 19, pitch=2.7)
    assert lines_of(layout) == SELLER.split("\n") + BUYER.split("\n") + long.split("\n")


def test_address_beside_invoice_data_stays_whole_and_the_data_stays_in_rows() -> None:
    """The receiver's block is read first, then every label with its value."""
    data = [
        ("Rechnungsnummer", "R-2024-117"),
        ("Rechnungsdatum", "05.03.2024"),
        ("Kundennummer", "4711"),
        ("Seite", "1"),
    ]
    layout = block(SELLER, 8, 20)
    for row, (label, value) in enumerate(data):
        layout += printed(label, 55, 20 + 2.4 * row) + printed(value, 80, 20 + 2.4 * row)
    assert lines_of(layout) == SELLER.split("\n") + [f"{label} | {value}" for label, value in data]


def test_labels_stay_with_their_values_over_a_wide_gap() -> None:
    """`label ....... value` rows are one line each, two segments."""
    data = [("Invoice number", "A-9917"), ("Date of issue", "12 March 2024"), ("Payment due", "11 April 2024")]
    data += [("Your contact", "Jo Hill"), ("Total amount", "1,250.00")]
    layout = []
    for row, (label, value) in enumerate(data):
        layout += printed(label, 8, 20 + 3.6 * row) + printed(value, 62, 20 + 3.6 * row)
    assert lines_of(layout) == [f"{label} | {value}" for label, value in data]


def test_a_value_of_several_lines_follows_its_label_whole() -> None:
    """A label beside the middle of its value does not come between the value's lines, nor does the next label."""
    layout = printed("Name:", 8, 21.2) + block("Versicherungsverein\nMusterstadt a.G.", 40, 20)
    layout += printed("Firm:", 8, 55.4) + block("Hill & Daughters\nLimited", 40, 53)
    layout += printed("Address:", 8, 30) + block("12 High Street\nLeeds LS1 4AP", 40, 30)
    layout += printed("Phone:", 8, 40) + printed("0113 555 0100", 40, 40)
    assert lines_of(layout) == [
        "Name:", "Versicherungsverein", "Musterstadt a.G.", "Address: | 12 High Street", "Leeds LS1 4AP",
        "Phone: | 0113 555 0100", "Firm:", "Hill & Daughters", "Limited",
    ]  # fmt: skip


def test_table_rows_stay_rows() -> None:
    """Rows of a table are lines, its cells segments, also where the gutter is narrower than a wide gap."""
    rows = [("Pos", "Description", "Qty", "Price", "Amount")]
    rows += [(str(n), f"Roller bearing type {n}", "12", "4.50", "54.00") for n in range(1, 7)]
    layout = []
    for number, row in enumerate(rows):
        for x, cell in zip((8, 14, 38, 52, 66), row, strict=True):
            layout += printed(cell, x, 30 + 3.4 * number)
    assert lines_of(layout) == [" | ".join(row) for row in rows]


def test_a_description_of_two_lines_stays_whole_in_its_row() -> None:
    """A cell that goes on below is read to its end before the next cells of the row."""
    layout = []
    for number in range(3):
        y = 30 + 8 * number
        layout += printed(str(number), 8, y) + block(f"Oak table, oiled,\nmodel {number}", 14, y)
        layout += printed("2", 50, y) + printed("480.00", 70, y)
    assert lines_of(layout)[:4] == ["0", "Oak table, oiled,", "model 0", "2 | 480.00"]


def test_two_columns_of_text_are_read_one_after_the_other() -> None:
    """Running text in two columns is not read across, also where blank lines part paragraphs on both sides."""
    left = [f"left {n} of the general terms and so" for n in range(12)]
    right = [f"right {n} goes on in the other half" for n in range(12)]
    layout = printed("General terms and conditions of sale", 20, 10, height=3)
    for n in range(12):
        y = 20 + 2.4 * n + (3 if n > 5 else 0)
        layout += printed(left[n], 5, y) + printed(right[n], 54, y)
    assert lines_of(layout) == ["General terms and conditions of sale", *left, *right]


RECEIPT = [
    ("Flat white", "3.80"), ("Oat milk", "0.60"), ("Pain au chocolat", "2.90"), ("Blood orange juice", "4.20"),
    ("Total", "11.50"), ("Cash", "20.00"), ("Change", "8.50"),
]  # fmt: skip


def receipt() -> Layout:
    layout = block("Corner Coffee Ltd\n77 Mill Road\nCambridge CB1 2AW", 34, 10)
    for row, (label, value) in enumerate(RECEIPT):
        layout += printed(label, 20, 22 + 2.3 * row) + printed(value, 82 - len(value), 22 + 2.3 * row)
    return layout


RECEIPT_LINES = ["Corner Coffee Ltd", "77 Mill Road", "Cambridge CB1 2AW", *(f"{a} | {b}" for a, b in RECEIPT)]


def test_a_receipt_keeps_its_prices() -> None:
    """Items and prices at the far edge are one line."""
    assert lines_of(receipt()) == RECEIPT_LINES


@pytest.mark.parametrize("degrees", [-3, -1.5, 1.5, 3])
def test_a_skewed_page_keeps_lines_and_blocks(degrees: float) -> None:
    """Up to three degrees of skew change nothing, on a receipt and on addresses side by side."""
    assert lines_of(turned(receipt(), degrees)) == RECEIPT_LINES
    layout = block(SELLER, 8, 20) + block(BUYER, 60, 20) + printed("Thank you for your order, it was a pleasure", 8, 50)
    expected = [*SELLER.split("\n"), *BUYER.split("\n"), "Thank you for your order, it was a pleasure"]
    assert lines_of(turned(layout, degrees)) == expected


def test_a_bent_page_keeps_its_lines() -> None:
    """Lines that sag by a line height are followed from word to word."""
    text = [f"{n} line of a photo whose paper sags in the middle of it" for n in range(8)]
    layout = [word for n, line in enumerate(text) for word in printed(line, 10, 20 + 2.6 * n)]
    assert lines_of(bent(layout, 2.5)) == text


def test_superscripts_and_other_sizes_stay_on_their_line() -> None:
    """A raised digit, a small unit and a large amount belong to one line."""
    layout = printed("Total", 10, 20) + printed("7", 15.2, 19.8, height=1.2) + printed("(incl. tax)", 17, 20.4, 1.5)
    layout += printed("99.00", 60, 19, height=3.4) + printed("Next line", 10, 24)
    assert lines_of(layout) == ["Total 7 (incl. tax) | 99.00", "Next line"]


def test_print_along_the_margin_is_read_last() -> None:
    """A word that runs upwards and a watermark do not come between lines."""
    layout = [*block(SELLER, 20, 20), ("FORM-7", Box(0.02, 0.1, 0.04, 0.3)), ("PAID", Box(0.5, 0.1, 0.9, 0.5))]
    assert lines_of(layout)[:4] == SELLER.split("\n")
    assert set(lines_of(layout)[4:]) == {"FORM-7", "PAID"}


coordinates = st.floats(-0.5, 1.5, allow_nan=False) | st.sampled_from([0.0, 0.1, 0.1000001, 0.12, 0.5, 1.0])
boxes_of_pages = st.lists(st.builds(Box, coordinates, coordinates, coordinates, coordinates), max_size=40)


@settings(max_examples=60, deadline=None)
@given(boxes=boxes_of_pages, ratio=st.floats(0.001, 1000), data=st.data())
def test_the_order_is_a_permutation_that_ignores_the_order_of_its_input(
    boxes: list[Box], ratio: float, data: st.DataObject
) -> None:
    """Any boxes (turned inside out, without area, off the page) come out once; the same boxes in the same order."""
    placed = arrange(boxes, 1.0, ratio)
    assert sorted(one.index for one in placed) == list(range(len(boxes)))
    again = data.draw(st.permutations(boxes))
    assert [(boxes[one.index], one.line, one.segment) for one in placed] == [
        (again[one.index], one.line, one.segment) for one in arrange(again, 1.0, ratio)
    ]


@settings(max_examples=40, deadline=None)
@given(boxes=boxes_of_pages)
def test_lines_and_segments_count_up_without_holes(boxes: list[Box]) -> None:
    """Line and segment start at 0 and rise by at most one from word to word; a new line is a new segment."""
    before = Placed(0, -1, -1)
    for one in arrange(boxes, WIDTH, HEIGHT):
        assert one.line - before.line in (0, 1)
        assert one.segment - before.segment in ((1,) if one.line > before.line else (0, 1))
        before = one


def test_five_thousand_words_are_quick() -> None:
    """No layout is quadratic: a second is far above what any takes, and far below what pairs of words would take."""
    number = 5000
    chaos = random.Random(3)
    pages = [
        [Box(n / number, 0.1, (n + 0.3) / number, 0.10001) for n in range(number)],
        [Box(x / 70, y / 72, x / 70 + 0.004, y / 72 + 0.002) for x in range(70) for y in range(71)],
        [Box(x := chaos.random(), y := chaos.random(), x + 0.003, y + 0.002) for _ in range(number)],
        [Box(n % 2 * 0.5, n / number, n % 2 * 0.5 + 0.3, (n + 0.8) / number) for n in range(number)],
    ]
    for boxes in pages:
        start = time.process_time()
        arrange(boxes, WIDTH, HEIGHT)
        assert time.process_time() - start < 1.5
