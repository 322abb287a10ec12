"""The loss over masked slots."""

import torch

from pipkie_cli.train.pip_loss import count_right, weighted_loss


def test_weights_and_suppressed_rows() -> None:
    """A sum of weighted cross entropies over the rows that a value may hold; the others get no gradient at all."""
    logits = torch.tensor([[2.0, 1.0, 9.0], [0.5, 0.0, 9.0]], requires_grad=True)
    targets, weights = torch.tensor([0, 1]), torch.tensor([1.0, 0.5])
    never = torch.tensor([False, False, True])
    loss = weighted_loss(logits, targets, weights, never)
    expected = torch.nn.functional.cross_entropy(logits[:, :2], targets, reduction="none") @ weights
    assert torch.allclose(loss, expected)
    loss.backward()
    assert torch.equal(logits.grad[:, 2], torch.zeros(2))
    assert int(count_right(logits, targets, never)) == 1


def test_half_precision_is_summed_in_full() -> None:
    logits = torch.randn(400, 50, generator=torch.Generator().manual_seed(0)).bfloat16()
    loss = weighted_loss(logits, torch.zeros(400, dtype=torch.long), torch.ones(400), torch.zeros(50, dtype=torch.bool))
    assert loss.dtype == torch.float32
