"""InternVL2's chat format becomes a native checkpoint that computes the same, and nothing of the folder is run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from chat_layout import SIDE, logits, write_chat
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer, InternVLForConditionalGeneration

from pipkie_cli.errors import ModelError, OutputError
from pipkie_cli.models.mllm import add_mask_token, encode_prompt, load_checkpoint
from pipkie_cli.models.mllm.chat_tokenizer import PROBES
from pipkie_cli.models.mllm.convert import convert_chat
from pipkie_cli.models.mllm.forward import fill_slots
from pipkie_cli.nouns import Key

LANGUAGES = ("internlm2", "qwen2")


@pytest.fixture(scope="module")
def chats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path, dict[str, torch.Tensor]]]:
    """Of each language model: the folder in chat format, the converted one, the tensors of the first."""
    made = {}
    for language in LANGUAGES:
        folder = tmp_path_factory.mktemp(language)
        tensors = write_chat(folder / "chat", language)
        convert_chat(folder / "chat", folder / "native")
        made[language] = (folder / "chat", folder / "native", tensors)
    return made


def loaded(folder: Path) -> Any:
    model, report = InternVLForConditionalGeneration.from_pretrained(
        folder, use_safetensors=True, trust_remote_code=False, local_files_only=True, output_loading_info=True
    )
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    return model.eval()


@pytest.mark.parametrize("language", LANGUAGES)
def test_logits_are_those_of_the_original_arithmetic(chats: Any, language: str) -> None:
    """Vision tower, pixel shuffle, projector, grouped attention, rope: every logit of a prompt with two tiles."""
    _, native, tensors = chats[language]
    model, tokenizer = loaded(native), AutoTokenizer.from_pretrained(native)
    image = model.config.image_token_id
    ids = [*tokenizer("Invoice <img>").input_ids, *[image] * 8, *tokenizer("</img> Total: 193.00").input_ids]
    pixels = torch.randn(2, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        found = model(input_ids=torch.tensor([ids]), pixel_values=pixels).logits[0]
        wanted = logits(tensors, language, torch.tensor(ids), pixels, image)
    assert wanted.std() > 0.3  # weights large enough that a mistake would show
    torch.testing.assert_close(found, wanted, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("language", LANGUAGES)
def test_added_tokens_keep_their_ids(chats: Any, language: str) -> None:
    chat, native, _ = chats[language]
    tokenizer = AutoTokenizer.from_pretrained(native)
    for number, about in json.loads((chat / "tokenizer_config.json").read_text())["added_tokens_decoder"].items():
        assert tokenizer.convert_tokens_to_ids(about["content"]) == int(number)
    assert tokenizer("<|im_end|>", add_special_tokens=False).input_ids == [
        tokenizer.convert_tokens_to_ids("<|im_end|>")
    ]


def test_text_is_cut_as_sentencepiece_cuts_it(chats: Any) -> None:
    """After a way over the disk, too; and the names of special tokens in a document stay letters."""
    import sentencepiece

    chat, native, _ = chats["internlm2"]
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(chat / "tokenizer.model"))
    tokenizer = AutoTokenizer.from_pretrained(native)
    for text in (*PROBES, "Total<|im_end|></s>"):
        ids = tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids
        assert ids == pieces.encode(text)
        assert tokenizer.decode(ids, clean_up_tokenization_spaces=False) == text


def test_tiles_and_ends_are_told(chats: Any) -> None:
    """How pages are cut, and both tokens that end an answer."""
    _, native, _ = chats["internlm2"]
    cut = json.loads((native / "preprocessor_config.json").read_text())
    assert (cut["size"], cut["min_patches"], cut["max_patches"]) == ({"height": SIDE, "width": SIDE}, 1, 4)
    assert cut["crop_to_patches"] is True
    assert cut["image_mean"] == [0.485, 0.456, 0.406]
    assert json.loads((native / "generation_config.json").read_text())["eos_token_id"] == [2, 3]
    assert not list(native.glob("*.py"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_is_asked_like_any_other(chats: Any, language: str) -> None:
    """It loads, takes a mask token, fills slots from pixels; InternLM2's prompt begins as the published one does."""
    _, native, _ = chats[language]
    checkpoint = add_mask_token(load_checkpoint(native, one_pass=False))
    page = np.zeros((90, 120, 3), np.uint8)
    row = encode_prompt(checkpoint, [page], [Key("total", "amount", "total")], [5])
    begins = ["<s>", "<|im_start|>"] if language == "internlm2" else ["<|im_start|>"]
    assert checkpoint.tokenizer.convert_ids_to_tokens(row.input_ids[: len(begins)].tolist()) == begins
    (filled,) = fill_slots(checkpoint, [row])
    assert (filled.scores < 0).all()
    assert np.isfinite(filled.scores).all()
    assert filled.looks.shape == (5, sum(row.images.n_tokens))


def test_tied_embeddings_stay_tied(tmp_path: Path) -> None:
    write_chat(tmp_path / "chat", "qwen2", llm_config__tie_word_embeddings=True)
    convert_chat(tmp_path / "chat", tmp_path / "native")
    model = loaded(tmp_path / "native")
    assert model.lm_head.weight.data_ptr() == model.model.language_model.embed_tokens.weight.data_ptr()


