"""Papers that look alike are told apart: the shipped templates among each other, in several languages."""

import pytest

from pipkie_cli.nouns import Box, Page, Word
from pipkie_cli.templates import choose_type, find_templates

SHIPPED = find_templates([], None)

PAPERS = {
    "credit_note": [
        "# Credit note|Credit note no. 17|Date 1 May 2024|Original invoice R-3|Total credit 119.00",
        "# Gutschrift|Gutschriftsnummer 17|Datum 1.5.2024|Zu Rechnung R-3|Gesamtbetrag 119,00",
        "# Rechnungskorrektur|Belegnummer 17|Rechnungsnummer R-3|Gesamtbetrag 119,00",
        "# Facture d'avoir|Avoir n° 17|Date 01/05/2024|Facture d'origine R-3|Total TTC 120,00",
        "# Factura rectificativa|Fecha 01/05/2024|Factura rectificada R-3|Total 121,00",
        "# Nota di credito|Numero documento 17|Data 01/05/2024|Totale 122,00",
        "# Creditnota|Creditnotanummer 17|Datum 01-05-2024|Factuurnummer R-3|Totaal 121,00",
        "# Faktura korygująca|Data wystawienia 01.05.2024|Do faktury nr R-3|Razem 123,00",
    ],
    "purchase_order": [
        "# Purchase Order|PO Number 17|Order date 1 May 2024|Vendor Acme|Ship to Mill Lane 1|Total 119.00",
        "# Bestellung|Bestellnummer 17|Bestelldatum 1.5.2024|Lieferantennummer 7|Liefertermin 9.5.2024",
        "# Bon de commande|N° de commande 17|Fournisseur Dupont|Adresse de livraison Lyon|Total HT 100,00",
        "# Orden de compra|Fecha de pedido 01/05/2024|Proveedor Pérez|Lugar de entrega Madrid|Total 121,00",
        "# Ordine di acquisto|Data ordine 01/05/2024|Fornitore Rossi|Luogo di consegna Roma|Totale 122,00",
        "# Zamówienie|Data zamówienia 01.05.2024|Dostawca Kowalski|Termin dostawy 09.05.2024|Razem 123,00",
    ],
    "order_confirmation": [
        "# Order Confirmation|Sales order no. 17|Date 1 May 2024|Your order PO-3|Delivery date 9 May 2024|Total 119.00",
        "# Auftragsbestätigung|Auftragsnummer 17|Ihre Bestellung PO-3|Liefertermin 9.5.2024|Gesamtbetrag 119,00",
        "# Confirmation de commande|Votre commande PO-3|Date de livraison 09/05/2024|Total TTC 120,00",
        "# Conferma d'ordine|Vs. ordine PO-3|Data di consegna 09/05/2024|Totale 122,00",
        "# Orderbevestiging|Uw order PO-3|Leverdatum 09-05-2024|Totaal 121,00",
    ],
    "delivery_note": [
        "# Delivery Note|Delivery note no. 17|Date 1 May 2024|Your order PO-3|Packages 3|Qty shipped 5",
        "# Packing Slip|Order no. PO-3|Ship to Mill Lane 1|Carrier Swift|Qty shipped 5",
        "# Lieferschein|Lieferschein-Nr. 17|Datum 1.5.2024|Ihre Bestellung PO-3|Menge 5",
        "# Bon de livraison|BL n° 17|Date 01/05/2024|Nombre de colis 3|Quantité 5",
        "# Albarán|Albarán nº 17|Fecha 01/05/2024|Bultos 3|Cantidad 5",
        "# Documento di trasporto|DDT n. 17|Destinatario Rossi|Vettore Lampo|Colli 3",
        "# Pakbon|Pakbonnummer 17|Datum 01-05-2024|Aantal colli 3",
        "# Guia de remessa|Guia n.º 17|Local de descarga Porto|Volumes 3",
    ],
    "bank_statement": [
        "# Bank Statement|Account number 17|Statement period May 2024|Opening balance 100.00|Closing balance 90.00",
        "# Kontoauszug|Kontonummer 17|Alter Kontostand 100,00|Neuer Kontostand 90,00|Buchungstag Wertstellung",
        "# Relevé de compte|Titulaire du compte Dupont|Ancien solde 100,00|Nouveau solde 90,00|Date valeur",
        "# Extracto de cuenta|Titular Pérez|Saldo anterior 100,00|Saldo final 90,00|Fecha valor",
        "# Estratto conto|Intestatario Rossi|Saldo iniziale 100,00|Saldo finale 90,00|Data valuta",
        "# Wyciąg bankowy|Posiadacz rachunku Kowalski|Saldo początkowe 100,00|Saldo końcowe 90,00",
    ],
    "payslip": [
        "# Payslip|Employee Jane Roe|Employee no. 7|Pay date 31 May 2024|Gross pay 3,000.00|Net pay 2,200.00",
        "# Entgeltabrechnung|Personalnummer 7|Steuerklasse 1|Gesamtbrutto 3.000,00|Auszahlungsbetrag 2.000,00",
        "# Bulletin de paie|Matricule 7|Salaire brut 3 000,00|Net à payer 2 300,00",
        "# Nómina|Trabajador Pérez|Total devengado 3.000,00|Líquido a percibir 2.300,00",
        "# Busta paga|Matricola 7|Totale competenze 3.000,00|Netto in busta 2.200,00",
        "# Salarisstrook|Werknemer Jansen|Bruto salaris 3.000,00|Loonheffing 700,00|Netto salaris 2.300,00",
    ],
    "utility_bill": [
        "# Electricity bill|Account number 17|Meter number 7|Previous reading 100|Current reading 200|Total 119.00",
        "# Stromrechnung|Rechnungsnummer 17|Zählernummer 7|Zählerstand alt 100|Rechnungsbetrag 119,00",
        "# Facture d'électricité|Facture n° 17|N° de compteur 7|Ancien index 100|Consommation 100 kWh|Total TTC 120,00",
        "# Factura de la luz|CUPS 17|Potencia contratada 3 kW|Consumo 100 kWh|Total factura 121,00",
        "# Bolletta luce|POD 17|Energia elettrica|Lettura precedente 100|Totale bolletta 122,00",
        "# Energienota|Meternummer 7|Beginstand 100|Eindstand 200|Verbruik 100|Te betalen 121,00",
    ],
    "remittance_advice": [
        "# Remittance Advice|Payment date 1 May 2024|Payment reference 17|Vendor no. 7|Amount paid 119.00",
        "# Zahlungsavis|Avisnummer 17|Zahlungsdatum 1.5.2024|Zahlbetrag 119,00|Skonto 2,00",
        "# Avis de paiement|Référence 17|Date de paiement 01/05/2024|Montant réglé 120,00",
        "# Aviso de pago|Referencia de pago 17|Fecha de pago 01/05/2024|Importe total 121,00",
    ],
    "insurance_claim_form": [
        "# Insurance claim form|Policy number 17|Name of insured Jane Roe|Date of loss 1 May 2024",
        "# Schadenanzeige|Versicherungsnummer 17|Versicherungsnehmer Max Muster|Schadentag 1.5.2024|Schadenort Köln",
        "# Déclaration de sinistre|N° de police 17|Assuré Dupont|Date du sinistre 01/05/2024",
        "# Denuncia di sinistro|Numero polizza 17|Contraente Rossi|Data del sinistro 01/05/2024",
    ],
    "id_document": [
        "# Passport|Passport no. X17|Surname ROE|Given names JANE|Nationality BRITISH|Date of expiry 01 MAY 2034",
        "# Personalausweis|Nachname MUSTER|Vornamen MAX|Geburtsdatum 1.5.1990|Gültig bis 1.5.2034",
        "# Carte nationale d'identité|Nom DUPONT|Prénoms ANNE|Nationalité française|Date d'expiration 01.05.2034",
        "# Driver License|DL 17|EXP 05/01/2034|DOB 05/01/1990|Sex F",
    ],
    "invoice": [
        "# Invoice|Invoice no. 17|Invoice date 1 May 2024|Delivery note L-3|Your purchase order PO-3|Total 119.00",
        "# Rechnung|Rechnungsnummer 17|Ihre Bestellung PO-3|Lieferschein-Nr. L-3|Gesamtbetrag 119,00",
        "# Facture|Facture n° 17|Bon de livraison L-3|Votre commande PO-3|Net à payer 120,00",
    ],
}
CASES = [(name, paper) for name, papers in PAPERS.items() for paper in papers]


def page_of(paper: str) -> Page:
    """Lines between bars, the first in large print where it begins with `# `."""
    words: list[Word] = []
    for number, line in enumerate(paper.split("|")):
        large = line.startswith("# ")
        top = 0.05 + 0.03 * number
        for place, text in enumerate(line.removeprefix("# ").split()):
            box = Box(0.1 + 0.1 * place, top, 0.18 + 0.1 * place, top + (0.02 if large else 0.01))
            words.append(Word(text, box, number, number, "text"))
    return Page(0, 595, 842, 0, tuple(words), "text", None)


@pytest.mark.parametrize(("name", "paper"), CASES, ids=[paper.split("|")[0][2:] for _, paper in CASES])
def test_each_paper_gets_its_template(name: str, paper: str) -> None:
    """By title and labels, though most name an invoice, an order or a delivery in passing."""
    choice = choose_type([page_of(paper)], SHIPPED)
    assert choice.template is not None
    assert choice.template.name == name
