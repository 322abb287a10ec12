"""Papers about people and households: statements, bills, forms. One function each draws one."""

from sheet import Sheet

BOLD = "Helvetica-Bold"


def bank_statement() -> bytes:
    """English; balances before and after the bookings, money out and in in columns of their own."""
    s = Sheet()
    s.text(20, 22, "Harbour & Vale Bank", 17, BOLD)
    s.text(190, 22, "Account Statement", 14, BOLD, right=True)
    s.block(20, 38, ["Ms Eleanor Marsh-Whitfield", "7 Weir Cottages, Henley Road", "Reading RG4 5AA"])
    s.pairs(112, 38, 36, [
        ("Account Holder", "Eleanor Marsh-Whitfield"), ("Account Number", "31926819"), ("IBAN", "GB29 NWBK 6016 1331 9268 19"),
        ("BIC", "NWBKGB2L"), ("Statement No.", "5"), ("Statement Date", "31 May 2026"), ("Statement Period", "1 May 2026 to 31 May 2026"),
    ], 9.5, 5)  # fmt: skip
    columns = [(20, False), (48, False), (130, True), (160, True), (190, True)]
    end = s.table(92, columns, [
        ("Date", "Description", "Paid Out", "Paid In", "Balance"),
        ("4 May 2026", "Riverside Rowing Club", "245.00", "", "1,557.40"),
        ("11 May 2026", "Card payment, Corner Books", "18.99", "", "1,538.41"),
        ("28 May 2026", "Salary, Thameside Surveys Ltd", "", "2,310.00", "3,848.41"),
        ("29 May 2026", "Standing order, rent", "1,150.00", "", "2,698.41"),
    ])  # fmt: skip
    s.sums(150, end + 8, [
        ("Opening Balance", "£1,802.40"), ("Total Paid Out", "£1,413.99"), ("Total Paid In", "£2,310.00"),
        ("Closing Balance", "£2,698.41"),
    ])  # fmt: skip
    return s.pdf()


def payslip() -> bytes:
    """Spanish; earnings, then deductions, then what is paid."""
    s = Sheet()
    s.text(20, 20, "RECIBO DE SALARIOS", 15, BOLD)
    s.box(20, 26, 85, 26)
    s.pairs(
        22,
        33,
        24,
        [("Empresa", "Aceites La Vega S.L."), ("Domicilio", "Ctra. de Jaén, km 12"), ("CIF", "B18765438")],
        9,
    )
    s.box(105, 26, 85, 26)
    s.pairs(107, 33, 28, [
        ("Trabajador", "Lucía Ortega Ruiz"), ("Nº de empleado", "0148"), ("Nº Seg. Social", "18 10334455 27"),
    ], 9)  # fmt: skip
    s.pairs(20, 62, 42, [("Período de liquidación", "Marzo 2026"), ("Fecha de pago", "31-03-2026")])
    columns = [(20, False), (110, True), (145, True), (190, True)]
    end = s.table(82, columns, [
        ("Concepto", "Cantidad", "Precio", "Importe"),
        ("Salario base", "30", "52,00", "1.560,00"),
        ("Plus de transporte", "21", "4,50", "94,50"),
        ("Contingencias comunes", "", "", "-77,76"),
        ("Retención IRPF", "", "", "-198,54"),
    ])  # fmt: skip
    s.sums(150, end + 10, [
        ("Total devengado", "1.654,50 €"), ("IRPF", "198,54 €"), ("Total a deducir", "276,30 €"),
        ("Líquido a percibir", "1.378,20 €"),
    ])  # fmt: skip
    s.text(20, 240, "Transferencia a la cuenta IBAN ES91 2100 0418 4502 0005 1332", 9)
    return s.pdf()


def utility_bill() -> bytes:
    """German electricity bill of a year, with readings."""
    s = Sheet()
    s.text(20, 22, "Stadtwerke Hollerau", 17, BOLD)
    s.block(20, 29, ["Am Wasserturm 3, 97076 Hollerau"], 9)
    s.block(20, 50, ["Frau Jana Reimers", "Gartenweg 15", "97076 Hollerau"])
    s.pairs(118, 50, 36, [
        ("Kundennummer", "400 718 22"), ("Vertragsnummer", "S-66120"), ("Rechnungsnummer", "2026-1-04417"),
        ("Rechnungsdatum", "19.01.2026"),
    ], 9.5)  # fmt: skip
    s.text(20, 84, "Stromrechnung", 15, BOLD)
    s.pairs(20, 93, 44, [
        ("Abrechnungszeitraum", "01.01.2025 bis 31.12.2025"), ("Verbrauchsstelle", "Gartenweg 15, 97076 Hollerau"),
        ("Tarif", "Hollerau Strom fix"), ("Zählernummer", "1 EMH 0047 1182"),
    ])  # fmt: skip
    end = s.table(124, [(20, False), (90, True), (130, True), (190, True)], [
        ("Energieart", "Zählerstand alt", "Zählerstand neu", "Verbrauch kWh"),
        ("Strom", "28.114", "30.669", "2.555"),
    ])  # fmt: skip
    s.sums(150, end + 10, [
        ("Arbeitspreis", "766,50 €"), ("Grundpreis", "108,00 €"), ("Nettobetrag", "874,50 €"), ("Umsatzsteuer 19 %", "166,16 €"),
        ("Rechnungsbetrag", "1.040,66 €"), ("abzüglich gezahlte Abschläge", "960,00 €"), ("Zu zahlender Betrag", "80,66 €"),
    ])  # fmt: skip
    s.text(20, end + 62, "Der Betrag ist fällig am 05.02.2026. IBAN DE89 3704 0044 0532 0130 00")
    return s.pdf()


