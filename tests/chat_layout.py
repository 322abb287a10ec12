"""A tiny InternVL2 checkpoint in its published chat format, and that format's arithmetic written out in plain torch.

Names and shapes of the tensors are those of the published folders; no class of transformers takes part.
"""

import json
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional

TEXTS = [
    "Invoice number: INV-2024-001 Date: 2024-03-05 Total: 193.00 EUR Vendor: ACME GmbH",
    "unknown name address phone quantity price item subtotal tax cash change company store",
    "Rechnung Nummer Betrag Straße Müller Söhne 0123456789 , . : ; - / ( ) % & < > \" '",
    "Read the document and fill every field\nkey: value",
]
SIDE, PATCH, WIDTH_V, HEADS_V, LAYERS = 56, 14, 32, 2, 2  # 4 x 4 patches a tile, 4 tokens after the shuffle
WIDTH, HEADS, HEADS_KV, INNER = 64, 4, 2, 96
DIM = WIDTH // HEADS
THETA, EPS = 1e6, 1e-5
ADDED = ("<img>", "</img>", "<IMG_CONTEXT>", "<quad>", "</quad>")
RENAMED = ("<|im_end|>", "<|im_start|>")  # pieces that the checkpoint gives a meaning


def write_chat(folder: Path, language: str = "internlm2", **changes: Any) -> dict[str, Tensor]:
    """Write the folder and return its tensors. `changes` go into config.json."""
    folder.mkdir(parents=True, exist_ok=True)
    n = _write_pieces(folder) if language == "internlm2" else _write_merges(folder)
    text = {
        "architectures": ["InternLM2ForCausalLM" if language == "internlm2" else "Qwen2ForCausalLM"],
        "vocab_size": n, "hidden_size": WIDTH, "intermediate_size": INNER, "max_position_embeddings": 4096,
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": HEADS_KV,
        "rms_norm_eps": EPS, "rope_theta": THETA, "hidden_act": "silu", "bias": False, "tie_word_embeddings": False,
        "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 2, "torch_dtype": "float32",
    }  # fmt: skip
    if language == "internlm2":
        text["rope_scaling"] = {"type": "dynamic", "factor": 2.0}
    config = {
        "model_type": "internvl_chat",
        "auto_map": {"AutoModel": "modeling_internvl_chat.InternVLChatModel"},
        "llm_config": text,
        "vision_config": {
            "hidden_size": WIDTH_V, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS_V, "image_size": SIDE,
            "intermediate_size": 48, "patch_size": PATCH, "qkv_bias": True, "qk_normalization": False,
            "norm_type": "layer_norm", "layer_norm_eps": 1e-6, "hidden_act": "gelu",
        },
        "ps_version": "v2", "select_layer": -1, "downsample_ratio": 0.5, "use_thumbnail": True,
        "force_image_size": SIDE, "dynamic_image_size": True, "min_dynamic_patch": 1, "max_dynamic_patch": 4,
        "torch_dtype": "float32", "template": "internlm2-chat",
    }  # fmt: skip
    for name, value in changes.items():
        part, _, key = name.rpartition("__")
        (config[part] if part else config)[key] = value  # type: ignore[index]
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "modeling_internvl_chat.py").write_text("raise SystemExit('code of the folder was run')\n")
    tensors = _tensors(n, language, config)
    save_file(tensors, folder / "model.safetensors")
    return tensors


def logits(tensors: dict[str, Tensor], language: str, ids: Tensor, pixels: Tensor, image_id: int) -> Tensor:
    """ids (T,), pixels (tiles, 3, SIDE, SIDE) -> (T, V): the chat model's forward, causal as published."""
    embedded = "tok_embeddings" if language == "internlm2" else "embed_tokens"
    x = tensors[f"language_model.model.{embedded}.weight"][ids]  # (T, D)
    x[ids == image_id] = image_features(tensors, pixels).reshape(-1, WIDTH)
    for number in range(LAYERS):
        layer = f"language_model.model.layers.{number}."
        x = _internlm2_layer(tensors, layer, x) if language == "internlm2" else _qwen2_layer(tensors, layer, x)
    x = _rms(x, tensors["language_model.model.norm.weight"])
    return x @ tensors[f"language_model.{'output' if language == 'internlm2' else 'lm_head'}.weight"].T


