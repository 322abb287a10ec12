"""Labelled value -> spans of words: every place on the page that prints the value."""

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from pipkie_cli.nouns import Word

MAX_SPAN_WORDS = 40
ALIKE = 0.85  # least similarity of a printed place to the value: OCR misreads one letter in ten of bad receipts
_IGNORED = re.compile(r"[^\w.]|_")


def _reduced(text: str) -> str:
    return _IGNORED.sub("", text.lower())


def find_spans(words: Sequence[Word], value: str) -> tuple[tuple[int, int], ...]:
    """The spans (first, last) whose text is most like `value`, all that are equally alike; () where none is."""
    wanted = _reduced(value)
    if not wanted:
        return ()
    texts = [_reduced(word.text) for word in words]
    best, spans = 0.0, []
    for first, text in enumerate(texts):
        if not text or (text[0] != wanted[0] and len(wanted) < 12):
            continue
        joined = ""
        for last in range(first, min(first + MAX_SPAN_WORDS, len(words))):
            joined += texts[last]
            if len(joined) > 1.25 * len(wanted) + 2:
                break
            if not texts[last] or len(joined) < 0.75 * len(wanted):
                continue
            alike = Levenshtein.normalized_similarity(joined, wanted, score_cutoff=max(ALIKE, best - 1e-6))
            if alike < ALIKE:
                continue
            if alike > best + 1e-6:
                best, spans = alike, [(first, last)]
            else:
                spans.append((first, last))
    return tuple(spans)


def likeness(words: Sequence[Word], span: tuple[int, int], value: str) -> float:
    """How like the text of a span is to `value`, 0 to 1."""
    joined = "".join(_reduced(word.text) for word in words[span[0] : span[1] + 1])
    return Levenshtein.normalized_similarity(joined, _reduced(value))
