"""Month names: every supported language, and misreadings that can be one month only."""

import pytest
from babel import Locale
from hypothesis import given, settings
from hypothesis import strategies as st

from pipkie_cli.values.folding import fold
from pipkie_cli.values.months import LANGUAGES, MIN_MISREAD, find_month, is_month, weekdays_of

NAMES = sorted(
    {
        (fold(name).strip("."), month)
        for language in LANGUAGES
        for form in ("format", "stand-alone")
        for width in ("wide", "abbreviated")
        for month, name in Locale.parse(language).months[form][width].items()
        if len(fold(name).strip(".")) >= 3 and fold(name).strip(".").isalpha()  # Catalan's second form has "de" in it
    }
)


def test_every_name_is_its_month() -> None:
    """A name as CLDR has it is read without repair, and as its month at least."""
    assert [name for name, month in NAMES if month not in find_month(name).months] == []
    assert [name for name, _ in NAMES if find_month(name).repaired] == []
    assert len(NAMES) > 300


@settings(deadline=None, max_examples=500)
@given(
    named=st.sampled_from([n for n in NAMES if len(n[0]) >= MIN_MISREAD]),
    at=st.integers(0, 20),
    letter=st.sampled_from("abcdefghijklmnopqrstuvwxyz"),
    change=st.sampled_from(("replace", "lose", "add")),
)
def test_a_repaired_name_is_the_right_month(named: tuple[str, int], at: int, letter: str, change: str) -> None:
    """One letter replaced, lost or added: the right month, no month, or another name as it stands (juni, juli)."""
    name, month = named
    at %= len(name)
    misread = name[:at] + ("" if change == "lose" else letter) + name[at + (change != "add") :]
    found = find_month(misread)
    assert is_month(misread) or found.months in ((), (month,))
    assert found.repaired == (bool(found.months) and not is_month(misread))


@pytest.mark.parametrize(
    "word", ["jap", "jur", "mav", "hay", "total", "invoice", "berlin", "montag", "friday", "datum"]
)
def test_other_words_are_no_month(word: str) -> None:
    """Short words are not repaired, and ordinary words and weekdays are nobody's misreading."""
    assert find_month(word).months == ()


def test_weekdays_of_several_languages_are_kept_apart() -> None:
    """An abbreviation that names different days in different languages keeps them all."""
    assert weekdays_of("monday") == {0}
    assert weekdays_of("dienstag") == {1}
    assert weekdays_of("invoice") == frozenset()
