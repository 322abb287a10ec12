"""Codes on pages: found where a page may hold one, parsed to what they ask to be paid, or taken as they are."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp
from make import Line, encode, text_pdf
from PIL import Image, ImageDraw, ImageFont
from stand_ins import KeyValueBackend

from pipkie_cli.errors import DamagedFile
from pipkie_cli.facts import CodeReader
from pipkie_cli.facts.codes import decode
from pipkie_cli.facts.payment import payment_facts
from pipkie_cli.facts.typed import type_fact
from pipkie_cli.nouns import Box, Code, Fact, Input, Key, Locale, Page, Place, RunOptions, SourcePage, Template
from pipkie_cli.pipeline import process

PLACE = Place(1, (Box(0.1, 0.1, 0.2, 0.2),))
SWISS = (
    "SPC", "0200", "1", "CH4431999123000889012", "S", "Robert Schneider AG", "Rue du Lac", "1268", "2501", "Biel", "CH",
    "", "", "", "", "", "", "", "1949.75", "CHF", "S", "Pia Rutschmann", "Marktgasse", "28", "9400", "Rorschach", "CH",
    "QRR", "210000000003139471430009017", "Order of 15.10.2020", "EPD",
    "//S1/10/R-17\\/4/11/260504/30/106017086/32/7.7/40/0:30",
)  # fmt: skip
EPC = ("BCD", "002", "1", "SCT", "COBADEFFXXX", "Bäckerei Kern", "DE88200800000970375700", "EUR124.95", "", "", "R-17")


def facts_of(lines: Sequence[str], kind: str = "QR Code", end: str = "\n") -> dict[str, str]:
    return {fact.term: fact.plain for fact in payment_facts(Code(kind, end.join(lines), PLACE))}


def changed(lines: Sequence[str], at: int, text: str) -> list[str]:
    return [*lines[:at], text, *lines[at + 1 :]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_swiss_bill(end: str) -> None:
    """Account, creditor, amount, currency, reference, and the billing information of Swico."""
    assert facts_of(SWISS, end=end) == {
        "BT-84": "CH4431999123000889012",
        "BT-85": "Robert Schneider AG",
        "BT-115": "1949.75",
        "BT-5": "CHF",
        "BT-83": "210000000003139471430009017",
        "BT-1": "R-17/4",
        "BT-2": "2026-05-04",
        "BT-31": "CHE106017086",
    }


def test_a_swiss_bill_that_leaves_out() -> None:
    """No amount (the payer fills it in), a message in place of a reference, nothing behind the trailer."""
    lines = changed(changed(changed(SWISS[:31], 18, ""), 27, "NON"), 28, "")
    assert facts_of(lines) == {
        "BT-84": "CH4431999123000889012",
        "BT-85": "Robert Schneider AG",
        "BT-5": "CHF",
        "BT-83": "Order of 15.10.2020",
    }
    assert "BT-115" not in facts_of(changed(SWISS, 18, "0.00"))


@pytest.mark.parametrize(
    ("at", "text"),
    [(1, "0100"), (2, "2"), (3, "DE88200800000970375700"), (18, "1949,75"), (18, "-5.00"), (18, "1949.7"), (19, "USD"),
     (27, "XYZ"), (30, "")],
)  # fmt: skip
def test_a_broken_swiss_bill_states_nothing(at: int, text: str) -> None:
    """Another version, coding, account, amount, currency, kind of reference, or no trailer."""
    assert facts_of(changed(SWISS, at, text)) == {}


@pytest.mark.parametrize("text", ["//S1/11/260231", "//S1/30/12", "//S2/10/x", "//S1/", "//S1", "free text", "//S1/10"])
def test_billing_information_of_other_forms(text: str) -> None:
    """Days that do not exist, other numbers and other schemes are left out; the payment stays."""
    assert set(facts_of(changed(SWISS, 31, text))) == {"BT-84", "BT-85", "BT-115", "BT-5", "BT-83"}


def test_an_epc_code() -> None:
    """BIC, name, account, amount and text; the amount may be left out, and everything behind it."""
    assert facts_of(EPC) == {
        "BT-84": "DE88200800000970375700",
        "BT-85": "Bäckerei Kern",
        "BT-86": "COBADEFFXXX",
        "BT-115": "124.95",
        "BT-5": "EUR",
        "BT-83": "R-17",
    }
    assert set(facts_of(EPC[:7])) == {"BT-84", "BT-85", "BT-86"}
    assert facts_of(changed(EPC, 6, "de88 2008 0000 0970 3757 00"))["BT-84"] == "DE88200800000970375700"


@pytest.mark.parametrize(
    ("at", "text"),
    [(1, "003"), (3, "XXX"), (6, "88200800000970375700"), (7, "124.95"), (7, "EUR1,5"), (7, "USD5"), (9, "RF18")],
)
def test_a_broken_epc_code_states_nothing(at: int, text: str) -> None:
    """Other versions, kinds, accounts, amounts; reference and text at once."""
    assert facts_of(changed(EPC, at, text)) == {}


@pytest.mark.parametrize("text", ["", "https://example.org", "BCD", "SPC", "\n\n", "BCD\n" * 500, "SPC\n" * 500])
def test_other_codes_are_no_payment(text: str) -> None:
    """An address on the web, half a code, a code of nothing but its name; and no other kind of code at all."""
    assert payment_facts(Code("QR Code", text, PLACE)) == ()
    assert facts_of(EPC, kind="EAN-13") == {}


@pytest.mark.parametrize("text", ["\x00A\x001\x1b[31m", "A\u202e1[31m\x07", "\x02A1[31m\u200b"])
def test_control_characters_of_a_code_are_in_no_value(text: str) -> None:
    """A NUL ends a text in C and is refused by databases; an escape paints a terminal. `raw` keeps them."""
    assert type_fact(Key("code", "barcode", "code"), Fact("", text, text, "barcode", PLACE)).value == "A1[31m"
    assert type_fact(Key("code", "barcode", "code"), Fact("", "\x00", "\x00", "barcode", PLACE)).value is None


def code_picture(content: str, kind: Any = zxingcpp.BarcodeFormat.QRCode, scale: int = 4) -> Image.Image:
    payload = content.encode() if kind == zxingcpp.BarcodeFormat.QRCode else content
    return Image.fromarray(np.array(zxingcpp.create_barcode(payload, kind).to_image(scale=scale)))


def sheet_with(*codes: tuple[Image.Image, tuple[int, int]], lines: Sequence[str] = ()) -> Image.Image:
    sheet = Image.new("L", (1240, 1754), 255)
    pen = ImageDraw.Draw(sheet)
    for number, line in enumerate(lines):
        pen.text((80, 80 + 60 * number), line, fill=0, font=ImageFont.load_default(32))
    for picture, place in codes:
        sheet.paste(picture, place)
    return sheet


def pixels_of(sheet: Image.Image) -> np.ndarray[Any, Any]:
    return np.asarray(sheet.convert("RGB"))


def test_decoded_with_its_place() -> None:
    """Text and box, in fractions of the page, from the top of the page down; umlauts stay what they are."""
    epc, other = code_picture("\n".join(EPC)), code_picture("other")
    found = decode(pixels_of(sheet_with((epc, (700, 1200)), (other, (100, 300)))), 3, every_kind=False)
    assert [code.text for code in found] == ["other", "\n".join(EPC)]
    (box,) = found[1].place.boxes
    assert found[1].place.page_number == 3
    assert 700 / 1240 < box.left < box.right < (700 + epc.width) / 1240
    assert 1200 / 1754 < box.top < box.bottom < (1200 + epc.height) / 1754


@pytest.mark.parametrize("degrees", [0, 7, 45, 90, 180, 270])
def test_turned_codes(degrees: int) -> None:
    """A payment code is found however the page lies."""
    turned = sheet_with((code_picture("\n".join(EPC)), (500, 700))).rotate(degrees, expand=True, fillcolor=255)
    assert [code.text for code in decode(pixels_of(turned), 1, every_kind=False)] == ["\n".join(EPC)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [("EAN13", "4006381333931"), ("Code128", "PO-4711/a"), ("DataMatrix", "lot 7"), ("PDF417", "x" * 40),
     ("QRCode", "hello"), ("Code39", "A-77")],
)  # fmt: skip
def test_every_kind(kind: str, text: str) -> None:
    """Codes in bars and in squares; only QR codes where nothing else was asked for."""
    sheet = pixels_of(sheet_with((code_picture(text, getattr(zxingcpp.BarcodeFormat, kind), 3), (200, 500))))
    assert [code.text for code in decode(sheet, 1, every_kind=True)] == [text]
    assert len(decode(sheet, 1, every_kind=False)) == (kind == "QRCode")


def test_a_picture_without_codes() -> None:
    """Noise and white paper hold none, and a picture of one pixel neither."""
    noise = np.random.default_rng(0).integers(0, 255, (600, 500, 3), dtype=np.uint8)
    assert decode(noise, 1, every_kind=True) == []
    assert decode(np.full((1, 1, 3), 255, np.uint8), 1, every_kind=True) == []
    assert decode(np.full((2339, 1, 3), 255, np.uint8), 1, every_kind=False) == []


# ------------------------------------------------------------------------------------------------ which pages are drawn


def template(*keys: Key) -> Template:
    return Template("bill", "Bill", keys, Locale(), (), (), "0123456789ab", "bill.yaml")


IBAN = Key("account", "iban", "account", term="BT-84")
EAN = Key("article", "barcode", "article")
NOTE = Key("note", "text", "note", term="BT-22")


def source(text: str = "", images: tuple[Box, ...] = ()) -> tuple[SourcePage, list[int]]:
    """A page whose text travels as the rasterizer's name, and how often it was drawn."""
    drawn: list[int] = []

    def raster() -> np.ndarray[Any, Any]:
        drawn.append(1)
        return pixels_of(sheet_with((code_picture("\n".join(EPC)), (500, 700))))

    return SourcePage(0, 595, 842, (), images, raster, text), drawn