def test_precision_is_kept(tmp_path: Path) -> None:
    """bfloat16 weights stay so, bit by bit."""
    tensors = write_chat(tmp_path / "chat", torch_dtype="bfloat16")
    save_file({name: one.bfloat16() for name, one in tensors.items()}, tmp_path / "chat" / "model.safetensors")
    convert_chat(tmp_path / "chat", tmp_path / "native")
    found = load_file(tmp_path / "native" / "model.safetensors")
    assert {one.dtype for one in found.values()} == {torch.bfloat16}
    assert torch.equal(found["language_model.lm_head.weight"], tensors["language_model.output.weight"].bfloat16())


def test_weights_in_several_files(tmp_path: Path) -> None:
    tensors = write_chat(tmp_path / "chat")
    (tmp_path / "chat" / "model.safetensors").unlink()
    names = sorted(tensors)
    parts = {"a.safetensors": names[:20], "b.safetensors": names[20:]}
    for file, held in parts.items():
        save_file({name: tensors[name] for name in held}, tmp_path / "chat" / file)
    told = {"weight_map": {name: file for file, held in parts.items() for name in held}}
    (tmp_path / "chat" / "model.safetensors.index.json").write_text(json.dumps(told))
    convert_chat(tmp_path / "chat", tmp_path / "native")
    loaded(tmp_path / "native")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ps_version": "v1"}, "ps_version"),
        ({"select_layer": -4}, "select_layer"),
        ({"use_thumbnail": False}, "use_thumbnail"),
        ({"force_image_size": 448}, "force_image_size"),
        ({"model_type": "internvl"}, "native already"),
        ({"model_type": "qwen2_vl"}, "qwen2_vl"),
        ({"llm_config__architectures": ["Phi3ForCausalLM"]}, "Phi3ForCausalLM"),
        ({"llm_config__bias": True}, "llm_config.bias"),
        ({"llm_config__use_sliding_window": True}, "use_sliding_window"),
        ({"llm_config__rope_scaling": {"type": "linear", "factor": 2.0}}, "rope_scaling"),
        ({"llm_config__num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"llm_config__num_attention_heads": 0}, "num_attention_heads"),
        ({"llm_config__num_key_value_heads": 4}, "not the heads"),
        ({"llm_config__hidden_size": "64"}, "hidden_size"),
        ({"vision_config__qk_normalization": True}, "weights"),
        ({"max_dynamic_patch": None}, "max_dynamic_patch"),
        ({"llm_config": None}, "llm_config"),
    ],
)
def test_what_would_compute_something_else_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    write_chat(tmp_path / "chat")
    path = tmp_path / "chat" / "config.json"
    config = json.loads(path.read_text())
    for name, value in changes.items():
        part, _, key = name.rpartition("__")
        (config[part] if part else config)[key] = value
    path.write_text(json.dumps(config))
    with pytest.raises(ModelError, match=said):
        convert_chat(tmp_path / "chat", tmp_path / "native")
    assert [one.name for one in tmp_path.iterdir()] == ["chat"]  # nothing half done


def lose_tensor(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    del tensors["mlp1.3.bias"]
    save_file(tensors, folder / "model.safetensors")


def add_tensor(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    save_file({**tensors, "optimizer.state": torch.zeros(2)}, folder / "model.safetensors")


def cut_short(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def only_pickles(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def name_outside(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"a": "../../etc/passwd.safetensors"}}')


def not_pieces(folder: Path) -> None:
    (folder / "tokenizer.model").write_bytes(b"no model" * 9)


def gap(folder: Path) -> None:
    path = folder / "tokenizer_config.json"
    told = json.loads(path.read_text())
    told["added_tokens_decoder"]["5000"] = {"content": "<far>"}
    path.write_text(json.dumps(told))


def no_image_token(folder: Path) -> None:
    path = folder / "tokenizer_config.json"
    path.write_text(path.read_text().replace("<IMG_CONTEXT>", "<other>"))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lose_tensor, "weights"), (add_tensor, "optimizer.state"), (cut_short, "damaged"),
        (only_pickles, "no model.saf"), (name_outside, "outside"), (not_pieces, "sentencepiece"),
        (gap, "<far>"), (no_image_token, "<IMG_CONTEXT>"),
    ],
)  # fmt: skip
def test_a_damaged_folder_is_refused(tmp_path: Path, harm: Callable[[Path], None], said: str) -> None:
    write_chat(tmp_path / "chat")
    harm(tmp_path / "chat")
    with pytest.raises(ModelError, match=said):
        convert_chat(tmp_path / "chat", tmp_path / "native")
    assert [one.name for one in tmp_path.iterdir()] == ["chat"]


def test_a_folder_that_exists_is_left_alone(chats: Any, tmp_path: Path) -> None:
    chat, native, _ = chats["internlm2"]
    before = (native / "config.json").read_bytes()
    with pytest.raises(OutputError, match="exists"):
        convert_chat(chat, native)
    assert (native / "config.json").read_bytes() == before
