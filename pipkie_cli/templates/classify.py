"""Which template fits: cue words of the first pages against the `detect:` words of every template.

Text is compared without case and accents, word by word, and a long word may have one letter misread. A cue in the title
or in large print says more than one in the small print, and one on page 1 more than one on page 3. The scores of all
templates and of "none" are weighed against each other: "tax invoice" over a till receipt must not make it an invoice.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from statistics import median

from pipkie_cli.nouns import Page, Template, TypeChoice, Word

MAX_PAGES = 3  # a document says what it is at its beginning
FUZZY_LETTERS = 6  # shorter words must be right: one letter of "cash" or "order" makes another word
COMPOUND_LETTERS = 7  # Handelsrechnung and Warenrechnung are each a Rechnung: a word may end with a cue so long,
COMPOUND_BEFORE = 4  # after so many letters: Berechnung (calculation) is none
MISREAD = 0.6  # weight of a cue with such a word: Dutch "contant" may be English "contact"
NONE_EVIDENCE = 2.5  # what a template must have more of than "none fits"
SHARPNESS = 2  # power of the evidence in the score

TITLE, HIGH, BODY, LATER = 3.0, 1.5, 1.0, 0.4  # weight of a cue: title, high up, elsewhere on page 1, on a later page
TITLE_LETTERS = 7  # a shorter cue is never a title: "cash" and "change" head columns, stand alone in forms
TITLE_SHARE = 0.5  # a title is at least half cue, in letters of its run of words
LARGE_PRINT = 1.35  # of the page's median word height
HIGH_UP = 0.4  # of the page height
NOT_BODY = 0.5  # weight of a `not` cue outside of titles: invoices name orders and delivery notes
LABELS = 4.0  # weight of the labels of all keys on page 1; of a part of them, that part of it
FEWEST_KEYS = 8  # a template of two keys does not fit every page that has a date and a total
NARROW = 1.5  # weight of narrow print for a template of such papers
NARROW_HEIGHTS = 24  # of a word: print no wider is a till's. Tills print 10 to 20 wide, sheets of paper 28 and more
NARROW_WORDS = 15  # fewer say nothing about the paper
PRICED = 1.5  # more, where the narrow print has a column of prices and the template asks for amounts
PRICED_LINES = 3
PRICE = re.compile(r"[^\w\s]?[^\W\d]{0,3}[^\w\s]?\d[\d.,']*[.,]\d{2,3}[^\w\s]?[^\W\d]?\d?")  # RM1.50, 2,60T1, 3.00-
LABEL_LETTERS = 3  # shorter labels, such as currency signs, stand on any page

NOT_DECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "°": "o"})
LETTERS = re.compile(r"[^\W_]+")
LONGEST = 60  # letters of a printed word that may hold a cue: every variant of it is kept, and that grows as the square
SPACED_LETTERS = 4  # so many single letters in a row are one word, printed with blanks


@dataclass(frozen=True, slots=True)
class _Run:
    """Folded words of one run of print."""

    words: tuple[str, ...]
    later: bool  # not on page 1
    high: bool  # in the upper part of its page
    large: bool  # print

    @property
    def letters(self) -> int:
        return sum(map(len, self.words))


def choose_type(pages: Sequence[Page], templates: Sequence[Template]) -> TypeChoice:
    """The best template by cue words, with every template's score from 0 to 1; `template` None when none fits.

    Scores and the silent score of "none fits" add up to 1. Of equals, the first in `templates` wins.
    """
    index = _Index([run for number, page in enumerate(pages[:MAX_PAGES]) for run in _runs(page, later=number > 0)])
    narrow = bool(pages) and _is_narrow(pages[0])
    priced = narrow and _priced_lines(pages[0]) >= PRICED_LINES
    evidence = {
        template.name: _evidence(template, index) + (_print_evidence(template, priced) if narrow else 0.0)
        for template in templates
    }
    total = NONE_EVIDENCE**SHARPNESS + sum(own**SHARPNESS for own in evidence.values())
    scores = {name: own**SHARPNESS / total for name, own in evidence.items()}
    ranked = sorted(templates, key=lambda template: -scores[template.name])  # stable: the first of equals stays first
    best = ranked[0] if ranked else None
    return TypeChoice(
        template=best if best and evidence[best.name] > NONE_EVIDENCE else None,
        score=scores[best.name] if best else 0.0,
        scores={template.name: scores[template.name] for template in ranked},
    )


def _is_narrow(page: Page) -> bool:
    """Printed on a roll: the print of the page is only so many times as wide as its words are high."""
    if len(page.words) < NARROW_WORDS:
        return False
    width = max(word.box.right for word in page.words) - min(word.box.left for word in page.words)
    return width * page.width < NARROW_HEIGHTS * page.height * median(word.box.height for word in page.words)


def _priced_lines(page: Page) -> int:
    """Printed lines that end with a price."""
    lines = (list(line) for _, line in groupby(page.words, key=lambda word: word.line))
    return sum(len(line) > 1 and PRICE.fullmatch(line[-1].text) is not None for line in lines)


def _print_evidence(template: Template, priced: bool) -> float:
    """How much narrow print speaks for a template."""
    if template.detect_print != "narrow":
        return 0.0
    return NARROW + PRICED * (priced and any(key.type == "amount" for key in template.keys))


def _evidence(template: Template, index: "_Index") -> float:
    """How much speaks for a template, 0 or more. A template without cues has its title as one."""
    found = sum(index.weights(template.detect_words or (template.title,)))
    against = sum(weight if weight >= TITLE else NOT_BODY * weight for weight in index.weights(template.detect_not))
    keys = [
        key for key in template.keys if not key.columns
    ]  # headers of tables say little: every kind of paper has them
    labels = sum(any(map(index.has_label, (key.prompt, *key.aliases))) for key in keys)
    return max(0.0, found - against + LABELS * labels / max(len(keys), FEWEST_KEYS))


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


class _Index:
    """Finds phrases in the runs of a document."""

    def __init__(self, runs: Sequence[_Run]) -> None:
        self.runs = runs
        self.at: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word -> (run, position)
        for number, run in enumerate(runs):
            for position, word in enumerate(run.words):
                self.at[word].append((number, position))
        self.ending: dict[str, set[str]] = defaultdict(set)  # end of a compound -> words
        self.near: dict[str, set[str]] = defaultdict(set)  # a word with one letter left out -> words
        for word in self.at:
            if len(word) > LONGEST:
                continue
            for cut in range(COMPOUND_BEFORE, len(word) - COMPOUND_LETTERS + 1):
                self.ending[word[cut:]].add(word)
            if len(word) >= FUZZY_LETTERS - 1:
                for variant in _one_left_out(word):
                    self.near[variant].add(word)

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
        for phrase in dict.fromkeys((words, ("".join(words),))) if words else ():
            for number, first in self._starts(phrase[0]):
                printed = self.runs[number].words[first : first + len(phrase)]
                if len(printed) == len(phrase) and all(map(same_word, phrase, printed)):
                    yield _Place(number, first, len(phrase), misread=printed != phrase)
        if len(words) == 1:
            for compound in sorted(self.ending.get(words[0], ())):
                for number, first in self.at[compound]:
                    yield _Place(number, first, 1, misread=False)

    def _starts(self, word: str) -> Iterator[tuple[int, int]]:
        close = {word}
        if len(word) >= FUZZY_LETTERS:
            close.update(*(self.near.get(variant, ()) for variant in _one_left_out(word)))
        for printed in sorted(close):
            yield from self.at.get(printed, ())


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


@lru_cache(maxsize=4096)
def folded(text: str) -> tuple[str, ...]:
    """Words without case, accents and punctuation: `Bon-Nr.` is (bon, nr)."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(NOT_DECOMPOSED))
    return tuple(LETTERS.findall("".join(char for char in plain if not unicodedata.combining(char))))


@lru_cache(maxsize=16384)
def _one_left_out(word: str) -> frozenset[str]:
    return frozenset({word, *(word[:i] + word[i + 1 :] for i in range(len(word)))})


def _runs(page: Page, later: bool) -> Iterator[_Run]:
    if not page.words:
        return
    usual = median(word.box.height for word in page.words)
    for _, group in groupby(page.words, key=lambda word: word.line):
        line = list(group)
        spaced = len(line) >= SPACED_LETTERS and all(len(word.text) == 1 for word in line)
        for run in [line] if spaced else _segments(line):
            words = _unspaced(tuple(part for word in run for part in folded(word.text)))
            if words:
                yield _Run(
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
