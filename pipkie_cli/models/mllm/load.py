"""A checkpoint's folder -> its model, tokenizer and family, or the reason why not. Nothing in it is executed.

Weights come from safetensors only, code from the installed transformers only. A file that is missing, damaged, too
large or of another kind ends the run as a ModelError that names it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.checkpoint import MULTIMODAL_FILES
from pipkie_cli.models.limits import MAX_JSON_BYTES, read_json
from pipkie_cli.models.mllm.attention import KERNELS, check_attention, make_causal
from pipkie_cli.models.mllm.families import FAMILIES, Family
from pipkie_cli.models.mllm.sidecar import Sidecar, read_sidecar
from pipkie_cli.models.mllm.trial import check_pictures
from pipkie_cli.models.weights import read_weights, weight_files

MASK_TOKEN = "<|mask|>"
END_TOKENS = ("<|im_end|>",)  # ends an answer in the chat form of every family
MAX_TOKENIZER_BYTES = 64 * 2**20  # Qwen3-VL's tokenizer.json has 11 MB
SMALL = (  # what transformers reads beside the tables of a tokenizer; the largest published one has 20 KB
    "added_tokens.json", "config.json", "generation_config.json", "special_tokens_map.json", "tokenizer_config.json",
)  # fmt: skip
MOST_LAYERS = 1000  # of text or vision: transformers would build any number of them before it looks at the weights
PACKED = 8  # parameters of four bits that a quantized checkpoint packs into one number
FETCH_AGAIN = "fetch the checkpoint again, or pipkie models verify"


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A loaded model with what is needed to ask it. Causal by itself; `attention.bidirectional` turns it for a call."""

    model: Any
    tokenizer: Any
    family: Family
    sidecar: Sidecar | None  # None: not trained for one pass
    folder: Path
    never: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)  # `forward.never_written`, per device

    @property
    def end_id(self) -> int:
        """The token that ends a value."""
        return self.sidecar.end_id if self.sidecar else _end_token(self.tokenizer)[1]

    @property
    def pad_id(self) -> int:
        """What fills the shorter rows of a batch; attention never sees it."""
        return int(self.tokenizer.pad_token_id if self.tokenizer.pad_token_id is not None else self.end_id)

    @property
    def trained(self) -> Sidecar:
        """The sidecar of a checkpoint that is asked in one pass. Raises ModelError without one."""
        if self.sidecar is None:
            raise not_trained(self.folder)
        return self.sidecar


def load_checkpoint(
    folder: Path, *, device: str = "cpu", dtype: str = "auto", attention: str = "sdpa", one_pass: bool = True
) -> Checkpoint:
    """The checkpoint of a folder, on `device`. Raises ModelError.

    dtype "auto" is float32 on a CPU, where results are then the same for any batch, and the weights' own elsewhere.
    With `one_pass`, one that was not trained for it is refused and attention is checked.
    """
    config = _config(folder)
    _check_files(folder)
    sidecar = read_sidecar(folder)
    if one_pass and sidecar is None:
        raise not_trained(folder)
    if sidecar and sidecar.family != config["model_type"]:
        raise ModelError(
            f"{folder} holds a {config['model_type']}, its pipkie.json is for {sidecar.family}", hint=FETCH_AGAIN
        )
    if attention not in KERNELS:
        raise ModelError(
            f"attention {attention!r} is not supported: transformers has flex_attention for InternVL alone, and what"
            " other kernels make of attention in both directions was never tested",
            hint=f"use {' or '.join(KERNELS)}",
        )
    with needed_libraries():
        import safetensors  # noqa: F401 - what the weights are read with
        import torch  # noqa: F401
        import transformers
    logging: Any = transformers.logging
    logging.disable_progress_bar()
    _check_size(folder)
    model = _model(folder, _dtype(dtype, device), attention)
    tokenizer = _tokenizer(folder)
    family = _family(folder, model.config)
    checkpoint = Checkpoint(_moved(model, device), tokenizer, family, sidecar, folder)
    _check_vocabulary(checkpoint)
    make_causal(model)
    if one_pass:
        _check_window(model, folder)
    with _damage(folder):
        if one_pass:
            check_attention(model)
        check_pictures(checkpoint)
    return checkpoint


def outline(folder: Path) -> Checkpoint:
    """The same without weights, on torch's device "meta": to count what a training would take. Raises ModelError."""
    _config(folder)
    with needed_libraries():
        import transformers  # noqa: F401
    model = _outline(folder)
    return Checkpoint(model, _tokenizer(folder), _family(folder, model.config), read_sidecar(folder), folder)


