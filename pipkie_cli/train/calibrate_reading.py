"""Confidence, second half: that OCR read a value without a mistake, given that it points at the right words.

The words of labelled values are found on the page by their likeness to the label, no model is asked: so all documents
of a training part can be used, also those that the model has learnt from.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pipkie_cli.answers import unsure_letters
from pipkie_cli.evaluate import Labelled, SetRules, judge, read_folder, rules_of
from pipkie_cli.nouns import Key, Page
from pipkie_cli.templates import find_templates
from pipkie_cli.train.align import find_spans
from pipkie_cli.train.pages import readings
from pipkie_cli.words import join_words

SENDERS = ("seller_name", "company")  # labels that say whose document it is: its values are misread alike
SENDER_VALUES = 4  # values that a sender counts for at most
UNTOLD = 0.01  # mistakes of a value that no doubt of the OCR tells; keeps the likelihood of a sure mistake above 0
RATES = np.geomspace(0.01, 10, 500)


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A labelled value as OCR read it."""

    sender: str
    is_text: bool  # of a key of type text
    unsure: float  # letters
    right: bool


def misread_rates(values: Sequence[ReadValue]) -> tuple[float, float]:
    """Mistakes per unsure letter, of values of type text and of others: the sidecar's `misread`."""
    return _rate([one for one in values if one.is_text]), _rate([one for one in values if not one.is_text])


def read_values(folder: Path, part: str | None, kept: Path) -> Iterator[ReadValue]:
    """The labelled values of a folder that OCR read; `kept` is the folder of pages that were read before."""
    rules = rules_of(folder)
    (template,) = find_templates([rules.template or ""], None)
    keys = {key.name: key for key in template.keys}
    for document in read_folder(folder, part):
        sender = next((text for name in SENDERS for text in document.values.get(name, ())), document.shown)
        for pages in readings(document.path, kept):
            for page in pages:
                if page.text_source != "text":
                    yield from _on_page(page, document, keys, rules, sender)


def _on_page(
    page: Page, document: Labelled, keys: Mapping[str, Key], rules: SetRules, sender: str
) -> Iterator[ReadValue]:
    for label, expected in document.values.items():
        key = keys.get(rules.template_key(label))
        printed = document.printed.get(label, ())
        spans = [span for text in printed or expected for span in find_spans(page.words, text)]
        if key is None or not spans:
            continue
        first, last = spans[0]
        words = page.words[first : last + 1]
        right = judge(key, expected, printed, join_words(words), None, rules).exact
        yield ReadValue(sender, key.type == "text", unsure_letters(words), right)


def _rate(values: Sequence[ReadValue]) -> float:
    """The rate that makes these likeliest, where a value is right with exp(-rate * unsure); 0 of nothing."""
    if not values:
        return 0.0
    unsure = np.array([one.unsure for one in values])
    right = np.array([one.right for one in values])
    sizes = Counter(one.sender for one in values)
    weights = np.array([min(1.0, SENDER_VALUES / sizes[one.sender]) for one in values])
    mistakes = RATES[:, None] * unsure + UNTOLD  # (rates, n)
    losses: npt.NDArray[np.float64] = np.where(right, mistakes, -np.log(-np.expm1(-mistakes))) @ weights
    return round(float(RATES[losses.argmin()]), 4)
