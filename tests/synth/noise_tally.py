"""What OCR made of printed lines: characters confused, dropped, made up, blanks lost, lines unseen, boxes shifted."""

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import Levenshtein

from pipkie_cli.nouns import Box, Word
from pipkie_cli.words import join_words


@dataclass(slots=True)
class Printed:
    """A printed line and the words that it consists of, with their places."""

    text: str
    box: Box
    words: list[tuple[str, Box]] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What was counted over some pages."""

    characters: int = 0
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    printed: Counter[str] = field(default_factory=Counter)  # characters, by character
    blanks: Counter[tuple[str, str]] = field(default_factory=Counter)  # by the kinds of the characters around
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    made_up_blanks: int = 0
    lines: int = 0
    unseen: int = 0
    single: int = 0  # lines of one character
    single_unseen: int = 0
    heights: list[float] = field(default_factory=list)  # of words found right, over the height of their line
    lefts: list[float] = field(default_factory=list)  # how far they begin to the right of the print, in heights
    rights: list[float] = field(default_factory=list)
    page_errors: list[float] = field(default_factory=list)  # share of wrong characters by page
    page_lost: list[float] = field(default_factory=list)  # share of lost blanks by page

    def add(self, lines: Sequence[Printed], words: Sequence[Word], any_case: bool = False) -> None:
        """Compare one page; `any_case`: its lines were transcribed in capitals, whatever is printed."""
        wrong = total = lost = blanks = 0
        for line in lines:
            found = _found_in(line.box, words)
            self.lines += 1
            self.single += len(line.text) == 1
            if not found:
                self.unseen += 1
                self.single_unseen += len(line.text) == 1
                continue
            read = join_words(found)
            if any_case:
                read = "".join(char.upper() if len(char.upper()) == 1 else char for char in read)
            if Levenshtein.normalized_distance(line.text, read) > 0.6:
                continue  # another line's words: boxes of transcriptions overlap
            at_line, at_blanks = self._compare(line.text, read)
            wrong, lost = wrong + at_line, lost + at_blanks
            total += len(line.text.replace(" ", ""))
            blanks += line.text.count(" ")
            self._places(line, found)
        if total:
            self.page_errors.append(wrong / total)
        if blanks > 10:
            self.page_lost.append(lost / blanks)

    def _compare(self, said: str, read: str) -> tuple[int, int]:
        wrong = lost = 0
        self.characters += len(said.replace(" ", ""))
        self.printed.update(said.replace(" ", ""))
        for at in range(1, len(said) - 1):
            if said[at] == " ":
                self.blanks[kind(said[at - 1]), kind(said[at + 1])] += 1
        for op in Levenshtein.editops(said, read):
            before = said[op.src_pos] if op.tag != "insert" else ""
            after = read[op.dest_pos] if op.tag != "delete" else ""
            if before == " " and not after:
                lost += 1
                around = kind(said[op.src_pos - 1]), kind(said[min(op.src_pos + 1, len(said) - 1)])
                self.lost[around] += 1
            elif after == " " and not before:
                self.made_up_blanks += 1
            else:
                wrong += 1
                self.confused[before, after] += 1
        return wrong, lost

    def _places(self, line: Printed, found: Sequence[Word]) -> None:
        high = line.box.height
        for text, box in line.words:
            for word in found:
                if word.text == text and abs(word.box.left - box.left) < 3 * high:
                    self.heights.append(word.box.height / high)
                    self.lefts.append((word.box.left - box.left) / high)
                    self.rights.append((word.box.right - box.right) / high)
                    break

    def table(self) -> dict[str, float]:
        """The figures by name; shares, not per cent."""
        blanks, lost = sum(self.blanks.values()), sum(self.lost.values())
        errors, page_lost = sorted(self.page_errors) or [0.0], sorted(self.page_lost) or [0.0]
        return {
            "wrong characters": sum(self.confused.values()) / max(1, self.characters),
            "wrong characters, median page": statistics.median(errors),
            "wrong characters, worst tenth": errors[int(0.9 * len(errors))],
            "of them dropped": _share(self.confused, lambda pair: not pair[1]),
            "of them made up": _share(self.confused, lambda pair: not pair[0]),
            "of them only case": _share(self.confused, lambda pair: pair[0] != pair[1] == pair[0].swapcase()),
            "blanks lost": lost / max(1, blanks),
            "blanks lost, worst tenth": page_lost[int(0.9 * len(page_lost))],
            "blanks made up, per blank": self.made_up_blanks / max(1, blanks),
            "lines unseen": (self.unseen - self.single_unseen) / max(1, self.lines - self.single),
            "single characters unseen": self.single_unseen / max(1, self.single),
            "height of a box, median": statistics.median(self.heights or [0.0]),
            "height of a box, spread": _spread(self.heights),
            "left edge, median": statistics.median(self.lefts or [0.0]),
            "left edge, spread": _spread(self.lefts),
            "right edge, median": statistics.median(self.rights or [0.0]),
            "right edge, spread": _spread(self.rights),
        }


def _spread(values: Sequence[float]) -> float:
    """Half of the middle two thirds: what a standard deviation would be without the strays."""
    ordered = sorted(values) or [0.0]
    return (ordered[int(0.84 * (len(ordered) - 1))] - ordered[int(0.16 * (len(ordered) - 1))]) / 2


def kind(char: str) -> str:
    return "D" if char.isdigit() else "L" if char.isalpha() else char


def _share(counts: Counter[tuple[str, str]], which: Callable[[tuple[str, str]], bool]) -> float:
    return sum(n for pair, n in counts.items() if which(pair)) / max(1, sum(counts.values()))


def _found_in(box: Box, words: Sequence[Word]) -> list[Word]:
    """The words whose middle lies in a line's place, left to right."""
    inside = [
        word
        for word in words
        if box.left - 0.01 < (word.box.left + word.box.right) / 2 < box.right + 0.01
        and box.top < (word.box.top + word.box.bottom) / 2 < box.bottom
    ]
    return sorted(inside, key=lambda word: word.box.left)
