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

MASKS = ("slots", "token_types", "attention_mask")  # (B, L) each
Weights = Any  # a float32 tensor on the CPU


@dataclass(slots=True)
class Looked:
    """What the layers told while a batch went through: per layer and row (s, m), or by head (H, s, m)."""

    layers: dict[int, list[Weights]] = field(default_factory=dict)

    def mean(self, row: int) -> Weights:
        """(s, m): of one row, over its layers."""
        import torch

        return torch.stack([rows[row] for rows in self.layers.values()]).mean(0)


def look_layers(checkpoint: Checkpoint) -> tuple[int, ...]:
    """The decoder layers that are asked: those the sidecar names, else the middle third."""
    n = len(checkpoint.family.language_layers(checkpoint.model))
    named = checkpoint.trained.look
    return tuple(one for one in named if 0 <= one < n) or tuple(range(n // 3, max(n // 3 + 1, 2 * n // 3)))


@contextmanager
def watched(
    checkpoint: Checkpoint, batch: Mapping[str, Any], layers: Sequence[int], *, by_head: bool = False
) -> Iterator[Looked]:
    """Within it, one bidirectional forward of `batch` (as `collate` made it) also tells where its slots look."""
    looked = Looked()
    modules = checkpoint.family.language_layers(checkpoint.model)
    hooks = [
        modules[number].self_attn.register_forward_pre_hook(_hook(looked, number, batch, by_head), with_kwargs=True)
        for number in layers
    ]
    try:
        yield looked
    finally:
        for hook in hooks:
            hook.remove()


def _hook(looked: Looked, number: int, batch: Mapping[str, Any], by_head: bool) -> Callable[..., None]:
    """Before attention of layer `number`: computes the weights of the slots' rows and changes nothing."""

    def before(module: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        import torch

        states = named["hidden_states"] if "hidden_states" in named else arguments[0]  # (B, L, D)
        with torch.no_grad():
            looked.layers[number] = [
                _slot_weights(module, states[row], rope, {name: batch[name][row] for name in MASKS}, by_head)
                for row in range(len(states))
                for rope in [[one[min(row, len(one) - 1)] for one in named["position_embeddings"]]]  # (1 or B, L, d)
            ]

    return before


def _slot_weights(module: Any, states: Any, rope: Sequence[Any], row: Mapping[str, Any], by_head: bool) -> Weights:
    """(s, m) or (H, s, m): one row's attention from slots to tokens of pictures; softmax in float32.

    `states` (L, D) after the layer's norm, `rope` the cosines and sines (L, d), `row` masks (L,).
    """
    slots, pictures, real = (row[name].bool().to(states.device) for name in ("slots", "token_types", "attention_mask"))
    cos, sin = rope
    queries = _turned(_heads(module, "q", states[slots]), cos[slots], sin[slots])  # (H, s, d)
    keys = _turned(_heads(module, "k", states), cos, sin)  # (H of keys, L, d)
    keys = keys.repeat_interleave(len(queries) // len(keys), 0)  # (H, L, d)
    scores = (queries @ keys.transpose(1, 2)).float() * module.scaling  # (H, s, L)
    weights = scores.masked_fill(~real, float("-inf")).softmax(-1)[:, :, pictures]  # (H, s, m)
    return (weights if by_head else weights.mean(0)).cpu()


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
