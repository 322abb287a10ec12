"""Words come out of a text layer as printed, and only out of a real one."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layers import HEIGHT, WIDTH, displayed_size, line, turned_away

from pipkie_cli.nouns import Box, Glyph, Turn
from pipkie_cli.words.plausible import implausible, pair_score
from pipkie_cli.words.text_layer import LONGEST_WORD, TextLayer, read_text_layer, turn_upright

TURNS: tuple[Turn, ...] = (0, 90, 180, 270)
LETTER = [
    *line("Invoice number: R-17", 50, 60),
    *line("Total due 1.190,00 EUR", 50, 80),
    *line("Payable within fourteen days of receipt", 50, 100),
]


def read(glyphs: list[Glyph]) -> TextLayer:
    return read_text_layer(glyphs, WIDTH, HEIGHT)


def texts(glyphs: list[Glyph]) -> list[str]:
    return [word.text for word in read(glyphs).words]


def test_words_end_at_white_space_gaps_and_lines() -> None:
    """White space of any kind, a gap, and the next line end a word even where no space glyph stands."""
    glyphs = [
        *line("12\u00a0300\u2009kg", 50, 50),
        *line("Net", 200, 50),
        *line("Gross", 230, 50),
        *line("Sum", 50, 62),
    ]
    assert texts(glyphs) == ["12", "300", "kg", "Net", "Gross", "Sum"]


def test_ligatures_and_hyphens_are_spelt_out() -> None:
    """A ligature glyph is its letters; the hyphen that ends a line stays, a soft one inside a word does not."""
    assert texts(line("oﬃce Rech\u00ad Stra\u00adße", 50, 50)) == ["office", "Rech-", "Straße"]


def test_one_glyph_of_several_characters_is_one_word_part() -> None:
    """A ligature that the font maps to two characters gives two glyphs in one box."""
    first, fi, rest = line("o", 50, 50), line("f", 55, 50), line("ce", 60, 50)
    assert texts([*first, *fi, Glyph("f", fi[0].box, 10, True, True), *rest]) == ["offce"]


def test_letterspaced_words_stay_whole() -> None:
    """Letters set apart by a third of their height are one word: pdfium would have put a space for a real one."""
    assert texts(line("RECHNUNG", 50, 50, step=0.8)) == ["RECHNUNG"]


def test_leaders_stand_alone() -> None:
    """Dots between label and value do not glue them together."""
    assert texts(line("Total......12.00", 50, 50)) == ["Total", "......", "12.00"]


def test_bold_by_painting_twice_counts_once() -> None:
    """The same word a hair beside itself is one word; the same word elsewhere is another one."""
    assert texts([*line("Total", 50, 50), *line("Total", 50.3, 50), *line("Total", 50, 90)]) == ["Total", "Total"]


def test_the_description_of_an_icon_is_not_printed_text() -> None:
    """A whole URL in the box of one icon is left out."""
    icon = line("x", 50, 50)[0].box
    glyphs = [*line("Web ", 20, 50), *(Glyph(c, icon, 10, True, True) for c in "www.example.org"), *line(" go", 60, 50)]
    assert texts(glyphs) == ["Web", "go"]


@pytest.mark.parametrize("turn", TURNS)
def test_turned_text_is_read_upright(turn: Turn) -> None:
    """Whichever way the text runs, the words and their places on the upright page are the same."""
    layer = read_text_layer(turned_away(LETTER, turn), *displayed_size(turn))
    assert layer.turn == turn
    upright = read(LETTER).words
    assert [word.text for word in layer.words] == [word.text for word in upright]
    for word, other in zip(layer.words, upright, strict=True):
        assert (word.box.left, word.box.top) == pytest.approx((other.box.left, other.box.top))
        assert (word.box.right, word.box.bottom) == pytest.approx((other.box.right, other.box.bottom))


@given(st.sampled_from(TURNS), st.tuples(*[st.floats(0, 1)] * 4))
def test_turning_a_box_upright_is_the_way_back(turn: Turn, sides: tuple[float, ...]) -> None:
    """`turn_upright` undoes `Box.as_displayed`."""
    box = Box(min(sides[0], sides[2]), min(sides[1], sides[3]), max(sides[0], sides[2]), max(sides[1], sides[3]))
    back = turn_upright(box.as_displayed(turn), turn)
    assert (back.left, back.top, back.right, back.bottom) == pytest.approx((box.left, box.top, box.right, box.bottom))


@pytest.mark.parametrize("way", [90, 270])
def test_a_note_up_the_margin_is_one_word_each(way: Turn) -> None:
    """A side note on an upright page does not turn the page and does not fall into letters."""
    note = [
        Glyph(g.text, Box(g.box.left, 1 - g.box.right, g.box.left + 0.02, 1 - g.box.left), 10, True, True)
        for g in line("Copy No 4", 20, 0)
    ]
    column = [Glyph(g.text, Box(0.02, g.box.top, 0.04, g.box.bottom), 10, True, True) for g in note]
    if way == 270:
        column = [Glyph(g.text, Box(0.02, 1 - g.box.bottom, 0.04, 1 - g.box.top), 10, True, True) for g in column]
    layer = read([*LETTER, *column])
    assert layer.turn == 0
    assert [word.text for word in layer.words][-3:] == ["Copy", "No", "4"]


def test_invisible_text_is_no_text_layer() -> None:
    """Someone's OCR behind a scan is not trusted, and the reason is told."""
    layer = read([Glyph(g.text, g.box, g.size_pt, False, True) for g in LETTER])
    assert layer.words == ()
    assert layer.rejected == "none of it is visible"


