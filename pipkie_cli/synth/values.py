"""Printed values in the manner of one document: its language, its way with dates, its way with money."""

import datetime
import random
import re
import string
from collections.abc import Callable
from dataclasses import dataclass

from pipkie_cli.synth.codes import (
    bic,
    digits,
    filled,
    iban,
    identifier,
    phone,
    plate,
    registration,
    tax_number,
    vat_id,
)
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
_SIGN = re.compile("%.")
_DATES = {  # %1 day, %m month, %n its name, %a its short name, %Y year; the usual ones stand more often
    "en_US": ("%m/%d/%Y", "%m/%d/%Y", "%n %1, %Y", "%a %d, %Y", "%M/%1/%y", "%n %o, %Y", "%1-%a-%Y",
    "%m-%d-%Y", "%Y-%m-%d", "%a %d %Y",
    "%m/%d/%y"),
    "en_GB": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%a-%Y", "%d %a %Y", "%d.%m.%Y", "%o %n %Y",
    "%d%a%y", "%Y-%m-%d", "%d/%m/%y",
    "%d-%m-%Y"),
    "de": ("%d.%m.%Y", "%d.%m.%Y", "%d.%m.%Y", "%1. %n %Y", "%d.%m.%y", "%d. %n %Y", "%1.%M.%Y", "%d. %a. %Y",
    "%Y-%m-%d"),
    "fr": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y", "%Y-%m-%d"),
    "es": ("%d/%m/%Y", "%d/%m/%Y", "%1 de %n de %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y"),
    "it": ("%d/%m/%Y", "%d/%m/%Y", "%1 %n %Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y"),
    "nl": ("%d-%m-%Y", "%d-%m-%Y", "%1 %n %Y", "%d/%m/%Y", "%d-%m-%y", "%Y-%m-%d"),
    "pt": ("%d/%m/%Y", "%d/%m/%Y", "%d-%m-%Y", "%1 de %n de %Y", "%Y-%m-%d", "%Y/%m/%d"),
    "pl": ("%d.%m.%Y", "%Y-%m-%d", "%Y-%m-%d", "%1 %n %Y", "%d-%m-%Y", "%d.%m.%Y r."),
    "ms": ("%d/%m/%Y", "%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%m-%y", "%d %a %Y", "%d-%a-%Y", "%d.%m.%Y",
    "%Y-%m-%d", "%1/%M/%Y", "%d-%a-%y", "%a %1, %Y"),
}  # fmt: skip
_CURRENCIES = {
    "en_US": ("USD", "$"), "en_GB": ("GBP", "£"), "de_CH": ("CHF", "CHF"), "pl_PL": ("PLN", "zł"),
    "ms_MY": ("MYR", "RM"),
}  # fmt: skip
_BANKS = ("Bank", "Sparkasse", "Volksbank", "Banco", "Banque", "Savings Bank", "Credit Union", "Banca", "Commerzbank")
_NEGATIVE = ("-{}", "-{}", "-{}", "{}-", "- {}", "({})", "–{}")
_MODELS = ("@###", "@@-##", "X@###", "Pro ##", "MX-###", "Series @", "@# ####", "Type @##", "###@")
_FLIGHTS = ("LH####", "LH ###", "AF####", "BA ###", "KL####", "FR####", "IB ####", "LO###", "TP ###")
_INCOTERMS = ("EXW", "FCA", "DAP", "DDP", "CIF", "FOB", "CPT")
_MAKES = (
    "Volkswagen",
    "Toyota",
    "Ford",
    "Renault",
    "Fiat",
    "BMW",
    "Škoda",
    "Seat",
    "Opel",
    "Honda",
    "Volvo",
    "Peugeot",
)


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
    negative: str  # where the minus stands
    upper: bool = False

    @property
    def pool(self) -> Pool:
        return pool(self.locale)

    def word(self) -> str:
        return self.rng.choice(self.pool.words)

    def date(self, day: datetime.date, pattern: str | None = None) -> str:
        """A date in the document's pattern."""
        return format_date(day, pattern or self.date_pattern, self.language)

    def grouped(self, whole: int) -> str:
        """A whole number with the marks of thousands."""
        return f"{whole:,}".replace(",", self.group)

    def number(self, cents: int) -> str:
        """Hundredths as a number with two places."""
        whole, rest = divmod(abs(cents), 100)
        text = f"{self.grouped(whole)}{self.decimal}{rest:02}"
        return self.negative.format(text) if cents < 0 else text

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
    return Manner(rng, language, locale, pattern, decimal, group, currency, shape, rng.choice(_NEGATIVE))


