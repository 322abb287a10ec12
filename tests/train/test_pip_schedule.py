"""The order of samples and the learning rate: functions of the step alone."""

from itertools import islice

import pytest

from pipkie_cli.train.pip_recipe import Recipe
from pipkie_cli.train.pip_schedule import Draws, rate_at, sample_number

RECIPE = Recipe(steps=6, batch=2, accumulate=3, rate=1.0, warm_up=2)


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(step, RECIPE) for step in range(7)]
    assert rates[:3] == [0.5, 1.0, 1.0]
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert rates[6] == pytest.approx(0, abs=1e-9)


def test_processes_share_the_draws_without_overlap() -> None:
    """Two processes together take every draw once, step by step."""
    halves = [list(Draws(RECIPE, 0, process, 2)) for process in (0, 1)]
    assert sorted(halves[0] + halves[1]) == list(range(6 * 3 * 2 * 2))
    per_step = 3 * 2
    assert max(halves[0][:per_step] + halves[1][:per_step]) < 2 * per_step
    assert [len(half) for half in halves] == [len(Draws(RECIPE, 0, 0, 2))] * 2


def test_a_training_goes_on_where_it_stopped() -> None:
    whole = list(Draws(RECIPE, 0, 1, 2))
    assert list(Draws(RECIPE, 4, 1, 2)) == list(islice(whole, 4 * 6, None))


def test_every_sample_once_an_epoch_in_another_order() -> None:
    epochs = [[sample_number(epoch * 10 + at, 10, 3) for at in range(10)] for epoch in (0, 1)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(10))] * 2
    assert epochs[0] != epochs[1]
