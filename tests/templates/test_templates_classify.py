"""The document type is chosen by cue words, scored, and "none fits" is an answer."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipkie_cli.nouns import Box, Key, Locale, Page, Template, Word
from pipkie_cli.templates import choose_type, find_templates

SHIPPED = find_templates([], None)


def page(*lines: str, index: int = 0) -> Page:
    """A page of these lines. `# ` begins a line in large print, `|` stands for a wide gap."""
    words: list[Word] = []
    segment = 0
    for number, line in enumerate(lines):
        large = line.startswith("# ")
        height = 0.02 if large else 0.01
        top = 0.05 + 0.9 * number / max(len(lines), 20)
        for part in line.removeprefix("# ").split("|"):
            for text in part.split():
                left = 0.01 * len(words) % 0.9
                words.append(Word(text, Box(left, top, left + 0.01, top + height), number, segment, "ocr"))
            segment += 1
    return Page(index, 595, 842, 0, tuple(words), "ocr", "pillow")


def template(name: str, words: Sequence[str], not_words: Sequence[str] = (), keys: Sequence[str] = ("a",)) -> Template:
    asked = tuple(Key(key, "text", key) for key in keys)
    return Template(name, name.capitalize(), asked, Locale(), tuple(words), tuple(not_words), "0" * 12, f"{name}.yaml")


def chosen(pages: Sequence[Page], templates: Sequence[Template] = SHIPPED) -> str | None:
    choice = choose_type(pages, templates)
    return choice.template.name if choice.template else None


def score(pages: Sequence[Page], one: Template) -> float:
    return choose_type(pages, [one]).score


FILLER = ["Lorem ipsum dolor sit amet", "consectetur adipiscing elit", "sed do eiusmod tempor"] * 4

DOCUMENTS = {
    "invoice en": ("invoice", ["Acme Ltd", "# INVOICE", "Invoice no. 17", "Date 1 May 2024", "Total 119.00"]),
    "invoice de": (
        "invoice",
        ["Muster GmbH", "# Rechnung", "Rechnungsdatum: 1.5.2024", "Nettobetrag 100,00", "Gesamtbetrag 119,00"],
    ),
    "invoice fr": (
        "invoice",
        ["Dupont SARL", "# FACTURE N° 17", "Date d'échéance 01/05/2024", "Total HT 100,00", "Net à payer 120,00"],
    ),
    "invoice es": (
        "invoice",
        ["Pérez SL", "# Factura", "Fecha de factura 01/05/2024", "Base imponible 100,00", "Cuota IVA 21,00"],
    ),
    "invoice it": (
        "invoice",
        ["Rossi srl", "# FATTURA n. 17", "Data fattura 01/05/2024", "Imponibile 100,00", "Totale documento 122,00"],
    ),
    "invoice nl": (
        "invoice",
        ["Jansen BV", "# Factuur", "Factuurnummer 17", "Factuurdatum 01-05-2024", "Te betalen 121,00"],
    ),
    "invoice pt": (
        "invoice",
        ["Silva Lda", "# Fatura n.º 17", "Data da fatura 01/05/2024", "Vencimento 01/06/2024", "Total com IVA 123,00"],
    ),
    "invoice pl": (
        "invoice",
        [
            "Kowalski Sp. z o.o.",
            "# Faktura VAT nr 17",
            "Data wystawienia 01.05.2024",
            "Termin płatności 15.05.2024",
            "Do zapłaty 123,00",
        ],
    ),
    "credit note": ("credit_note", ["Acme Ltd", "# Credit note", "Credit note number 17", "VAT 19.00", "Total 119.00"]),
    "german compound": (
        "invoice",
        ["Muster GmbH", "# Warenrechnung", "Beleg-Nr 17", "USt-IdNr. DE1", "Lieferschein-Nr. 4", "Bestell-Nr. 5"],
    ),
    "receipt en": (
        "receipt",
        ["Corner Shop", "12 High Street", "Date 1/5/24", "Total 9.00", "Cash 10.00", "Change 1.00", "Thank you"],
    ),
    "tax invoice of a till": (
        "receipt",
        [
            "Kedai Sdn Bhd",
            "# TAX INVOICE",
            "Invoice no: 17",
            "Total 9.00",
            "Rounding 0.00",
            "Cash 10.00",
            "Change 1.00",
            "Thank you, please come again",
        ],
    ),
    "receipt de": (
        "receipt",
        ["Markt GmbH", "Bon-Nr. 17", "Summe EUR 9,00", "Bar 10,00", "Rückgeld 1,00", "Vielen Dank für Ihren Einkauf"],
    ),
    "receipt fr": (
        "receipt",
        [
            "Supermarché",
            "Ticket de caisse",
            "Total à payer 9,00",
            "Espèces 10,00",
            "Rendu monnaie 1,00",
            "Merci de votre visite",
        ],
    ),
    "receipt es": (
        "receipt",
        [
            "Supermercado",
            "Factura simplificada",
            "Total 9,00",
            "Efectivo 10,00",
            "Cambio 1,00",
            "Gracias por su visita",
        ],
    ),
    "receipt it": (
        "receipt",
        ["Alimentari", "Documento commerciale", "Totale complessivo 9,00", "Contanti 10,00", "Grazie e arrivederci"],
    ),
    "receipt nl": ("receipt", ["Winkel", "Kassabon", "Totaal 9,00", "Pinnen 9,00", "Bedankt en tot ziens"]),
    "receipt pt": (
        "receipt",
        ["Loja", "Fatura simplificada", "Total 9,00", "Numerário 10,00", "Troco 1,00", "Obrigado pela visita"],
    ),
    "receipt pl": (
        "receipt",
        ["Sklep", "PARAGON FISKALNY", "Suma PLN 9,00", "Gotówka 10,00", "Reszta 1,00", "Dziękujemy"],
    ),
    "order": (
        "purchase_order",
        [
            "Acme Ltd",
            "# Purchase order",
            "Order number 17",
            "Date 1 May 2024",
            "Ship to Mill Lane 1",
            "Total 119.00",
            "please send the invoice to",
        ],
    ),
    "offer": (None, ["Muster GmbH", "# Angebot", "Datum 1.5.2024", "Gesamtbetrag 119,00"]),
    "letter": (None, ["Dear Sir or Madam", "thank you for your letter about the change of address", *FILLER]),
    "no words": (None, []),
}


@pytest.mark.parametrize(("expected", "lines"), DOCUMENTS.values(), ids=DOCUMENTS.keys())
def test_the_shipped_templates_know_their_documents(expected: str | None, lines: list[str]) -> None:
    """Invoices and receipts in eight languages, credit notes, orders; offers and letters fit none."""
    assert chosen([page(*lines)]) == expected


def test_no_page_and_no_template_are_answers_too() -> None:
    """Nothing to read or nothing to choose from: none fits, score 0."""
    assert choose_type([], SHIPPED).template is None
    assert choose_type([page("# Invoice")], []).template is None
    assert choose_type([page("# Invoice")], []).score == 0.0


def test_scores_lie_in_0_to_1_and_are_sorted() -> None:
    """All candidates are scored, best first; they and "none" share one."""
    choice = choose_type([page("# Invoice", "Total 9.00", "Cash 9.00", "Change 0.00", "Thank you")], SHIPPED)
    assert list(choice.scores.values()) == sorted(choice.scores.values(), reverse=True)
    assert 0 < sum(choice.scores.values()) < 1
    assert choice.score == next(iter(choice.scores.values()))


@pytest.mark.parametrize(
    "printed",
    ["RECHNUNG", "rechnung", "Réchnung", "Rechnunq", "Rechnun", "Rechnungg", "R e c h n u n g", "R E C H N U N G:"],
)
def test_case_accents_spaced_print_and_one_misread_letter_are_forgiven(printed: str) -> None:
    """OCR and typography do not hide a title."""
    assert (
        chosen([page(f"# {printed}", *FILLER)], [template("bill", ["Rechnung", "x"], keys=["lorem", "dolor"])])
        == "bill"
    )


@pytest.mark.parametrize("printed", ["Berechnung", "Rechner", "Rechung3n", "Tech nung"])
def test_two_wrong_letters_make_another_word(printed: str) -> None:
    """What merely resembles a cue is none."""
    assert score([page(f"# {printed}", *FILLER)], template("bill", ["Rechnung"])) == 0.0


def test_short_words_must_be_right() -> None:
    """One letter of a short word makes another word: order is no border, cash no cast."""
    assert score([page("older", "cast", *FILLER)], template("t", ["order", "cash"])) == 0.0
    assert score([page("order", "cash", *FILLER)], template("t", ["order", "cash"])) > 0.0


def test_a_phrase_stands_whole_and_in_one_run_of_words() -> None:
    """ "delivery note" is not "delivery ... note", nor across a wide gap; lost blanks are forgiven."""
    note = template("t", ["delivery note"])
    assert score([page("delivery of a note", "delivery|note", *FILLER)], note) == 0.0
    assert score([page("the delivery note", *FILLER)], note) > 0.0
    assert score([page("the DELIVERYNOTE", *FILLER)], note) > 0.0


def test_title_page_1_and_later_pages_weigh_less_and_less() -> None:
    """Large print, then high on page 1, then anywhere on page 1, then a later page, then never."""
    cue = template("t", ["certificate"])
    body = "we enclose one certificate of origin for every shipment"
    places = [
        [page("# Certificate", *FILLER)],
        [page("Certificate", *FILLER)],
        [page(*FILLER, body)],
        [page(*FILLER), page(body, index=1)],
        [page(*FILLER)] * 3 + [page("# Certificate", index=3)],
    ]
    scores = [score(pages, cue) for pages in places]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
    assert scores[-1] == 0.0


def test_a_not_cue_counts_full_as_title_and_half_in_the_text() -> None:
    """An invoice may name a delivery note; a delivery note is none."""
    invoice = template("t", ["invoice", "amount due"], ["delivery note"])
    plain = score([page("# Invoice", "Amount due 9", *FILLER)], invoice)
    named = score([page("# Invoice", "Amount due 9", *FILLER, "see our delivery note of May")], invoice)
    title = score([page("# Delivery note", "Invoice follows, amount due later", *FILLER)], invoice)
    assert plain > named > title == 0.0


def test_one_printed_word_serves_one_cue() -> None:
    """ "Tax invoice" is not "invoice" as well."""
    one = template("t", ["tax invoice"])
    both = template("t", ["invoice", "tax invoice"])
    assert score([page("# Tax invoice", *FILLER)], both) == score([page("# Tax invoice", *FILLER)], one)


def test_labels_of_keys_speak_for_a_template_but_not_alone() -> None:
    """A page with its labels scores higher; two keys alone fit no page."""
    keys = template("t", ["certificate"], keys=["origin", "weight"])
    with_labels = [page("Certificate", "Origin: Peru", "Weight: 3 kg", *FILLER)]
    assert score(with_labels, keys) > score([page("Certificate", *FILLER)], keys)
    assert chosen([page("Origin: Peru", "Weight: 3 kg", *FILLER)], [keys]) is None


def test_a_template_without_cues_goes_by_its_title() -> None:
    """The shortest template works: title and labels are its cues."""
    bare = template("certificate", [], keys=["origin", "weight"])
    assert chosen([page("# CERTIFICATE", "Origin: Peru", *FILLER)], [bare]) == "certificate"


def test_of_equals_the_first_wins_whatever_their_names() -> None:
    """Ties are decided by the order of the candidates, on every machine."""
    twins = [template("zebra", ["certificate"]), template("ape", ["certificate"])]
    pages = [page("# Certificate", *FILLER)]
    assert chosen(pages, twins) == "zebra"
    assert chosen(pages, twins[::-1]) == "ape"


def test_two_like_templates_share_the_score_but_one_is_chosen() -> None:
    """The score says how sure the choice is, so near twins halve it."""
    pages = [page("# Certificate", "certificate no. 4", *FILLER)]
    alone = choose_type(pages, [template("a", ["certificate"])])
    twins = choose_type(pages, [template("a", ["certificate"]), template("b", ["certificate"])])
    assert twins.template is not None
    assert twins.score < alone.score


def test_adding_another_document_type_never_unfits_a_document(tmp_path: Path) -> None:
    """Whether a template fits depends on its own evidence, not on the other candidates."""
    pages = [page(*DOCUMENTS["invoice en"][1])]
    for other in (template("supplier_invoice", ["invoice"]), template("letter", ["dear sir"])):
        assert chosen(pages, [*SHIPPED, other]) == "invoice"


def test_a_word_without_end_costs_no_memory() -> None:
    """Variants are kept of words as people write them: those of one of 20,000 letters would be 400 MB."""
    tracemalloc.start()
    try:
        assert chosen([page("# Invoice", "abcdefghij" * 2000, *FILLER)]) == "invoice"
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_table_leaves_the_score_as_it_is() -> None:
    """Headers of columns stand on every kind of paper; a template with a table knows its documents as before."""
    plain = template("a", ["invoice"], keys=("number", "total", "b", "c", "d", "e", "f", "g"))
    columns = (Key("description", "text", "description"), Key("amount", "amount", "amount"))
    table = replace(plain, keys=(*plain.keys, Key("line_items", "table", "line items", columns=columns)))
    pages = [page("invoice number 17", "description amount", "total 9.00")]
    assert score(pages, table) == score(pages, plain)


TILL = [
    "Hamam Café",
    "4 x Lamm 48,00",
    "2 x Tee 5,00",
    "1 x Brot 2,00",
    "19 % 10,45",
    "EUR 55,00",
    "Besten Gruss bis bald",
]


def till(width: float) -> Page:
    """Eighteen words, the widest line so many times as wide as print is high; three lines and more end with a price."""
    height = 0.02
    words = [
        Word(
            text,
            Box(0.1 + place * width * height / 5, 0.1 * line, 0.1 + width * height, 0.1 * line + height),
            line,
            line,
            "ocr",
        )
        for line, texts in enumerate(TILL)
        for place, text in enumerate(texts.split())
    ]
    return Page(0, 500, 500, 0, tuple(words), "ocr", "pillow")


def test_narrow_print_with_prices_speaks_for_papers_of_a_till() -> None:
    """Without a known word: the print of a roll and its column of prices; on a sheet of paper they are no cue."""
    slip = replace(template("slip", ["none of it"]), detect_print="narrow")
    asks_amounts = replace(slip, keys=(Key("total", "amount", "total"),))
    assert chosen([till(12)], [asks_amounts]) == "slip"
    assert chosen([till(12)], [slip]) is None
    assert choose_type([till(12)], [slip]).score > 0.2
    assert choose_type([till(40)], [asks_amounts]).score == 0.0
    assert choose_type([till(12)], [template("letter", ["none of it"])]).score == 0.0


OPEN = [page("we still owe the amount due of the invoice of May", *FILLER)]  # two cues: not enough
BILLS = [template("invoice", ["invoice", "amount due", "Rechnung", "factura", "cash"]), template("letter", ["dear"])]


@pytest.mark.parametrize("folder", ["invoices", "scans/Rechnungen", "Facturas 2024/facturas", "/data/Invoice"])
def test_a_folder_named_like_a_type_decides_what_the_pages_leave_open(folder: str) -> None:
    """It tips the balance and no more, and the score stays what the pages say."""
    bare, hinted = choose_type(OPEN, BILLS), choose_type(OPEN, BILLS, folder)
    assert bare.template is None
    assert hinted.template == BILLS[0]
    assert hinted.score == bare.scores["invoice"]
    assert choose_type([page("nothing of the kind", *FILLER)], BILLS, folder).template is None
    letter = [page("# Dear customer", "dear Ann", *FILLER)]
    assert choose_type(letter, BILLS, folder).template == choose_type(letter, BILLS).template


@pytest.mark.parametrize("folder", ["", "voices", "in", "cash", "Rechnungswesen und mehr", "data/x", "letters"])
def test_other_folders_hint_at_nothing(folder: str) -> None:
    """A name must be a cue of five letters or more, or its plural."""
    assert choose_type(OPEN, [BILLS[0], template("letter", ["dear"])], folder).template is None
