"""Printed values in the manner of one document: its language, its way with dates, its way with money."""

import datetime
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

from pipkie_cli.synth.pools import LOCALES, Pool, pool
from pipkie_cli.synth.tables import phrases

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ms": "January February March April May June July August September October November December",
}
_DATES = {  # %1 day, %m month, %n its name, %a its short name, %Y year; the usual ones stand more often
    "en_US": ("%m/%d/%Y", "%m/%d/%Y", "%n %1, %Y", "%a %d, %Y", "%M/%1/%y", "%m-%d-%Y", "%Y-%m-%d", "%a %d %Y", "%m/%d/%y"),
    "en_GB": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%a-%Y", "%d %a %Y", "%d.%m.%Y", "%Y-%m-%d", "%d/%m/%y", "%d-%m-%Y"),
    "de": ("%d.%m.%Y", "%d.%m.%Y", "%d.%m.%Y", "%1. %n %Y", "%d.%m.%y", "%d. %n %Y", "%1.%M.%Y", "%Y-%m-%d"),
    "fr": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y", "%Y-%m-%d"),
    "es": ("%d/%m/%Y", "%d/%m/%Y", "%1 de %n de %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y"),
    "it": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y"),
    "nl": ("%d-%m-%Y", "%d-%m-%Y", "%1 %n %Y", "%d/%m/%Y", "%d-%m-%y", "%Y-%m-%d"),
    "pt": ("%d/%m/%Y", "%d/%m/%Y", "%d-%m-%Y", "%1 de %n de %Y", "%Y-%m-%d", "%Y/%m/%d"),
    "pl": ("%d.%m.%Y", "%Y-%m-%d", "%Y-%m-%d", "%1 %n %Y", "%d-%m-%Y", "%d.%m.%Y r."),
    "ms": ("%d/%m/%Y", "%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%m-%y", "%d %a %Y", "%d-%a-%Y", "%d.%m.%Y", "%Y-%m-%d", "%1/%M/%Y", "%d-%a-%y", "%a %1, %Y"),
}  # fmt: skip
_CURRENCIES = {
    "en_US": ("USD", "$"), "en_GB": ("GBP", "£"), "de_CH": ("CHF", "CHF"), "pl_PL": ("PLN", "zł"), "ms_MY": ("MYR", "RM"),
}  # fmt: skip
_VAT = {"en_US": "", "en_GB": "GB", "de_DE": "DE", "de_AT": "ATU", "de_CH": "CHE", "fr_FR": "FR", "es_ES": "ES", "it_IT": "IT", "nl_NL": "NL", "pt_PT": "PT", "pl_PL": "PL"}  # fmt: skip
_IBAN_DIGITS = {"DE": 20, "AT": 18, "CH": 19, "FR": 25, "ES": 22, "IT": 25, "NL": 14, "PT": 23, "PL": 26, "GB": 18}


@dataclass(slots=True)
class Manner:
    """How one document writes. All draws come from its `rng`, so a seed fixes them."""

    rng: random.Random
    language: str
    locale: str
    date_pattern: str
    decimal: str
    group: str
    currency: tuple[str, str]  # code, symbol
    money_shape: str  # where the currency stands: "{} €", "€{}", "{}"
    upper: bool = False

    @property
    def pool(self) -> Pool:
        return pool(self.locale)

    def word(self) -> str:
        return self.rng.choice(self.pool.words)

    def date(self, day: datetime.date, pattern: str | None = None) -> str:
        """A date in the document's pattern."""
        return format_date(day, pattern or self.date_pattern, self.language)

    def number(self, cents: int) -> str:
        """Hundredths as a number with two places."""
        whole, rest = divmod(abs(cents), 100)
        return f"{'-' if cents < 0 else ''}{f'{whole:,}'.replace(',', self.group)}{self.decimal}{rest:02}"

    def money(self, cents: int, bare: bool = False) -> str:
        """An amount; with the currency where this document writes it."""
        return self.number(cents) if bare else self.money_shape.format(self.number(cents))


def manner(rng: random.Random, language: str) -> Manner:
    """Draw how a document in `language` writes."""
    locale = rng.choice(LOCALES[language])
    pattern = rng.choice(_DATES.get(locale) or _DATES[language])
    english = language in ("en", "ms") or locale == "de_CH"
    decimal = "." if english or rng.random() < 0.06 else ","
    groups = (",", ",", "") if decimal == "." else (".", ".", " ", "")
    group = "'" if locale == "de_CH" else rng.choice(groups)
    if language in ("fr", "pl") and decimal == ",":
        group = rng.choice((" ", " ", "", "."))
    code, symbol = currency = _CURRENCIES.get(locale, ("EUR", "€"))
    if language == "en" and rng.random() < 0.25:
        code, symbol = currency = rng.choice(
            (("EUR", "€"), ("USD", "$"), ("CAD", "$"), ("AUD", "$"), ("INR", "₹"), ("SGD", "S$"))
        )
    before = english or (language in ("nl", "pt") and rng.random() < 0.4)
    usual = (f"{symbol}{{}}", f"{symbol} {{}}") if before else (f"{{}} {symbol}", f"{{}} {symbol}", f"{{}}{symbol}")
    shape = rng.choice((*usual, *usual, "{}", "{}", "{}", f"{{}} {code}", f"{code} {{}}"))
    return Manner(rng, language, locale, pattern, decimal, group, currency, shape)


