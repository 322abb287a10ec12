"""Where phrases stand in print: without case and accents, word by word, one letter of a long word misread.

A cue in the title or in large print says more than one in the small print, and one on page 1 more than one on page 3.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from statistics import median

from pipkie_cli.nouns import Page, Word

FUZZY_LETTERS = 6  # shorter words must be right: one letter of "cash" or "order" makes another word
COMPOUND_LETTERS = 7  # Handelsrechnung and Warenrechnung are each a Rechnung: a word may end with a cue so long,
COMPOUND_BEFORE = 4  # after so many letters: Berechnung (calculation) is none
MISREAD = 0.6  # weight of a cue with such a word: Dutch "contant" may be English "contact"

TITLE, HIGH, BODY, LATER = 3.0, 1.5, 1.0, 0.4  # weight of a cue: title, high up, elsewhere on page 1, on a later page
TITLE_LETTERS = 7  # a shorter cue is never a title: "cash" and "change" head columns, stand alone in forms
TITLE_SHARE = 0.5  # a title is at least half cue, in letters of its run of words
LARGE_PRINT = 1.35  # of the page's median word height
HIGH_UP = 0.4  # of the page height
LABEL_LETTERS = 3  # shorter labels, such as currency signs, stand on any page

NOT_DECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "°": "o"})
LETTERS = re.compile(r"[^\W_]+")
LONGEST = 60  # letters of a printed word that may hold a cue: every variant of it is kept, and that grows as the square
SPACED_LETTERS = 4  # so many single letters in a row are one word, printed with blanks


@dataclass(frozen=True, slots=True)
class Run:
    """Folded words of one run of print."""

    words: tuple[str, ...]
    later: bool  # not on page 1
    high: bool  # in the upper part of its page
    large: bool  # print

    @property
    def letters(self) -> int:
        return sum(map(len, self.words))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a phrase stands: run, first word, number of words."""

    run: int
    first: int
    length: int
    misread: bool

    @property
    def words(self) -> set[tuple[int, int]]:
        return {(self.run, position) for position in range(self.first, self.first + self.length)}


class Index:
    """Finds phrases in the runs of a document.

    Thousands of labels are looked for and few stand on a page: so every printed word is looked up among the beginnings
    of phrases, once, and a phrase whose beginning is not printed costs no more than that. `known` is made for a set of
    templates, not for a document.
    """

    def __init__(self, runs: Sequence[Run], known: "Beginnings") -> None:
        self.runs = runs
        self.at: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word -> (run, position)
        for number, run in enumerate(runs):
            for position, word in enumerate(run.words):
                self.at[word].append((number, position))
        self.printed: dict[str, list[str]] = defaultdict(list)  # beginning of a phrase -> words like it
        self.ending: dict[str, list[str]] = defaultdict(list)  # end of a compound -> words
        for word in sorted(self.at):
            for beginning in known.like(word):
                self.printed[beginning].append(word)
            if len(word) <= LONGEST:
                for cut in range(COMPOUND_BEFORE, len(word) - COMPOUND_LETTERS + 1):
                    self.ending[word[cut:]].append(word)

    def weights(self, cues: Sequence[str]) -> Iterator[float]:
        """The weight of every cue that stands on the pages, at its best place.

        A printed word serves one cue only, the longest: "tax invoice" is not "invoice" as well.
        """
        taken: set[tuple[int, int]] = set()
        for phrase in sorted(dict.fromkeys(map(folded, cues)), key=len, reverse=True):
            free = [place for place in self._places(phrase) if not place.words & taken]
            if free:
                best = max(free, key=self._weight)  # of equals the first
                taken |= best.words
                yield self._weight(best)

    def has_label(self, label: str) -> bool:
        phrase = folded(label)
        return sum(map(len, phrase)) >= LABEL_LETTERS and any(
            not self.runs[place.run].later for place in self._places(phrase)
        )

    def _weight(self, place: _Place) -> float:
        run = self.runs[place.run]
        letters = sum(map(len, run.words[place.first : place.first + place.length]))
        alone = letters >= TITLE_LETTERS and letters >= TITLE_SHARE * run.letters
        if run.later:
            weight = BODY if alone and run.large else LATER
        elif alone and run.large:
            weight = TITLE
        else:
            weight = HIGH if alone and run.high else BODY
        return MISREAD * weight if place.misread else weight

    def _places(self, words: tuple[str, ...]) -> Iterator[_Place]:
        """Where the words stand in a row; also where OCR lost the blanks between them."""
        for phrase in _spellings(words):
            for beginning in self.printed.get(phrase[0], ()):
                for number, first in self.at[beginning]:
                    printed = self.runs[number].words[first : first + len(phrase)]
                    if len(printed) == len(phrase) and all(map(same_word, phrase, printed)):
                        yield _Place(number, first, len(phrase), misread=printed != phrase)
        if len(words) == 1:
            for compound in self.ending.get(words[0], ()):
                for number, first in self.at[compound]:
                    yield _Place(number, first, 1, misread=False)


