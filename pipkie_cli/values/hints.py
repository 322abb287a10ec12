"""What the text of a page says about its country and language, as far as the order of day and month goes.

Each hint has a weight for day-first and one for month-first. The order is taken only if it is *strong*: at least
STRONG points, and three times the other side's. English alone says nothing (London and New York), the euro alone
is not enough, Canada speaks for both sides and so decides nothing.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

STRONG = 3  # points

# Words of invoices and receipts that belong to one language each. Three different ones are strong.
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "de": "rechnung rechnungsnummer rechnungsdatum datum betrag summe gesamt mwst ust steuer netto brutto menge "
        "und der die das nicht straße strasse zahlung fällig kunde kundennummer bezeichnung lieferung gmbh bar beleg",
        "fr": "facture date montant tva ttc quantité désignation société adresse total client règlement échéance "
        "le les des pour avec sur siret prix unitaire référence merci paiement commande livraison",
        "es": "factura fecha importe iva cantidad descripción cliente dirección nif cif el los las con para precio "
        "vencimiento pago número gracias",
        "it": "fattura data importo iva quantità descrizione cliente indirizzo partita codice fiscale il gli della "
        "con per prezzo scadenza pagamento numero grazie totale",
        "nl": "factuur factuurnummer factuurdatum bedrag btw aantal omschrijving klant klantnummer het een voor met "
        "prijs totaal betaling vervaldatum kvk",
        "pt": "fatura valor quantidade descrição morada contribuinte nif os das com para preço vencimento pagamento "
        "número obrigado cnpj",
        "pl": "faktura data kwota vat ilość nazwa sprzedawca nabywca nip wystawienia płatności razem brutto termin "
        "zapłaty sprzedaży",
        "cs": "faktura datum částka dph množství popis dodavatel odběratel ičo dič splatnosti vystavení celkem cena",
        "da": "faktura dato beløb moms antal beskrivelse kunde og til pris betaling forfaldsdato cvr",
        "nb": "faktura dato beløp mva antall beskrivelse kunde og til pris betaling forfallsdato orgnr",
        "fi": "lasku päivämäärä summa alv määrä kuvaus asiakas yhteensä eräpäivä ja maksu",
        "ro": "factura data suma tva cantitate furnizor cumpărător client și preț scadență plată",
        "tr": "fatura tarih tutar kdv miktar açıklama müşteri ve toplam fiyat ödeme vergi",
        "hr": "račun datum iznos pdv količina opis kupac ukupno dospijeća plaćanje cijena oib",
    }.items()
}  # fmt: skip
_Weights = tuple[int, int]  # for day-first, for month-first
_SIGNS: Final[tuple[tuple[re.Pattern[str], _Weights], ...]] = tuple(
    (re.compile(pattern, flags), weights)
    for pattern, flags, weights in (
        # The United States (and the Philippines): the month comes first.
        (r"\b(?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|"
         r"V[TA]|W[AVIY])\.?,? \d{5}(?:-\d{4})?\b", 0, (0, 2)),
        (r"\bU\.?S\.?A\b|\bUnited States\b", 0, (0, 2)),
        (r"\bsales tax\b|\bzip code\b|\bfederal tax id\b|\bEIN\b", re.I, (0, 2)),
        (r"(?<!\d)\(\d{3}\) ?\d{3}-\d{4}\b", 0, (0, 1)),
        (r"\bPhilippines\b|₱", re.I, (0, 2)),
        (r"\b(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2}, \d{4}",
         re.I, (0, 1)),
        # Canada prints both.
        (r"\bCanada\b|\b(?:Ontario|Qu[eé]bec|Alberta|British Columbia)\b|\bHST\b|\bTPS\b|\bTVQ\b", 0, (2, 2)),
        # Countries that put the day first, by name, kind of company, tax number, currency.
        (r"\bSdn\.? ?Bhd\b|\bMalaysia\b|\bRM ?\d", re.I, (3, 0)),
        (r"\bSingapore\b|\bGST Reg", re.I, (2, 0)),
        (r"\bUnited Kingdom\b|\bEngland\b|\bLondon\b|\bVAT (?:Reg|No)", re.I, (2, 0)),
        (r"\bPty\.? Ltd\b|\bA\.?B\.?N\b:? ?\d|\bAustralia\b|\bNew Zealand\b", re.I, (3, 0)),
        (r"\bGSTIN\b|\bIndia\b|₹", 0, (3, 0)),
        (r"\bGmbH\b|\bDeutschland\b|\bGermany\b|\bSchweiz\b|\bÖsterreich\b", 0, (2, 0)),
        (r"\bFrance\b|\bSIRET\b|\bSARL\b", 0, (2, 0)),
        (r"\bEspaña\b|\bSpain\b|\bItalia\b|\bItaly\b|\bPortugal\b|\bBrasil\b|\bNederland\b|\bBelgi", 0, (2, 0)),
        (r"\bPolska\b|\bPoland\b|\bsp\. ?z ?o\. ?o", re.I, (2, 0)),
        (r"\bCHF\b|\bzł|\bPLN\b|\bKč|R\$|\bIDR\b|\bRp\.? ?\d", 0, (2, 0)),
        (r"€|\bEUR\b|£|\bGBP\b", 0, (1, 0)),
        (r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}", 0, (1, 0)),  # an IBAN: where they are used, the day comes first
        (r"\b\d{1,2}\.\d{1,2}\.\d{4}\b", 0, (2, 0)),  # with full stops: no month-first locale of CLDR
    )
)  # fmt: skip
_YEAR_FIRST_TEXT: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_YEAR_FIRST_LANGUAGES: Final = frozenset(("hu", "sv", "lt", "ja", "zh", "ko"))
_DAY_FIRST_LANGUAGES: Final = frozenset(_WORDS) | {"sk", "sl", "nn", "et", "lv", "is", "ca", "id", "ms", "sv"}
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_MAX_POINTS_OF_WORDS = 3  # a long text in one language is one reason, not twenty


def _word_points(text: str, language_words: Iterable[frozenset[str]]) -> int:
    words = set(_WORD.findall(text.casefold()))
    return min(_MAX_POINTS_OF_WORDS, max((len(words & own) for own in language_words), default=0))


def page_order(text: str, languages: tuple[str, ...]) -> Literal["dmy", "mdy"] | None:
    """The order of day and month that page text and the template's languages speak for strongly; else None.

    Template languages count as strong if every one of them puts the day first.
    """
    day_first = _word_points(text, _WORDS.values())
    month_first = 0
    for pattern, (day, month) in _SIGNS:
        if pattern.search(text):
            day_first, month_first = day_first + day, month_first + month
    if languages and all(language.split("_")[0].split("-")[0] in _DAY_FIRST_LANGUAGES for language in languages):
        day_first += STRONG
    if day_first >= STRONG and day_first >= 3 * month_first:
        return "dmy"
    if month_first >= STRONG and month_first >= 3 * day_first:
        return "mdy"
    return None


def may_put_year_first(text: str, languages: tuple[str, ...]) -> bool:
    """Whether `24-03-05` may begin with its year here: East Asian script, or a language of such a country."""
    return bool(_YEAR_FIRST_LANGUAGES & {lang[:2] for lang in languages}) or bool(_YEAR_FIRST_TEXT.search(text))
