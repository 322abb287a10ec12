"""Papers that companies send each other, beside invoices: one function each draws one."""

from sheet import Sheet

BOLD = "Helvetica-Bold"


def credit_note() -> bytes:
    """French; number and date under the title, the credited invoice named in a sentence of its own."""
    s = Sheet()
    s.text(20, 22, "Atelier Beaumont SARL", 16, BOLD)
    s.block(20, 29, ["3 rue des Tanneurs", "69005 Lyon", "N° TVA FR 75 512345679"], 9, 4.5)
    s.text(20, 62, "AVOIR", 18, BOLD)
    s.pairs(20, 71, 42, [("Avoir n°", "AV-2026-0009"), ("Date de l'avoir", "04/02/2026"), ("N° client", "C-3107")])
    s.pairs(
        20,
        90,
        42,
        [("Facture d'origine", "FA-2026-0117"), ("Facture du", "22/01/2026"), ("Motif", "Retour de marchandise")],
    )
    s.box(115, 62, 75, 28)
    s.block(119, 69, ["Librairie du Marché", "12 place Bellecour", "69002 Lyon"])
    end = s.table(118, [(20, False), (120, True), (155, True), (190, True)], [
        ("Désignation", "Qté", "P.U. HT", "Montant HT"),
        ("Reliure cuir, format A5", "4", "18,50", "74,00"),
        ("Dorure du titre", "4", "3,25", "13,00"),
    ])  # fmt: skip
    s.sums(150, end + 8, [("Total HT", "87,00 €"), ("TVA 20 %", "17,40 €"), ("Total TTC", "104,40 €")])
    s.text(20, 262, "Le montant de cet avoir sera déduit de votre prochaine facture.", 9)
    return s.pdf()


def purchase_order() -> bytes:
    """English; vendor and place of delivery side by side, the order's data in a box on the right."""
    s = Sheet()
    s.text(20, 22, "Northgate Bakery Ltd", 16, BOLD)
    s.block(20, 29, ["Unit 5, Castle Works, Leeds LS1 4AP", "Tel. 0113 496 0821"], 9, 4.5)
    s.text(190, 22, "PURCHASE ORDER", 18, BOLD, right=True)
    s.pairs(130, 34, 34, [
        ("PO Number", "PO-7731"), ("Order Date", "02/03/2026"), ("Vendor No.", "V-2205"), ("Delivery by", "13/03/2026"),
    ])  # fmt: skip
    s.text(20, 62, "Vendor", 9, BOLD)
    s.block(20, 68, ["Harrow & Finch Ltd", "14 Mill Lane", "Guildford GU1 3XX"])
    s.text(110, 62, "Ship To", 9, BOLD)
    s.block(110, 68, ["Northgate Bakery Ltd", "Goods entrance B, Castle Works", "Leeds LS1 4AP"])
    s.pairs(20, 90, 34, [("Contact", "Priya Nair"), ("Payment Terms", "30 days net"), ("Incoterms", "DAP Leeds")])
    end = s.table(115, [(20, False), (48, False), (130, True), (160, True), (190, True)], [
        ("Item No.", "Description", "Qty", "Unit Price", "Amount"),
        ("OV-SRV", "Oven service visit", "2", "180.00", "360.00"),
        ("TX-4", "Thermostat TX-4", "3", "64.50", "193.50"),
        ("CL-WE", "Call-out, weekend", "1", "95.00", "95.00"),
    ])  # fmt: skip
    s.sums(160, end + 8, [("Subtotal", "£648.50"), ("VAT 20%", "£129.70"), ("Order Total", "£778.20")])
    s.text(20, 250, "Please quote our PO number on your delivery note and invoice.", 9)
    return s.pdf()


def order_confirmation() -> bytes:
    """German; sender's line above the address window, data block on the right."""
    s = Sheet()
    s.text(125, 25, "Möbelwerk Süd GmbH", 15, BOLD)
    s.text(20, 50, "Möbelwerk Süd GmbH · Am Gleis 8 · 86150 Augsburg", 7)
    s.block(20, 57, ["Kanzlei Brömse & Partner", "Frau Katrin Ohlsen", "Lindenstraße 21", "20099 Hamburg"])
    s.pairs(125, 57, 38, [
        ("Auftragsnummer:", "A-20781"), ("Datum:", "12.01.2026"), ("Kundennummer:", "K 10442"), ("Ihre Bestellung:", "B-5561"),
        ("Bestelldatum:", "09.01.2026"), ("Liefertermin:", "02.02.2026"),
    ], 9.5)  # fmt: skip
    s.text(20, 104, "Auftragsbestätigung", 14, BOLD)
    s.text(20, 112, "Vielen Dank für Ihren Auftrag. Wir liefern Ihnen:")
    end = s.table(124, [(20, False), (32, False), (56, False), (134, True), (160, True), (190, True)], [
        ("Pos.", "Art.-Nr.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamt"),
        ("1", "SE-160", "Schreibtisch Eiche 160 cm", "4", "389,00", "1.556,00"),
        ("2", "RC-3", "Rollcontainer", "4", "149,50", "598,00"),
        ("3", "LM", "Lieferung und Montage", "1", "220,00", "220,00"),
    ])  # fmt: skip
    s.sums(150, end + 6, [
        ("Nettobetrag", "2.374,00 €"), ("zzgl. 19 % MwSt.", "451,06 €"), ("Gesamtbetrag", "2.825,06 €"),
    ])  # fmt: skip
    s.pairs(20, end + 36, 44, [
        ("Zahlungsbedingungen:", "30 Tage netto"), ("Lieferanschrift:", "Lindenstraße 21, 20099 Hamburg"),
    ])  # fmt: skip
    return s.pdf()