def insurance_claim_form() -> bytes:
    """English form: boxes with a small label above the entry, boxes to tick."""
    s = Sheet()
    s.text(20, 22, "Fenland Mutual Insurance", 13, BOLD)
    s.text(20, 32, "INSURANCE CLAIM FORM", 17, BOLD)
    fields = [
        (20, 40, 60, "Policy No.", "FM-3380125"), (80, 40, 60, "Claim No.", "C-26-00871"), (140, 40, 50, "Date of loss", "14/02/2026"),
        (20, 57, 110, "Name of insured", "Thomas Adeyemi"), (130, 57, 60, "Date of birth", "23/08/1984"),
        (20, 74, 170, "Address", "31 Sluice Road, Ely CB6 2TR"),
        (20, 91, 80, "Telephone", "+44 1632 960142"), (100, 91, 90, "Email", "t.adeyemi@example.org"),
        (20, 108, 40, "Time of loss", "06:45"), (60, 108, 130, "Place of loss", "Kitchen, 31 Sluice Road, Ely"),
        (20, 125, 170, "Description of loss", "Burst pipe under the sink, floor soaked"),
        (20, 142, 85, "Estimated damage", "£2,350.00"),
        (20, 172, 85, "Account holder", "Thomas Adeyemi"), (105, 172, 85, "IBAN", "GB29NWBK60161331926819"),
        (105, 189, 85, "Date signed", "16/02/2026"),
    ]  # fmt: skip
    for x, y, width, label, entry in fields:
        s.field(x, y, width, label, entry)
    s.text(20, 163, "Were the police informed?", 9)
    s.tick(64, 163, "Yes", False)
    s.tick(80, 163, "No", True)
    s.text(105, 163, "Was anyone injured?", 9)
    s.tick(142, 163, "Yes", False)
    s.tick(158, 163, "No", True)
    s.text(20, 199, "Signed: T. Adeyemi", 9)
    return s.pdf()


def id_document() -> bytes:
    """The data page of a passport that no state issues so."""
    s = Sheet(125, 88)
    s.text(8, 9, "PASSPORT", 11, BOLD)
    s.text(46, 9, "SPECIMEN", 11, BOLD)
    s.box(8, 14, 32, 42)
    s.text(16, 36, "no photo", 8)
    pairs = [
        (46, 16, "Type", "P"), (62, 16, "Code of issuing state", "IRL"), (96, 16, "Passport No.", "XK4400721"),
        (46, 26, "Surname", "MURNAGHAN"), (46, 36, "Given names", "AOIFE CLARE"), (96, 36, "Sex", "F"),
        (46, 46, "Nationality", "IRISH"), (80, 46, "Date of birth", "09 APR 1992"), (46, 56, "Place of birth", "GALWAY"),
        (80, 56, "Authority", "PASSPORT OFFICE DUBLIN"), (46, 66, "Date of issue", "03 JUN 2024"), (80, 66, "Date of expiry", "02 JUN 2034"),
    ]  # fmt: skip
    for x, y, label, entry in pairs:
        s.text(x, y, label, 5.5)
        s.text(x, y + 4.2, entry, 9)
    s.text(8, 78, "P<IRLMURNAGHAN<<AOIFE<CLARE<<<<<<<<<<<<<<<<<", 10, "Courier")
    s.text(8, 84, "XK44007219IRL9204096F3406027<<<<<<<<<<<<<<<4", 10, "Courier")
    return s.pdf()


def registration_form() -> bytes:
    """A short form under the US Foreign Agents Registration Act."""
    s = Sheet()
    s.text(20, 20, "U.S. Department of Justice", 9)
    s.text(190, 20, "Received by Registration Unit 08/12/2026", 9, right=True)
    s.text(20, 32, "SHORT FORM REGISTRATION STATEMENT", 14, BOLD)
    s.text(20, 38, "Pursuant to the Foreign Agents Registration Act of 1938, as amended", 9)
    s.field(20, 46, 120, "1. Name of person filing", "Marguerite L. Sandoval")
    s.field(140, 46, 50, "2. Registration No.", "7719")
    s.field(20, 63, 170, "3. Residence address", "418 Alder Street NW, Washington, DC 20011")
    s.field(20, 80, 120, "4. Name of Registrant", "Castellan Advocacy Group LLC")
    s.field(140, 80, 50, "5. Nationality", "United States")
    s.field(20, 97, 170, "6. Foreign principal", "Ministry of Tourism of San Verano")
    s.block(20, 122, [
        "In accordance with 28 U.S.C. 1746, the undersigned swears or affirms under penalty of perjury",
        "that the information in this registration statement is true and accurate.",
    ], 9)  # fmt: skip
    s.text(20, 145, "Signature: M. L. Sandoval", 9)
    return s.pdf()