def format_date(day: datetime.date, pattern: str, language: str) -> str:
    """Like strftime, but with month names by language and not by the process's locale."""
    month = _MONTHS[language].split()[day.month - 1]
    for mark, text in (
        ("%d", f"{day.day:02}"), ("%1", str(day.day)), ("%m", f"{day.month:02}"), ("%M", str(day.month)),
        ("%n", month), ("%a", month[:3]), ("%Y", str(day.year)), ("%y", f"{day.year % 100:02}"),
    ):  # fmt: skip
        pattern = pattern.replace(mark, text)
    return pattern


def digits(rng: random.Random, n: int) -> str:
    return "".join(rng.choices(string.digits, k=n))


def identifier(rng: random.Random) -> str:
    """A document or customer number as programs make them."""
    letters = "".join(rng.choices(string.ascii_uppercase, k=rng.randint(1, 3)))
    number = digits(rng, rng.randint(3, 8))
    year = rng.randint(2008, 2026)
    return rng.choice((
        number, number, digits(rng, rng.randint(8, 12)), f"{letters}{number}", f"{letters}-{number}", f"{letters}{rng.choice('-/')}{year}{rng.choice('-/')}{number[:5]}",
        f"{year}{rng.choice('-/')}{number}", f"{number}/{year}", f"{letters}{rng.choice('-/')}{number}/{rng.randint(1, 99)}", f"{number}-{digits(rng, 2)}",
        f"{letters} {number}", f"#{number}", f"{letters}{digits(rng, 2)}{rng.choice(string.ascii_uppercase)}{digits(rng, 3)}", f"{number[:3]} {digits(rng, 3)} {digits(rng, 3)}",
        f"{digits(rng, 2)}.{digits(rng, 3)}.{digits(rng, 3)}", f"{letters}{year}{digits(rng, 4)}",
    ))  # fmt: skip


def vat_id(rng: random.Random, locale: str) -> str:
    if locale == "ms_MY":
        return digits(rng, 12)
    if locale == "en_US":
        return f"{digits(rng, 2)}-{digits(rng, 7)}"
    body = digits(rng, 11 if locale == "it_IT" else 10 if locale == "pl_PL" else 9)
    if locale == "es_ES":
        body = rng.choice("ABCDFGNW") + body[:8]
    if locale == "nl_NL":
        body += f"B{digits(rng, 2)}"
    prefix = _VAT[locale] if rng.random() < 0.75 else ""
    return f"{prefix}{' ' if prefix and rng.random() < 0.2 else ''}{body}"


def iban(rng: random.Random, locale: str) -> str:
    country = locale[-2:] if locale[-2:] in _IBAN_DIGITS else "DE"
    body = digits(rng, _IBAN_DIGITS[country])
    if country in ("NL", "GB"):
        body = f"{''.join(rng.choices(string.ascii_uppercase, k=4))}{body[4:]}"
    text = f"{country}{digits(rng, 2)}{body}"
    return text if rng.random() < 0.35 else " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def bic(rng: random.Random, locale: str) -> str:
    return f"{''.join(rng.choices(string.ascii_uppercase, k=4))}{locale[-2:]}{''.join(rng.choices(string.ascii_uppercase + '23', k=2))}{rng.choice(('', 'XXX'))}"


def registration(rng: random.Random, locale: str) -> str:
    if locale == "ms_MY":
        return f"{digits(rng, rng.choice((5, 6, 6)))}-{rng.choice('ABDHKMPTUVWX')}"
    if locale.startswith("de"):
        return f"HRB {digits(rng, rng.randint(4, 6))}"
    if locale == "fr_FR":
        return f"{digits(rng, 3)} {digits(rng, 3)} {digits(rng, 3)}{f' {digits(rng, 5)}' if rng.random() < 0.6 else ''}"
    return digits(rng, rng.randint(7, 10))


def printed(m: Manner, kind: str, day: datetime.date) -> str:
    """A value of a kind; `day` is the document's own date, near which other dates lie."""
    rng = m.rng
    if kind == "date":
        return m.date(day + datetime.timedelta(days=rng.randint(-400, 400)))
    if kind == "amount":
        return m.money(random_cents(rng))
    maker: Callable[[Manner], str] | None = KINDS.get(kind)
    return maker(m) if maker else " ".join(m.word() for _ in range(rng.randint(1, 4)))


def random_cents(rng: random.Random) -> int:
    """Amounts over five orders of magnitude; round ones are frequent."""
    cents = int(10 ** rng.uniform(1.5, 6.5))
    return cents // 100 * 100 if rng.random() < 0.3 and cents > 100 else cents


