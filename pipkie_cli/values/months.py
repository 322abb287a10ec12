"""Month and weekday names of many languages, from CLDR (babel), folded; and names misread by one letter."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from pipkie_cli.values.folding import fold

# Beside the languages that templates speak: their neighbours, whose names must not pass for a misreading of others.
LANGUAGES: Final = (
    "en", "de", "de_AT", "fr", "es", "it", "nl", "pt", "pl", "cs", "sk", "sl", "hr", "da", "nb", "nn", "sv", "fi",
    "et", "lv", "lt", "hu", "ro", "tr", "ca", "is", "id", "ms",
)  # fmt: skip
_ALSO_IN_USE: Final = {"mrz": 3, "maerz": 3, "sept": 9, "setiembre": 9, "juill": 7, "feber": 2}  # not in CLDR
# Two letters that one was read as: `Novernber`. Folded, so `m` may have been `M`.
_TORN: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("li", "h"), ("ii", "u"))
MIN_MISREAD = 4  # letters; of shorter names too many are one letter apart (jun, jul, jan)

ByMonth = Mapping[int, frozenset[str]]  # month -> languages that call it so


class MonthName(NamedTuple):
    """What a word can mean: `months` has several where languages disagree (listopad), none where it is no month."""

    months: tuple[int, ...]
    repaired: bool = False


class _Names(NamedTuple):
    months: Mapping[str, ByMonth]
    weekdays: Mapping[str, frozenset[int]]
    misread: Mapping[str, frozenset[int]]  # a name with one letter as `?`, or with one letter less -> months


def _shadows(name: str) -> Iterator[str]:
    """The forms that two words share if one letter of one is replaced in, or missing from, the other."""
    for i in range(len(name)):
        yield f"{name[:i]}?{name[i + 1 :]}"
        yield name[:i] + name[i + 1 :]


@lru_cache(maxsize=1)
def _names() -> _Names:
    """Loaded once, at the first date that has letters (about 0.2 s: CLDR's files of all languages)."""
    from babel import Locale

    months: dict[str, dict[int, set[str]]] = {name: {month: set()} for name, month in _ALSO_IN_USE.items()}
    weekdays: dict[str, set[int]] = {}
    for language in LANGUAGES:
        locale = Locale.parse(language)
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for month, name in locale.months[form][width].items():
                    folded = fold(name).replace(".", "")
                    if len(folded) >= 3 and folded.isalpha():
                        months.setdefault(folded, {}).setdefault(month, set()).add(language[:2])
                for day, name in locale.days[form][width].items():
                    for part in fold(name).replace(".", "").split("-"):  # segunda-feira: both words
                        if len(part) >= 2 and part not in ("feira", "fera"):
                            weekdays.setdefault(part, set()).add(day)
    misread: dict[str, set[int]] = {}
    for name, by_month in months.items():
        if len(name) >= MIN_MISREAD:
            for shadow in _shadows(name):
                misread.setdefault(shadow, set()).update(by_month)
    return _Names(
        {name: {month: frozenset(of) for month, of in by_month.items()} for name, by_month in months.items()},
        {name: frozenset(days) for name, days in weekdays.items()},
        {shadow: frozenset(numbers) for shadow, numbers in misread.items()},
    )


def _months_misread_as(word: str) -> frozenset[int]:
    """Months with a name one letter apart from `word`: one replaced, one lost, one added."""
    names = _names()
    found: set[int] = set(names.misread.get(word, ()))  # the word lost a letter
    for shadow in _shadows(word):
        if "?" in shadow:
            found |= names.misread.get(shadow, frozenset())
        elif len(shadow) >= MIN_MISREAD:
            found |= names.months.get(shadow, {}).keys()  # the word has a letter too many
    return frozenset(found)


def _months_torn_to(word: str) -> frozenset[int]:
    """Months with a name of which one letter was read as two."""
    mended = (word.replace(pair, letter, 1) for pair, letter in _TORN if pair in word)
    return frozenset(month for name in mended for month in _names().months.get(name, {}))


@lru_cache(maxsize=2048)
def find_month(word: str, languages: tuple[str, ...] = ()) -> MonthName:
    """The months that a folded word can name. `languages` decide where names of different months are spelled alike."""
    names = _names()
    if by_month := names.months.get(word):
        if len(by_month) > 1:
            by_month = {month: of for month, of in by_month.items() if of & set(languages)} or by_month
        return MonthName(tuple(sorted(by_month)))
    if len(word) < MIN_MISREAD or word in names.weekdays:
        return MonthName(())
    near = _months_misread_as(word) or _months_torn_to(word)
    return MonthName(tuple(near), repaired=True) if len(near) == 1 else MonthName(())


def is_month(word: str) -> bool:
    """Whether the folded word is a month name as it stands."""
    return word in _names().months


def weekdays_of(word: str) -> frozenset[int]:
    """The days of the week (Monday 0) that the folded word can name; empty if it is none."""
    return _names().weekdays.get(word, frozenset())
