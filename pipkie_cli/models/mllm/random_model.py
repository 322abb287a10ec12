"""Qwen2-VL of published sizes with random weights: what things cost does not depend on what the weights know.

Nothing is downloaded and nothing is written. The tokenizer is trained on given texts, so that names of keys and JSON's
marks take as few tokens as with a published one; the table of tokens has the published number of rows.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm.load import MASK_TOKEN, Checkpoint, needed_libraries
from pipkie_cli.models.mllm.qwen import load as load_family
from pipkie_cli.models.mllm.sidecar import Sidecar

END: Final = "<|im_end|>"
SPECIAL: Final = (
    "<|endoftext|>", "<|im_start|>", END, "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>",
    "<|video_pad|>", MASK_TOKEN,
)  # fmt: skip
MERGES: Final = 6_000  # tokens of the tokenizer that is trained, at most
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Size:
    """A shape of Qwen2-VL. Widths and rows are numbers of float parameters."""

    width: int
    inner: int
    layers: int
    heads: int
    kv_heads: int
    rows: int  # of the table of tokens
    tied: bool
    vision_layers: int
    vision_width: int
    vision_heads: int
    page_px: tuple[int, int]  # height and width of the page that is read
    on_cpu: bool = False


RECEIPT = (588, 560)  # 420 image tokens
A4 = (1754, 1240)  # at 150 dpi; capped to some 1,260 image tokens
SIZES: Final = {
    "small": Size(64, 256, 12, 4, 2, 8_192, False, 4, 64, 2, RECEIPT, on_cpu=True),
    "medium": Size(256, 1024, 12, 8, 2, 8_192, False, 6, 192, 6, RECEIPT, on_cpu=True),
    "2b": Size(1536, 8960, 28, 12, 2, 151_936, True, 32, 1280, 16, A4),
    "7b": Size(3584, 18_944, 28, 28, 4, 152_064, False, 32, 1280, 16, A4),
}


def random_checkpoint(name: str, texts: Sequence[str], device: str = "cpu") -> Checkpoint:
    """The size of that name on a device: float32 on a CPU, bfloat16 elsewhere. Raises ModelError."""
    with needed_libraries():
        import torch
        import transformers

    size = SIZES[name]
    tokenizer = _tokenizer(texts)
    config = _config(size, tokenizer, transformers.Qwen2VLConfig)
    kind: Any = transformers.Qwen2VLForConditionalGeneration
    torch.manual_seed(SEED)
    dtype = torch.float32 if device == "cpu" else torch.bfloat16
    try:
        with torch.device(device):
            model = kind._from_config(config, dtype=dtype, attn_implementation="sdpa").eval()
    except (AssertionError, RuntimeError) as error:  # AssertionError: torch was built without CUDA
        raise ModelError(
            f"the model cannot be made on {device} ({type(error).__name__})", hint="--device cpu"
        ) from error
    pictures = {"image_mean": [0.48, 0.46, 0.41], "image_std": [0.27, 0.26, 0.28], "min_pixels": 56 * 56}
    mask_id, end_id = tokenizer.convert_tokens_to_ids([MASK_TOKEN, END])
    sidecar = Sidecar("qwen2_vl", MASK_TOKEN, mask_id, END, end_id)
    return Checkpoint(model, tokenizer, load_family(config, pictures), sidecar, Path(f"random-{name}"))


def _config(size: Size, tokenizer: Any, kind: Any) -> Any:
    ids = tokenizer.convert_tokens_to_ids
    half = size.width // size.heads // 2
    rest = half * 3 // 8  # of 64: 16, 24, 24
    return kind(
        text_config=dict(
            vocab_size=size.rows, hidden_size=size.width, intermediate_size=size.inner, num_hidden_layers=size.layers,
            num_attention_heads=size.heads, num_key_value_heads=size.kv_heads, max_position_embeddings=32_768,
            rms_norm_eps=1e-6, bos_token_id=None, pad_token_id=None, eos_token_id=ids(END),
            rope_parameters=dict(rope_type="default", rope_theta=1e6, mrope_section=[half - 2 * rest, rest, rest]),
        ),
        vision_config=dict(
            depth=size.vision_layers, embed_dim=size.vision_width, hidden_size=size.width, num_heads=size.vision_heads,
            mlp_ratio=4, patch_size=14,
        ),
        tie_word_embeddings=size.tied, image_token_id=ids("<|image_pad|>"), video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"), vision_end_token_id=ids("<|vision_end|>"),
    )  # fmt: skip


def _tokenizer(texts: Sequence[str]) -> Any:
    """Byte-level BPE as in Qwen's, of the texts given."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, trainers
    from transformers import Qwen2Tokenizer

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=MERGES, show_progress=False, initial_alphabet=alphabet)
    bpe.train_from_iterator(texts, trainer)
    learnt = json.loads(bpe.to_str())["model"]
    merges: Any = [tuple(one if isinstance(one, list) else one.split(" ")) for one in learnt["merges"]]
    tokenizer = Qwen2Tokenizer(vocab=learnt["vocab"], merges=merges, eos_token=END, pad_token="<|endoftext|>")
    tokenizer.add_tokens([AddedToken(one, special=True, normalized=False) for one in SPECIAL])
    return tokenizer