def read_text(page: SourcePage) -> Page:
    """A text layer: no picture."""
    from stand_ins import read_words

    return replace(read_words(replace(page, raster=lambda: None)), rasterizer=None)


def read_drawn(page: SourcePage) -> Page:
    """OCR: the picture is made."""
    from stand_ins import read_words

    page.raster()
    return read_words(replace(page, raster=lambda: None))


SQUARE_PICTURE = (Box(0.1, 0.1, 0.1 + 100 / 595, 0.1 + 100 / 842),)
LOGO = (Box(0.1, 0.1, 0.5, 0.15),)
DOT = (Box(0.1, 0.1, 0.11, 0.108),)


@pytest.mark.parametrize(
    ("key", "text", "images", "read", "n_drawn", "n_codes"),
    [
        (NOTE, "IBAN", SQUARE_PICTURE, read_text, 0, 0),  # no key asks for it
        (NOTE, "", (), read_drawn, 1, 0),
        (IBAN, "hello", (), read_text, 0, 0),
        (IBAN, "hello", LOGO, read_text, 0, 0),
        (IBAN, "hello", DOT, read_text, 0, 0),
        (IBAN, "hello", SQUARE_PICTURE, read_text, 1, 1),
        (IBAN, "our IBAN", (), read_text, 1, 1),
        (IBAN, "DE88 2008 0000 0970 3757 00", (), read_text, 1, 1),
        (IBAN, "hello", (), read_drawn, 1, 1),  # from the picture that was made anyway
        (EAN, "hello", (), read_text, 1, 1),
    ],
)
def test_pages_are_drawn_where_it_pays(
    key: Key, text: str, images: tuple[Box, ...], read: Any, n_drawn: int, n_codes: int
) -> None:
    """The rule at the head of codes.py; a picture is never made twice."""
    page, drawn = source(text, images)
    codes = CodeReader([template(key)])
    codes.read_page(page, read)
    assert (len(drawn), len(codes.codes)) == (n_drawn, n_codes)


