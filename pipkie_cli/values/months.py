"""Month and weekday names of many languages, from CLDR (babel), folded; and names misread by one letter."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from pipkie_cli.values.folding import fold

LANGUAGES: Final = (
    "en", "de", "de_AT", "fr", "es", "it", "nl", "pt", "pl", "cs", "sk", "sl", "hr", "da", "nb", "nn", "sv", "fi",
    "et", "lv", "lt", "hu", "ro", "tr", "ca", "is", "id", "ms",
)  # fmt: skip
# In use, but not in CLDR's lists.
_ALSO_IN_USE: Final = {
    "mrz": 3, "maerz": 3, "sept": 9, "setiembre": 9, "juill": 7, "janr": 1, "feber": 2, "octobre": 10,
}  # fmt: skip
MIN_MISREAD = 4  # letters; of shorter names too many are one letter apart (jun, jul, jan)


class MonthName(NamedTuple):
    """What a word can mean: `months` has several where languages disagree (listopad), none where it is no month."""

    months: tuple[int, ...]
    repaired: bool = False


@lru_cache(maxsize=1)
def _names() -> tuple[Mapping[str, Mapping[int, frozenset[str]]], frozenset[str]]:
    """Month name -> month -> languages; and weekday names. Loaded once, at the first date that needs them."""
    from babel import Locale

    months: dict[str, dict[int, set[str]]] = {name: {month: set()} for name, month in _ALSO_IN_USE.items()}
    days: set[str] = set()
    for language in LANGUAGES:
        locale = Locale.parse(language)
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in locale.months[form][width].items():
                    folded = fold(name).replace(".", "")
                    if len(folded) >= 3 and folded.isalpha():
                        months.setdefault(folded, {}).setdefault(month, set()).add(language[:2])
                for name in locale.days[form][width].values():
                    days.update(part for part in fold(name).replace(".", "").split("-") if len(part) >= 2)
    frozen = {name: {m: frozenset(langs) for m, langs in by_month.items()} for name, by_month in months.items()}
    return frozen, frozenset(days)


def _one_letter_apart(word: str, name: str) -> bool:
    """One letter replaced, lost or added."""
    if abs(len(word) - len(name)) > 1 or word == name:
        return False
    start = 0
    while start < min(len(word), len(name)) and word[start] == name[start]:
        start += 1
    if len(word) == len(name):
        return word[start + 1 :] == name[start + 1 :]
    longer, shorter = (word, name) if len(word) > len(name) else (name, word)
    return longer[start + 1 :] == shorter[start:]


@lru_cache(maxsize=2048)
def find_month(word: str, languages: tuple[str, ...] = ()) -> MonthName:
    """The months that a folded word can name. `languages` decide where names of different months are spelled alike."""
    names, days = _names()
    if by_month := names.get(word):
        if len(by_month) > 1 and languages:
            chosen = {month for month, of in by_month.items() if of & set(languages)}
            return MonthName(tuple(sorted(chosen or by_month)))
        return MonthName(tuple(sorted(by_month)))
    if len(word) < MIN_MISREAD or word in days:
        return MonthName(())
    near = {m for name, by in names.items() if len(name) >= MIN_MISREAD and _one_letter_apart(word, name) for m in by}
    return MonthName(tuple(near), repaired=True) if len(near) == 1 else MonthName(())


def is_month(word: str) -> bool:
    """Whether the folded word is a month name as it stands."""
    return word in _names()[0]


def is_weekday(word: str) -> bool:
    """Whether the folded word is a weekday's name or its abbreviation."""
    return word in _names()[1]