def add_mask_token(checkpoint: Checkpoint) -> Checkpoint:
    """The same with a mask token, from which training starts: an ordinary checkpoint has none.

    The token takes the first free id. Qwen's tables have rows to spare; where there is none, one is added (the table
    is never resized to the tokenizer, which would cut it). Its row starts as the mean of the used ones.
    """
    if checkpoint.sidecar is not None:
        return checkpoint
    import torch
    from tokenizers import AddedToken

    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    used = len(tokenizer)
    tokenizer.add_tokens([AddedToken(MASK_TOKEN, special=True, normalized=False)])
    mask_id = int(tokenizer.convert_tokens_to_ids(MASK_TOKEN))
    if mask_id >= model.get_input_embeddings().weight.shape[0]:
        model.resize_token_embeddings(mask_id + 1, mean_resizing=False)
    if mask_id >= used:  # not one that the tokenizer had before
        for table in (model.get_input_embeddings().weight, model.get_output_embeddings().weight):
            with torch.no_grad():
                table[mask_id] = table[:used].mean(0)
    end_token, end_id = _end_token(tokenizer)
    family = checkpoint.family
    sidecar = Sidecar(
        family=family.name,
        mask_token=MASK_TOKEN,
        mask_id=mask_id,
        end_token=end_token,
        end_id=end_id,
        max_pixels=family.max_pixels,
        stage="mask",
        base=checkpoint.folder.name,
    )
    return replace(checkpoint, sidecar=sidecar)


def not_trained(folder: Path) -> ModelError:
    """What is said of an ordinary checkpoint that is asked to fill masks."""
    return ModelError(
        f"{folder} has no pipkie.json: it was not trained to fill all values in one pass",
        hint="add --decode ar to use it as it is, slowly; or train it: pipkie train --model DIR --stage kv",
    )


def _config(folder: Path) -> dict[str, Any]:
    """config.json, of a family that can be run without code from the checkpoint."""
    if not folder.is_dir():
        raise ModelError(f"{folder} is no folder of a checkpoint", hint="give a folder that holds a config.json")
    config = read_json(folder / "config.json")
    kind = config.get("model_type")
    if kind == "internvl_chat":
        raise ModelError(
            f"{folder} is in InternVL's chat format, which needs code of its own",
            hint=f"convert it: pipkie models convert {folder} NEW_FOLDER",
        )
    if not isinstance(kind, str) or kind not in FAMILIES:
        raise ModelError(
            f"{folder} holds a {str(kind)[:40]!r}, which pipkie does not run", hint=f"use {', '.join(FAMILIES)}"
        )
    if (folder / "adapter_config.json").exists():  # peft would look for its base elsewhere
        raise ModelError(
            f"{folder} holds an adapter, not a whole model", hint="merge it into its base model and name that folder"
        )
    layers = [part.get(name) for part in _parts(config) for name in ("num_hidden_layers", "depth")]
    if any(isinstance(count, int) and count > MOST_LAYERS for count in layers):
        raise ModelError(f"{folder / 'config.json'} asks for more than {MOST_LAYERS} layers", hint=FETCH_AGAIN)
    if "auto_map" in config:
        raise ModelError(
            f"{folder} wants code of its own to be run, which pipkie never does",
            hint="fetch the checkpoint in the form that transformers reads by itself",
        )
    return config


