"""Draw the sample documents from invented data: `python samples/make.py`. Needs `pip install -e ".[dev]"`.

Companies, people and numbers are made up. The right values stand in `expected.jsonl`; whoever changes a document here
changes its line there.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import personal
import pypdfium2 as pdfium
import trade
from PIL import Image, ImageFilter
from sheet import MM, Sheet

HERE = Path(__file__).parent


def invoice_en() -> bytes:
    """Letterhead on the left, data on the right, totals below the table."""
    s = Sheet()
    s.text(20, 22, "Harrow & Finch Ltd", 18, "Helvetica-Bold")
    s.block(
        20,
        30,
        ["14 Mill Lane, Guildford GU1 3XX", "VAT Reg No. GB 421 7789 37", "accounts@harrowfinch.example"],
        9,
        4.5,
    )
    s.text(190, 22, "INVOICE", 20, "Helvetica-Bold", right=True)
    for number, (label, value) in enumerate(
        [
            ("Invoice No.", "HF-20417"),
            ("Invoice Date", "14 March 2026"),
            ("Due Date", "13 April 2026"),
            ("PO Number", "PO-7731"),
        ]
    ):
        s.text(140, 34 + 5.5 * number, label)
        s.text(190, 34 + 5.5 * number, value, right=True)
    s.text(20, 60, "Bill To", 9, "Helvetica-Bold")
    s.block(20, 66, ["Northgate Bakery Ltd", "Unit 5, Castle Works", "Leeds LS1 4AP"])
    columns = [(20, False), (120, True), (155, True), (190, True)]
    end = s.table(95, columns, [
        ("Description", "Qty", "Unit price", "Amount"),
        ("Oven service visit", "2", "£180.00", "£360.00"),
        ("Thermostat TX-4", "3", "£64.50", "£193.50"),
        ("Call-out, weekend", "1", "£95.00", "£95.00"),
    ])  # fmt: skip
    for number, (label, value) in enumerate(
        [("Subtotal", "£648.50"), ("VAT 20%", "£129.70"), ("Total due", "£778.20")]
    ):
        s.text(155, end + 8 + 6 * number, label, right=True)
        s.text(190, end + 8 + 6 * number, value, right=True)
    s.text(20, 250, "Please pay within 30 days to IBAN GB33 BUKB 2020 1555 5555 55.", 9)
    return s.pdf()


def invoice_de() -> bytes:
    """The form of DIN 5008: small line of the sender, address window, data block, footer in columns."""
    s = Sheet()
    s.text(125, 25, "Möbelwerk Süd GmbH", 15, "Helvetica-Bold")
    s.text(20, 50, "Möbelwerk Süd GmbH · Am Gleis 8 · 86150 Augsburg", 7)
    s.block(20, 57, ["Kanzlei Brömse & Partner", "Frau Katrin Ohlsen", "Lindenstraße 21", "20099 Hamburg"])
    for number, (label, value) in enumerate(
        [
            ("Rechnungsnummer:", "2026-00318"),
            ("Rechnungsdatum:", "05.02.2026"),
            ("Kundennummer:", "K 10442"),
            ("Ihre Bestellung:", "B-5561"),
        ]
    ):
        s.text(125, 57 + 5.5 * number, label, 9.5)
        s.text(162, 57 + 5.5 * number, value, 9.5)
    s.text(20, 100, "Rechnung", 14, "Helvetica-Bold")
    s.text(20, 108, "Für unsere Lieferung vom 02.02.2026 berechnen wir Ihnen:")
    columns = [(20, False), (32, False), (130, True), (158, True), (190, True)]
    end = s.table(120, columns, [
        ("Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamt"),
        ("1", "Schreibtisch Eiche 160 cm", "4", "389,00", "1.556,00"),
        ("2", "Rollcontainer", "4", "149,50", "598,00"),
        ("3", "Lieferung und Montage", "1", "220,00", "220,00"),
    ])  # fmt: skip
    for number, (label, value) in enumerate(
        [("Nettobetrag", "2.374,00 €"), ("zzgl. 19 % MwSt.", "451,06 €"), ("Gesamtbetrag", "2.825,06 €")]
    ):
        s.text(130, end + 6 + 6 * number, label)
        s.text(190, end + 6 + 6 * number, value, right=True)
    s.text(20, end + 32, "Zahlbar bis 07.03.2026 ohne Abzug.")
    s.rule(20, 268, 190)
    s.block(20, 273, ["Möbelwerk Süd GmbH", "Am Gleis 8", "86150 Augsburg"], 7.5, 3.8)
    s.block(80, 273, ["Stadtsparkasse Augsburg", "IBAN DE98 7205 0000 0000 1234 56", "BIC AUGSDE77XXX"], 7.5, 3.8)
    s.block(140, 273, ["USt-IdNr. DE811234565", "HRB 33871 Augsburg", "Tel. 0821 55512-0"], 7.5, 3.8)
    return s.pdf()


def invoice_fr() -> bytes:
    """Number and date in a header row above their values."""
    s = Sheet()
    s.text(20, 22, "Atelier Beaumont SARL", 16, "Helvetica-Bold")
    s.block(20, 29, ["3 rue des Tanneurs", "69005 Lyon", "N° TVA FR 75 512345679"], 9, 4.5)
    s.box(115, 40, 75, 28)
    s.block(119, 47, ["Librairie du Marché", "12 place Bellecour", "69002 Lyon"])
    s.table(85, [(20, False), (75, False), (130, False)], [
        ("Facture n°", "Date de facture", "Date d'échéance"),
        ("FA-2026-0117", "22/01/2026", "21/02/2026"),
    ])  # fmt: skip
    end = s.table(110, [(20, False), (120, True), (155, True), (190, True)], [
        ("Désignation", "Qté", "P.U. HT", "Montant HT"),
        ("Reliure cuir, format A5", "40", "18,50", "740,00"),
        ("Dorure du titre", "40", "3,25", "130,00"),
        ("Frais de port", "1", "24,00", "24,00"),
    ])  # fmt: skip
    for number, (label, value) in enumerate(
        [("Total HT", "894,00 €"), ("TVA 20 %", "178,80 €"), ("Total TTC", "1 072,80 €")]
    ):
        s.text(150, end + 8 + 6 * number, label, right=True)
        s.text(190, end + 8 + 6 * number, value, right=True)
    s.text(20, 262, "Règlement par virement : IBAN FR76 3000 6000 0112 3456 7890 189", 9)
    return s.pdf()


def invoice_es() -> bytes:
    """Seller on the right, client on the left, totals in one row."""
    s = Sheet()
    s.text(190, 22, "Aceites La Vega S.L.", 15, "Helvetica-Bold", right=True)
    for number, line in enumerate(["Ctra. de Jaén, km 12", "18014 Granada", "NIF B18765438"]):
        s.text(190, 29 + 4.5 * number, line, 9, right=True)
    s.text(20, 24, "FACTURA", 18, "Helvetica-Bold")
    s.block(20, 36, ["Factura nº: A/2026/0456", "Fecha de factura: 30-06-2026", "Vencimiento: 30-07-2026"])
    s.text(20, 62, "Cliente:", 9, "Helvetica-Bold")
    s.block(20, 68, ["Restaurante El Olivo", "Calle Mayor 17", "28013 Madrid"])
    end = s.table(95, [(20, False), (120, True), (155, True), (190, True)], [
        ("Descripción", "Cant.", "Precio", "Importe"),
        ("Aceite de oliva virgen extra 5 l", "24", "38,90", "933,60"),
        ("Aceitunas aliñadas 1 kg", "30", "6,20", "186,00"),
    ])  # fmt: skip
    s.table(end + 15, [(60, False), (105, False), (150, False)], [
        ("Base imponible", "IVA 10 %", "Total factura"),
        ("1.119,60 €", "111,96 €", "1.231,56 €"),
    ])  # fmt: skip
    return s.pdf()


def statement_of_two_pages() -> bytes:
    """An invoice whose totals stand on its second page."""
    s = Sheet()
    s.text(20, 22, "Brightwater Print Services Inc.", 16, "Helvetica-Bold")
    s.block(20, 30, ["880 Harbor Blvd, Oakland, CA 94607"], 9)
    s.block(130, 30, ["Invoice Number: 55-8821", "Invoice Date: 2026-05-19", "Terms: Net 30", "Page 1 of 2"], 10, 5.5)
    s.text(20, 52, "Sold To:", 9, "Helvetica-Bold")
    s.block(20, 58, ["Lakeside Elementary School", "210 Shore Road", "Alameda, CA 94501"])
    columns = [(20, False), (120, True), (155, True), (190, True)]
    head = ("Item", "Qty", "Price", "Amount")
    goods = [(f"Workbook print run {n}", str(10 * n), "$4.20", f"${42 * n:,.2f}") for n in range(1, 15)]
    s.table(85, columns, [head, *goods])
    s.text(190, 185, "carried forward $4,410.00", 9, right=True)
    s.next_page()
    s.text(20, 22, "Brightwater Print Services Inc.", 12, "Helvetica-Bold")
    s.block(130, 22, ["Invoice Number: 55-8821", "Page 2 of 2"], 10, 5.5)
    end = s.table(45, columns, [head, ("Delivery", "1", "$60.00", "$60.00")])
    for number, (label, value) in enumerate(
        [("Subtotal", "$4,470.00"), ("Sales Tax 9.25%", "$413.48"), ("TOTAL", "$4,883.48")]
    ):
        s.text(155, end + 8 + 6 * number, label, right=True)
        s.text(190, end + 8 + 6 * number, value, right=True)
    return s.pdf()


def receipt(lines: Sequence[str | tuple[str, str]], width_mm: float = 74) -> bytes:
    """A till roll: centred lines, and pairs set left and right."""
    s = Sheet(width_mm, 16 + 4.6 * len(lines))
    for number, line in enumerate(lines):
        y = 10 + 4.6 * number
        if isinstance(line, tuple):
            s.text(4, y, line[0], 8.5, "Courier")
            s.text(width_mm - 4, y, line[1], 8.5, "Courier", right=True)
        else:
            s.canvas.setFont("Courier-Bold" if number == 0 else "Courier", 8.5)
            s.canvas.drawCentredString(width_mm / 2 * MM, (s.height_mm - y) * MM, line)
    return s.pdf()


RECEIPT_EN = (
    "KEDAI RUNCIT SERI MELUR SDN BHD", "(448122-K)", "NO. 18, JALAN MAWAR 3,", "TAMAN SERI INDAH,", "43000 KAJANG, SELANGOR.",
    "TEL: 03-8733 0192", "TAX INVOICE", ("Date: 17/08/2026", "14:22:07"), ("Receipt No: 003871", "Cashier: AINA"), "-" * 34,
    ("MILO 1KG", "18.90"), ("GARDENIA BREAD x 2", "7.00"), ("COOKING OIL 5KG", "29.60"), "-" * 34, ("Subtotal", "55.50"),
    ("Rounding", "0.00"), ("TOTAL RM", "55.50"), ("CASH", "60.00"), ("CHANGE", "4.50"), "THANK YOU, PLEASE COME AGAIN",
)  # fmt: skip
RECEIPT_DE = (
    "Bäckerei Hollerbusch", "Marktplatz 4", "97070 Würzburg", "Tel. 0931 404088", ("Bon-Nr. 2291", "Kasse 2"),
    ("Datum: 09.04.2026", "07:51"), "-" * 34, ("Roggenbrot 1000g", "4,80"), ("Brezel 4 x 0,95", "3,80"), ("Kaffee groß", "3,40"),
    "-" * 34, ("SUMME EUR", "12,00"), ("Bar", "20,00"), ("Rückgeld", "8,00"), ("MwSt. 7%", "0,79"), "Vielen Dank für Ihren Besuch",
)  # fmt: skip
RECEIPT_US = (
    "COPPER KETTLE DINER", "1027 Main Street", "Boise, ID 83702", "(208) 555-0147", ("Check 4471", "Table 12"),
    ("Date 11/23/2026", "6:48 PM"), "-" * 34, ("Chicken pot pie", "$15.50"), ("House salad", "$8.25"), ("Iced tea x 2", "$6.00"), "-" * 34,
    ("Subtotal", "$29.75"), ("Sales tax 6%", "$1.79"), ("Total", "$31.54"), ("VISA ****4242", "$31.54"), "Thank you!",
)  # fmt: skip

RECEIPT_FR = (
    "ÉPICERIE DU CANAL", "27 quai de Valmy", "75010 Paris", "Tél. 01 55 50 12 34", ("Ticket n° 81902", "Caisse 1"),
    ("Le 12/03/2026", "18:05"), "-" * 34, ("Café moulu 250 g", "4,95 €"), ("Comté 312 g", "7,49 €"), ("Pommes 1,2 kg", "3,12 €"),
    "-" * 34, ("TOTAL TTC", "15,56 €"), ("CB", "15,56 €"), ("dont TVA 5,5 %", "0,81 €"), "Merci de votre visite",
)  # fmt: skip


def membership_form() -> bytes:
    """Boxes with a small label above the entry: a type that no shipped template asks for."""
    s = Sheet()
    s.text(105 - 38, 25, "Application for Membership", 16, "Helvetica-Bold")
    s.text(105 - 25, 32, "Riverside Rowing Club, est. 1921", 9)
    fields = [
        (20, 45, 110, "Full name of applicant", "Eleanor Marsh-Whitfield"), (135, 45, 55, "Date of birth", "02 September 1991"),
        (20, 62, 170, "Home address", "7 Weir Cottages, Henley Road, Reading RG4 5AA"),
        (20, 79, 80, "Telephone", "0118 496 0233"), (105, 79, 85, "Email", "e.marsh@example.org"),
        (20, 96, 80, "Membership class", "Senior rowing"), (105, 96, 40, "Annual fee", "£245.00"),
        (150, 96, 40, "Start date", "1 May 2026"),
    ]  # fmt: skip
    for x, y, width, label, entry in fields:
        s.box(x, y, width, 14)
        s.text(x + 2, y + 4, label, 7)
        s.text(x + 2, y + 11, entry, 11, "Courier")
    s.block(
        20,
        125,
        ["I agree to the rules of the club and to the safety code on the water.", "Signed: E. Marsh-Whitfield"],
        9,
    )
    return s.pdf()


def pictures(pdf: bytes, dpi: int) -> list[Image.Image]:
    with pdfium.PdfDocument(pdf) as document:
        return [page.render(scale=dpi / 72).to_pil().convert("RGB") for page in document]


def photo(image: Image.Image, seed: int, skew: float, noise: float, blur: float, shade: float) -> Image.Image:
    """A picture as a phone takes it: askew on a table, unevenly lit, grainy."""
    random = np.random.default_rng(seed)
    table = Image.new("RGB", (image.width + 160, image.height + 160), (118, 104, 92))
    table.paste(image, (80, 80))
    turned = table.rotate(skew, Image.Resampling.BICUBIC, fillcolor=(118, 104, 92)).filter(
        ImageFilter.GaussianBlur(blur)
    )
    pixels = np.asarray(turned, np.float32)
    light = 1 - shade * np.linspace(0, 1, pixels.shape[1])[None, :, None]
    pixels = pixels * light + random.normal(0, noise, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def scan(image: Image.Image, seed: int, skew: float) -> Image.Image:
    """A page off a flatbed: grey, slightly askew, with specks."""
    random = np.random.default_rng(seed)
    grey = image.convert("L").rotate(skew, Image.Resampling.BICUBIC, fillcolor=255)
    pixels = np.asarray(grey, np.float32) + random.normal(0, 6, (grey.height, grey.width))
    specks = random.random(pixels.shape) < 0.0004
    return Image.fromarray(np.clip(np.where(specks, 90, pixels), 0, 255).astype(np.uint8))


def main() -> None:
    texts: dict[str, Callable[[], bytes]] = {
        "invoice_english.pdf": invoice_en, "invoice_german.pdf": invoice_de, "invoice_french.pdf": invoice_fr,
        "membership_form.pdf": membership_form, "credit_note.pdf": trade.credit_note, "purchase_order.pdf": trade.purchase_order,
        "order_confirmation.pdf": trade.order_confirmation, "delivery_note.pdf": trade.delivery_note,
        "remittance_advice.pdf": trade.remittance_advice, "tv_ad_invoice.pdf": trade.tv_ad_invoice,
        "bank_statement.pdf": personal.bank_statement, "payslip.pdf": personal.payslip, "utility_bill.pdf": personal.utility_bill,
        "insurance_claim_form.pdf": personal.insurance_claim_form, "registration_form.pdf": personal.registration_form,
    }  # fmt: skip
    for name, draw in texts.items():
        (HERE / name).write_bytes(draw())
    spanish = scan(pictures(invoice_es(), 170)[0], 1, 0.7)
    spanish.save(
        HERE / "invoice_spanish_scan.pdf", resolution=170, quality=70, title="scan", creationDate=None, modDate=None
    )
    first, second = (
        scan(page, 2 + number, -0.5).point(lambda v: 255 if v > 140 else 0).convert("1")
        for number, page in enumerate(pictures(statement_of_two_pages(), 200))
    )
    first.save(
        HERE / "invoice_two_pages.tif", save_all=True, append_images=[second], compression="group4", dpi=(200, 200)
    )
    photo(pictures(personal.id_document(), 220)[0], 9, -0.8, 5, 0.5, 0.15).save(HERE / "id_document.jpg", quality=72)
    photo(pictures(receipt(RECEIPT_EN), 260)[0], 5, 2.4, 9, 0.7, 0.25).save(HERE / "receipt_photo.jpg", quality=72)
    german = photo(pictures(receipt(RECEIPT_DE), 260)[0], 6, -1.6, 12, 0.9, 0.35)
    german.transpose(Image.Transpose.ROTATE_90).save(HERE / "receipt_sideways.jpg", quality=70)
    american = photo(pictures(receipt(RECEIPT_US), 240)[0], 7, 1.2, 14, 0.8, 0.3)
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera lay on its side and says so
    american.transpose(Image.Transpose.ROTATE_90).save(HERE / "receipt_exif.jpg", quality=70, exif=exif)
    scan(pictures(receipt(RECEIPT_FR), 200)[0], 8, 0).convert("P").save(HERE / "receipt_grey.png", optimize=True)


if __name__ == "__main__":
    main()
