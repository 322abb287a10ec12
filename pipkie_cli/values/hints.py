"""What the text of a page says about its country and language, as far as the order of day and month goes.

Each hint has a weight for day-first and one for month-first. The order is taken only if it is *strong*: at least
STRONG points, and three times the other side's. English alone says nothing (London and New York), the euro alone
is not enough, Canada speaks for both sides and so decides nothing.

Checked on receipts and scans whose own dates prove their order (the same ones that the weights were chosen on):
303 agree, 3 contradict (tills that print month first in Malaysia and Mexico), 79 stay silent. A document's own
dates and the template come first, so hints speak only where those say nothing.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal

STRONG = 3  # points

# Words of invoices and receipts that belong to one language, or to neighbours that write dates alike; none of them
# is English. Three different ones are strong. Per language, since a page of one language holds many of its words.
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "de": "rechnung rechnungsnummer rechnungsdatum datum betrag summe gesamt gesamtbetrag mwst ust steuer netto "
        "brutto menge und der das nicht straße strasse zahlung zahlbar fällig kunde kundennummer bezeichnung "
        "lieferung lieferdatum beleg vielen dank bitte einzelpreis uhr",
        "fr": "facture montant tva ttc quantité désignation société adresse règlement échéance les des pour avec "
        "siret prix unitaire référence merci paiement commande livraison numéro caisse serveur espèces visite",
        "es": "factura fecha importe iva cantidad descripción cliente dirección nif cif del para precio vencimiento "
        "pago número gracias teléfono mesa camarero impuesto impuestos imponible efectivo",
        "it": "fattura importo iva quantità descrizione cliente indirizzo partita codice fiscale della prezzo "
        "scadenza pagamento numero grazie totale contante resto coperto tavolo cassa arrivederci documento",
        "nl": "factuur factuurnummer factuurdatum bedrag btw aantal omschrijving klant klantnummer het een voor met "
        "prijs totaal betaling vervaldatum kvk",
        "pt": "fatura quantidade descrição morada contribuinte nif para preço vencimento pagamento número obrigado "
        "cnpj cliente",
        "pl": "faktura kwota ilość nazwa sprzedawca nabywca wystawienia płatności razem brutto zapłaty sprzedaży",
        "cs": "faktura částka dph množství popis dodavatel odběratel ičo dič splatnosti vystavení celkem cena",
        "da": "faktura dato beløb moms antal beskrivelse kunde og til pris betaling forfaldsdato cvr",
        "nb": "faktura dato beløp mva antall beskrivelse kunde og til pris betaling forfallsdato orgnr",
        "fi": "lasku päivämäärä alv määrä kuvaus asiakas yhteensä eräpäivä ja maksu",
        "ro": "tva cantitate furnizor cumpărător preț scadență plată și factură",
        "tr": "fatura tarih tutar kdv miktar açıklama müşteri ve toplam fiyat ödeme vergi",
        "hr": "račun iznos pdv količina opis kupac ukupno dospijeća plaćanje cijena oib",
        "sv": "faktura fakturadatum belopp moms antal beskrivning kund och till pris betalning förfallodatum att",
        "hu": "számla dátum összeg áfa mennyiség megnevezés vevő fizetendő határidő kelte teljesítés",
    }.items()
}  # fmt: skip
_YEAR_FIRST_LANGUAGES: Final = frozenset(("hu", "sv", "lt", "ja", "zh", "ko"))
_DAY_FIRST_LANGUAGES: Final = frozenset(_WORDS) - {"hu"} | {"sk", "sl", "nn", "et", "lv", "is", "ca", "id", "ms"}

_Weights = tuple[int, int]  # for day-first, for month-first
# `Portland, OR 97212`. Without the comma only states that are no word or label (`ID 12345`); DE 10115 is Berlin.
_STATES: Final = (
    r"(?:[.,] ?(?:A[LKZR]|C[AOT]|DC|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]"
    r"|W[AVIY])|(?<![A-Z])(?:AZ|CA|FL|GA|IL|M[DINO]|N[CJVY]|T[NX]|VA|W[AI]))[., ]{0,2}\d{5}(?:-\d{4})?(?![\d-])"
)
_MONTH_FIRST_NAME: Final = (
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2}, ?\d{4}"
)
_HINTS: Final[tuple[tuple[str, _Weights], ...]] = (
    # The United States and the Philippines: the month comes first.
    (_STATES, (0, 3)),
    (r"\bU\.?S\.?A\b|\bUnited States\b", (0, 2)),
    (r"(?i:\bsales ?tax\b|\bzip code\b|\bfederal tax id\b)|\bEIN\b", (0, 2)),
    (r"(?<![\d-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\d-])", (0, 1)),  # a North American telephone number
    (rf"(?i:{_MONTH_FIRST_NAME})", (0, 1)),
    (r"(?i:\bphilippines\b|\bvat ?reg\.? ?tin\b)|₱", (0, 3)),
    # Canada prints both.
    (r"(?i:\bcanada\b|\bontario\b|\bqu[eé]bec\b|\balberta\b|\bbritish columbia\b)|\b[HP]ST\b|\bT[PV][SQ]\b", (2, 2)),
    # Countries that put the day first, by name, kind of company, tax number, currency.
    (r"(?i:\bsdn\.? ?bhd\b|\bmalaysia\b|\bkuala lumpur\b)|\bRM ?\d|\(RM\)", (3, 0)),
    (r"(?i:\bgst ?(?:id|reg|no)\b)|\b[SC]GST\b|\bGSTIN|₹", (2, 0)),  # Canada says HST or PST as well
    (r"(?i:\bsingapore\b|\baustralia\b|\bnew zealand\b|\bpty\.? ltd\b)|\bA\.?B\.?N\b:? ?\d|\bAED\b", (2, 0)),
    (r"(?i:\bunited kingdom\b|\bvat ?(?:reg|no)\b)", (2, 0)),
    (r"\bGmbH\b|\bDeutschland\b|\bSchweiz\b|\bÖsterreich\b", (2, 0)),
    (r"\bSIRET\b|\bSARL\b|\bS\.A\.R\.L\b", (2, 0)),
    (r"\bEspaña\b|\bItalia\b|\bPortugal\b|\bBrasil\b|\bNederland\b|\bBelgi[ëq]|\bP\. ?IVA\b", (2, 0)),
    (r"\bPolska\b|(?i:\bsp\. ?z ?o\. ?o)", (2, 0)),
    (r"\bCHF\b|\bzł|\bPLN\b|\bKč|R\$|\bIDR\b|\bRp\.? ?\d", (2, 0)),
    (r"€|\bEUR\b|£|\bGBP\b", (1, 0)),
    # An IBAN: where they are used, the day comes first.
    (r"\b[A-Z]{2}\d{2}(?: ?[A-Z]{4})?(?: ?\d{4}){3,7}(?: ?\d{1,3})?\b", (1, 0)),
    (r"(?<![\d.])\d{1,2}\.\d{1,2}\.\d{4}(?![\d.])", (2, 0)),  # full stops: no month-first locale of CLDR has them
)
_EAST_ASIAN: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
# Japan's eras and Taiwan's republic by name; the Buddhist era by name, by a year of it, or by its script (below).
_OTHER_ERA: Final = re.compile(r"令和|平成|昭和|民[國国]|พ\. ?ศ|(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-]25[4-9]\d(?!\d)")
_THAI: Final = re.compile(r"[\u0e01-\u0e5b]")
_MIN_EAST_ASIAN = 5  # signs; OCR reads one or two into a stain
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[re.Pattern[str], _Weights], ...]:
    return tuple((re.compile(pattern), weights) for pattern, weights in _HINTS)


def page_language(text: str) -> str | None:
    """The language of which the text has at least STRONG different words, and more than of any other; else None."""
    words = set(_WORD.findall(text.casefold()))
    counts = sorted(((len(words & own), language) for language, own in _WORDS.items()), reverse=True)
    (most, language), (second, _) = counts[:2]
    return language if most >= STRONG and most > second else None


def page_order(text: str, languages: tuple[str, ...]) -> Literal["dmy", "mdy"] | None:
    """The order of day and month that page text and the template's languages speak for strongly; else None.

    Template languages count as strong if every one of them puts the day first.
    """
    words = set(_WORD.findall(text.casefold()))
    spoken = {language: len(words & _WORDS[language]) for language in _WORDS.keys() & _DAY_FIRST_LANGUAGES}
    day_first, month_first = min(STRONG, max(spoken.values())), 0  # a long text is one reason, not twenty
    for pattern, (day, month) in _compiled():
        if pattern.search(text):
            day_first, month_first = day_first + day, month_first + month
    if languages and all(re.split("[-_]", language)[0] in _DAY_FIRST_LANGUAGES for language in languages):
        day_first += STRONG
    if day_first >= STRONG and day_first >= 3 * month_first:
        return "dmy"
    if month_first >= STRONG and month_first >= 3 * day_first:
        return "mdy"
    return None


def counts_other_eras(text: str) -> bool:
    """Whether a page may count its years from another beginning, so that a year of two digits is not of ours."""
    return _OTHER_ERA.search(text) is not None or len(_THAI.findall(text)) >= _MIN_EAST_ASIAN


def may_put_year_first(text: str, spoken: str | None, languages: tuple[str, ...]) -> bool:
    """Whether `24-03-05` may begin with its year here: East Asian script, or a language of such a country.

    spoken: the language of the page if known; the template's languages count only if all are of that kind.
    """
    if spoken in _YEAR_FIRST_LANGUAGES or (languages and _YEAR_FIRST_LANGUAGES.issuperset(languages)):
        return True
    return len(_EAST_ASIAN.findall(text)) >= _MIN_EAST_ASIAN
