"""Tiny random checkpoints of every multimodal family, on disk in the form of published ones: under a megabyte."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import Qwen2Tokenizer

from pipkie_cli.models.mllm import Sidecar, write_sidecar

FAMILIES = ("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "internvl")
MASK, END = "<|mask|>", "<|im_end|>"
QWEN = (
    "<|endoftext|>", "<|im_start|>", END, "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>",
    "<|video_pad|>",
)  # fmt: skip
INTERN = ("<|endoftext|>", "<|im_start|>", END, "<img>", "</img>", "<IMG_CONTEXT>", "<video>")
CORPUS = [
    "Invoice number: INV-2024-001\nDate: 2024-03-05\nTotal: 193.00 EUR\nVendor: ACME GmbH",
    "unknown name address phone quantity price item subtotal tax cash change company store text date amount",
    "Key: value. Read the document and fill every field. Invoice receipt 0123456789 ,.:;-/()[]{}\"'",
] * 4
SLOTS = {"text": 6, "date": 12, "amount": 8}
CLASSES = {
    "qwen2_vl": "Qwen2VL",
    "qwen2_5_vl": "Qwen2_5_VL",
    "qwen3_vl": "Qwen3VL",
    "internvl": "InternVL",
}


def build_tiny(
    family: str,
    folder: Path,
    *,
    hidden: int = 64,
    layers: int = 2,
    vision_layers: int = 2,
    heads: int = 4,
    kv_heads: int = 2,
    tie: bool = False,
    mask: bool = True,
    sidecar: Mapping[str, Any] | None = {},
    corpus: list[str] | None = None,
    vocab_size: int = 400,
    spare_rows: int = 0,
    max_pixels: int = 28 * 28 * 64,
    scale: float = 3.0,
    seed: int = 0,
    **text: Any,
) -> Path:
    """A random model with its tokenizer and `preprocessor_config.json`; `sidecar` overrides fields of pipkie.json.

    `spare_rows` of the table belong to no token, as in Qwen's. Without `mask` the vocabulary holds no mask token, as
    in an ordinary checkpoint (then pass sidecar=None).
    Weights are `scale` times the usual 0.02: a smaller start is so nearly linear that attention does not matter.
    """
    tokenizer = _tokenizer(family, corpus or CORPUS, vocab_size, mask)
    sizes = dict(
        vocab_size=len(tokenizer) + spare_rows, hidden_size=hidden, intermediate_size=2 * hidden,
        num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv_heads,
        max_position_embeddings=4096, rms_norm_eps=1e-6, bos_token_id=None, pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id, **text,
    )  # fmt: skip
    config = _config(family, tokenizer, sizes, vision_layers, tie)
    torch.manual_seed(seed)
    model = getattr(transformers, f"{CLASSES[family]}ForConditionalGeneration")._from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim >= 2:
                parameter.mul_(scale)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(_pictures(family, max_pixels)))
    if sidecar is not None:
        ids = {"mask_id": tokenizer.convert_tokens_to_ids(MASK), "end_id": tokenizer.convert_tokens_to_ids(END)}
        told: dict[str, Any] = {"slots": SLOTS, "max_pixels": max_pixels, **ids, **sidecar}
        write_sidecar(folder, Sidecar(family, mask_token=MASK, end_token=END, **told))
    return folder


def _tokenizer(family: str, corpus: list[str], vocab_size: int, mask: bool) -> Qwen2Tokenizer:
    """Byte-level BPE, in the form and with the special tokens of the family."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, show_progress=False, initial_alphabet=alphabet)
    bpe.train_from_iterator(corpus, trainer)
    learnt = json.loads(bpe.to_str())["model"]
    merges = [tuple(one if isinstance(one, list) else one.split(" ")) for one in learnt["merges"]]
    names = {}
    if family == "internvl":
        names["extra_special_tokens"] = {
            "start_image_token": "<img>", "end_image_token": "</img>", "context_image_token": "<IMG_CONTEXT>",
            "video_token": "<video>",
        }  # fmt: skip
    tokenizer = Qwen2Tokenizer(vocab=learnt["vocab"], merges=merges, eos_token=END, pad_token="<|endoftext|>", **names)
    special = [*(INTERN if family == "internvl" else QWEN), *([MASK] if mask else [])]
    tokenizer.add_tokens([AddedToken(one, special=True, normalized=False) for one in special])
    return tokenizer


def _config(family: str, tokenizer: Qwen2Tokenizer, sizes: dict[str, Any], vision_layers: int, tie: bool) -> Any:
    hidden, head = sizes["hidden_size"], sizes["hidden_size"] // sizes["num_attention_heads"]
    ids = tokenizer.convert_tokens_to_ids
    if family == "internvl":
        vision = dict(
            hidden_size=32, num_hidden_layers=vision_layers, num_attention_heads=2, intermediate_size=64,
            image_size=[56, 56], patch_size=[14, 14],
        )  # fmt: skip
        return transformers.InternVLConfig(
            text_config=dict(model_type="qwen2", **sizes), vision_config=vision, image_token_id=ids("<IMG_CONTEXT>"),
            image_seq_length=4, tie_word_embeddings=tie,
        )  # fmt: skip
    rest = head * 3 // 16  # a quarter and three eighths twice, as 16, 24, 24 of 64 in the published ones
    rope: dict[str, Any] = dict(rope_type="default", rope_theta=1e6, mrope_section=[head // 2 - 2 * rest, rest, rest])
    vision = dict(depth=vision_layers, num_heads=2, hidden_size=32, intermediate_size=64, out_hidden_size=hidden)
    if family == "qwen2_vl":
        vision = dict(depth=vision_layers, embed_dim=32, hidden_size=hidden, num_heads=2, mlp_ratio=2, patch_size=14)
    elif family == "qwen2_5_vl":
        vision |= dict(patch_size=14, window_size=56, fullatt_block_indexes=[vision_layers - 1])
    else:
        vision |= dict(patch_size=16, num_position_embeddings=64, deepstack_visual_indexes=[0])
        rope["mrope_interleaved"] = True
        sizes = sizes | {"head_dim": head}
    return getattr(transformers, f"{CLASSES[family]}Config")(
        text_config=dict(rope_parameters=rope, **sizes), vision_config=vision, tie_word_embeddings=tie,
        image_token_id=ids("<|image_pad|>"), video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"), vision_end_token_id=ids("<|vision_end|>"),
    )  # fmt: skip


def _pictures(family: str, max_pixels: int) -> dict[str, Any]:
    """`preprocessor_config.json` as the family's publishers write it: three forms."""
    if family == "internvl":
        return {
            "image_processor_type": "GotOcr2ImageProcessorFast", "crop_to_patches": False, "min_patches": 1,
            "max_patches": 4, "size": {"height": 56, "width": 56}, "image_mean": [0.485, 0.456, 0.406],
            "image_std": [0.229, 0.224, 0.225],
        }  # fmt: skip
    shared = {"temporal_patch_size": 2, "merge_size": 2, "image_processor_type": "Qwen2VLImageProcessorFast"}
    if family == "qwen3_vl":
        sides = {"longest_edge": max_pixels, "shortest_edge": 56 * 56}
        return {**shared, "patch_size": 16, "size": sides, "image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    means = {"image_mean": [0.481, 0.458, 0.408], "image_std": [0.269, 0.261, 0.276]}
    return {**shared, **means, "patch_size": 14, "min_pixels": 56 * 56, "max_pixels": max_pixels}