def image_features(tensors: dict[str, Tensor], pixels: Tensor) -> Tensor:
    """(tiles, 3, SIDE, SIDE) -> (tiles, 4, D): InternViT without its class token, pixel shuffle v2, two layers."""
    name = "vision_model.embeddings."
    x = functional.conv2d(
        pixels, tensors[f"{name}patch_embedding.weight"], tensors[f"{name}patch_embedding.bias"], stride=PATCH
    )
    x = x.flatten(2).transpose(1, 2)  # (tiles, 16, Dv)
    x = (
        torch.cat([tensors[f"{name}class_embedding"].expand(len(x), 1, -1), x], 1)
        + tensors[f"{name}position_embedding"]
    )
    for number in range(LAYERS):
        x = _vision_layer(tensors, f"vision_model.encoder.layers.{number}.", x)
    x = _shuffle(x[:, 1:].reshape(len(x), 4, 4, WIDTH_V)).reshape(len(x), 4, 4 * WIDTH_V)
    x = functional.layer_norm(x, x.shape[-1:], tensors["mlp1.0.weight"], tensors["mlp1.0.bias"])
    x = functional.gelu(x @ tensors["mlp1.1.weight"].T + tensors["mlp1.1.bias"])
    return x @ tensors["mlp1.3.weight"].T + tensors["mlp1.3.bias"]


def _shuffle(x: Tensor) -> Tensor:
    """(n, 4, 4, C) -> (n, 2, 2, 4 C): token (r, c) holds the patches of rows 2r, 2r+1 and columns 2c, 2c+1."""
    rows = [
        torch.stack([torch.cat([x[:, 2 * r, 2 * c], x[:, 2 * r, 2 * c + 1], x[:, 2 * r + 1, 2 * c],
                                x[:, 2 * r + 1, 2 * c + 1]], -1) for c in range(2)], 1)
        for r in range(2)
    ]  # fmt: skip
    return torch.stack(rows, 1)


