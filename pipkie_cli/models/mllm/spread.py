"""More keys than one row of tokens should hold: asked in several rows, a forward each, and put together again.

What a forward takes grows with its positions, and a template may have any number of keys: 500 texts would make a row of
25,000. So a row has room for so many positions of keys, behind the pages, which every row begins with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from pipkie_cli.nouns import Written

Part = TypeVar("Part", bound=Any)  # what is asked in one row; has a `cost`


@dataclass(frozen=True, slots=True, eq=False)
class Spread(Generic[Part]):
    """All keys of one sheet, in order, over one or more parts. Picklable; the parts share their pictures."""

    parts: tuple[Part, ...]

    @property
    def cost(self) -> int:
        """Positions that one forward takes: parts go one after the other."""
        return max(int(part.cost) for part in self.parts)


def spread(costs: Sequence[int], room: int) -> list[slice]:
    """Neighbours that fit into the room together; what is larger than it goes alone."""
    starts, used = [0], 0
    for at, cost in enumerate(costs):
        if used + cost > room and at > starts[-1]:
            starts.append(at)
            used = 0
        used += cost
    return [slice(*ends) for ends in zip(starts, [*starts[1:], len(costs)], strict=True)]


def in_turn(
    batch: Sequence[Spread[Part]], ask: Callable[[Sequence[Part]], Sequence[tuple[Written, ...]]]
) -> tuple[tuple[Written, ...], ...]:
    """Answers of every sheet: first parts share a forward, then second ones, and so on."""
    answers: list[tuple[Written, ...]] = [()] * len(batch)
    for turn in zip_longest(*(one.parts for one in batch)):
        asked = [(at, part) for at, part in enumerate(turn) if part is not None]
        for (at, _), said in zip(asked, ask([part for _, part in asked]), strict=True):
            answers[at] += said
    return tuple(answers)