def _parts(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The config of a model and those of its text and vision."""
    yield config
    yield from (part for part in config.values() if isinstance(part, dict))


def _check_files(folder: Path) -> None:
    """Weights are there, as safetensors, within the folder; the tokenizer is of a sane size."""
    weight_files(folder)
    for path in sorted(path for form in MULTIMODAL_FILES for path in folder.glob(form)):
        if not path.is_file():  # a pipe would be waited for, a device has no end
            raise ModelError(f"{path} is no file", hint=FETCH_AGAIN)
        most = MAX_JSON_BYTES if path.name in SMALL else MAX_TOKENIZER_BYTES
        if path.suffix != ".safetensors" and path.stat().st_size > most:
            raise ModelError(f"{path} has more than {most} bytes", hint=FETCH_AGAIN)


@contextmanager
def needed_libraries() -> Iterator[None]:
    """A library of the extra `mllm` that is missing ends the run as a ModelError that says how to install it."""
    try:
        yield
    except ImportError as error:
        raise ModelError(
            f"multimodal models need {error.name}, which is not installed", hint="pip install 'pipkie[mllm]'"
        ) from error


@contextmanager
def _damage(what: Path) -> Iterator[None]:
    """A file that a library cannot read ends the run as a ModelError that names it.

    The libraries have no common class of errors, and tokenizers panics (no Exception) on merges that are out of place.
    """
    try:
        yield
    except ModelError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ModelError(f"{what} cannot be loaded ({type(error).__name__})", hint=FETCH_AGAIN) from error


def _dtype(dtype: str, device: str) -> str:
    return "float32" if dtype == "auto" and device == "cpu" else dtype


def _outline(folder: Path) -> Any:
    """The model without weights."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    with _damage(folder), torch.device("meta"):
        config = AutoConfig.from_pretrained(str(folder), trust_remote_code=False, local_files_only=True)
        build: Any = AutoModelForImageTextToText.from_config
        return build(config)


def _check_size(folder: Path) -> None:
    """transformers makes room for all that config.json asks for before it sees that the weights are of other sizes."""
    asked, held = sum(one.numel() for one in _outline(folder).parameters()), read_weights(folder).n_numbers
    if asked > PACKED * held:
        raise ModelError(
            f"{folder / 'config.json'} asks for {asked:,} numbers, its weights hold {held:,}", hint=FETCH_AGAIN
        )


def _model(folder: Path, dtype: str, attention: str) -> Any:
    from transformers import AutoModelForImageTextToText

    automatic: Any = AutoModelForImageTextToText
    with _damage(folder):
        model, told = automatic.from_pretrained(
            str(folder),
            dtype=dtype,
            attn_implementation=attention,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    for kind in ("missing_keys", "mismatched_keys"):  # missing ones would be random numbers, without a word
        if told.get(kind):
            raise ModelError(
                f"{folder} lacks {len(told[kind])} of the weights that its config.json names", hint=FETCH_AGAIN
            )
    return model.eval()


def _moved(model: Any, device: str) -> Any:
    try:
        return model.to(device)
    except (AssertionError, RuntimeError) as error:  # AssertionError: torch was built without CUDA
        message = f"the model cannot be put on {device} ({type(error).__name__})"
        raise ModelError(message, hint="add --devices cpu") from error


def _tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    with _damage(folder / "tokenizer.json"):
        return AutoTokenizer.from_pretrained(str(folder), trust_remote_code=False, local_files_only=True)


def _family(folder: Path, config: Any) -> Family:
    path = folder / "preprocessor_config.json"
    pictures = read_json(path)
    try:
        return import_module(FAMILIES[config.model_type]).load(config, pictures)  # type: ignore[no-any-return]
    except (TypeError, ValueError, AttributeError) as error:
        why = f": {error}" if type(error) is ValueError else ""  # the others are Python's words
        raise ModelError(f"{path} does not fit {folder / 'config.json'}{why}", hint=FETCH_AGAIN) from error


def _check_vocabulary(checkpoint: Checkpoint) -> None:
    """Every token has a row, those of the sidecar are what it says, and no text of a user becomes a special one."""
    tokenizer, rows = checkpoint.tokenizer, checkpoint.model.get_input_embeddings().weight.shape[0]
    known = tokenizer.get_vocab()
    most = max(known.values(), default=0)
    if most >= rows:
        raise ModelError(f"{checkpoint.folder} has tokens up to {most} for {rows} rows", hint=FETCH_AGAIN)
    around = checkpoint.family.image_ids(tokenizer, 1)
    if "<|im_start|>" not in known or not set(around) <= set(known.values()):
        raise ModelError(f"the tokenizer of {checkpoint.folder} lacks tokens of its family", hint=FETCH_AGAIN)
    special = {*around, known["<|im_start|>"], _end_token(tokenizer)[1]}
    sidecar = checkpoint.sidecar
    if sidecar:
        special.add(sidecar.mask_id)
        ids = tokenizer.convert_tokens_to_ids([sidecar.mask_token, sidecar.end_token])
        if ids != [sidecar.mask_id, sidecar.end_id] or sidecar.mask_id == sidecar.end_id:
            raise ModelError(f"{checkpoint.folder}: pipkie.json and the tokenizer disagree", hint=FETCH_AGAIN)
    for token in tokenizer.convert_ids_to_tokens(sorted(special)):
        if special & set(tokenizer.encode(token, add_special_tokens=False, split_special_tokens=True)):
            raise ModelError(
                f"the tokenizer of {checkpoint.folder} has {token[:40]!r} among its words and not among its special"
                " tokens: the name of a key could become one",
                hint=FETCH_AGAIN,
            )


def _check_window(model: Any, folder: Path) -> None:
    """With a sliding window the first token would not see the last one of a long page."""
    if "sliding_attention" in (getattr(model.config.get_text_config(), "layer_types", None) or ()):
        raise ModelError(
            f"{folder} attends within a sliding window, which one-pass use cannot", hint="set use_sliding_window: false"
        )


def _end_token(tokenizer: Any) -> tuple[str, int]:
    """The token that ends an answer, and its id. Raises ModelError."""
    known = tokenizer.get_vocab()
    for token in (*END_TOKENS, tokenizer.eos_token):
        if token in known:
            return token, int(known[token])
    raise ModelError("the tokenizer has no token that ends an answer", hint=FETCH_AGAIN)
