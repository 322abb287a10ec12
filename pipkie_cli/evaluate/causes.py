"""Why an answer is wrong, as far as texts can tell: what was read of the page, what was wanted, what was given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.nouns import Page
from pipkie_cli.prompts import fold

CAUSES = {  # in the order in which they are looked for
    "invented": "a value where there is none",
    "marks or type": "letters and digits are the label's; marks and blanks, or the typed value, are not",
    "cut short": "a part of the label",
    "too long": "the label and more",
    "misread": "nearly the label: letters were misread on the page",
    "not on the page": "the label was not read anywhere: OCR lost it, or the label is another text than the print",
    "scattered": "the label's words were read, but not one behind the other",
    "no answer": "the label was read, the answer is nothing",
    "another place": "the label was read, the answer is something else",
}
ALIKE = 0.8  # least likeness of an answer to its label to be called misread
SEEN = 0.6  # least part of a label that stands on the page in one piece, where letters of it were misread


def with_causes(judged: Sequence[Judged], pages: Sequence[Page], printed: Mapping[str, Sequence[str]]) -> list[Judged]:
    """The same with the cause of every wrong answer. `printed`: labels as printed, by key, where a set has them."""
    words = [fold(word.text) for page in pages for word in page.words]
    text = "".join(words)
    known = frozenset(words)
    return [
        one if one.right else replace(one, cause=_cause(one, text, known, printed.get(one.key, ()))) for one in judged
    ]


def _cause(judged: Judged, page: str, words: frozenset[str], printed: Sequence[str]) -> str:
    given = fold(judged.given.raw or "")
    if not judged.expected:
        return "invented"
    labels = [folded for label in (*judged.expected, *printed) if (folded := fold(label))]
    if given:
        if given in labels or judged.judgement.anls == 1:
            return "marks or type"
        if any(given in label for label in labels):
            return "cut short"
        if any(label in given for label in labels):
            return "too long"
        if any(_likeness(given, label) >= ALIKE and label not in page for label in labels):
            return "misread"
    if not any(label in page for label in labels):
        if any(_all_read(label, words) for label in (*judged.expected, *printed)):
            return "scattered"
        if not any(_partly_seen(label, page) for label in labels):
            return "not on the page"
    return "another place" if given else "no answer"


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _all_read(label: str, words: frozenset[str]) -> bool:
    parts = [folded for part in label.split() if (folded := fold(part))]
    return len(parts) > 1 and all(part in words for part in parts)


def _partly_seen(label: str, page: str) -> bool:
    found = SequenceMatcher(None, label, page, autojunk=False).find_longest_match()
    return found.size >= SEEN * len(label)