def test_an_empty_layer_is_not_a_rejected_one() -> None:
    """No glyph at all, or white space only, is simply no text layer."""
    assert read([]).rejected is None
    assert read(line("   ", 50, 50)).rejected is None


def test_text_off_the_page_and_microprint_are_left_out() -> None:
    """What stands beyond the page's edge or is smaller than two points is not read."""
    assert texts([*LETTER, *line("hidden", 700, 50), *line("trap", 50, 300, size=1.0)]) == texts(LETTER)


def test_unmapped_glyphs_reject_the_layer() -> None:
    """More than one glyph in twenty without Unicode: the rest is not trusted either."""
    layer = read([*LETTER, *line("ABCDEFGH", 50, 200, mapped=False)])
    assert layer.words == ()
    assert layer.rejected is not None
    assert "Unicode" in layer.rejected


def test_a_few_unmapped_glyphs_in_a_row_are_a_hole() -> None:
    """A value in a broken font leaves a hole where it stands; a lone bullet does not."""
    many = [g for k in range(4) for g in line("A normal line of text on this page", 50, 200 + 20 * k)]
    assert read([*LETTER, *many, *line("\ue000", 40, 60)]).holes == ()
    layer = read([*LETTER, *many, *line("\ue012\ue013\ue014", 300, 80)])
    (hole,) = layer.holes
    assert (hole.left * WIDTH, hole.right * WIDTH) == pytest.approx((300, 315))
    assert layer.words


def shifted(text: str) -> str:
    return "".join(c if c.isspace() else chr(ord(c) + 1) for c in text)


def test_text_moved_by_one_is_rejected() -> None:
    """A ToUnicode table that is off by one decodes without an error: the letter pairs give it away."""
    glyphs = [Glyph(shifted(g.text), g.box, g.size_pt, True, True) for g in LETTER]
    assert read(glyphs).rejected == "its letters do not form words"


def test_swapped_bytes_are_rejected() -> None:
    """ASCII read as UTF-16 in the wrong byte order looks like rare Han letters."""
    glyphs = [Glyph(chr(ord(g.text) << 8) if g.text != " " else " ", g.box, 10, True, True) for g in LETTER]
    assert read(glyphs).rejected == "its characters have their bytes swapped"


@pytest.mark.parametrize(
    "text",
    [
        "Rechnung Nr. 4711 Lieferdatum entspricht Rechnungsdatum, zahlbar innerhalb von 14 Tagen ohne Abzug",
        "Facture numéro 2017-0008 montant total hors taxes à payer avant le trente novembre",
        "Factura simplificada importe total fecha de vencimiento número de cliente",
        "Faktura VAT sprzedawca nabywca termin płatności wartość brutto słownie złotych szczegóły",
        "Számla sorszáma teljesítés időpontja fizetési határidő összesen bruttó végösszeg",
        "Laskun päivämäärä eräpäivä viitenumero yhteensä maksettava määrä toimitustapa",
        "Fatura tarihi ödeme tutarı toplam vergi dairesi müşteri numarası",
        "Счёт на оплату поставщик покупатель итого к оплате сумма прописью",
        "Τιμολόγιο πώλησης σύνολο αξίας ημερομηνία έκδοσης",
        "請求書 合計金額 お支払い期限 登録番号 株式会社",
        "GST SR ZRL QTY DISC AMT RM TAX INV NO CASHIER TEL FAX SDN BHD JLN",
        "SKU XZ-99-KLM 00471 HS 8471.30 PCS KGS CBM FOB CIF",
    ],
)
def test_real_writing_is_trusted(text: str) -> None:
    """Invoices in many languages and scripts, and receipts full of abbreviations, pass."""
    assert implausible(text) is None


def test_too_little_text_is_never_called_garbage() -> None:
    """A code of a few letters proves nothing."""
    assert implausible("XQZ KJW 4711") is None


def test_pairs_tell_words_from_noise() -> None:
    """The measured gap: writing above 0.2, moved letters below -1."""
    assert pair_score("Please pay the total amount within thirty days")[0] > 0.2
    assert pair_score(shifted("Please pay the total amount within thirty days"))[0] < -1


def test_a_word_without_end_is_cut() -> None:
    """No word is longer than any reader is ready for; its letters stay, and a long word that is one stays whole."""
    assert texts(line("donaudampfschiff" * 10, 5, 50, size=4, step=0.9)) == ["donaudampfschiff" * 10]
    words = texts(line("abandoned" * 300, 5, 50, size=2.5, step=0.08))
    assert "".join(words) == "abandoned" * 300
    assert max(map(len, words)) == LONGEST_WORD


def test_a_page_of_one_word_is_read_in_bounded_time() -> None:
    """Equal words are compared with their neighbours only: 20,000 of them take a second or two, not minutes."""
    glyphs = [
        Glyph(letter, Box(x / 100 + n * 0.002, y / 400, x / 100 + n * 0.002 + 0.002, y / 400 + 0.002), 4, True, True)
        for y in range(400)
        for x in range(50)
        for n, letter in enumerate("an ")
    ]
    started = process_time()
    assert len(read_text_layer(glyphs, 4 * WIDTH, 4 * HEIGHT).words) == 20_000
    assert process_time() - started < 20