def format_date(day: datetime.date, pattern: str, language: str) -> str:
    """Like strftime, but with names by language and not by the process's locale."""
    month = _MONTHS[language].split()[day.month - 1]
    signs = {
        "%d": f"{day.day:02}", "%1": str(day.day), "%m": f"{day.month:02}", "%M": str(day.month), "%n": month,
        "%a": month[:3],
        "%Y": str(day.year), "%y": f"{day.year % 100:02}", "%o": f"{day.day}{_ordinal(day.day)}",
    }  # fmt: skip
    return _SIGN.sub(lambda sign: signs[sign.group()], pattern)


def _ordinal(n: int) -> str:
    return "th" if 10 < n < 14 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def printed(m: Manner, kind: str, day: datetime.date) -> str:
    """A value of a kind; `day` is the document's own date, near which other dates lie."""
    rng = m.rng
    if kind == "date":
        return m.date(day + datetime.timedelta(days=rng.randint(-400, 400)))
    if kind == "amount":
        return m.money(random_cents(rng))
    maker = KINDS.get(kind)
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


def chosen(m: Manner, section: str) -> str:
    return m.rng.choice(phrases(section, m.language))


def person(m: Manner) -> str:
    """A name as forms show it: first or last name first, at times with a title."""
    name = m.rng.choice(m.pool.names)
    first, _, last = name.rpartition(" ")
    shape = m.rng.random()
    if first and shape < 0.2:
        return f"{last}, {first}"
    return f"{m.rng.choice(phrases('value_title', m.language))} {name}" if shape < 0.35 else name


def short_name(m: Manner) -> str:
    first = m.rng.choice(m.pool.first_names)
    return m.rng.choice((first, first, f"{first} {digits(m.rng, 2)}", digits(m.rng, 3), m.rng.choice(m.pool.names)))


def address_line(m: Manner) -> str:
    return ", ".join(line.rstrip(",") for line in m.rng.choice(m.pool.addresses))


def percents(m: Manner) -> tuple[str, ...]:
    return (
        "3",
        "5",
        "7",
        "10",
        "19",
        "20",
        "25",
        f"{m.rng.randint(0, 20)}{m.decimal}{digits(m.rng, m.rng.randint(1, 2))}",
    )


def clock(m: Manner) -> str:
    """A time of day; with seconds or in halves of a day at times."""
    rng = m.rng
    minutes = f"{rng.randint(0, 59):02}"
    if m.language in ("en", "ms") and rng.random() < 0.35:
        seconds = f":{rng.randint(0, 59):02}" if rng.random() < 0.3 else ""
        return f"{rng.randint(1, 12)}:{minutes}{seconds}{rng.choice((' ', ''))}{rng.choice(('AM', 'PM', 'am', 'pm'))}"
    end = rng.choice(("", "", f":{rng.randint(0, 59):02}", " Uhr" if m.language == "de" else ""))
    return f"{rng.randint(0, 23):02}:{minutes}{end}"


def quantity(m: Manner) -> str:
    n = m.rng.choice((1, 1, 2, 3, m.rng.randint(1, 12), m.rng.randint(1, 500)))
    return f"{n} {m.rng.choice(phrases('unit', m.language))}" if m.rng.random() < 0.3 else str(n)


def long_text(m: Manner) -> str:
    """Several words, as answers that describe something."""
    words = [m.word() for _ in range(m.rng.choice((2, 3, 4, 6, 9, 14)))]
    text = " ".join(words)
    return text.title() if m.rng.random() < 0.3 else text[:1].upper() + text[1:]


def product_name(m: Manner) -> str:
    """What an order advertises: words, codes, campaigns."""
    rng = m.rng
    words = " ".join(m.word().capitalize() for _ in range(rng.randint(1, 3)))
    return f"{words}{rng.choice(('', '', f' {rng.randint(1, 26)}/{rng.randint(10, 26)}', ' Q3', ' 2016', ' TV'))}"


