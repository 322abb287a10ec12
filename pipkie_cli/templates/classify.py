"""Which template fits: cue words of the first pages against the `detect:` words of every template, and the print.

The scores of all templates and of "none" are weighed against each other: "tax invoice" over a till receipt must not
make it an invoice. What the folder is called counts where the pages leave it open, and for the choice alone: the score
says what the pages say.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import PurePath
from statistics import median

from pipkie_cli.nouns import Page, Template, TypeChoice
from pipkie_cli.templates.cues import TITLE, Beginnings, Index, folded, runs_of

MAX_PAGES = 3  # a document says what it is at its beginning
NONE_EVIDENCE = 2.5  # what a template must have more of than "none fits"
SHARPNESS = 2  # power of the evidence in the score
NOT_BODY = 0.5  # weight of a `not` cue outside of titles: invoices name orders and delivery notes
LABELS = 4.0  # weight of the labels of all keys on page 1; of a part of them, that part of it
FEWEST_KEYS = 8  # a template of two keys does not fit every page that has a date and a total

NARROW = 1.5  # weight of narrow print for a template of such papers
NARROW_HEIGHTS = 24  # of a word: print no wider is a till's. Tills print 10 to 20 wide, sheets of paper 28 and more
NARROW_WORDS = 15  # fewer say nothing about the paper
PRICED = 1.5  # more, where the narrow print has a column of prices and the template asks for amounts
PRICED_LINES = 3
PRICE = re.compile(r"[^\w\s]?[^\W\d]{0,3}[^\w\s]?\d[\d.,']*[.,]\d{2,3}[^\w\s]?[^\W\d]?\d?")  # RM1.50, 2,60T1, 3.00-

FOLDER = 0.8  # weight of a folder's name: less than one cue on a page
FOLDER_LETTERS = 5  # of a cue that can name a folder: "cash" names none
FOLDER_ENDING = 3  # letters that a folder's name may have more than the cue: invoices, Rechnungen, ricevute


def choose_type(pages: Sequence[Page], templates: Sequence[Template], folder: str = "") -> TypeChoice:
    """The best template by cue words, with every template's score from 0 to 1; `template` None when none fits.

    Scores and the silent score of "none fits" add up to 1. Of equals, the first in `templates` wins. `folder` is the
    path of the folder that the document lies in, as the user named it: a weak hint that no score contains.
    """
    runs = [run for number, page in enumerate(pages[:MAX_PAGES]) for run in runs_of(page, later=number > 0)]
    index = Index(runs, _beginnings(tuple(phrase for template in templates for phrase in _phrases(template))))
    narrow = bool(pages) and _is_narrow(pages[0])
    priced = narrow and _priced_lines(pages[0]) >= PRICED_LINES
    evidence = {
        template.name: _evidence(template, index) + (_print_evidence(template, priced) if narrow else 0.0)
        for template in templates
    }
    total = NONE_EVIDENCE**SHARPNESS + sum(own**SHARPNESS for own in evidence.values())
    scores = {name: own**SHARPNESS / total for name, own in evidence.items()}
    ranked = sorted(templates, key=lambda template: -scores[template.name])  # stable: the first of equals stays first
    best = _best(ranked, evidence, folder)
    return TypeChoice(
        template=best,
        score=scores[(best or ranked[0]).name] if ranked else 0.0,
        scores={template.name: scores[template.name] for template in ranked},
    )


def _best(ranked: Sequence[Template], evidence: Mapping[str, float], folder: str) -> Template | None:
    """The template with the most evidence, the folder's name counted in; None where no evidence is enough."""
    named = PurePath(folder).parts
    hinted = {one.name: evidence[one.name] + FOLDER * any(_names(part, one) for part in named) for one in ranked}
    best = max(ranked, key=lambda one: hinted[one.name], default=None)
    return best if best and hinted[best.name] > NONE_EVIDENCE else None


def _names(part: str, template: Template) -> bool:
    """A folder called as the papers in it: by the template's name, its title or one of its cues, in plural or not."""
    words = folded(part.replace("_", " "))
    return any(
        len(words) == len(called) and all(map(_is_plural, called, words))
        for called in map(folded, (template.name.replace("_", " "), template.title, *template.detect_words))
        if called and sum(map(len, called)) >= FOLDER_LETTERS
    )


def _is_plural(one: str, several: str) -> bool:
    return several == one or (several.startswith(one[:-1]) and len(several) - len(one) in range(FOLDER_ENDING + 1))


@lru_cache(maxsize=64)
def _beginnings(phrases: tuple[str, ...]) -> Beginnings:
    return Beginnings(phrases)


@lru_cache(maxsize=256)
def _phrases(template: Template) -> tuple[str, ...]:
    """Everything that is looked for on the pages."""
    labels = (phrase for key in template.keys if not key.columns for phrase in (key.prompt, *key.aliases))
    return tuple(dict.fromkeys((template.title, *template.detect_words, *template.detect_not, *labels)))


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


def _evidence(template: Template, index: Index) -> float:
    """How much speaks for a template, 0 or more. A template without cues has its title as one."""
    found = sum(index.weights(template.detect_words or (template.title,)))
    against = sum(weight if weight >= TITLE else NOT_BODY * weight for weight in index.weights(template.detect_not))
    keys = [
        key for key in template.keys if not key.columns
    ]  # headers of tables say little: every kind of paper has them
    labels = sum(any(map(index.has_label, (key.prompt, *key.aliases))) for key in keys)
    return max(0.0, found - against + LABELS * labels / max(len(keys), FEWEST_KEYS))
