"""One answer per key from what a model wrote for every sheet of a document.

A sheet that does not hold a key says so (`Written.text` None), and speaks for its own pages alone: a key is ABSENT
where every sheet says it is. Of several texts the likeliest is taken that can be of the key's type; the others are
runners-up.
"""

import math
import unicodedata
from collections.abc import Iterator, Sequence

from pipkie_cli.answers.confidence import calibrated
from pipkie_cli.answers.typed import fits_type
from pipkie_cli.nouns import Answer, Calibration, Key, Written

RUNNERS_UP = 4
REFINED = "refined"  # in more than one pass over the same slots: `explain` shows how many
NOT_PRINTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))  # categories of characters that no page prints


def answer_written(
    keys: Sequence[Key],
    written: Sequence[Sequence[Written]],
    calibration: Calibration = Calibration(),  # noqa: B008  # frozen
) -> tuple[Answer, ...]:
    """The answers of the keys, in their order; written[s][k]: what the model wrote on sheet s for key k."""
    return tuple(_answer(key, [of_sheet[row] for of_sheet in written], calibration) for row, key in enumerate(keys))


def sheet_answers(
    key: Key, row: int, written: Sequence[Sequence[Written]], calibration: Calibration
) -> tuple[Answer, ...]:
    """What every sheet says to one key, as if it were the whole document."""
    return tuple(_answer(key, [of_sheet[row]], calibration) for of_sheet in written)


def _answer(key: Key, written: Sequence[Written], calibration: Calibration) -> Answer:
    texts = sorted(_texts(key, written, calibration), key=lambda one: -one.confidence)
    if not texts:  # an empty value says no more than "unknown"
        absent = calibrated(math.exp(sum(one.score for one in written)), calibration.absent)
        doubts = tuple(dict.fromkeys(flag for one in written for flag in one.flags))  # such as an answer never heard
        return Answer(key.name, None, absent, None, None, flags=doubts)
    best = next((one for one in texts if fits_type(key.type, one.text or "", key.choices)), texts[0])
    others = tuple(one for one in texts if one is not best)[:RUNNERS_UP]
    return Answer(best.key, best.text, best.confidence, best.place, best.source, others, best.flags)


def _texts(key: Key, written: Sequence[Written], calibration: Calibration) -> Iterator[Answer]:
    """Every text once, with the likeliest sheet that wrote it."""
    seen: dict[str, Answer] = {}
    for one in sorted(written, key=lambda one: -one.score):
        text = printable(one.text or "")
        if text and text.casefold() not in seen:
            flags = (*one.flags, REFINED) if one.passes > 1 else one.flags
            sure = calibrated(math.exp(one.score), calibration.pixels)
            seen[text.casefold()] = Answer(key.name, text, sure, one.place, "pixels", flags=flags)
    yield from seen.values()


def printable(text: str) -> str:
    """On one line, blanks as single spaces, without what no page prints: a model may write anything."""
    kept = (char if unicodedata.category(char) not in NOT_PRINTED or char.isspace() else "" for char in text)
    return " ".join("".join(kept).split())
