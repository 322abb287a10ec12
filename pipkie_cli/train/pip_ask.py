"""What one sample is asked while it is learnt: which keys, in which order and words, with how many slots.

Keys are shuffled, some are left out and some asked by one of their names alone, so that no value is learnt by its place
among the keys. A key gets at least one slot more than its value has tokens, and mostly more: how long a value is, its
end must tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipkie_cli.nouns import Key
from pipkie_cli.train.pip_recipe import Recipe

USUAL_SLOTS = 0.5  # share of keys with as many slots as reading gives them; else any number that holds the value
MAX_VALUE_TOKENS = 256  # a key with a longer value is not asked


@dataclass(frozen=True, slots=True)
class Asked:
    """One key as it is asked, its value (None: "unknown") and its number of slots."""

    key: Key
    value: str | None
    slots: int


def ask_values(
    values: Sequence[tuple[Key, str | None]],
    recipe: Recipe,
    rng: np.random.Generator,
    length: Callable[[str | None], int],
    usual: Callable[[Key], int],
) -> tuple[Asked, ...]:
    """Stage kv: one drawing of what a document is asked. () where every value is too long.

    `length` counts the tokens of a value, `usual` the slots that the key gets when values are read.
    """
    counted = [(key, value, n) for key, value in values if (n := length(value)) <= MAX_VALUE_TOKENS]
    kept = [one for one in counted if rng.random() >= recipe.drop] or counted[:1]
    asked = []
    for at in rng.permutation(len(kept)):
        key, value, n_tokens = kept[at]
        asked.append(Asked(_worded(key, recipe.alias, rng), value, _slots(n_tokens, usual(key), rng)))
    return tuple(asked)


def ask_text(
    values: Sequence[tuple[Key, str | None]], rng: np.random.Generator, length: Callable[[str | None], int], most: int
) -> tuple[Asked, ...]:
    """Stage mask: the text with the slots that it needs, or some more; `most` tokens of it, the rest is cut off."""
    asked = []
    for key, value in values:
        slots = min(length(value), most) + 1
        asked.append(Asked(key, value, slots + int(rng.integers(1 + slots // 8)) if slots <= most else most))
    return tuple(asked)


def _worded(key: Key, share: float, rng: np.random.Generator) -> Key:
    """The key with its aliases in any order, or by its prompt or one alias alone."""
    if rng.random() < share:
        words = (key.prompt, *key.aliases)
        return replace(key, prompt=words[int(rng.integers(len(words)))], aliases=())
    return replace(key, aliases=tuple(key.aliases[at] for at in rng.permutation(len(key.aliases))))


def _slots(n_tokens: int, usual: int, rng: np.random.Generator) -> int:
    least = n_tokens + 1  # with the end
    most = max(least, usual)
    return most if rng.random() < USUAL_SLOTS else int(rng.integers(least, most + 1))