def test_a_page_that_cannot_be_drawn() -> None:
    """Its words stay, and the record says that no code was looked for."""

    def torn() -> Any:
        raise DamagedFile("it cannot be drawn")

    codes = CodeReader([template(IBAN)])
    page = codes.read_page(SourcePage(0, 595, 842, (), SQUARE_PICTURE, torn, "hello"), read_text)
    assert [word.text for word in page.words] == ["hello"]
    assert [problem.code for problem in codes.problems] == ["codes_not_read"]


# ----------------------------------------------------------------------------------------------------------- the record


def record_of(folder: Path, sheet: Image.Image, *keys: Key) -> dict[str, Any]:
    path = folder / "a.png"
    path.write_bytes(encode(sheet, "PNG"))
    return process(Input(path, "a.png"), RunOptions((template(*keys),), template_given=True), KeyValueBackend())[0]


PAID = (IBAN, Key("due", "amount", "due", term="BT-115"), Key("currency", "currency", "currency", term="BT-5"))


def test_a_payment_code_fills_keys(tmp_path: Path) -> None:
    """Values of the code, its place on the page, source barcode; what the page prints is compared."""
    sheet = sheet_with((code_picture("\n".join(EPC)), (700, 1200)), lines=["Bill of the bakery", "due: 124,95"])
    record = record_of(tmp_path, sheet, *PAID)
    assert record["values"] == {"account": "DE88200800000970375700", "due": 124.95, "currency": "EUR"}
    field = record["fields"]["due"]
    assert (field["raw"], field["source"], field["confidence"], field["page"]) == ("EUR124.95", "barcode", 1.0, 1)
    assert field["boxes"][0][0] > 0.5
    assert record["status"] == "ok"


