"""Which keys a sample is asked, in which words, with how many slots."""

from collections import Counter

import numpy as np

from pipkie_cli.nouns import Key
from pipkie_cli.train.pip_ask import MAX_VALUE_TOKENS, ask_text, ask_values
from pipkie_cli.train.pip_recipe import Recipe

KEYS = tuple(Key(name, "text", name, (f"{name}-a", f"{name}-b")) for name in ("number", "day", "total"))
VALUES = ((KEYS[0], "A-17"), (KEYS[1], None), (KEYS[2], "120.50"))
USUAL = 12


def _length(value: str | None) -> int:
    return len(value or "unknown")


def _drawn(recipe: Recipe, n: int = 600) -> list:
    rng = np.random.default_rng(7)
    return [ask_values(VALUES, recipe, rng, _length, lambda _: USUAL) for _ in range(n)]


def test_keys_are_shuffled_dropped_and_paraphrased() -> None:
    """Every key stands everywhere; one at least is asked; the value stays with its key."""
    drawn = _drawn(Recipe(drop=0.3, alias=0.4))
    first = Counter(asked[0].key.name for asked in drawn)
    assert min(first[key.name] for key in KEYS) > 100
    assert {len(asked) for asked in drawn} == {1, 2, 3}
    values = {(one.key.name, one.value) for asked in drawn for one in asked}
    assert values == {(key.name, value) for key, value in VALUES}
    worded = Counter((one.key.prompt, one.key.aliases) for asked in drawn for one in asked if one.key.name == "total")
    alone = {("total", ()), ("total-a", ()), ("total-b", ())}
    assert set(worded) == alone | {("total", ("total-a", "total-b")), ("total", ("total-b", "total-a"))}
    assert 0.3 < sum(worded[one] for one in alone) / sum(worded.values()) < 0.5


def test_a_value_always_has_room_for_its_end() -> None:
    """As many slots as reading gives the key in half of the draws, else any number from the least: not one length."""
    slots = [one.slots for asked in _drawn(Recipe(drop=0)) for one in asked if one.key.name == "number"]
    assert min(slots) == len("A-17") + 1
    assert max(slots) == USUAL
    assert 0.45 < slots.count(USUAL) / len(slots) < 0.65
    assert len(set(slots)) == USUAL - 4


def test_a_value_longer_than_the_usual_slots_gets_what_it_needs() -> None:
    long = ((KEYS[0], "x" * 30),)
    (asked,) = ask_values(long, Recipe(drop=0), np.random.default_rng(0), _length, lambda _: USUAL)
    assert asked.slots == 31


def test_values_beyond_all_bounds_are_not_asked() -> None:
    huge = ((KEYS[0], "x" * (MAX_VALUE_TOKENS + 1)),)
    assert ask_values(huge, Recipe(), np.random.default_rng(0), _length, lambda _: USUAL) == ()


def test_a_long_text_is_cut_to_its_slots() -> None:
    """A text that was cut has no end; one that fits has, and maybe some fills."""
    rng = np.random.default_rng(0)
    (cut,) = ask_text(((KEYS[0], "x" * 100),), rng, _length, 64)
    assert cut.slots == 64
    assert {ask_text(((KEYS[0], "x" * 31),), rng, _length, 64)[0].slots for _ in range(60)} == {32, 33, 34, 35, 36}