class Beginnings:
    """First words of phrases, found by a printed word that is like them."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self.near: dict[str, set[str]] = defaultdict(set)  # a word, or it with one letter left out -> beginnings
        for beginning in sorted({spelling[0] for phrase in phrases for spelling in _spellings(folded(phrase))}):
            for variant in _one_left_out(beginning) if len(beginning) >= FUZZY_LETTERS else (beginning,):
                self.near[variant].add(beginning)

    def like(self, word: str) -> set[str]:
        """Those that are the word, or with one letter misread may be it."""
        if not FUZZY_LETTERS - 1 <= len(word) <= LONGEST:
            return self.near.get(word, set())
        return {beginning for variant in _one_left_out(word) for beginning in self.near.get(variant, ())}


def same_word(cue: str, printed: str) -> bool:
    """Equal, or in words of six letters and more one letter replaced, lost or added."""
    if cue == printed:
        return True
    if len(cue) < FUZZY_LETTERS or abs(len(cue) - len(printed)) > 1:
        return False
    first = next((i for i, (a, b) in enumerate(zip(cue, printed, strict=False)) if a != b), min(len(cue), len(printed)))
    return (
        cue[first + 1 :] == printed[first + 1 :]
        or cue[first:] == printed[first + 1 :]
        or cue[first + 1 :] == printed[first:]
    )


@lru_cache(maxsize=32768)
def folded(text: str) -> tuple[str, ...]:
    """Words without case, accents and punctuation: `Bon-Nr.` is (bon, nr)."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(NOT_DECOMPOSED))
    return tuple(LETTERS.findall("".join(char for char in plain if not unicodedata.combining(char))))


@lru_cache(maxsize=32768)
def _spellings(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The words, and the words printed without blanks."""
    return tuple(dict.fromkeys((words, ("".join(words),)))) if words else ()


@lru_cache(maxsize=16384)
def _one_left_out(word: str) -> frozenset[str]:
    return frozenset({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def runs_of(page: Page, later: bool) -> Iterator[Run]:
    """The runs of one page in reading order."""
    if not page.words:
        return
    usual = median(word.box.height for word in page.words)
    for _, group in groupby(page.words, key=lambda word: word.line):
        line = list(group)
        spaced = len(line) >= SPACED_LETTERS and all(len(word.text) == 1 for word in line)
        for run in [line] if spaced else _segments(line):
            words = _unspaced(tuple(part for word in run for part in folded(word.text)))
            if words:
                yield Run(
                    words=words,
                    later=later,
                    high=min(word.box.top for word in run) < HIGH_UP,
                    large=median(word.box.height for word in run) > LARGE_PRINT * usual,
                )


def _unspaced(words: tuple[str, ...]) -> tuple[str, ...]:
    """Letters printed apart, as in R E C H N U N G, are one word again."""
    joined: list[str] = []
    for letters, group in groupby(words, key=lambda word: len(word) == 1 and word.isalpha()):
        some = list(group)
        joined += ["".join(some)] if letters and len(some) >= SPACED_LETTERS else some
    return tuple(joined)


def _segments(line: Sequence[Word]) -> Iterator[list[Word]]:
    for _, group in groupby(line, key=lambda word: word.segment):
        yield list(group)
