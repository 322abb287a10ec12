"""Names, companies, addresses and words by locale, drawn once per process: one draw of Faker takes up to 1 ms."""

import random
import string
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from pipkie_cli.synth.codes import filled, phone

LOCALES = {
    "en": ("en_US", "en_GB"),
    "de": ("de_DE", "de_AT", "de_CH"),
    "fr": ("fr_FR",),
    "es": ("es_ES",),
    "it": ("it_IT",),
    "nl": ("nl_NL",),
    "pt": ("pt_PT",),
    "pl": ("pl_PL",),
    "ms": ("ms_MY",),
}
_DRAWS = 300  # of each kind a locale
_COUNTRIES = {
    "en_US": ("USA", "United States"), "en_GB": ("United Kingdom", "UK", "England"),
    "de_DE": ("Deutschland", "Germany"),
    "de_AT": ("Österreich", "Austria"), "de_CH": ("Schweiz",), "fr_FR": ("France",), "es_ES": ("España", "Spain"),
    "it_IT": ("Italia", "Italy"), "nl_NL": ("Nederland", "The Netherlands"), "pt_PT": ("Portugal",),
    "pl_PL": ("Polska", "Poland"), "ms_MY": ("Malaysia",),
}  # fmt: skip
_FORMS = {
    "en_US": ("Inc.", "LLC", "Corp.", "Co."), "en_GB": ("Ltd", "Limited", "Ltd.", "PLC", "LLP"),
    "de_DE": ("GmbH", "AG", "GmbH & Co. KG", "e.K.", "UG", "KG", "OHG", "e.V."),
    "de_AT": ("GmbH", "Ges.m.b.H.", "KG"),
    "de_CH": ("AG", "GmbH", "SA"), "fr_FR": ("SARL", "SAS", "S.A.", "SA", "EURL"),
    "es_ES": ("S.L.", "S.A.", "SL", "SLU"),
    "it_IT": ("S.r.l.", "S.p.A.", "SRL", "s.n.c.", "S.a.s."), "nl_NL": ("B.V.", "BV", "N.V.", "V.O.F."),
    "pt_PT": ("Lda", "Lda.", "S.A.", "Unipessoal Lda"), "pl_PL": ("Sp. z o.o.", "S.A.", "Sp. j.", "sp. z o.o."),
    "ms_MY": ("SDN BHD", "SDN. BHD.", "ENTERPRISE", "SDN BHD", "TRADING", "(M) SDN BHD", "BHD"),
}  # fmt: skip
_TRADES = (
    "Consulting", "Logistics", "Trading", "Technologies", "Media", "Foods", "Energy", "Design", "Systems",
    "Services", "Motors",
    "Pharma", "Textiles", "Books", "Bakery", "Hardware", "Electronics", "Travel", "Insurance", "Supplies", "Print",
    "Solutions",
)  # fmt: skip
_MS_STREETS = (
    "JALAN MAWAR", "JALAN MELUR", "JALAN KENANGA", "JALAN ANGSANA", "JALAN BAHAGIA",
    "JALAN GEMILANG", "JALAN TERATAI", "JALAN SERI BAYU", "JALAN CEMERLANG", "JALAN RAMBUTAN",
    "JALAN DURIAN", "JALAN MANGGIS", "JALAN SEROJA", "JALAN KASTURI", "JALAN MELATI",
    "JALAN PERDANA", "JALAN USAHA", "JALAN INDUSTRI", "JALAN STESEN", "JALAN PASAR",
    "JALAN SEKOLAH", "JALAN MASJID", "JALAN KAMPUNG BARU", "JALAN HULU", "JALAN SELATAN",
    "JALAN UTARA", "LORONG MAWAR", "LORONG TERATAI", "PERSIARAN MELATI", "LEBUH PERDANA",
    "JLN KASTURI", "JLN SEROJA", "JLN BAHAGIA",
)  # fmt: skip
_MS_AREAS = (
    "TAMAN MAWAR", "TAMAN BAHAGIA", "TAMAN MELATI", "TAMAN SERI BAYU", "BANDAR GEMILANG",
    "BANDAR BARU TERATAI", "KAWASAN INDUSTRI PERDANA", "SEKSYEN 9", "SECTION 22", "TAMAN RAMBUTAN",
    "PUSAT PERNIAGAAN SEROJA", "DESA KASTURI", "TMN CEMERLANG", "KAMPUNG HULU", "TAMAN USAHA JAYA",
    "BDR SELATAN", "PLAZA MELUR", "KOMPLEKS ANGSANA", "TAMAN MANGGIS INDAH", "BUKIT DURIAN",
)  # fmt: skip
_MS_NUMBERS = (
    "NO.##", "NO.#", "NO ###", "##", "#", "LOT ####", "LOT ###", "NO. ##-#", "NO.## & ##", "##, ## & ##", "NO.#-#-#",
    "LOT P.T. ####", "A-##-#",
)  # fmt: skip
_MS_TOWNS = (
    ("81100", "JOHOR BAHRU", "JOHOR"), ("81750", "MASAI", "JOHOR"), ("43300", "SERI KEMBANGAN", "SELANGOR"),
    ("40000", "SHAH ALAM", "SELANGOR"),
    ("47500", "PETALING JAYA", "SELANGOR"), ("50450", "KUALA LUMPUR", "W.P. KUALA LUMPUR"),
    ("56100", "KUALA LUMPUR", ""), ("11900", "BAYAN LEPAS", "PENANG"),
    ("31400", "IPOH", "PERAK"), ("41200", "KLANG", "SELANGOR DARUL EHSAN"), ("75300", "MELAKA", ""),
    ("47301", "PETALING JAYA", "SELANGOR"),
    ("68000", "AMPANG", "SELANGOR"), ("47100", "PUCHONG", "SELANGOR"), ("70200", "SEREMBAN", "NEGERI SEMBILAN"),
    ("81300", "SKUDAI", "JOHOR"),
)  # fmt: skip
_MS_NAMES = (
    "TAN", "LIM", "WONG", "LEE", "CHAN", "NG", "ONG", "SITI", "AHMAD", "MOHD", "NUR", "AZIZ", "RAHMAN", "KUMAR",
    "RAJ", "MEI LING", "WEI", "HUI MIN",
    "FARAH", "AISYAH", "HAFIZ", "SURESH", "DEVI", "KOK LEONG", "SIEW", "CHONG", "YAP", "GOH", "TEOH", "ISMAIL",
    "HASSAN", "MANIS", "AINA",
)  # fmt: skip
_MS_SHOPS = (
    "KEDAI BUNGA RAYA", "RESTORAN MAWAR", "SYARIKAT BINTANG TUJUH", "PASARAYA MELATI", "KLINIK TERATAI",
    "BENGKEL CEPAT", "KEDAI KOPI LIMA", "FARMASI SEROJA", "SIN FATT LEE", "KIM SENG HENG",
    "GOLDEN HIBISCUS", "ORANGE LANTERN", "RESTORAN SELERA BAYU", "PASAR MINI DUA", "KEDAI BUKU PELITA",
    "BLUE KINGFISHER", "ONG LAI", "SWEET TAMARIND", "MEE HOUSE", "STATIONERY CORNER",
    "TEH HOUSE", "PERNIAGAAN TIGA BINTANG", "KEDAI ALAT GANTI", "HARDWARE MERAH", "JADE MANGO",
    "LIAN FONG", "HOCK LEE", "CHUAN SENG", "WARUNG SENJA", "BAKER JOY",
    "SUPER LANGKAWI", "GREEN PANDAN", "PET PALACE", "OPTIK CERAH", "TUKANG JAM",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pool:
    """What one locale offers; every tuple is long enough to hide its repetitions."""

    locale: str
    names: tuple[str, ...]
    first_names: tuple[str, ...]
    companies: tuple[str, ...]
    addresses: tuple[tuple[str, ...], ...]  # two to four lines
    cities: tuple[str, ...]
    phones: tuple[str, ...]
    words: tuple[str, ...]
    countries: tuple[str, ...]


@cache
def pool(locale: str) -> Pool:
    """The pool of a locale, the same in every process."""
    if locale == "ms_MY":
        return _malaysian()
    from faker import Faker

    fake = Faker(locale)
    fake.seed_instance(crc32(locale.encode()))
    rng = random.Random(crc32(locale.encode()))
    words = tuple(sorted({word for _ in range(8) for word in fake.words(40)}))
    surnames = [fake.last_name() for _ in range(120)]
    return Pool(
        locale=locale,
        names=tuple(fake.name() for _ in range(_DRAWS)),
        first_names=tuple(fake.first_name() for _ in range(_DRAWS)),
        companies=tuple(_company(rng, fake.company(), surnames, words, locale) for _ in range(_DRAWS * 2)),
        addresses=tuple(_address(fake.address()) for _ in range(_DRAWS)),
        cities=tuple(fake.city() for _ in range(100)) if locale != "it_IT" else _italian_cities(rng),
        phones=tuple(fake.phone_number() for _ in range(_DRAWS)),
        words=words,
        countries=_COUNTRIES[locale],
    )


def _italian_cities(rng: random.Random) -> tuple[str, ...]:
    """Faker makes its list of them from a set: its order, and so its draws, differ from process to process."""
    from faker.providers.address.it_IT import Provider

    return tuple(rng.sample(sorted(Provider.cities), 100))


def _company(rng: random.Random, faked: str, surnames: list[str], words: tuple[str, ...], locale: str) -> str:
    """Faker's companies are surnames only; real ones are named after trades, places, letters and invented words too."""
    form = rng.choice(_FORMS[locale])
    surname, other = rng.choice(surnames), rng.choice(surnames)
    shape = rng.randrange(8)
    if shape <= 2:
        return faked
    if shape == 3:
        return f"{surname} {rng.choice(_TRADES)} {form}"
    if shape == 4:
        return f"{surname} & {other} {form}"
    if shape == 5:
        return f"{''.join(rng.choices(string.ascii_uppercase, k=rng.randint(2, 4)))} {rng.choice(_TRADES)} {form}"
    word = rng.choice(words).capitalize()
    return f"{word}{rng.choice(('', ' ', '-'))}{rng.choice(_TRADES)}" if shape == 6 else f"{word} {surname} {form}"


def _address(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def _malaysian() -> Pool:
    """Own draws: Faker has no Malaysian addresses, and SROIE-like receipts look like these."""
    rng = random.Random(1957)
    words = tuple(word.lower() for word in _TRADES)
    return Pool(
        locale="ms_MY",
        names=tuple(f"{rng.choice(_MS_NAMES)} {rng.choice(_MS_NAMES)}" for _ in range(_DRAWS)),
        first_names=_MS_NAMES,
        companies=tuple(_malaysian_company(rng) for _ in range(_DRAWS * 2)),
        addresses=tuple(_malaysian_address(rng) for _ in range(_DRAWS * 2)),
        cities=tuple(town for _, town, _ in _MS_TOWNS),
        phones=tuple(phone(rng, "ms") for _ in range(_DRAWS)),
        words=words,
        countries=("MALAYSIA",),
    )


def _malaysian_company(rng: random.Random) -> str:
    letters = "".join(rng.choices(string.ascii_uppercase, k=rng.randint(2, 3)))
    name = rng.choice((
        rng.choice(_MS_SHOPS),
        f"{rng.choice(_MS_NAMES)} {rng.choice(_MS_NAMES)}",
        f"{rng.choice(_MS_SHOPS)} {rng.choice(_TRADES).upper()}",
        f"{letters} {rng.choice(_TRADES).upper()}",
        f"{rng.choice(_MS_SHOPS)} {rng.choice(_MS_NAMES)} {rng.choice(_TRADES).upper()}",
        f"{rng.choice(_MS_SHOPS)} & {rng.choice(_TRADES).upper()}",
        f"{rng.choice(_MS_SHOPS)} {rng.choice(_TRADES).upper()} & {rng.choice(_TRADES).upper()}",
    ))  # fmt: skip
    if rng.random() < 0.8:
        name = f"{name} {rng.choice(_FORMS['ms_MY'])}"
    return name.title() if rng.random() < 0.12 else name


def _malaysian_address(rng: random.Random) -> tuple[str, ...]:
    number = filled(rng, rng.choice(_MS_NUMBERS))
    street = f"{rng.choice(_MS_STREETS)} {filled(rng, rng.choice(('#', '##', '#/#', '#/##', '##/#', '')))}".strip()
    code, town, state = rng.choice(_MS_TOWNS)
    first = f"{number}{rng.choice((', ', ' ', ','))}{street}"
    area = rng.choice(_MS_AREAS) if rng.random() < 0.8 else ""
    end = [f"{code} {town}"] + ([state] if state and rng.random() < 0.8 else [])
    if len(end) == 2 and rng.random() < 0.6:
        end = [rng.choice((", ", " ", ",")).join(end)]
    parts = [first, *([area] if area else []), *end]
    if rng.random() < 0.15:
        parts.insert(0, f"{rng.choice(('GROUND FLOOR', 'LEVEL 1', 'LOT G-12', 'UNIT 3A', 'WISMA MERDEKA', 'BLOCK B'))}")
    if rng.random() < 0.15:  # a building on a line of its own
        building = (
            f"{rng.choice(_MS_TOWNS)[1]} {rng.choice(('MALL', 'PLAZA', 'SQUARE', 'VILLAGE', 'CENTRE POINT', 'TOWER'))}"
        )
        parts.insert(rng.choice((0, 1)), building)
    if len(parts) > 2 and rng.random() < 0.35:
        parts[0:2] = [f"{parts[0]}{rng.choice((', ', ' '))}{parts[1]}"]
    if rng.random() < 0.2:
        parts[-1] += rng.choice((", MALAYSIA", " MALAYSIA", "."))
    comma = rng.random() < 0.6
    lines = tuple(part + ("," if comma and i + 1 < len(parts) else "") for i, part in enumerate(parts))
    return tuple(line.title() for line in lines) if rng.random() < 0.35 else lines
