"""Which template fits: cue words of the first pages against the `detect:` words of every template.

Text is compared without case and accents, word by word, and a long word may have one letter misread. A cue in the title
or in large print says more than one in the small print, and one on page 1 more than one on page 3. The scores of all
templates and of "none" are weighed against each other: "tax invoice" over a till receipt must not make it an invoice.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from statistics import median

from pipkie_cli.nouns import Page, Template, TypeChoice, Word

MAX_PAGES = 3  # a document says what it is at its beginning
FUZZY_LETTERS = 6  # shorter words must be right: one letter of "cash" or "order" makes another word
NONE_EVIDENCE = 3.0  # what a template must have more of than "none fits": one title, or three cues in the text
SHARPNESS = 2  # power of the evidence in the score

TITLE, BODY, LATER = 3.0, 1.0, 0.4  # weight of a cue as a title, elsewhere on page 1, on a later page
TITLE_SHARE = 0.5  # a title is at least half cue, in letters of its run of words
TITLE_TOP = 0.4  # of the page height: above it a run that is mostly the cue is a title
LARGE_PRINT = 1.35  # of the page's median word height: a run that is mostly the cue is a title anywhere
NOT_BODY = 0.5  # weight of a `not` cue outside of titles: invoices name orders and delivery notes
LABEL = 0.3  # weight of a key whose label stands on page 1
LABELS_MOST = 1.8  # labels alone never make a template fit
LABEL_LETTERS = 3  # shorter labels, such as currency signs, stand on any page

NOT_DECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
LETTERS = re.compile(r"[^\W_]+")
SPACED_LETTERS = 4  # "R E C H N U N G": from so many single letters in a row on they are one word


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
    evidence = {template.name: _evidence(template, index) for template in templates}
    total = NONE_EVIDENCE**SHARPNESS + sum(own**SHARPNESS for own in evidence.values())
    scores = {name: own**SHARPNESS / total for name, own in evidence.items()}
    ranked = sorted(templates, key=lambda template: -scores[template.name])  # stable: the first of equals stays first
    best = ranked[0] if ranked else None
    return TypeChoice(
        template=best if best and evidence[best.name] > NONE_EVIDENCE else None,
        score=scores[best.name] if best else 0.0,
        scores={template.name: scores[template.name] for template in ranked},
    )


def _evidence(template: Template, index: "_Index") -> float:
    """How much speaks for a template, 0 or more. A template without cues has its title as one."""
    found = sum(index.weight(cue) for cue in template.detect_words or (template.title,))
    against = sum(weight if weight >= TITLE else NOT_BODY * weight for weight in map(index.weight, template.detect_not))
    labels = sum(LABEL for key in template.keys if any(index.has_label(label) for label in (key.prompt, *key.aliases)))
    return max(0.0, found - against + min(labels, LABELS_MOST))


class _Index:
    """Finds cue phrases in the runs of a document."""

    def __init__(self, runs: Sequence[_Run]) -> None:
        self.runs = runs
        self.at: dict[str, list[tuple[int, int]]] = defaultdict(list)  # word -> (run, position)
        for number, run in enumerate(runs):
            for position, word in enumerate(run.words):
                self.at[word].append((number, position))
        self.near: dict[str, set[str]] = defaultdict(set)  # a word with one letter left out -> words
        for word in self.at:
            if len(word) >= FUZZY_LETTERS - 1:
                for variant in _one_left_out(word):
                    self.near[variant].add(word)

    def weight(self, cue: str) -> float:
        """Weight of the cue's best place, 0 when it does not stand on the pages."""
        return max((self._weight(run, letters) for run, letters in self._places(cue)), default=0.0)

    def has_label(self, label: str) -> bool:
        return sum(map(len, folded(label))) >= LABEL_LETTERS and any(not run.later for run, _ in self._places(label))

    def _weight(self, run: _Run, letters: int) -> float:
        if letters >= TITLE_SHARE * run.letters and (run.large or (run.high and not run.later)):
            return BODY if run.later else TITLE
        return LATER if run.later else BODY

    def _places(self, cue: str) -> Iterator[tuple[_Run, int]]:
        """Runs that hold the cue, with the number of its letters; also where OCR lost the blanks of a phrase."""
        words = folded(cue)
        for phrase in {words, ("".join(words),)} if words else ():
            for number, position in self._starts(phrase[0]):
                run = self.runs[number]
                printed = run.words[position : position + len(phrase)]
                if len(printed) == len(phrase) and all(map(same_word, phrase, printed)):
                    yield run, sum(map(len, printed))

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


def _one_left_out(word: str) -> Iterable[str]:
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _runs(page: Page, later: bool) -> Iterator[_Run]:
    if not page.words:
        return
    usual = median(word.box.height for word in page.words)
    for _, group in groupby(page.words, key=lambda word: word.line):
        line = list(group)
        spaced = len(line) >= SPACED_LETTERS and all(len(word.text) == 1 for word in line)
        for run in [line] if spaced else _segments(line):
            words = tuple(part for word in run for part in folded(word.text))
            if words:
                yield _Run(
                    words=("".join(words),) if spaced else words,
                    later=later,
                    high=min(word.box.top for word in run) < TITLE_TOP,
                    large=median(word.box.height for word in run) > LARGE_PRINT * usual,
                )


def _segments(line: Sequence[Word]) -> Iterator[list[Word]]:
    for _, group in groupby(line, key=lambda word: word.segment):
        yield list(group)
