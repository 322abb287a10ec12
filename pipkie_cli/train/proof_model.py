"""The proof's model: Qwen2-VL with a million parameters and random weights, written as a checkpoint like any other.

Three things differ from the published sizes, each for a model of this size: pictures are normalised so that white
paper is 0 (at the usual +-1 blank paper drowns the print in the first, random layers); the rotary base is 10 (pictures
are 8 cells wide, not hundreds); the tokenizer has one token per letter and one for each phrase of the prompt.
"""

import json
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2VLConfig, Qwen2VLForConditionalGeneration

from pipkie_cli.models.mllm import Sidecar, write_sidecar
from pipkie_cli.train.proof_slips import CELL, COLUMNS, KEYS, LETTER, LINES, READ

MASK, END, PAD = "<|mask|>", "<|im_end|>", "<|endoftext|>"
SPECIAL = (
    PAD, "<|im_start|>", END, "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>",
    MASK,
)  # fmt: skip
WIDTH, LAYERS, HEADS = 160, 4, 5
VISION_WIDTH, VISION_LAYERS, VISION_HEADS = 128, 1, 4
ROTARY_BASE = 10.0
ROTARY_SECTIONS = [4, 6, 6]  # of half a head's 32: a quarter for text, three eighths each for lines and columns
START = 0.05  # standard deviation of the random weights
INK = 0.35  # pixels are (x - 1) / 0.35: white 0, black -2.9
SLOTS = 9  # per value: the longest printed value has 8 letters, and an end
SLIP_PIXELS = COLUMNS * LETTER * LINES * CELL


def write_start(folder: Path, instruction: str, seed: int) -> None:
    """A random model, its tokenizer, sizes of pictures and sidecar; `instruction` is how every prompt begins."""
    phrases = ["user\n", f"\n{instruction}", "assistant\n", ": ", "unknown", READ.prompt, *KEYS]
    tokenizer = _tokenizer(phrases)
    torch.manual_seed(seed)
    folder.mkdir(parents=True, exist_ok=True)
    model = Qwen2VLForConditionalGeneration._from_config(_config(tokenizer))  # type: ignore[no-untyped-call]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    pictures = {
        "image_processor_type": "Qwen2VLImageProcessor", "patch_size": CELL // 2, "merge_size": 2,
        "temporal_patch_size": 2, "min_pixels": CELL * CELL, "max_pixels": SLIP_PIXELS,
        "image_mean": [1.0] * 3, "image_std": [INK] * 3,
    }  # fmt: skip
    (folder / "preprocessor_config.json").write_text(json.dumps(pictures), encoding="utf-8")
    mask_id, end_id = (_id(tokenizer, token) for token in (MASK, END))
    write_sidecar(
        folder,
        Sidecar(
            family="qwen2_vl",
            mask_token=MASK,
            mask_id=mask_id,
            end_token=END,
            end_id=end_id,
            slots={"text": SLOTS},
            max_pixels=SLIP_PIXELS,
            max_pictures=1,
            base="random",
        ),
    )


def quick_patches(model: Any) -> None:
    """Patches embedded by one product of matrices: the same numbers as the convolution, faster on a CPU."""
    stem = model.model.visual.patch_embed

    def embed(patches: torch.Tensor) -> torch.Tensor:
        """(P, 3 * 2 * 14 * 14) -> (P, width)."""
        return F.linear(patches, stem.proj.weight.flatten(1))

    stem.forward = embed


def _tokenizer(phrases: list[str]) -> PreTrainedTokenizerFast:
    """Bytes, and merges that make each phrase one token; a value of capitals and figures stays one token a letter."""
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, show_progress=False, initial_alphabet=alphabet)
    bpe.train_from_iterator(phrases * 50, trainer)
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=bpe, eos_token=END, pad_token=PAD
    )
    tokenizer.add_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
    return tokenizer


def _config(tokenizer: PreTrainedTokenizerFast) -> Qwen2VLConfig:
    image, video, start, end = (
        _id(tokenizer, f"<|{name}|>") for name in ("image_pad", "video_pad", "vision_start", "vision_end")
    )
    text = dict(
        vocab_size=len(tokenizer), hidden_size=WIDTH, intermediate_size=2 * WIDTH, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=HEADS, max_position_embeddings=1024, rms_norm_eps=1e-6,
        rope_parameters=dict(rope_type="default", rope_theta=ROTARY_BASE, mrope_section=ROTARY_SECTIONS),
        bos_token_id=None, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        initializer_range=START,
    )  # fmt: skip
    vision = dict(
        depth=VISION_LAYERS, embed_dim=VISION_WIDTH, hidden_size=WIDTH, num_heads=VISION_HEADS, mlp_ratio=3,
        patch_size=CELL // 2, initializer_range=START,
    )  # fmt: skip
    whole: dict[str, Any] = dict(
        text_config=text, vision_config=vision, tie_word_embeddings=True, initializer_range=START,
        image_token_id=image, video_token_id=video, vision_start_token_id=start, vision_end_token_id=end,
    )  # fmt: skip
    return Qwen2VLConfig(**whole)


def _id(tokenizer: Any, token: str) -> int:
    return int(tokenizer.convert_tokens_to_ids(token))
