"""Does more than one document stand in the pages? Then each page says its own number, and is sure of it."""

from collections.abc import Iterable, Sequence

from pipkie_cli.answers.merge import answer_key
from pipkie_cli.answers.written import sheet_answers
from pipkie_cli.nouns import Answer, Calibration, Candidate, Key, Window, Written

SURE = 0.9  # confidence of a page's own answer, so that another page's counts against it


def rival_answers(
    name: str,
    windows: Sequence[Window],
    candidates: Sequence[Sequence[Sequence[Candidate]]],
    calibration: Calibration = Calibration(),  # noqa: B008  # frozen
) -> tuple[Answer, ...]:
    """Different sure answers of different pages for the key of this name, in the order of pages; () where all agree."""
    by_page: dict[int, list[int]] = {}
    for at, window in enumerate(windows):
        by_page.setdefault(window.page_index, []).append(at)
    found: list[Answer] = []
    for places in by_page.values():
        row = next((row for row, key in enumerate(windows[places[0]].keys) if key.name == name), None)
        if row is None or len(by_page) < 2:
            return ()
        key = windows[places[0]].keys[row]
        found.append(
            answer_key(key, [windows[at] for at in places], [candidates[at][row] for at in places], calibration)
        )
    return _differing(found)


def rival_sheets(
    name: str,
    keys: Sequence[Key],
    written: Sequence[Sequence[Written]],
    calibration: Calibration = Calibration(),  # noqa: B008  # frozen
) -> tuple[Answer, ...]:
    """The same of different sheets."""
    row = next((row for row, key in enumerate(keys) if key.name == name), None)
    return () if row is None else _differing(sheet_answers(keys[row], row, written, calibration))


def _differing(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The sure ones, each once, where they are not all one number or parts of it."""
    found: dict[str, Answer] = {}
    for answer in answers:
        text = "".join(char for char in (answer.text or "").casefold() if char.isalnum())
        if not text or answer.confidence < SURE:
            continue
        if not any(text in other or other in text for other in found):
            found[text] = answer
    return tuple(found.values()) if len(found) > 1 else ()