def _vision_layer(tensors: dict[str, Tensor], layer: str, x: Tensor) -> Tensor:
    n, t, d = x.shape
    y = functional.layer_norm(x, (d,), tensors[f"{layer}norm1.weight"], tensors[f"{layer}norm1.bias"], 1e-6)
    qkv = y @ tensors[f"{layer}attn.qkv.weight"].T + tensors[f"{layer}attn.qkv.bias"]
    q, k, v = qkv.reshape(n, t, 3, HEADS_V, d // HEADS_V).permute(2, 0, 3, 1, 4)
    weights = (q @ k.transpose(-1, -2) / (d // HEADS_V) ** 0.5).softmax(-1)
    y = (weights @ v).transpose(1, 2).reshape(n, t, d)
    y = y @ tensors[f"{layer}attn.proj.weight"].T + tensors[f"{layer}attn.proj.bias"]
    x = x + y * tensors[f"{layer}ls1"]
    y = functional.layer_norm(x, (d,), tensors[f"{layer}norm2.weight"], tensors[f"{layer}norm2.bias"], 1e-6)
    y = functional.gelu(y @ tensors[f"{layer}mlp.fc1.weight"].T + tensors[f"{layer}mlp.fc1.bias"])
    y = y @ tensors[f"{layer}mlp.fc2.weight"].T + tensors[f"{layer}mlp.fc2.bias"]
    return x + y * tensors[f"{layer}ls2"]


def _internlm2_layer(tensors: dict[str, Tensor], layer: str, x: Tensor) -> Tensor:
    y = _rms(x, tensors[f"{layer}attention_norm.weight"]) @ tensors[f"{layer}attention.wqkv.weight"].T
    y = y.view(len(x), HEADS_KV, HEADS // HEADS_KV + 2, DIM)  # by head of keys and values: its queries, then k, then v
    attended = _attend(y[:, :, :-2].reshape(len(x), HEADS, DIM), y[:, :, -2], y[:, :, -1])
    x = x + attended @ tensors[f"{layer}attention.wo.weight"].T
    y = _rms(x, tensors[f"{layer}ffn_norm.weight"])
    gate = functional.silu(y @ tensors[f"{layer}feed_forward.w1.weight"].T)
    return x + (gate * (y @ tensors[f"{layer}feed_forward.w3.weight"].T)) @ tensors[f"{layer}feed_forward.w2.weight"].T


def _qwen2_layer(tensors: dict[str, Tensor], layer: str, x: Tensor) -> Tensor:
    y = _rms(x, tensors[f"{layer}input_layernorm.weight"])
    q, k, v = (
        (y @ tensors[f"{layer}self_attn.{one}_proj.weight"].T + tensors[f"{layer}self_attn.{one}_proj.bias"]).view(
            len(x), -1, DIM
        )
        for one in "qkv"
    )
    x = x + _attend(q, k, v) @ tensors[f"{layer}self_attn.o_proj.weight"].T
    y = _rms(x, tensors[f"{layer}post_attention_layernorm.weight"])
    gate = functional.silu(y @ tensors[f"{layer}mlp.gate_proj.weight"].T)
    return x + (gate * (y @ tensors[f"{layer}mlp.up_proj.weight"].T)) @ tensors[f"{layer}mlp.down_proj.weight"].T


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """q (T, H, d), k and v (T, Hkv, d) -> (T, H d): rotated, causal, heads of k and v shared by groups of queries."""
    q, k = _rotated(q).transpose(0, 1), _rotated(k).transpose(0, 1).repeat_interleave(HEADS // HEADS_KV, 0)
    scores = q @ k.transpose(1, 2) / DIM**0.5  # (H, T, T)
    scores = scores.masked_fill(torch.ones(scores.shape[1:]).triu(1).bool(), float("-inf"))
    out = scores.softmax(-1) @ v.transpose(0, 1).repeat_interleave(HEADS // HEADS_KV, 0)
    return out.transpose(0, 1).reshape(q.shape[1], -1)


def _rotated(x: Tensor) -> Tensor:
    """Rotary positions 0, 1, … on (T, H, d): the two halves of a head turn together."""
    angles = torch.arange(len(x))[:, None] * THETA ** (-torch.arange(0, DIM, 2) / DIM)  # (T, d / 2)
    cos, sin = (torch.cat([one, one], -1)[:, None] for one in (angles.cos(), angles.sin()))
    turned = torch.cat([-x[..., DIM // 2 :], x[..., : DIM // 2]], -1)
    return x * cos + turned * sin


def _rms(x: Tensor, weight: Tensor) -> Tensor:
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPS)


def _tensors(n: int, language: str, config: dict[str, Any]) -> dict[str, Tensor]:
    """Random weights under the published names, large enough that every one of them matters."""
    draw = torch.Generator().manual_seed(0)

    def some(*shape: int, around: float = 0.0) -> Tensor:
        return around + 0.15 * torch.randn(*shape, generator=draw)

    v, found = WIDTH_V, {
        "vision_model.embeddings.class_embedding": some(1, 1, WIDTH_V),
        "vision_model.embeddings.position_embedding": some(1, 17, WIDTH_V),
        "vision_model.embeddings.patch_embedding.weight": some(WIDTH_V, 3, PATCH, PATCH),
        "vision_model.embeddings.patch_embedding.bias": some(WIDTH_V),
        "mlp1.0.weight": some(4 * WIDTH_V, around=1), "mlp1.0.bias": some(4 * WIDTH_V),
        "mlp1.1.weight": some(WIDTH, 4 * WIDTH_V), "mlp1.1.bias": some(WIDTH),
        "mlp1.3.weight": some(WIDTH, WIDTH), "mlp1.3.bias": some(WIDTH),
    }  # fmt: skip
    for number in range(LAYERS):
        layer = f"vision_model.encoder.layers.{number}."
        shapes = {
            "attn.qkv.weight": (3 * v, v), "attn.qkv.bias": (3 * v,), "attn.proj.weight": (v, v),
            "attn.proj.bias": (v,), "mlp.fc1.weight": (48, v), "mlp.fc1.bias": (48,),
            "mlp.fc2.weight": (v, 48), "mlp.fc2.bias": (v,), "ls1": (v,), "ls2": (v,),
            "norm1.weight": (v,), "norm1.bias": (v,), "norm2.weight": (v,), "norm2.bias": (v,),
        }  # fmt: skip
        found |= {layer + name: some(*shape, around=float("norm" in name)) for name, shape in shapes.items()}
        found |= _text_layer(number, language, some)
    embedded, head = ("tok_embeddings", "output") if language == "internlm2" else ("embed_tokens", "lm_head")
    found[f"language_model.model.{embedded}.weight"] = some(n, WIDTH)
    found["language_model.model.norm.weight"] = some(WIDTH, around=1)
    if not config["llm_config"]["tie_word_embeddings"]:
        found[f"language_model.{head}.weight"] = some(n, WIDTH)
    return found


def _text_layer(number: int, language: str, some: Any) -> dict[str, Tensor]:
    layer = f"language_model.model.layers.{number}."
    if language == "internlm2":
        shapes = {
            "attention.wqkv": ((HEADS + 2 * HEADS_KV) * DIM, WIDTH), "attention.wo": (WIDTH, WIDTH),
            "feed_forward.w1": (INNER, WIDTH), "feed_forward.w3": (INNER, WIDTH), "feed_forward.w2": (WIDTH, INNER),
            "attention_norm": (WIDTH,), "ffn_norm": (WIDTH,),
        }  # fmt: skip
    else:
        shapes = {
            "self_attn.q_proj": (WIDTH, WIDTH), "self_attn.k_proj": (HEADS_KV * DIM, WIDTH),
            "self_attn.v_proj": (HEADS_KV * DIM, WIDTH), "self_attn.o_proj": (WIDTH, WIDTH),
            "mlp.gate_proj": (INNER, WIDTH), "mlp.up_proj": (INNER, WIDTH), "mlp.down_proj": (WIDTH, INNER),
            "input_layernorm": (WIDTH,), "post_attention_layernorm": (WIDTH,),
        }  # fmt: skip
    found = {f"{layer}{name}.weight": some(*shape, around=float("norm" in name)) for name, shape in shapes.items()}
    if language == "qwen2":
        rows = {"q": WIDTH, "k": HEADS_KV * DIM, "v": HEADS_KV * DIM}
        found |= {f"{layer}self_attn.{one}_proj.bias": some(size) for one, size in rows.items()}
    return found


def _write_pieces(folder: Path) -> int:
    """InternLM2's kind of tokenizer: BPE of sentencepiece, bytes for what it does not know. Returns the rows needed."""
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 4), model_prefix=str(folder / "tokenizer"), vocab_size=400, model_type="bpe",
        byte_fallback=True, normalization_rule_name="identity", add_dummy_prefix=False, split_digits=True,
        remove_extra_whitespaces=False, allow_whitespace_only_pieces=True, hard_vocab_limit=False,
        control_symbols=["[UNUSED_1]", "[UNUSED_2]"], minloglevel=2,
    )  # fmt: skip
    (folder / "tokenizer.vocab").unlink()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    n = pieces.get_piece_size()
    numbers = {1: "<s>", 2: "</s>", 0: "<unk>", 3: RENAMED[0], 4: RENAMED[1]}
    numbers |= {n + place: token for place, token in enumerate(ADDED)}
    listed = {str(number): {"content": token, "special": True} for number, token in numbers.items()}
    told = {"added_tokens_decoder": listed, "tokenizer_class": "InternLM2Tokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    (folder / "tokenization_internlm2.py").write_text("raise SystemExit('code of the folder was run')\n")
    return n + len(ADDED)


def _write_merges(folder: Path) -> int:
    """Qwen2's kind of tokenizer: vocab.json and merges.txt of bytes."""
    from tokenizers import ByteLevelBPETokenizer

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(TEXTS * 4, vocab_size=300, show_progress=False)
    trained.save_model(str(folder))
    n = trained.get_vocab_size()
    added = ("<|endoftext|>", *reversed(RENAMED), *ADDED)
    listed = {str(n + place): {"content": token, "special": True} for place, token in enumerate(added)}
    told = {"added_tokens_decoder": listed, "tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    return n + len(added)
