"""What a printed sign, code or name can mean as a currency (ISO 4217)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pipkie_cli.values.folding import fold

_MAJOR = (
    "USD GBP CHF JPY CNY INR MYR SGD AUD CAD NZD SEK NOK DKK PLN CZK HUF RON BGN IDR THB PHP KRW HKD TWD ZAR BRL MXN"
)
_DOLLARS = "USD CAD AUD NZD SGD HKD TWD MXN"
# Folded signs and abbreviations. Several codes: the sign alone does not say which.
_SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    sign: tuple(codes.split())
    for sign, codes in {
        "€": "EUR", "euro": "EUR", "euros": "EUR", "eur": "EUR", "£": "GBP", "₹": "INR", "₺": "TRY", "tl": "TRY",
        "₽": "RUB", "₴": "UAH", "₩": "KRW", "₫": "VND", "฿": "THB", "₱": "PHP", "₪": "ILS", "₦": "NGN", "₡": "CRC",
        "₲": "PYG", "₸": "KZT", "₾": "GEL", "₿": "XBT", "¥": "JPY CNY", "円": "JPY", "元": "CNY TWD HKD", "원": "KRW",
        "$": _DOLLARS, "us$": "USD", "$us": "USD", "usd$": "USD", "ca$": "CAD", "c$": "CAD", "can$": "CAD",
        "$ca": "CAD", "$au": "AUD", "$nz": "NZD", "$hk": "HKD", "$sg": "SGD", "£gb": "GBP", "gb£": "GBP", "uk£": "GBP",
        "cad$": "CAD", "a$": "AUD", "au$": "AUD", "aud$": "AUD", "nz$": "NZD", "s$": "SGD",
        "sg$": "SGD", "hk$": "HKD", "nt$": "TWD", "mx$": "MXN", "mex$": "MXN", "r$": "BRL", "rm": "MYR",
        "kr": "SEK NOK DKK ISK", "zl": "PLN", "kc": "CZK", "ft": "HUF", "lei": "RON MDL", "fr": "CHF", "sfr": "CHF",
        "rp": "IDR", "rs": "INR PKR LKR NPR MUR", "r": "ZAR", "dm": "DEM", "s/": "PEN", "din": "RSD", "лв": "BGN",
        "руб": "RUB", "грн": "UAH", "dollar": _DOLLARS, "dollars": _DOLLARS, "ringgit": "MYR", "zloty": "PLN",
        "zlotych": "PLN", "forint": "HUF", "franken": "CHF", "rupees": "INR PKR LKR NPR MUR", "rupiah": "IDR",
        **{code.lower(): code for code in _MAJOR.split()},
        "yen": "JPY", "yuan": "CNY", "sterling": "GBP", "kronor": "SEK", "kroner": "NOK DKK",
    }.items()
}  # fmt: skip
# Currencies without parts (ISO 4217, minor unit 0). Not from CLDR, whose digits change with its version.
_WHOLE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
WHOLE_CURRENCIES: Final = frozenset(_WHOLE.split())
_NAME_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
# A sign, letters glued to a dollar or pound sign on either side, or a word; a full stop belongs to an abbreviation.
_TOKEN: Final = r"(?:[^\W\d_]{0,3}[$£][^\W\d_]{0,3}|[^\w\s.,:;()'*/+#-]|[^\W\d_]{1,10}/?\.?)"
_AT_START: Final = re.compile(_TOKEN)
_AT_END: Final = re.compile(rf"{_TOKEN}$")
_DIGIT_LIKE: Final = "OolI|"


@lru_cache(maxsize=1)
def iso_codes() -> frozenset[str]:
    """Every currency code that CLDR names, past ones too (old documents), without its test and unknown codes."""
    from babel import Locale

    return frozenset(Locale("en").currencies) - {"XXX", "XTS"}


@lru_cache(maxsize=1)
def _names() -> Mapping[str, tuple[str, ...]]:
    from babel import Locale

    names: dict[str, set[str]] = {}
    for language in _NAME_LANGUAGES:
        for code, name in Locale(language).currencies.items():
            names.setdefault(fold(name), set()).add(code)
    return {name: tuple(sorted(codes)) for name, codes in names.items()}


@lru_cache(maxsize=512)
def currencies_of(printed: str) -> tuple[str, ...]:
    """The codes that a sign, code or abbreviation can mean, likeliest first; () if it is none."""
    code = printed.rstrip(".")
    if len(code) == 3 and code.isupper() and code in iso_codes():
        return (code,)
    return _SIGNS.get(fold(code), ())


def currencies_named(printed: str) -> tuple[str, ...]:
    """The codes that a currency's full name can mean (`US Dollar`, `Schweizer Franken`); () if it is none."""
    return _names().get(fold(printed.strip(" .")), ())


def printed_currencies(text: str) -> list[tuple[str, ...]]:
    """Every sign and code in the text, in order, each as the codes that it can mean."""
    return [codes for token in re.findall(_TOKEN, text) if (codes := currencies_of(token))]


def take_from_start(text: str) -> tuple[tuple[str, ...], str]:
    """A currency at the start of `text`, and what is left; ((), text) if there is none."""
    match = _AT_START.match(text)
    if match is None:
        return (), text
    for end in range(match.end(), 0, -1):
        # `RMl2.50`: what follows the sign may be letters only if they are misread digits
        if end < match.end() and not set(text[end : match.end()]) <= set(_DIGIT_LIKE + ".$"):
            continue
        if codes := currencies_of(text[:end]):
            return codes, text[end:]
    return (), text


def take_from_end(text: str) -> tuple[tuple[str, ...], str]:
    """A currency at the end of `text`, and what is left; ((), text) if there is none."""
    match = _AT_END.search(text)
    if match is None:
        return (), text
    for start in range(match.start(), len(text)):
        if start > match.start() and not set(text[match.start() : start]) <= set(_DIGIT_LIKE):
            continue
        if codes := currencies_of(text[start:]):
            return codes, text[:start]
    return (), text
