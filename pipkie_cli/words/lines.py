"""From word boxes to pieces (words side by side with ordinary spaces) and rows (pieces on one printed line).

All lengths here are in units of the page's median word height, so that every threshold is a number of line heights.
Rows are made by walking from left to right and comparing the end of one piece with the beginning of the next, in
coordinates turned by the page's skew: a bent photograph needs no straight line anywhere.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import inf
from statistics import median
from typing import NamedTuple

from pipkie_cli.nouns import Box

SPACE = 1.0  # of the mean height of two neighbours: a wider gap is more than a space; justified text stays below
OVERLAP = 0.5  # of the lower height that two words of one line share vertically
HEIGHT_RATIO = 2.2  # words of one piece differ less; a headline does not swallow a small line beside it
BACKSTEP = 0.6  # of the height: how far a word may begin before the end of the last one (OCR boxes touch)
SAME_EDGE = 0.3  # left edges nearer than this are one edge
MIN_HEIGHT = 0.25  # of the median: boxes without height still stand on a line
MOST_HEIGHT = 10.0  # of the median: how far above and below a high word its neighbours are looked for
MAX_SLOPE = 0.1  # 5.7 degrees; a steeper page is not a skewed page of text
STRETCH = 8.0  # line heights over which the slope of a bent page is taken as one
GOOD_COST = 0.15  # a neighbour this near needs no rival
OPEN_LIMIT = 24  # open pieces or rows looked at per bucket: bounds the time on piles of boxes


class Piece(NamedTuple):
    """Words side by side. `first_y`, `last_y`: vertical centre at either end; `indices`: its boxes, left to right."""

    left: float
    right: float
    first_y: float
    last_y: float
    height: float
    indices: tuple[int, ...]

    @property
    def centre(self) -> float:
        return (self.first_y + self.last_y) / 2


Row = list[Piece]


def find_rows(boxes: Sequence[Box], aspect: float) -> list[Row]:
    """The rows of `boxes` from top to bottom. `aspect`: height of the page by its width."""
    return sorted_rows(_rows(_levelled(_turned(_pieces(_measured(boxes, aspect))))))


def sorted_rows(rows: list[Row]) -> list[Row]:
    """Rows from top to bottom; ties from left to right."""
    return sorted(rows, key=lambda row: (sum(piece.centre for piece in row) / len(row), row[0].left, row[0].indices))


def gaps_below(rows: list[Row]) -> list[float]:
    """White space below each row but the last; negative where rows overlap."""
    gaps = []
    reach = max(piece.centre + piece.height / 2 for piece in rows[0])
    for row in rows[1:]:
        gaps.append(min(piece.centre - piece.height / 2 for piece in row) - reach)
        reach = max(reach, max(piece.centre + piece.height / 2 for piece in row))
    return gaps


def split_rows(rows: list[Row], borders: list[bool]) -> list[list[Row]]:
    """Rows parted below every row that has a border."""
    parts = [[rows[0]]]
    for row, border in zip(rows[1:], borders, strict=True):
        if border:
            parts.append([])
        parts[-1].append(row)
    return parts


def _measured(boxes: Sequence[Box], aspect: float) -> list[Piece]:
    """One piece per box, in line heights."""
    heights = [abs(box.bottom - box.top) * aspect for box in boxes]
    unit = sorted(heights)[len(heights) // 2] if heights else 0.0
    if unit <= 0:
        unit = 0.01  # only lines and points: a hundredth of the width is as good as any unit
    keyed = []
    for index, (box, height) in enumerate(zip(boxes, heights, strict=True)):
        left, right = (box.left, box.right) if box.left <= box.right else (box.right, box.left)
        centre = (box.top + box.bottom) / 2 * aspect / unit
        keyed.append(Piece(left / unit, right / unit, centre, centre, max(height / unit, MIN_HEIGHT), (index,)))
    return sorted(keyed)


def _buckets(y: float, height: float) -> list[int]:
    """The heights on the page to look at for a neighbour of a word, nearest first."""
    height = min(height, MOST_HEIGHT)
    own = int(y // 1)
    low, high = int((y - height) // 1), int((y + height) // 1)
    return [own, *range(own + 1, high + 1), *range(own - 1, low - 1, -1)]


def _pieces(words: list[Piece]) -> list[Piece]:
    """Join neighbours with ordinary spaces between them."""
    joined: list[list[Piece]] = []
    open_at: dict[int, list[int]] = {}  # by the height on the page where a piece ends so far
    for word in words:
        left, _, y, _, height, _ = word
        best, best_cost = -1, inf
        for bucket in _buckets(y, height):
            if best_cost <= GOOD_COST:
                break
            for number in open_at.get(bucket, ())[-OPEN_LIMIT:]:
                _, right, _, last_y, other, _ = joined[number][-1]
                gap = left - right
                if gap > SPACE * (height + other) / 2:
                    if gap > SPACE * HEIGHT_RATIO * other:  # words come from left to right: nothing joins it any more
                        open_at[bucket].remove(number)
                    continue
                low, high = (height, other) if height < other else (other, height)
                if gap < -BACKSTEP * low or high > HEIGHT_RATIO * low:
                    continue
                off = abs(y - last_y)
                if (low + high) / 2 - off < OVERLAP * low and off > 0.1 * low:
                    continue
                cost = off / low + 0.2 * abs(gap)
                if cost < best_cost:
                    best, best_cost = number, cost
        if best < 0:
            best = len(joined)
            joined.append([word])
        else:
            open_at[int(joined[best][-1].last_y // 1)].remove(best)
            joined[best].append(word)
        open_at.setdefault(int(y // 1), []).append(best)
    return [_piece(words) for words in joined]


def _piece(words: list[Piece]) -> Piece:
    first, last = words[0], words[-1]
    if len(words) == 1:
        return first
    left, right = first.left, max(word.right for word in words)
    from_x, to_x = (first.left + first.right) / 2, (last.left + last.right) / 2
    rise = (last.last_y - first.first_y) / (to_x - from_x) if to_x > from_x else 0.0
    if abs(rise) > 2 * MAX_SLOPE:
        rise = 0.0  # two words whose boxes jump; no slope of a line
    return Piece(
        left,
        right,
        first.first_y - rise * (from_x - left),
        last.last_y + rise * (right - to_x),
        median(word.height for word in words),
        tuple(word.indices[0] for word in words),
    )


def _turned(pieces: list[Piece]) -> list[Piece]:
    """The pieces on the page turned level, from left to right."""
    slope = _skew(pieces)
    if slope == 0:
        return sorted(pieces)
    turned = []
    for piece in pieces:
        shift = slope * piece.centre
        turned.append(_sunk(piece, slope, 0.0)._replace(left=piece.left + shift, right=piece.right + shift))
    return sorted(turned)


def _sunk(piece: Piece, slope: float, pivot: float) -> Piece:
    """The piece after a line of `slope` through it was turned level about x = `pivot`."""
    if len(piece.indices) == 1:  # the box of one word says nothing about its ends
        y = piece.first_y - slope * ((piece.left + piece.right) / 2 - pivot)
        return piece._replace(first_y=y, last_y=y)
    return piece._replace(
        first_y=piece.first_y - slope * (piece.left - pivot), last_y=piece.last_y - slope * (piece.right - pivot)
    )


def _slopes(pieces: list[Piece], least: float) -> list[tuple[float, float, float]]:
    """Rise per length, length and height on the page of every piece of several words and `least` length."""
    return [
        ((last_y - first_y) / (right - left), right - left, (first_y + last_y) / 2)
        for left, right, first_y, last_y, _, indices in pieces
        if len(indices) > 1 and right - left >= least
    ]


def _skew(pieces: list[Piece]) -> float:
    """Rise of the printed lines per length: the weighted median over the long pieces."""
    slopes = sorted(_slopes(pieces, 5))
    half = sum(weight for _, weight, _ in slopes) / 2
    if half < 10:
        return 0.0
    for slope, weight, _ in slopes:
        half -= weight
        if half <= 0:
            return slope if 0.002 < abs(slope) <= MAX_SLOPE else 0.0
    return 0.0


def _levelled(pieces: list[Piece]) -> list[Piece]:
    """Take out what is left of the slope where it changes down the page: bent or unevenly pulled photographs."""
    slopes = _slopes(pieces, 4)
    if sum(abs(slope) > 0.005 for slope, _, _ in slopes) < 3:
        return pieces
    middle = sum(piece.left + piece.right for piece in pieces) / 2 / len(pieces)
    rises: dict[int, float] = defaultdict(float)
    lengths: dict[int, float] = defaultdict(float)
    for slope, length, y in slopes:
        if abs(slope) <= MAX_SLOPE:
            for place in (int(y // STRETCH) - 1, int(y // STRETCH), int(y // STRETCH) + 1):
                weight = length if place == int(y // STRETCH) else length / 4
                rises[place] += slope * weight
                lengths[place] += weight

    def slope_at(y: float) -> float:
        place = y / STRETCH - 0.5  # between the middles of two stretches
        low = int(place // 1)
        share = place - low
        total = 0.0
        for stretch, part in ((low, 1 - share), (low + 1, share)):
            if lengths.get(stretch):
                total += part * rises[stretch] / lengths[stretch]
        return total

    return sorted(_sunk(piece, slope_at(piece.centre), middle) for piece in pieces)


def _rows(pieces: list[Piece]) -> list[Row]:
    """Join pieces that stand on one printed line, however wide the gap between them."""
    rows: list[Row] = []
    open_at: dict[int, list[int]] = {}
    for piece in pieces:
        left, y, height = piece.left, piece.first_y, piece.height
        best, best_cost = -1, inf
        for bucket in _buckets(y, height):
            if best_cost <= GOOD_COST:
                break
            for number in open_at.get(bucket, ())[-OPEN_LIMIT:]:
                last = rows[number][-1]
                low, high = (height, last.height) if height < last.height else (last.height, height)
                off = abs(y - last.last_y)
                if (low + high) / 2 - off < OVERLAP * low or off > 0.5 * high:
                    continue
                gap = left - last.right
                if gap < -BACKSTEP * low:
                    continue
                cost = off / low + 0.02 * abs(gap)
                if cost < best_cost:
                    best, best_cost = number, cost
        if best < 0:
            best = len(rows)
            rows.append([piece])
        else:
            open_at[int(rows[best][-1].last_y // 1)].remove(best)
            rows[best].append(piece)
        open_at.setdefault(int(piece.last_y // 1), []).append(best)
    return rows
