"""Line items of real receipts whose labels name none: rows of amounts that add up to a sum which the receipt prints.

That they add up is the proof that each of them is an item's and none is missing. Where they do not, nothing is
claimed. The description is the text before the numbers, or the line above or below where every item has one there.
What stays open is not asked.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from pipkie_cli.nouns import Word
from pipkie_cli.prompts import printed_rows
from pipkie_cli.train.real_tables import COLUMNS, RealRow, Spans

BLOCK = 8  # rows from the first sum on in which the sum of the items is looked for
CLEAR = 3  # rows above the first item that may be its heads or its text: they are not asked
_MONEY = re.compile(r"[^\w-]*(?:RM|\$|€)?(-?\d{1,3}(?:[.,']?\d{3})*[.,]\d{2})[A-Z*-]{0,3}", re.IGNORECASE)
_COUNT = re.compile(r"(\d{1,3})(?:[.,]0{1,3})?")
_TIMES = re.compile(r"[*xX@]\d.*|\d+[*xX×]\d*.*")  # a count or price with its sign
_SIGNS = re.compile(r"(?:[x*@$€=:.-]|RM|EA|PCS|UNIT|UNITS)+", re.IGNORECASE)
_SUM = re.compile(
    r"t[o0]ta[l1i]|subtot|jumlah|rounding|net amt|amount due|bill amount|round adj|\bcash\b|\bgst\b|\bsales\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"qty|price|amount|item|descr|quantity|amt|disc", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
LEAST_LETTERS = 5  # of a text beside numbers: fewer are a unit or a code of tax


def receipt_rows(words: Sequence[Word]) -> tuple[RealRow, ...]:
    """The rows of a receipt with the cells of its items; () where no run of amounts adds up."""
    rows = printed_rows(words)
    amounts = [_amount(words, row) for row in rows]
    items, block = _items(words, rows, amounts)
    if not items:
        return ()
    below = _texts_below(words, rows, items, block)
    found = []
    for at, row in enumerate(rows):
        if at in items:
            number = amounts[at]
            assert number is not None
            found.append(_item(words, row, number[0]))
        elif items[0] - CLEAR <= at < block:
            found.append(RealRow(row, {}, frozenset(COLUMNS)))
        else:
            found.append(RealRow(row, {}))
    for at in items if below is not None else ():
        other = at + 1 if below else at - 1
        span = _text(words, rows[other], set())
        if span is not None:  # then what stands beside the numbers may be a unit, or the text's other half
            beside = "description" in found[at].cells
            cells = {name: spans for name, spans in found[at].cells.items() if name != "description"}
            unsure = found[at].unsure - {"description"} | ({"description"} if beside else set())
            found[at] = RealRow(rows[at], cells, unsure)
            found[other] = RealRow(rows[other], {"description": (span,)}, frozenset(COLUMNS) - {"description"})
    return tuple(found)


def _cents(text: str) -> int | None:
    match = _MONEY.fullmatch(text)
    return int(re.sub(r"[^\d-]", "", match[1])) if match else None


def _amount(words: Sequence[Word], row: Sequence[int]) -> tuple[int, int] | None:
    """(index, cents) of the last amount of a row; one behind an @ or x is a price."""
    for at in reversed(range(len(row))):
        cents = _cents(words[row[at]].text)
        if cents is not None and not (at and words[row[at - 1]].text in ("@", "x", "X", "*")):
            return row[at], cents
    return None


def _items(
    words: Sequence[Word], rows: Sequence[tuple[int, ...]], amounts: Sequence[tuple[int, int] | None]
) -> tuple[list[int], int]:
    """The rows of the items, and the row at which the sums begin; ([], 0) where nothing adds up."""
    texts = [" ".join(words[index].text for index in row) for row in rows]
    cents = {at: amount[1] for at, amount in enumerate(amounts) if amount is not None}
    block = next((at for at in cents if _SUM.search(texts[at])), 0)
    sums = {cents[at] for at in range(block, block + BLOCK) if at in cents}
    before = [at for at in cents if at < block]
    for first in range(len(before)):
        run = before[first:]
        if sum(cents[at] for at in run) in sums:
            return run, next((at for at in range(run[-1] + 1, block) if _SUM.search(texts[at])), block)
    return [], 0


def _item(words: Sequence[Word], row: tuple[int, ...], amount: int) -> RealRow:
    """Numbers and text of an item's row."""
    cells: dict[str, Spans] = {"amount": ((amount, amount),)}
    unsure = set()
    total = _cents(words[amount].text)
    prices = [(index, cents) for index in row if index != amount and (cents := _cents(words[index].text)) is not None]
    counts = [
        (index, int(match[1])) for index in row if index != amount and (match := _COUNT.fullmatch(words[index].text))
    ]
    fits = [(count, price) for price, cents in prices for count, n in counts if n * cents == total]
    if len(fits) == 1:
        ((count, price),) = fits
        cells["quantity"], cells["unit_price"] = ((count, count),), ((price, price),)
    else:
        unsure |= {"quantity"} if counts or len(fits) > 1 else set()
        unsure |= {"unit_price"} if prices else set()
    numbers = {index for index, _ in prices} | {count for count, _ in fits} | {amount}
    numbers |= {index for index in row if _TIMES.fullmatch(words[index].text)}
    if len(numbers) > 1 + len(prices) + len(fits):
        unsure |= {"quantity", "unit_price"}
    span = _text(words, row, numbers)
    if span is not None:
        cells["description"] = (span,)
    else:
        unsure.add("description")
    return RealRow(row, cells, frozenset(unsure))


def _text(words: Sequence[Word], row: Sequence[int], numbers: set[int]) -> tuple[int, int] | None:
    """The run of words before the numbers of a row; None where that is too short for a description, or torn."""
    end = next((at for at, index in enumerate(row) if index in numbers and at), len(row))
    run = list(row[:end])
    while run and (run[0] in numbers or not _LETTERS.search(words[run[0]].text)):
        del run[0]  # counts and codes
    while run and (run[-1] in numbers or _SIGNS.fullmatch(words[run[-1]].text)):
        del run[-1]
    texts = [words[index].text for index in run]
    letters = sum(len(_LETTERS.findall(text)) for text in texts)
    if letters < LEAST_LETTERS or not any(map(_WORD.search, texts)) or (texts[0][0], texts[-1][-1]) == ("(", ")"):
        return None
    if run[-1] - run[0] != len(run) - 1:
        return None
    return run[0], run[-1]


def _texts_below(
    words: Sequence[Word], rows: Sequence[tuple[int, ...]], items: Sequence[int], block: int
) -> bool | None:
    """Whether the text of an item without one stands on the line below it (True) or above it (False); None: open."""
    if any(after - at != 2 for at, after in pairwise(items)):
        return None
    above = items[0] > 0 and not _HEAD.search(" ".join(words[index].text for index in rows[items[0] - 1]))
    below = items[-1] + 1 < block
    return None if above == below else below
