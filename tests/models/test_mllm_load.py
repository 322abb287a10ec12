"""What is loaded and what is refused: folders that strangers made, one message each, nothing executed."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from mllm_tiny import build_tiny
from safetensors.torch import load_file, save_file

from pipkie_cli.errors import ExitCode, ModelError
from pipkie_cli.models.checkpoint import multimodal_revision
from pipkie_cli.models.mllm import load as load_module
from pipkie_cli.models.mllm import load_checkpoint
from pipkie_cli.models.mllm.decode import written
from pipkie_cli.models.weights import read_weights


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny("qwen2_vl", tmp_path_factory.mktemp("whole"))


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "model"))


def rewrite(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def apply(folder: Path) -> None:
        told = json.loads((folder / name).read_text())
        change(told)
        (folder / name).write_text(json.dumps(told))

    return apply


def no_layer_1(folder: Path) -> None:
    """As of a damaged conversion: the library fills in random numbers and says nothing."""
    weights = load_file(folder / "model.safetensors")
    renamed = {name.replace("layers.1.", "layers.x1."): tensor for name, tensor in weights.items()}
    save_file(renamed, folder / "model.safetensors", {"format": "pt"})


def as_pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def sharded_outside(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {"lm_head.weight": "../whole/model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def half_a_set_of_shards(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    names = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}))


def cut(name: str, keep: int = 1000) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:keep])


def pickled_shard(folder: Path) -> None:
    """transformers takes a shard's format from its name and would unpickle this one."""
    (folder / "model.safetensors").rename(folder / "weights.bin")
    told = {"metadata": {}, "weight_map": {"x": "weights.bin"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(told))


def shard_of_no_name(folder: Path) -> None:
    pickled_shard(folder)
    (folder / "model.safetensors.index.json").write_text('{"metadata": {}, "weight_map": {"x": ["weights.bin"]}}')


def no_numbers(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = {name: torch.full_like(tensor, float("nan")) for name, tensor in load_file(path).items()}
    save_file(weights, path, metadata={"format": "pt"})


def as_pipe(name: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return change


def endless(folder: Path) -> None:
    (folder / "generation_config.json").unlink(missing_ok=True)
    (folder / "generation_config.json").symlink_to("/dev/zero")


REFUSED = [
    (lambda folder: (folder / "config.json").unlink(), r"config\.json is missing"),
    (lambda folder: (folder / "config.json").write_text("[]"), r"config\.json is damaged"),
    (rewrite("config.json", lambda told: told.update(model_type="internvl_chat")), "models convert"),
    (rewrite("config.json", lambda told: told.update(model_type="qwen3_vl_moe")), "qwen3_vl_moe.*use qwen2_vl, "),
    (rewrite("config.json", lambda told: told.update(model_type=["x"])), "does not run"),
    (rewrite("config.json", lambda told: told.update(auto_map={"AutoModel": "evil.Model"})), "code of its own"),
    (rewrite("config.json", lambda told: told["text_config"].update(hidden_size=72)), "cannot be loaded"),
    (lambda folder: (folder / "pipkie.json").unlink(), "--decode ar"),
    (rewrite("pipkie.json", lambda told: told.update(family="internvl")), "is for internvl"),
    (rewrite("pipkie.json", lambda told: told.update(mask_id=3)), "disagree"),
    (rewrite("pipkie.json", lambda told: told.update(mask_token="<|image_pad|>")), "disagree"),
    (no_layer_1, "lacks 12 of the weights"),
    (as_pickle, r"pytorch_model\.bin, which may hold code"),
    (sharded_outside, r"index\.json is damaged"),
    (half_a_set_of_shards, r"model-00002-of-00002\.safetensors is missing"),
    (shard_of_no_name, r"index\.json is damaged"),
    (pickled_shard, r"model\.safetensors\.index\.json is damaged"),
    (no_numbers, "are no numbers"),
    (as_pipe("preprocessor_config.json"), r"preprocessor_config\.json is no file"),
    (as_pipe("config.json"), r"config\.json is no file"),
    (endless, r"generation_config\.json is no file"),
    (lambda folder: (folder / "tokenizer_config.json").write_text(" " * (1 << 21)), "has more than 1048576 bytes"),
    (lambda folder: (folder / "adapter_config.json").write_text("{}"), "holds an adapter"),
    (rewrite("config.json", lambda told: told.update(model_type="\x1b[31m" * 999)), r"holds a '.{40,80}', which"),
    (
        rewrite("config.json", lambda told: told["text_config"]["rope_parameters"].update(mrope_section=[1, 1, 1])),
        r"cannot be loaded \(RuntimeError\)",
    ),
    (cut("model.safetensors"), "is cut short or damaged"),
    (cut("tokenizer.json"), r"tokenizer\.json cannot be loaded"),
    (rewrite("tokenizer.json", lambda told: told["model"]["merges"].append(["A", "q"])), "tokenizer"),
    (
        rewrite("tokenizer.json", lambda told: told["model"]["vocab"].update({"qq": 9000})),
        "up to 9000 for 409",
    ),
    (lambda folder: (folder / "tokenizer.json").unlink(), "lacks tokens of its family"),
    (lambda folder: (folder / "preprocessor_config.json").unlink(), r"preprocessor_config\.json is missing"),
    (rewrite("preprocessor_config.json", lambda told: told.pop("image_mean")), "does not fit"),
    (rewrite("preprocessor_config.json", lambda told: told.update(image_std="x")), "does not fit"),
    (
        rewrite("config.json", lambda told: told["text_config"].update(layer_types=["sliding_attention"] * 2)),
        "sliding window",
    ),
]


@pytest.mark.parametrize(("spoil", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_an_unfit_folder_is_refused(folder: Path, spoil: Callable[[Path], object], says: str) -> None:
    """Each with what is wrong, as a model's error (exit code 6), never with a traceback of a library."""
    spoil(folder)
    with pytest.raises(ModelError, match=says) as caught:
        load_checkpoint(folder)
    assert caught.value.exit_code == ExitCode.MODEL
    assert caught.value.hint


def preprocessor(**numbers: Any) -> Callable[[Path], object]:
    return rewrite("preprocessor_config.json", lambda told: told.update(numbers))


def config(part: str, **numbers: Any) -> Callable[[Path], object]:
    return rewrite("config.json", lambda told: told[part].update(numbers))


NUMBERS = [  # each was taken as it is, and ended in values that are no numbers, a traceback, or all memory
    (preprocessor(image_std=[0, 0.2, 0.2]), "image_std must be three numbers from 0.001"),
    (preprocessor(image_std=[-1, 1, 1]), "image_std must be"),
    (preprocessor(image_mean=[0.5, 0.5]), "image_mean must be three numbers from 0 to 1"),
    (preprocessor(image_mean=[1e25, 0, 0]), "image_mean must be"),
    (preprocessor(image_mean=[float("nan")] * 3), r"preprocessor_config\.json is damaged"),
    (preprocessor(min_pixels=0), "min_pixels must be a whole number from 1"),
    (preprocessor(min_pixels=0.37), "min_pixels must be"),
    (preprocessor(min_pixels=5000, max_pixels=4000), "max_pixels must be a whole number from 5000"),
    (config("vision_config", patch_size=0), "cannot be loaded"),
    (config("vision_config", depth=10**9), "more than 1000 layers"),
    (config("text_config", num_hidden_layers=10**9, layer_types=None), "more than 1000 layers"),
    (config("text_config", vocab_size=10**9), r"asks for [\d,]+ numbers, its weights hold 206,208"),
    (rewrite("config.json", lambda told: told.update(video_token_id=10**25)), r"cannot be loaded \(OverflowError\)"),
    (config("vision_config", rope_parameters={"rope_type": "default", "rope_theta": -1.0}), "is no number"),
    (config("text_config", rms_norm_eps=float("inf")), r"config\.json is damaged"),
    (rewrite("pipkie.json", lambda told: told["calibration"].update(pixels=[1e308, 0])), r"pipkie\.json is damaged"),
    (rewrite("pipkie.json", lambda told: told["calibration"].update(pixels=[1, float("nan")])), "is damaged"),
]


@pytest.mark.parametrize(("spoil", "says"), NUMBERS, ids=[f"{at}-{says}" for at, (_, says) in enumerate(NUMBERS)])
def test_a_number_out_of_place_is_refused(folder: Path, spoil: Callable[[Path], object], says: str) -> None:
    """At the start, whichever file it stands in, and not at the first page."""
    spoil(folder)
    with pytest.raises(ModelError, match=says):
        load_checkpoint(folder)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (preprocessor(max_patches=-1), "max_patches must be"),
        (preprocessor(image_std="abc"), "image_std must be"),
        (config("vision_config", image_size=[56, 28]), "image_size must be the same both ways|cannot be loaded"),
        (rewrite("config.json", lambda told: told.update(image_seq_length=5)), "image_seq_length must be"),
    ],
)
def test_a_number_of_internvl_out_of_place(tmp_path: Path, spoil: Callable[[Path], object], says: str) -> None:
    spoil(build_tiny("internvl", tmp_path))
    with pytest.raises(ModelError, match=says):
        load_checkpoint(tmp_path)


def test_numbers_are_looked_at_word_by_word_too(folder: Path) -> None:
    """Nothing else of the start needs a forward there."""
    config("vision_config", rope_parameters={"rope_type": "default", "rope_theta": -1.0})(folder)
    with pytest.raises(ModelError, match="is no number"):
        load_checkpoint(folder, one_pass=False)


def test_a_mask_that_is_a_word_is_refused(folder: Path) -> None:
    """The name of a key would hold it."""
    ids = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    rewrite("pipkie.json", lambda told: told.update(mask_token="Total", mask_id=ids["Total"]))(folder)
    with pytest.raises(ModelError, match="'Total' among its words"):
        load_checkpoint(folder)


@pytest.mark.parametrize("kernel", ["flex_attention", "flash_attention_2", "x"])
def test_a_kernel_that_was_never_tried_is_refused(whole: Path, kernel: str) -> None:
    with pytest.raises(ModelError, match=f"{kernel}.*not supported.*use sdpa or eager"):
        load_checkpoint(whole, attention=kernel)


def test_a_tokenizer_without_end_is_refused(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is parsed."""
    monkeypatch.setattr(load_module, "MAX_TOKENIZER_BYTES", 1000)
    with pytest.raises(ModelError, match=r"tokenizer\.json has more than 1000 bytes"):
        load_checkpoint(whole)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """The library would take it for the name of a repository."""
    with pytest.raises(ModelError, match="no folder of a checkpoint"):
        load_checkpoint(tmp_path / "nonesuch")


def test_a_device_that_is_not_there(folder: Path) -> None:
    """One sentence, not torch's assertion."""
    with pytest.raises(ModelError, match="cannot be put on cuda:7"):
        load_checkpoint(folder, device="cuda:7", dtype="float32")


def test_an_ordinary_checkpoint_serves_other_ways_of_decoding(tmp_path: Path) -> None:
    """Without a sidecar and a mask token it is loaded where one pass is not asked for; its end token is known."""
    folder = build_tiny("qwen3_vl", tmp_path, mask=False, sidecar=None)
    checkpoint = load_checkpoint(folder, one_pass=False)
    assert checkpoint.sidecar is None
    assert checkpoint.tokenizer.convert_ids_to_tokens(checkpoint.end_id) == "<|im_end|>"
    with pytest.raises(ModelError, match="not trained to fill all values"):
        _ = checkpoint.trained


def test_a_config_as_published_is_read(folder: Path) -> None:
    """Qwen2-VL's of 2024 has the text model's numbers at its top level, and names weights in the old way."""
    told = json.loads((folder / "config.json").read_text())
    text = told.pop("text_config")
    rope = text.pop("rope_parameters")
    text |= {
        "rope_theta": rope["rope_theta"],
        "rope_scaling": {"type": "mrope", "mrope_section": rope["mrope_section"]},
    }
    (folder / "config.json").write_text(json.dumps({**text, **told, "torch_dtype": "bfloat16"}))
    weights = load_file(folder / "model.safetensors")
    old = {
        name.replace("model.visual.", "visual.").replace("model.language_model.", "model."): tensor
        for name, tensor in weights.items()
    }
    save_file(old, folder / "model.safetensors", {"format": "pt"})
    checkpoint = load_checkpoint(folder)
    assert checkpoint.model.dtype == torch.float32
    assert checkpoint.family.name == "qwen2_vl"


@pytest.mark.parametrize("name", ["preprocessor_config.json", "model.safetensors"])
def test_a_revision_waits_for_no_pipe(folder: Path, name: str) -> None:
    """A run asks for it before anything is loaded."""
    as_pipe(name)(folder)
    with pytest.raises(ModelError, match=f"{name} is no file"):
        multimodal_revision(folder)


def test_the_revision_of_a_config_nested_without_end(folder: Path) -> None:
    (folder / "config.json").write_text("[" * 100_000)
    with pytest.raises(ModelError, match="is damaged"):
        multimodal_revision(folder)


def test_scores_that_are_no_numbers_are_no_answer(whole: Path) -> None:
    checkpoint = load_checkpoint(whole)
    answer = written(checkpoint, [0, 1], [float("nan"), -1.0])
    assert (answer.text, answer.flags) == (None, ("answer_unreadable",))
    assert answer.score < 0


def test_weights_of_an_index_that_names_no_file(folder: Path) -> None:
    shard_of_no_name(folder)
    with pytest.raises(ModelError, match="is not whole"):
        read_weights(folder)
