"""Check boxes in a line of text: which of the printed options are ticked."""

import re
from typing import Final, NamedTuple

_TICKED: Final = r"[☑☒✓✔✗✘🗹🗸☓⊠■▣]|[\[(] ?[xX×✓✔*] ?[\])]"
_OPEN: Final = r"[☐□▢◻⬜❏❑]|\[ ?_? ?\]|\( \)|\(\)"
_BOX: Final = re.compile(f"(?P<ticked>{_TICKED})|(?P<open>{_OPEN})")


class Box(NamedTuple):
    """A printed box, and the text that belongs to it."""

    ticked: bool
    label: str


def boxes(text: str) -> list[Box]:
    """Every box of the text. Labels stand behind their boxes where the text begins with one, else before them."""
    marks = list(_BOX.finditer(text))
    if not marks:
        return []
    ends = [match.end() for match in marks]
    starts = [match.start() for match in marks]
    if text[: starts[0]].strip(" :;,"):
        spans = list(zip([0, *ends[:-1]], starts, strict=True))
    else:
        spans = list(zip(ends, [*starts[1:], len(text)], strict=True))
    return [
        Box(match["ticked"] is not None, text[start:end].strip(" :;,./|"))
        for match, (start, end) in zip(marks, spans, strict=True)
    ]
