"""Masks: which slots of a sample are learnt, and what each weighs."""

import numpy as np
import pytest

from pipkie_cli.train.pip_mask import EPSILON, draw_ratio, mask_text, mask_values

N = 40


def test_the_ratio_is_even_and_never_nothing() -> None:
    """t ~ U(0, 1) as in LLaDA, with its least ratio."""
    rng = np.random.default_rng(0)
    ratios = [draw_ratio(2000, rng) for _ in range(4000)]
    assert min(ratios) >= EPSILON
    assert min(draw_ratio(4, rng) for _ in range(100)) == 0.25
    assert max(ratios) <= 1
    assert np.mean(ratios) == pytest.approx(0.5, abs=0.02)
    assert np.std(ratios) == pytest.approx(12**-0.5, abs=0.01)


def test_the_loss_of_a_text_is_unbiased() -> None:
    """A slot's weight, averaged over maskings, is 1/S whatever the ratios were: that is what 1/p is for."""
    rng = np.random.default_rng(1)
    mean = np.mean([mask_text(N, rng, False)[0].weights.sum() for _ in range(4000)])
    assert mean == pytest.approx(1.0, abs=0.05)


def test_something_is_always_masked() -> None:
    rng = np.random.default_rng(2)
    assert all(mask_text(2, rng, False)[0].masked.any() for _ in range(500))
    assert all(one.masked.any() for _ in range(500) for one in mask_text(1, rng, True))


def test_complementary_masks_cover_every_slot_once() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        pair = mask_text(N, rng, True)
        assert (np.sum([one.masked for one in pair], axis=0) == 1).all()
        assert all((one.weights[~one.masked] == 0).all() for one in pair)


def test_values_are_mostly_masked_whole() -> None:
    """Fills behind the end weigh less; the divisor counts every slot, masked or not."""
    rng = np.random.default_rng(4)
    fills = np.arange(N) >= 10
    whole = mask_values(fills, rng, all_masked=1.0, fill_weight=0.2)
    assert whole.masked.all()
    assert whole.share == N
    assert whole.weights.sum() == pytest.approx(10 + 0.2 * 30)
    drawn = [mask_values(fills, rng, all_masked=0.7, fill_weight=0.2) for _ in range(2000)]
    assert np.mean([one.masked.all() for one in drawn]) == pytest.approx(0.7, abs=0.03)
