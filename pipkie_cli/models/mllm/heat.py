"""Where slots look: their attention to the tokens of the pictures, as figure 3 of PIP (arXiv 2601.19613) draws it.

The kernels that compute attention keep no weights. So of a few decoder layers the inputs of attention are taken as they
pass, and the weights of the slots' rows alone are computed again: two small products a layer, (heads, slots, positions)
in place of (heads, positions, positions). Equal to `output_attentions` of the eager kernel (tested).

Letters: B rows, L positions, H heads, d their width, s slots of one row, m tokens of its pictures.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pipkie_cli.models.mllm.load import Checkpoint

MOST_LAYERS = 4  # each costs two products a forward
MASKS = ("slots", "token_types", "attention_mask")  # (B, L) each
Weights = Any  # a float32 tensor, on the model's device


@dataclass(slots=True)
class Looked:
    """What the layers told while a batch went through: per layer and row (s, m), or by head (H, s, m)."""

    layers: dict[int, list[Weights]] = field(default_factory=dict)

    def mean(self, row: int) -> Weights:
        """(s, m), on the CPU: of one row, over its layers."""
        import torch

        return torch.stack([rows[row] for rows in self.layers.values()]).mean(0).cpu()


@dataclass(frozen=True, slots=True)
class _Row:
    """One row's positions as indices on the model's device, so that no layer waits for them."""

    slots: Any  # (s,) of L
    real: Any  # (R,) of L: those that are no padding
    pictures: Any  # (m,) of R


def look_layers(checkpoint: Checkpoint) -> tuple[int, ...]:
    """The decoder layers that are asked: those the sidecar names, else late ones."""
    n = len(checkpoint.family.language_layers(checkpoint.model))
    return tuple(one for one in checkpoint.trained.look if 0 <= one < n) or late_layers(n)


def late_layers(n: int) -> tuple[int, ...]:
    """Where nothing was measured: the last ones, of the later half.

    A Qwen2-VL of four layers, trained on till slips: the hottest cell lies on the print for 14, 28, 60 and 73 % of the
    values by the first to the last layer, for 76 % by the last two, for 10 % by chance (decisions/008-pip-proof.md).
    """
    return tuple(range(max(n // 2, n - MOST_LAYERS), n))


@contextmanager
def watched(
    checkpoint: Checkpoint, batch: Mapping[str, Any], layers: Sequence[int], *, by_head: bool = False
) -> Iterator[Looked]:
    """Within it, one bidirectional forward of `batch` (as `collate` made it) also tells where its slots look."""
    looked = Looked()
    rows = [_row(checkpoint.model.device, *one) for one in zip(*(batch[name] for name in MASKS), strict=True)]
    modules = checkpoint.family.language_layers(checkpoint.model)
    hooks = [
        modules[number].self_attn.register_forward_pre_hook(_hook(looked, number, rows, by_head), with_kwargs=True)
        for number in layers
    ]
    try:
        yield looked
    finally:
        for hook in hooks:
            hook.remove()


def _row(device: Any, slots: Any, token_types: Any, attention_mask: Any) -> _Row:
    """Masks (L,) as indices."""
    real = attention_mask.nonzero().squeeze(1)
    pictures = token_types[real].nonzero().squeeze(1)
    return _Row(*(one.to(device) for one in (slots.nonzero().squeeze(1), real, pictures)))


def _hook(looked: Looked, number: int, rows: Sequence[_Row], by_head: bool) -> Callable[..., None]:
    """Before attention of layer `number`: computes the weights of the slots' rows and changes nothing."""

    def before(module: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        import torch

        states = named["hidden_states"] if "hidden_states" in named else arguments[0]  # (B, L, D)
        rope = [one.expand(len(states), -1, -1) for one in named["position_embeddings"]]  # (B, L, d) each
        with torch.no_grad():
            looked.layers[number] = [
                _slot_weights(module, states[at], rope[0][at], rope[1][at], row, by_head) for at, row in enumerate(rows)
            ]

    return before


def _slot_weights(module: Any, states: Any, cos: Any, sin: Any, row: _Row, by_head: bool) -> Weights:
    """(s, m) or (H, s, m): one row's attention from slots to tokens of pictures; softmax in float32.

    `states` (L, D) after the layer's norm, cosines and sines of its positions (L, d).
    """
    queries = _turned(_heads(module, "q", states[row.slots]), cos[row.slots], sin[row.slots])  # (H, s, d)
    keys = _turned(_heads(module, "k", states[row.real]), cos[row.real], sin[row.real])  # (H of keys, R, d)
    keys = keys.repeat_interleave(len(queries) // len(keys), 0)  # (H, R, d)
    scores = (queries @ keys.transpose(1, 2)).float() * module.scaling  # (H, s, R)
    weights = scores.softmax(-1)[:, :, row.pictures]  # (H, s, m)
    return weights if by_head else weights.mean(0)


def _heads(module: Any, letter: str, states: Any) -> Any:
    """(T, D) -> (H, T, d): projected, normed where the family does (Qwen3)."""
    projected = getattr(module, f"{letter}_proj")(states).unflatten(-1, (-1, module.head_dim))  # (T, H, d)
    norm = getattr(module, f"{letter}_norm", None)
    return (norm(projected) if norm is not None else projected).transpose(0, 1)


def _turned(heads: Any, cos: Any, sin: Any) -> Any:
    """(H, T, d) at its positions: rotary embedding, the two halves of a head together."""
    import torch

    half = heads.shape[-1] // 2
    return heads * cos + torch.cat([-heads[..., half:], heads[..., :half]], -1) * sin