def station(m: Manner) -> str:
    """A sender: call letters, or a name."""
    rng = m.rng
    letters = "".join(rng.choices(string.ascii_uppercase, k=3))
    return rng.choice((f"{rng.choice('KW')}{letters}", f"{rng.choice('KW')}{letters}-TV", f"Radio {m.word().title()}"))


KINDS: dict[str, Callable[[Manner], str]] = {
    "id": lambda m: identifier(m.rng),
    "vat": lambda m: vat_id(m.rng, m.locale),
    "taxno": lambda m: tax_number(m.rng),
    "regno": lambda m: registration(m.rng, m.locale),
    "iban": lambda m: iban(m.rng, m.locale),
    "bic": lambda m: bic(m.rng, m.locale),
    "bank": lambda m: f"{m.rng.choice(_BANKS)} {m.rng.choice(m.pool.cities)}",
    "name": lambda m: m.rng.choice(m.pool.names),
    "person": person,
    "shortname": short_name,
    "firstname": lambda m: m.rng.choice(m.pool.first_names),
    "lastname": lambda m: m.rng.choice(m.pool.names).split()[-1],
    "doctor": lambda m: f"Dr. {m.rng.choice(m.pool.names)}",
    "company": lambda m: m.rng.choice(m.pool.companies),
    "address": address_line,
    "phone": lambda m: m.rng.choice(m.pool.phones) if m.rng.random() < 0.5 else phone(m.rng, m.language),
    "email": email,
    "url": url,
    "terms": lambda m: chosen(m, "value_terms").replace("{n}", str(m.rng.choice((7, 10, 14, 30, 30, 45, 60)))),
    "paymethod": lambda m: chosen(m, "value_payment"),
    "job": lambda m: chosen(m, "value_job"),
    "department": lambda m: chosen(m, "value_department"),
    "status": lambda m: chosen(m, "value_status"),
    "gender": lambda m: chosen(m, "value_gender"),
    "marital": lambda m: chosen(m, "value_marital"),
    "nation": lambda m: chosen(m, "value_nation"),
    "duration": lambda m: f"{m.rng.choice((1, 2, 3, 6, 12, 24, 36))} {chosen(m, 'value_period')}",
    "city": lambda m: m.rng.choice(m.pool.cities),
    "postcode": lambda m: digits(m.rng, 5),
    "country": lambda m: m.rng.choice(m.pool.countries),
    "currency": lambda m: m.rng.choice(m.currency),
    "number": lambda m: str(m.rng.choice((m.rng.randint(1, 20), m.rng.randint(1, 99999)))),
    "quantity": quantity,
    "weight": lambda m: f"{m.number(m.rng.randint(10, 999999))} {m.rng.choice(('kg', 'kg', 'KG', 'lbs', 't', 'g'))}",
    "mileage": lambda m: f"{m.grouped(m.rng.randint(5, 280000))}{m.rng.choice((' km', ' km', '', ' mi'))}",
    "usage": lambda m: f"{m.grouped(m.rng.randint(5, 28000))} {m.rng.choice(('kWh', 'kWh', 'm³', 'GB'))}",
    "percent": lambda m: f"{m.rng.choice(percents(m))}{m.rng.choice(('%', ' %'))}",
    "time": clock,
    "plate": lambda m: plate(m.rng),
    "vin": lambda m: "".join(m.rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", k=17)),
    "make": lambda m: m.rng.choice(_MAKES),
    "model": lambda m: filled(m.rng, m.rng.choice(_MODELS)),
    "flight": lambda m: filled(m.rng, m.rng.choice(_FLIGHTS)),
    "seat": lambda m: f"{m.rng.randint(1, 60)}{m.rng.choice('ABCDEF')}",
    "longtext": long_text,
    "product": product_name,
    "station": station,
    "cycle": lambda m: chosen(m, "value_cycle"),
    "ship": lambda m: f"{m.rng.choice(('MV', 'MS', 'M/V'))} {m.word().title()}",
    "container": lambda m: filled(m.rng, "@@@U #######"),
    "code": lambda m: filled(m.rng, m.rng.choice(("########", "#### ## ##", "@@@@####", "##-@@@-###"))),
    "incoterm": lambda m: f"{m.rng.choice(_INCOTERMS)} {m.rng.choice(m.pool.cities)}",
}  # fmt: skip
