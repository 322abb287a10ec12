"""Which sample is learnt when, and at which rate: functions of the step alone, so a training goes on exactly."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pipkie_cli.train.pip_recipe import Recipe


def rate_at(step: int, recipe: Recipe) -> float:
    """Learning rate of a step, from 0: up a line for `warm_up` steps, then down half a cosine to nothing."""
    if step < recipe.warm_up:
        return recipe.rate * (step + 1) / recipe.warm_up
    share = (step - recipe.warm_up) / max(1, recipe.steps - recipe.warm_up)
    return recipe.rate * 0.5 * (1 + math.cos(math.pi * share))


@dataclass(frozen=True, slots=True)
class Draws:
    """The numbers of the draws of one process, in order, from a step on. A draw is one sample with its masks."""

    recipe: Recipe
    first_step: int
    process: int
    n_processes: int

    def __iter__(self) -> Iterator[int]:
        per_step = self.recipe.accumulate
        for micro in range(self.first_step * per_step, self.recipe.steps * per_step):
            first = (micro * self.n_processes + self.process) * self.recipe.batch
            yield from range(first, first + self.recipe.batch)

    def __len__(self) -> int:
        return (self.recipe.steps - self.first_step) * self.recipe.accumulate * self.recipe.batch


def sample_number(draw: int, n_samples: int, seed: int, attempt: int = 0) -> int:
    """Which sample a draw takes: every sample once an epoch, each epoch in an order of its own.

    Further attempts go on in that order: damaged samples lie side by side, and the next in it lies anywhere.
    """
    epoch, place = divmod(draw, n_samples)
    return int(_order(n_samples, seed, epoch)[(place + attempt) % n_samples])


@lru_cache(maxsize=2)  # the order of 10 million samples is 80 MB
def _order(n_samples: int, seed: int, epoch: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.random.default_rng([seed, epoch]).permutation(n_samples)
