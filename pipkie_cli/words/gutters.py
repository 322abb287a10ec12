"""Strips without print between the pieces of neighbouring rows. Lengths are in line heights, see `lines`."""

from typing import NamedTuple

from pipkie_cli.words.lines import Row

MIN_GUTTER = 1.0  # a narrower strip is a space between words
MANY_GUTTERS = 1000  # more are not looked for: bounds the time on noise; tables of 700 words have 300


class Gutter(NamedTuple):
    """A strip without print, `left` to `right`, through rows `first` to `last` (inclusive)."""

    first: int
    last: int
    left: float
    right: float


def find_gutters(rows: list[Row]) -> list[Gutter]:
    """Every gutter that parts two pieces of a row or two rows that follow each other, grown as far as it runs."""
    covering: list[list[Gutter]] = [[] for _ in rows]
    found: list[Gutter] = []
    for number, row in enumerate(rows):
        seeds = []
        reach = row[0].right
        for piece in row[1:]:
            if piece.left - reach >= MIN_GUTTER:
                seeds.append((reach, piece.left))
            reach = max(reach, piece.right)
        if number:  # blocks with different line pitch may never share a row
            above = rows[number - 1]
            if row[0].left - above[-1].right >= MIN_GUTTER:
                seeds.append((above[-1].right, row[0].left))
            elif above[0].left - reach >= MIN_GUTTER:
                seeds.append((reach, above[0].left))
        for left, right in seeds:
            if _is_seen(left, right, covering[number]):
                continue
            gutter = _grown(rows, number, left, right)
            found.append(gutter)
            if len(found) == MANY_GUTTERS:
                return found
            for covered in range(gutter.first, gutter.last + 1):
                covering[covered].append(gutter)
    return found


def _is_seen(left: float, right: float, gutters: list[Gutter]) -> bool:
    for _, _, other_left, other_right in gutters:
        if (right if right < other_right else other_right) - (left if left > other_left else other_left) >= MIN_GUTTER:
            return True
    return False


def _grown(rows: list[Row], seed: int, left: float, right: float) -> Gutter:
    """The strip carried down, then up, shrinking where a row reaches into it, ending where one crosses it."""
    ends = []
    for step, stop in ((1, len(rows)), (-1, -1)):
        number = seed + step
        while number != stop:
            low, high = left, right
            for piece in rows[number]:
                if piece.left >= high:
                    break
                if piece.right > low:
                    if piece.left - low >= high - piece.right:
                        high = piece.left
                    else:
                        low = piece.right
                    if high - low < MIN_GUTTER:
                        break
            if high - low < MIN_GUTTER:
                break
            left, right = low, high
            number += step
        ends.append(number - step)
    return Gutter(ends[1], ends[0], left, right)
