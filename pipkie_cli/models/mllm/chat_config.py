"""config.json of a checkpoint in InternVL's chat format -> the native configuration of the same arithmetic.

The published folder names Python files of its own (`auto_map`); they are never run. What the native classes would
compute differently is refused by name.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json

if TYPE_CHECKING:
    from transformers import InternVLConfig

LARGEST_NUMBER = 10**7  # of any size in a configuration; the largest vocabulary published has 260,000 rows
LARGEST_DEPTH = 200  # layers; the largest one published has 80
QK_NORM_EPS = 1e-6  # fixed in the native class, whatever layer_norm_eps says

Language = Literal["internlm2", "qwen2"]
LANGUAGES: dict[str, Language] = {"InternLM2ForCausalLM": "internlm2", "Qwen2ForCausalLM": "qwen2"}

SIZES = ("vocab_size", "hidden_size", "intermediate_size", "max_position_embeddings")
HEADS = ("num_hidden_layers", "num_attention_heads", "num_key_value_heads")
VISION = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "image_size", "patch_size")


def read_chat_config(folder: Path) -> dict[str, Any]:
    """config.json as it stands, once it is clear that the native classes compute the same. Raises ModelError."""
    path = folder / "config.json"
    chat = read_json(path)
    kind = chat.get("model_type")
    if kind == "internvl":
        raise ModelError(f"{folder} is native already", hint="give it to --model as it is")
    if kind != "internvl_chat":
        raise ModelError(f"{folder} is a {kind} checkpoint", hint="InternVL's chat format (internvl_chat) is converted")
    wanted = {"ps_version": "v2", "select_layer": -1, "downsample_ratio": 0.5, "use_thumbnail": True}
    for name, value in wanted.items():
        if chat.get(name) != value:
            raise _other(path, name, chat.get(name), str(value))
    vision, language = _part(path, chat, "vision_config"), _part(path, chat, "llm_config")
    size = chat.get("force_image_size") or vision.get("image_size")
    if size != vision.get("image_size"):
        raise _other(path, "force_image_size", size, f"{vision.get('image_size')}, as vision_config says")
    if vision.get("qk_normalization") and vision.get("layer_norm_eps", QK_NORM_EPS) != QK_NORM_EPS:
        raise _other(path, "layer_norm_eps with qk_normalization", vision["layer_norm_eps"], str(QK_NORM_EPS))
    language_of(chat)
    if language.get("bias"):
        raise _other(path, "llm_config.bias", True, "false")
    if language.get("use_sliding_window"):
        raise _other(path, "llm_config.use_sliding_window", True, "false: slots must see the whole page")
    return chat


def language_of(chat: dict[str, Any]) -> Language:
    """Which language model is inside. Raises ModelError for one whose layout nobody has tried."""
    names = chat["llm_config"].get("architectures") or ["nothing"]
    if names[0] not in LANGUAGES:
        hint = "InternLM2 (InternVL2-2B, 8B) and Qwen2 (InternVL2-1B) are converted"
        raise ModelError(f"a checkpoint with {names[0]} inside is not converted", hint=hint)
    return LANGUAGES[names[0]]


def native_config(chat: dict[str, Any], image_token_id: int) -> "InternVLConfig":
    """The same model in native terms. Raises ModelError for numbers that are missing or absurd."""
    from transformers import InternVLConfig

    vision, path = chat["vision_config"], Path("config.json")
    numbers = _numbers(path, "vision_config", vision, VISION)
    side = numbers["image_size"] // numbers["patch_size"] // 2  # image tokens along one side of a tile
    return InternVLConfig(
        text_config=_text_config(chat),
        vision_config={
            **numbers,
            "attention_bias": bool(vision.get("qkv_bias")),
            "use_qk_norm": bool(vision.get("qk_normalization")),
            "hidden_act": vision.get("hidden_act", "gelu"),
            "norm_type": vision.get("norm_type", "layer_norm"),
            "layer_norm_eps": vision.get("layer_norm_eps", 1e-6),
        },
        image_token_id=image_token_id,
        image_seq_length=side * side,
        downsample_ratio=chat["downsample_ratio"],
        tie_word_embeddings=_tied(chat),  # the native default True would tie lm_head over the converted weights
        dtype=chat.get("torch_dtype") or chat["llm_config"].get("torch_dtype"),
    )


def largest_grid(chat: dict[str, Any]) -> tuple[int, int]:
    """The fewest and the most tiles that a page is cut to, the thumbnail not counted."""
    if not chat.get("dynamic_image_size", True):
        return 1, 1
    found = _numbers(Path("config.json"), "", chat, ("min_dynamic_patch", "max_dynamic_patch"))
    return found["min_dynamic_patch"], found["max_dynamic_patch"]


def _text_config(chat: dict[str, Any]) -> dict[str, Any]:
    """InternLM2 as Llama (no biases, no permutation of rope), Qwen2 as itself."""
    given = chat["llm_config"]
    numbers = _numbers(Path("config.json"), "llm_config", given, SIZES + HEADS)
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": float(given.get("rope_theta", 10_000.0))}
    scaling = given.get("rope_scaling")
    if scaling:
        if scaling.get("type") != "dynamic":
            raise _other(Path("config.json"), "llm_config.rope_scaling", scaling, "dynamic, or none")
        rope |= {"rope_type": "dynamic", "factor": float(scaling["factor"])}
    return {
        **numbers,
        "model_type": "llama" if language_of(chat) == "internlm2" else "qwen2",
        "rope_parameters": rope,
        "rms_norm_eps": float(given.get("rms_norm_eps", 1e-6)),
        "hidden_act": given.get("hidden_act", "silu"),
        "tie_word_embeddings": _tied(chat),
        **{name: given.get(name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")},
    }


def _tied(chat: dict[str, Any]) -> bool:
    return bool(chat["llm_config"].get("tie_word_embeddings", False))


def _part(path: Path, chat: dict[str, Any], name: str) -> dict[str, Any]:
    part = chat.get(name)
    if not isinstance(part, dict):
        raise ModelError(f"{path} has no {name}", hint="fetch the checkpoint again")
    return part


def _numbers(path: Path, where: str, part: dict[str, Any], names: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for name in names:
        value, most = part.get(name), LARGEST_DEPTH if name == "num_hidden_layers" else LARGEST_NUMBER
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= most:
            raise _other(path, f"{where}.{name}".lstrip("."), value, f"a number up to {most}")
        found[name] = value
    return found


def _other(path: Path, name: str, value: object, wanted: str) -> ModelError:
    said = str(value) if len(str(value)) < 80 else "something long"
    return ModelError(f"{path}: {name} is {said}", hint=f"what is converted has {wanted}")