def delivery_note() -> bytes:
    """Italian transport document: boxes with small labels, goods without prices."""
    s = Sheet()
    s.text(20, 22, "Ceramiche Valdarno S.r.l.", 15, BOLD)
    s.block(20, 29, ["Via delle Fornaci 12, 52025 Montevarchi (AR)", "P. IVA 47182300518"], 9, 4.5)
    s.text(190, 22, "DOCUMENTO DI TRASPORTO", 13, BOLD, right=True)
    s.field(110, 30, 40, "DDT n.", "418/2026")
    s.field(150, 30, 40, "Data", "18/05/2026")
    s.field(20, 52, 85, "Destinatario", "Enoteca Il Pozzo")
    s.field(105, 52, 85, "Luogo di destinazione", "Corso Italia 40, 53100 Siena")
    s.field(20, 65, 45, "Codice cliente", "C-0719")
    s.field(65, 65, 60, "Vs. ordine", "O-3382")
    s.field(125, 65, 65, "Causale del trasporto", "Vendita")
    s.table(94, [(20, False), (52, False), (150, True), (165, False)], [
        ("Codice", "Descrizione", "Quantità", "U.M."),
        ("CV-221", "Caraffa smaltata 1 l", "24", "pz"),
        ("CV-305", "Piatto piano 27 cm", "60", "pz"),
        ("CV-410", "Boccale da vino", "36", "pz"),
    ])  # fmt: skip
    s.field(20, 235, 40, "Numero colli", "7")
    s.field(60, 235, 40, "Peso lordo", "142 kg")
    s.field(100, 235, 90, "Vettore", "Trasporti Lunigiana S.r.l.")
    s.text(20, 262, "Firma del destinatario", 8)
    s.rule(20, 275, 90)
    return s.pdf()


def remittance_advice() -> bytes:
    """English; the invoices that a payment is for."""
    s = Sheet()
    s.text(20, 22, "Lakeside Elementary School", 15, BOLD)
    s.block(20, 29, ["210 Shore Road, Alameda, CA 94501"], 9)
    s.text(20, 46, "REMITTANCE ADVICE", 17, BOLD)
    s.block(20, 58, ["To", "Brightwater Print Services Inc.", "880 Harbor Blvd, Oakland, CA 94607"])
    s.pairs(125, 58, 36, [
        ("Payment No.", "RA-004417"), ("Payment Date", "2026-06-18"), ("Vendor No.", "10093"), ("Payment Method", "ACH transfer"),
    ])  # fmt: skip
    end = s.table(95, [(20, False), (58, False), (115, True), (150, True), (190, True)], [
        ("Invoice No.", "Invoice Date", "Invoice Amount", "Discount", "Amount Paid"),
        ("55-8790", "2026-05-02", "$1,240.00", "$24.80", "$1,215.20"),
        ("55-8821", "2026-05-19", "$4,883.48", "$97.67", "$4,785.81"),
        ("55-8836", "2026-05-27", "$310.50", "$0.00", "$310.50"),
    ])  # fmt: skip
    s.sums(150, end + 8, [("Total Paid", "$6,311.51")])
    s.text(20, 250, "The amount will be credited to your account within two business days.", 9)
    return s.pdf()


def tv_ad_invoice() -> bytes:
    """An order of a television station for an advertiser's spots."""
    s = Sheet()
    s.text(20, 22, "WQZK-TV", 18, BOLD)
    s.block(20, 29, ["Channel 9, 55 Signal Hill Road, Dover, DE 19901"], 9)
    s.text(190, 22, "BROADCAST ORDER", 15, BOLD, right=True)
    s.pairs(20, 45, 34, [
        ("Advertiser", "Friends of Harbor Parks"), ("Agency", "Tidewater Media Group"), ("Product", "Ballot measure 4"),
        ("Account Executive", "D. Okafor"),
    ])  # fmt: skip
    s.pairs(120, 45, 34, [
        ("Contract #", "218-40755"), ("Flight Dates", "09/28/26 - 10/11/26"), ("Billing Cycle", "Broadcast month"),
        ("Demographic", "Adults 35+"),
    ])  # fmt: skip
    end = s.table(85, [(20, False), (62, False), (110, False), (150, True), (190, True)], [
        ("Program", "Air Time", "Days", "Spots", "Amount"),
        ("Morning News", "6:00a-7:00a", "M-F", "10", "$2,500.00"),
        ("Evening News", "6:00p-6:30p", "M-F", "10", "$6,400.00"),
        ("Late Movie", "11:35p-1:30a", "Sa", "4", "$720.00"),
    ])  # fmt: skip
    s.sums(150, end + 8, [
        ("Total Spots", "24"), ("Gross Total", "$9,620.00"), ("Agency Commission", "$1,443.00"), ("Net Amount", "$8,177.00"),
    ])  # fmt: skip
    return s.pdf()
