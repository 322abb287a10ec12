"""How much memory a training takes on one device, before a weight is loaded: what `pipkie train --dry-run` prints.

The model lies on torch's device "meta": its tensors have shapes and no bytes, so parameters are counted, not guessed.
Activations follow from the shapes of one decoder layer; tests/train compares them with what autograd keeps.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import nn

from pipkie_cli.train.pip_recipe import Recipe

FLOAT32 = 4  # bytes
ADAM = 2 * FLOAT32  # bytes a trained parameter: two means
OVERHEAD = 1.1  # of fragments, buffers and the CUDA context
GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Load:
    """The largest batch of one process, in tokens."""

    samples: int
    tokens: int  # of one sample: pictures, keys and slots
    patches: int  # of one sample: what the vision tower reads, before patches are merged
    slots: int  # of one sample, masked


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on one device."""

    parameters: int
    trained: int
    weights: int
    gradients: int
    optimizer: int
    activations: int
    logits: int

    @property
    def total(self) -> int:
        parts = self.weights + self.gradients + self.optimizer + self.activations + self.logits
        return int(OVERHEAD * parts)

    def lines(self) -> list[str]:
        """For people."""
        rows = {
            "weights": self.weights,
            "gradients": self.gradients,
            "optimizer": self.optimizer,
            "activations": self.activations,
            "slot logits": self.logits,
            "in all, with a tenth for the rest": self.total,
        }
        counted = f"{self.trained / 1e6:,.1f} of {self.parameters / 1e6:,.1f} million parameters are trained"
        return [counted, *(f"{name:<34}{size / GIB:8.2f} GiB" for name, size in rows.items())]


def estimate_memory(model: nn.Module, text: Any, vision: Any, recipe: Recipe, load: Load) -> Memory:
    """`model` may lie on the device meta; `text` and `vision` are its configs. `load` is the largest batch."""
    parameters = dict(model.named_parameters())
    n_all = sum(one.numel() for one in parameters.values())
    trained = _trained(parameters, text, recipe)
    half = recipe.dtype == "bfloat16"
    base = 2 if half and recipe.lora_rank and recipe.vision == "frozen" else FLOAT32  # what learns stays float32
    adapters = FLOAT32 * trained if recipe.lora_rank else 0
    activation = 2 if half else FLOAT32
    return Memory(
        parameters=n_all,
        trained=trained,
        weights=n_all * base + adapters,
        gradients=trained * FLOAT32,
        optimizer=trained * ADAM,
        activations=_activations(text, vision, recipe, load, activation),
        logits=load.samples * load.slots * text.vocab_size * (activation + 3 * FLOAT32),
    )


def is_language(name: str) -> bool:
    """A parameter of the language model, by its name; the rest is vision tower and projector."""
    return "language_model." in name or name.startswith("lm_head.")


def _trained(parameters: Mapping[str, nn.Parameter], text: Any, recipe: Recipe) -> int:
    vision = sum(one.numel() for name, one in parameters.items() if not is_language(name))
    towers = vision if recipe.vision == "trained" else 0
    if not recipe.lora_rank:
        return towers + sum(one.numel() for name, one in parameters.items() if is_language(name))
    linears = (one for name, one in parameters.items() if is_language(name) and ".layers." in name and one.ndim == 2)
    row = int(text.hidden_size)  # of [mask]
    return towers + recipe.lora_rank * sum(sum(one.shape) for one in linears) + row


def _activations(text: Any, vision: Any, recipe: Recipe, load: Load, size: int) -> int:
    """Bytes that are kept for the backward pass, and what a frozen vision tower needs while it runs."""
    tokens = load.samples * load.tokens
    layer = tokens * _kept(text.hidden_size, text.intermediate_size, size, lora=bool(recipe.lora_rank))
    if recipe.kernel == "eager":
        layer += 2 * size * text.num_attention_heads * load.samples * load.tokens**2
    n_layers = text.num_hidden_layers
    language = layer + n_layers * tokens * text.hidden_size * size if recipe.checkpointing else n_layers * layer
    patches = load.samples * load.patches
    width: int = getattr(vision, "embed_dim", None) or vision.hidden_size
    inner = getattr(vision, "intermediate_size", None) or int(width * vision.mlp_ratio)
    n_vision = getattr(vision, "depth", None) or vision.num_hidden_layers
    one = patches * _kept(width, inner, size, lora=False)
    if recipe.vision == "trained":
        return int(language + (one + n_vision * patches * width * size if recipe.checkpointing else n_vision * one))
    return int(max(language, one))


def _kept(width: int, inner: int, size: int, lora: bool) -> int:
    """Bytes a token that one layer keeps: inputs of its matrices, queries, keys, values, gate and up, and the norms in
    float32. Adapters keep their input in float32 too."""
    matrices = (8 * width + 4 * inner) * size
    norms = 2 * 2 * width * FLOAT32
    return matrices + norms + ((4 * width + inner) * FLOAT32 if lora else 0)