def test_a_payment_code_that_the_page_contradicts(tmp_path: Path) -> None:
    """Another sum in print: flagged, with both."""
    sheet = sheet_with((code_picture("\n".join(EPC)), (700, 1200)), lines=["Bill of the bakery", "due: 129,95"])
    record = record_of(tmp_path, sheet, *PAID)
    assert record["fields"]["due"]["flags"] == ["differs_from_print"]
    assert "124.95 against 129.95" in record["problems"][0]["message"]


def test_two_slips(tmp_path: Path) -> None:
    """Two payment codes with different sums: neither is taken, unless the page prints one of them as what is due."""
    codes = (
        (code_picture("\n".join(EPC)), (700, 1200)),
        (code_picture("\n".join(changed(EPC, 7, "EUR60.00"))), (100, 1200)),
    )
    record = record_of(tmp_path, sheet_with(*codes, lines=["Bill of the bakery"]), *PAID)
    assert record["values"] == {"account": "DE88200800000970375700", "due": None, "currency": "EUR"}
    assert "several_codes" in record["fields"]["due"]["flags"]
    record = record_of(tmp_path, sheet_with(*codes, lines=["Bill of the bakery", "due: 60,00"]), *PAID)
    assert (record["values"]["due"], record["fields"]["due"]["flags"]) == (60.0, [])


def test_a_barcode_fills_a_key(tmp_path: Path) -> None:
    """One code on the page is the key's; of several the one that matches its pattern, or that is printed beside."""
    ean = (code_picture("4006381333931", zxingcpp.BarcodeFormat.EAN13, 3), (200, 500))
    lot = (code_picture("LOT-7", zxingcpp.BarcodeFormat.Code128, 3), (200, 900))
    pay = (code_picture("\n".join(EPC)), (700, 1200))
    lines = ["A label of a parcel"]
    record = record_of(tmp_path, sheet_with(ean, pay, lines=lines), EAN)
    assert (record["values"]["article"], record["fields"]["article"]["source"]) == ("4006381333931", "barcode")
    record = record_of(tmp_path, sheet_with(ean, lot, lines=lines), Key("article", "barcode", "a", pattern="LOT-.*"))
    assert record["values"]["article"] == "LOT-7"
    record = record_of(tmp_path, sheet_with(ean, lot, lines=[*lines, "article: LOT-7"]), EAN)
    assert (record["values"]["article"], record["fields"]["article"]["source"]) == ("LOT-7", "barcode")
    record = record_of(tmp_path, sheet_with(ean, lot, lines=lines), EAN)
    assert record["values"]["article"] is None
    assert "several_codes" in record["fields"]["article"]["flags"]


def test_a_code_drawn_on_a_page_with_text(tmp_path: Path) -> None:
    """A QR code of filled squares on a PDF page is found by the IBAN beside it."""
    bars = np.array(zxingcpp.create_barcode("\n".join(EPC).encode(), zxingcpp.BarcodeFormat.QRCode).to_image()) == 0
    from make import Bar

    squares = [Bar(300 + 2 * x, 500 + 2 * y, 2, 2) for y, row in enumerate(bars) for x, dark in enumerate(row) if dark]
    lines = (
        Line(50, 60, "Bill of the bakery Kern, Main Street 3, 12345 Berlin"),
        Line(50, 90, "IBAN see below, thanks"),
    )
    path = tmp_path / "a.pdf"
    path.write_bytes(text_pdf(lines, bars=squares))
    options = RunOptions((template(*PAID),), template_given=True)
    record = process(Input(path, "a.pdf"), options, KeyValueBackend())[0]
    assert record["values"]["due"] == 124.95