def email(m: Manner) -> str:
    rng = m.rng
    host = "".join(c for c in rng.choice(m.pool.companies).lower().split()[0] if c in string.ascii_lowercase) or "firma"
    who = rng.choice(
        ("info", "office", "sales", "billing", "kontakt", f"{rng.choice('abcdefghjkm')}.{host[:5]}", host[:4])
    )
    return f"{who}@{host}.{rng.choice(('com', m.locale[-2:].lower(), 'net', 'eu', 'example'))}"


def url(m: Manner) -> str:
    return f"{m.rng.choice(('www.', 'www.', 'https://', 'http://www.', ''))}{email(m).split('@')[1]}"


def terms(m: Manner) -> str:
    n = m.rng.choice((7, 10, 14, 30, 30, 45, 60))
    texts = {
        "en": (f"Net {n}", f"{n} days", "Due on receipt", "COD", "Cash", f"{n} days net", "Prepaid"),
        "ms": ("CASH", "C.O.D.", f"{n} DAYS", "Cash"),
        "de": (f"{n} Tage netto", f"netto {n} Tage", "sofort", f"{n} Tage", f"2% Skonto 10 Tage, {n} Tage netto"),
        "fr": (f"{n} jours", f"{n} jours fin de mois", "à réception", "comptant"),
        "es": (f"{n} días", "contado", f"{n} días fecha factura", "transferencia"),
        "it": (f"{n} giorni", f"{n} gg d.f.", "rimessa diretta", "bonifico bancario"),
        "nl": (f"{n} dagen", f"binnen {n} dagen", "contant"),
        "pt": (f"{n} dias", "pronto pagamento", "a pronto"),
        "pl": (f"{n} dni", "przelew", "gotówka"),
    }
    return m.rng.choice(texts[m.language])


def payment(m: Manner) -> str:
    texts = {
        "en": ("Bank transfer", "Credit card", "Cash", "VISA", "Check", "PayPal", "Direct debit", "Mastercard"),
        "ms": ("CASH", "VISA", "MASTER CARD", "CREDIT CARD", "Cash", "MYDEBIT"),
        "de": ("Überweisung", "Lastschrift", "Barzahlung", "EC-Karte", "Kreditkarte", "PayPal", "Rechnung"),
        "fr": ("Virement", "Carte bancaire", "Chèque", "Espèces", "Prélèvement"),
        "es": ("Transferencia", "Tarjeta", "Efectivo", "Domiciliación"),
        "it": ("Bonifico bancario", "Carta di credito", "Contanti", "RIBA"),
        "nl": ("Overboeking", "Pin", "Contant", "iDEAL"),
        "pt": ("Transferência", "Multibanco", "Numerário"),
        "pl": ("przelew", "gotówka", "karta"),
    }
    return m.rng.choice(texts[m.language])


def quantity(m: Manner) -> str:
    n = m.rng.choice((1, 1, 2, 3, m.rng.randint(1, 12), m.rng.randint(1, 500)))
    return f"{n} {m.rng.choice(phrases('unit', m.language))}" if m.rng.random() < 0.3 else str(n)


KINDS: dict[str, Callable[[Manner], str]] = {
    "id": lambda m: identifier(m.rng),
    "vat": lambda m: vat_id(m.rng, m.locale),
    "taxno": lambda m: m.rng.choice((f"{digits(m.rng, 3)}/{digits(m.rng, 3)}/{digits(m.rng, 5)}", digits(m.rng, 10), f"{digits(m.rng, 2)}/{digits(m.rng, 3)}/{digits(m.rng, 4)}")),
    "regno": lambda m: registration(m.rng, m.locale),
    "iban": lambda m: iban(m.rng, m.locale),
    "bic": lambda m: bic(m.rng, m.locale),
    "bank": lambda m: f"{m.rng.choice(('Bank', 'Sparkasse', 'Volksbank', 'Banco', 'Banque', 'Savings Bank', 'Credit Union'))} {m.rng.choice(m.pool.cities)}",
    "name": lambda m: m.rng.choice(m.pool.names),
    "shortname": lambda m: m.rng.choice((m.rng.choice(m.pool.first_names), m.rng.choice(m.pool.names), digits(m.rng, 3), f"{m.rng.choice(m.pool.first_names)} {digits(m.rng, 2)}")),
    "company": lambda m: m.rng.choice(m.pool.companies),
    "phone": lambda m: m.rng.choice(m.pool.phones),
    "email": email,
    "url": url,
    "terms": terms,
    "paymethod": payment,
    "city": lambda m: m.rng.choice(m.pool.cities),
    "country": lambda m: m.rng.choice(m.pool.countries),
    "currency": lambda m: m.rng.choice(m.currency),
    "number": lambda m: str(m.rng.randint(1, 9999)),
    "quantity": quantity,
    "percent": lambda m: f"{m.rng.choice((0, 3, 5, 6, 7, 10, 19, 20, 25, m.rng.randint(1, 99)))}{m.rng.choice(('%', ' %'))}",
    "time": lambda m: f"{m.rng.randint(0, 23):02}:{m.rng.randint(0, 59):02}{m.rng.choice(('', '', f':{m.rng.randint(0, 59):02}'))}",
}  # fmt: skip
