"""Month names of ten languages in dates, from CLDR: as printed, abbreviated, in capitals, and misread by one letter."""

from collections.abc import Iterator

import pytest
from babel import Locale

from pipkie_cli.values import ValueContext, parse_value
from pipkie_cli.values.folding import fold
from pipkie_cli.values.months import is_month

TEN = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv")
# Pairs that OCR engines confuse, either way round.
_PAIRS = (
    "li",
    "ec",
    "oa",
    "uv",
    "nh",
    "tf",
    "rn",
    "mn",
    "bh",
    "gq",
    "ij",
    "sz",
    "eo",
    "vy",
    "ao",
    "pn",
    "dl",
    "ce",
    "fl",
)
CONFUSED = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}


def names(language: str, width: str) -> Iterator[tuple[int, str]]:
    for form in ("format", "stand-alone"):
        for month, name in Locale(language).months[form][width].items():
            if fold(name).strip(".").isalpha():
                yield month, name


def read(text: str, *languages: str) -> tuple[object, tuple[str, ...]]:
    value = parse_value("date", text, ValueContext(languages=languages))
    return value.value, value.flags


@pytest.mark.parametrize("width", ["wide", "abbreviated"])
@pytest.mark.parametrize("language", TEN)
def test_every_name_is_read_in_every_form(language: str, width: str) -> None:
    """Day before and behind the name, with and without full stops, capitals, glued, two-digit year."""
    for month, name in names(language, width):
        for text in (
            f"17 {name} 2024",
            f"17. {name} 2024",
            f"{name} 17, 2024",
            f"17-{name.strip('.')}-2024",
            f"17 {name.upper()} 2024",
            f"17{name.strip('.')}2024",
            f"17 {name} 24",
            f"2024 {name} 17",
        ):
            assert read(text, language) == (f"2024-{month:02}-17", ()), text


@pytest.mark.parametrize("language", TEN)
def test_a_name_misread_by_one_letter_is_itself_or_nothing(language: str) -> None:
    """Every letter of every full name in turn as another: the right month and flagged, or null; most are repaired."""
    tried = repaired = 0
    for month, name in names(language, "wide"):
        for at, letter in enumerate(name.lower()):
            if letter not in CONFUSED:
                continue
            misread = name[:at] + CONFUSED[letter] + name[at + 1 :]
            value, flags = read(f"17 {misread} 2024", language)
            if is_month(fold(misread)):  # another language calls a month so
                continue
            tried += 1
            repaired += value is not None
            assert (value, flags) in (
                (f"2024-{month:02}-17", ("repaired_month",)),
                (None, ("unparsable",)),
            ), misread
    assert repaired >= 0.75 * tried


@pytest.mark.parametrize(
    ("name", "month"),
    [("Novernber", 11), ("Decernber", 12), ("Septernber", 9), ("Clecember", 12), ("rnaart", 3), ("rnarzo", 3)],
)
def test_a_letter_read_as_two_is_repaired(name: str, month: int) -> None:
    """What OCR makes of m and d where letters touch."""
    assert read(f"17 {name} 2024") == (f"2024-{month:02}-17", ("repaired_month",))
