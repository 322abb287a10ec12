"""Boxes to tick: of `Yes | X No` a model points at either word, so the whole row of options is the answer's text."""

import re
from collections.abc import Sequence

from pipkie_cli.answers.typed import fits_type
from pipkie_cli.nouns import Window, Word

_MARK = re.compile(r"[☐☑☒□▢◻⬜❏❑✓✔✗✘✘×⊠■▣☓🗸🗹]|[\[(] ?[xX×✓✔*_]? ?[\])]|[xX|/\[\]()]|[\[(]|[xX]?[\])]")
MOST = 4  # words to either side


def with_options(window: Window, words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a yes or no with the other options, boxes and ticks beside them on their line."""
    found = [at for at, word in enumerate(window.words) if word in (words[0], words[-1])]
    first, last = found[0], found[-1]
    for _ in range(MOST):
        if first and _belongs(window.words[first - 1], words[0].line):
            first -= 1
        if last + 1 < len(window.words) and _belongs(window.words[last + 1], words[-1].line):
            last += 1
    return window.words[first : last + 1]


def _belongs(word: Word, line: int) -> bool:
    return word.line == line and (bool(_MARK.fullmatch(word.text)) or fits_type("boolean", word.text))
