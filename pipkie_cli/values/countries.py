"""Countries by the names that print has for them (ISO 3166, CLDR)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pipkie_cli.values.folding import canonical, fold

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv")
# Regions that CLDR names and ISO 3166 does not. XK (Kosovo) is left to users by ISO,
# and used by banks and the EU.
_REGIONS = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
_NO_COUNTRIES: Final = frozenset(_REGIONS.split())
_ALSO_IN_USE: Final[Mapping[str, str]] = {  # folded; not in CLDR under the languages above
    "usa": "US", "u.s.a": "US", "u.s": "US", "us of america": "US", "united states of america": "US", "america": "US",
    "vereinigte staaten von amerika": "US", "etats-unis d'amerique": "US", "estados unidos de america": "US",
    "ee. uu": "US", "ee.uu": "US", "eeuu": "US", "stati uniti d'america": "US",
    "uk": "GB", "u.k": "GB", "great britain": "GB", "grossbritannien": "GB", "england": "GB", "scotland": "GB",
    "wales": "GB", "northern ireland": "GB", "schottland": "GB", "grande-bretagne": "GB", "gran bretana": "GB",
    "gran bretagna": "GB", "gra-bretanha": "GB", "inglaterra": "GB", "inghilterra": "GB", "angleterre": "GB",
    "united kingdom of great britain and northern ireland": "GB",
    "brd": "DE", "bundesrepublik deutschland": "DE", "federal republic of germany": "DE", "allemagne federale": "DE",
    "holland": "NL", "holanda": "NL", "hollande": "NL", "olanda": "NL", "the netherlands": "NL",
    "czech republic": "CZ", "tschechische republik": "CZ", "republique tcheque": "CZ", "republica checa": "CZ",
    "ceska republika": "CZ", "repubblica ceca": "CZ", "tsjechische republiek": "CZ", "republica tcheca": "CZ",
    "republika czeska": "CZ",
    "slowakische republik": "SK", "slovak republic": "SK", "slovenska republika": "SK", "slovensko": "SK",
    "republic of ireland": "IE", "eire": "IE", "russian federation": "RU", "uae": "AE", "u.a.e": "AE",
    "republic of korea": "KR", "korea": "KR", "burma": "MM", "ivory coast": "CI", "macedonia": "MK", "turkey": "TR",
    "swaziland": "SZ", "cape verde": "CV", "vatican city": "VA", "p.r. china": "CN", "pr china": "CN",
    "people's republic of china": "CN", "hong kong": "HK", "macau": "MO", "macao": "MO", "rep. of korea": "KR",
    "danmark": "DK", "suomi": "FI", "norge": "NO", "noreg": "NO", "turkiye": "TR", "magyarorszag": "HU",
    "hrvatska": "HR", "slovenija": "SI", "srbija": "RS", "eesti": "EE", "latvija": "LV", "lietuva": "LT",
    "island": "IS", "romania": "RO", "shqiperia": "AL", "crna gora": "ME", "bosna i hercegovina": "BA",
    "letzebuerg": "LU", "belgie": "BE", "svizra": "CH", "ελλαδα": "GR", "ελλας": "GR", "κυπρος": "CY", "българия": "BG",
    "украина": "UA", "україна": "UA", "россия": "RU", "日本": "JP", "日本国": "JP", "中国": "CN", "中國": "CN",
    "台灣": "TW", "臺灣": "TW", "대한민국": "KR", "한국": "KR", "ประเทศไทย": "TH",
    "viet nam": "VN", "maroc": "MA", "algerie": "DZ", "tunisie": "TN",
    "brasil": "BR", "mexico": "MX", "peru": "PE", "fürstentum liechtenstein": "LI",
}  # fmt: skip


@lru_cache(maxsize=1)
def iso_countries() -> frozenset[str]:
    """Every alpha-2 code of ISO 3166, and XK."""
    from babel import Locale

    codes = (str(code) for code in Locale("en").territories)
    return frozenset(code for code in codes if len(code) == 2 and code.isalpha()) - _NO_COUNTRIES


@lru_cache(maxsize=1)
def _three_letters() -> Mapping[str, str]:
    from babel.core import get_global

    aliases = get_global("territory_aliases")
    return {code: to[0] for code, to in aliases.items() if len(code) == 3 and code.isalpha() and len(to) == 1}


@lru_cache(maxsize=1)
def _names() -> Mapping[str, tuple[str, ...]]:
    """Folded name -> codes; several where languages disagree."""
    from babel import Locale

    names: dict[str, set[str]] = {fold(name): {code} for name, code in _ALSO_IN_USE.items()}
    known = iso_countries()
    for language in LANGUAGES:
        for code, name in Locale(language).territories.items():
            if code in known:
                names.setdefault(_plain(name), set()).add(code)
    return {name: tuple(sorted(codes)) for name, codes in names.items()}


def _plain(name: str) -> str:
    return " ".join(fold(canonical(name)).replace("&", " and ").replace("-", " ").split()).strip(" .")


@lru_cache(maxsize=512)
def countries_of(printed: str) -> tuple[str, ...]:
    """The codes that a name or a code in capitals can mean; () if it is none."""
    text = printed.strip(" .,;")
    if text.isupper() and text.isascii():
        if len(text) == 2 and text in iso_countries():
            return (text,)
        if len(text) == 3 and text in _three_letters():
            return (_three_letters()[text],)
    return _names().get(_plain(text)) or _names().get(fold(text)) or _names().get(_plain(text.strip("()")), ())


def is_name(words: tuple[str, ...]) -> tuple[str, ...]:
    """The codes of a name written in these words; codes of two or three letters are words of their own, not names."""
    text = " ".join(words)
    return () if len(text) < 4 else countries_of(text)


LONGEST_NAME = 9  # words
