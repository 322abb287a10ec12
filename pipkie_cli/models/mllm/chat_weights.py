"""Tensors of InternVL's chat format -> those of the native InternVL, by name.

The arithmetic stays: names change, and attention's stacked projections are cut. InternViT stacks q, k and v in thirds.
InternLM2 interleaves them by head of keys and values: (heads of kv, queries a head + 2, head_dim, width).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm.chat_config import Language

if TYPE_CHECKING:
    from torch import Tensor

VISION_NAMES = (
    (r"^vision_model\.", "model.vision_tower."),
    (r"embeddings\.class_embedding$", "embeddings.cls_token"),
    (r"embeddings\.position_embedding$", "embeddings.position_embeddings"),
    (r"embeddings\.patch_embedding\.", "embeddings.patch_embeddings.projection."),
    (r"\.encoder\.layers\.", ".encoder.layer."),
    (r"\.ls([12])$", r".lambda_\1"),
    (r"\.norm1\.", ".layernorm_before."),
    (r"\.norm2\.", ".layernorm_after."),
    (r"\.attn\.proj\.", ".attention.projection_layer."),
    (r"\.attn\.", ".attention."),
)
BRIDGE_NAMES = (
    (r"^mlp1\.0\.", "model.multi_modal_projector.layer_norm."),
    (r"^mlp1\.1\.", "model.multi_modal_projector.linear_1."),
    (r"^mlp1\.3\.", "model.multi_modal_projector.linear_2."),
)
INTERNLM2_NAMES = (
    (r"^language_model\.output\.", "lm_head."),
    (r"^language_model\.model\.", "model.language_model."),
    (r"\.tok_embeddings\.", ".embed_tokens."),
    (r"\.attention\.wo\.", ".self_attn.o_proj."),
    (r"\.feed_forward\.w1\.", ".mlp.gate_proj."),
    (r"\.feed_forward\.w2\.", ".mlp.down_proj."),
    (r"\.feed_forward\.w3\.", ".mlp.up_proj."),
    (r"\.attention_norm\.", ".input_layernorm."),
    (r"\.ffn_norm\.", ".post_attention_layernorm."),
    (r"\.attention\.wqkv\.", ".self_attn.wqkv."),
)
QWEN2_NAMES = (
    (r"^language_model\.lm_head\.", "lm_head."),
    (r"^language_model\.model\.", "model.language_model."),
)
NAMES: dict[Language, tuple[tuple[str, str], ...]] = {"internlm2": INTERNLM2_NAMES, "qwen2": QWEN2_NAMES}


@dataclass(frozen=True, slots=True)
class Heads:
    """Heads of the language model's attention: of queries, of keys and values, and the width of one."""

    n: int
    n_kv: int
    dim: int


def native_tensors(name: str, tensor: "Tensor", language: Language, heads: Heads) -> "Iterator[tuple[str, Tensor]]":
    """One tensor under its native name, or the three that it is cut to. Raises ModelError for a name nobody knows."""
    if name.startswith("vision_model."):
        new = _renamed(name, VISION_NAMES)
        yield from _thirds(new, tensor) if ".attention.qkv." in new else ((new, tensor),)
    elif name.startswith("mlp1."):
        yield _renamed(name, BRIDGE_NAMES), tensor
    elif name.startswith("language_model."):
        new = _renamed(name, NAMES[language])
        yield from _by_head(new, tensor, heads) if ".wqkv." in new else ((new, tensor),)
    else:
        raise ModelError(f"the tensor {name[:80]} is unknown", hint="fetch the checkpoint again, or an InternVL2 one")


def _renamed(name: str, rules: tuple[tuple[str, str], ...]) -> str:
    for pattern, replacement in rules:
        name = re.sub(pattern, replacement, name)
    return name


def _thirds(name: str, stacked: "Tensor") -> "Iterator[tuple[str, Tensor]]":
    """qkv (3D, D) or its bias (3D,) -> q, k, v."""
    for letter, part in zip("qkv", stacked.chunk(3), strict=True):
        yield name.replace(".qkv.", f".{letter}_proj."), part.contiguous()


def _by_head(name: str, stacked: "Tensor", heads: Heads) -> "Iterator[tuple[str, Tensor]]":
    """wqkv ((n + 2 n_kv) dim, D) -> q (n dim, D), k and v (n_kv dim, D)."""
    if stacked.ndim != 2 or stacked.shape[0] != (heads.n + 2 * heads.n_kv) * heads.dim or heads.n % heads.n_kv:
        raise ModelError(f"{name} has not the heads that config.json says", hint="fetch the checkpoint again")
    grouped = stacked.view(heads.n_kv, heads.n // heads.n_kv + 2, heads.dim, stacked.shape[1])
    for letter, part in (("q", grouped[:, :-2]), ("k", grouped[:, -2]), ("v", grouped[:, -1])):
        yield name.replace(".wqkv.", f".{letter}_proj."), part.reshape(-1, stacked.shape[1]).contiguous()
