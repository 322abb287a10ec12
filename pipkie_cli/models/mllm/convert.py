"""InternVL2 in its published chat format -> a folder that the native classes of transformers load.

No code of the folder runs. InternLM2 inside becomes Llama, which computes the same; Qwen2 stays. Weights keep their
precision, bit by bit.
"""

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pipkie_cli.errors import ModelError, OutputError
from pipkie_cli.models.mllm.chat_config import (
    language_of,
    largest_grid,
    native_config,
    read_chat_config,
)
from pipkie_cli.models.mllm.chat_tokenizer import IMAGE, TURN_END, native_tokenizer
from pipkie_cli.models.mllm.chat_weights import Heads, native_tensors
from pipkie_cli.models.weights import weight_files

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import InternVLConfig, InternVLForConditionalGeneration, PreTrainedTokenizerBase

log = logging.getLogger(__name__)

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet: what InternViT was trained with


def convert_chat(source: Path, target: Path, say: Callable[[str], None] = log.info) -> None:
    """Write the checkpoint of the folder `source` as a new folder `target`.

    Needs as much memory as the weights. The target appears whole or not at all. Raises ModelError for a checkpoint that
    is damaged or of another kind, OutputError.
    """
    if target.exists():
        raise OutputError(f"{target} exists", hint="name a new folder")
    chat = read_chat_config(source)
    say("tokenizer: the same ids for every added token")
    tokenizer = native_tokenizer(source, language_of(chat))
    config = native_config(chat, cast(int, tokenizer.convert_tokens_to_ids(IMAGE)))
    model = native_model(config, source, chat)
    n = sum(one.numel() for one in model.parameters())
    say(f"weights: {n / 1e6:,.1f} million numbers under their native names")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            _write(beside, model, tokenizer, chat)
            beside.chmod(0o777 & ~_umask())
            os.rename(beside, target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}", hint="choose another folder") from error


def native_model(config: "InternVLConfig", source: Path, chat: dict[str, Any]) -> "InternVLForConditionalGeneration":
    """The native model with the weights of the folder, in their precision. Raises ModelError unless every one fits."""
    import torch
    from transformers import InternVLForConditionalGeneration

    text = config.get_text_config()
    heads = Heads(text.num_attention_heads, text.num_key_value_heads, text.hidden_size // text.num_attention_heads)
    tensors: dict[str, Tensor] = {}
    for name, tensor in _read_tensors(source):
        tensors.update(native_tensors(name, tensor, language_of(chat), heads))
    if config.tie_word_embeddings:
        tensors["lm_head.weight"] = tensors["model.language_model.embed_tokens.weight"]
    with torch.device("meta"):  # shapes without memory: the weights read are put in their places
        model: Any = InternVLForConditionalGeneration._from_config(config)  # type: ignore[no-untyped-call]
    try:
        model.load_state_dict(tensors, strict=True, assign=True)
    except RuntimeError as error:
        raise ModelError(
            f"the weights of {source} are not those that its config.json says: {_first_line(error)}",
            hint="fetch the checkpoint again",
        ) from error
    if config.tie_word_embeddings:
        model.tie_weights()
    return cast(InternVLForConditionalGeneration, model)


def _read_tensors(source: Path) -> "Iterator[tuple[str, Tensor]]":
    """Every tensor of the folder's safetensors. Raises ModelError."""
    from safetensors import SafetensorError, safe_open

    for path in weight_files(source):
        try:
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # noqa: SIM118  (no mapping)
                    yield name, file.get_tensor(name)
        except (OSError, SafetensorError) as error:
            raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again") from error


def _write(
    folder: Path, model: "InternVLForConditionalGeneration", tokenizer: "PreTrainedTokenizerBase", chat: dict[str, Any]
) -> None:
    """Weights, configuration, tokenizer, and how pages are cut to tiles."""
    from transformers import GenerationConfig
    from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import GotOcr2ImageProcessorPil

    ends = {tokenizer.convert_tokens_to_ids(TURN_END), tokenizer.eos_token_id}
    model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
        eos_token_id=sorted(ends), pad_token_id=tokenizer.pad_token_id, bos_token_id=tokenizer.bos_token_id
    )
    model.save_pretrained(folder, safe_serialization=True)
    tokenizer.save_pretrained(folder)
    fewest, most = largest_grid(chat)
    size = chat["vision_config"]["image_size"]
    GotOcr2ImageProcessorPil(
        size={"height": size, "width": size},
        crop_to_patches=True,
        min_patches=fewest,
        max_patches=most,
        image_mean=list(MEAN),
        image_std=list(DEVIATION),
    ).save_pretrained(folder)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _first_line(error: RuntimeError) -> str:
    """What torch names first, shortened: it lists every tensor."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[1][:200] if len(lines) > 1 else lines[0][:200]
