"""How a multimodal checkpoint is trained: one YAML recipe -> one frozen `Recipe`. No torch here.

A recipe is a flat mapping; under `mask:` and `kv:` stands what is different for one stage. Every fault names file and
line. The recipes of published sizes lie beside this file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from pipkie_cli.errors import TemplateError

SHIPPED = Path(__file__).parent / "recipes"
MAX_FILE_BYTES = 64 * 1024
Stage = Literal["mask", "kv"]
Attention = Literal["bidirectional", "causal"]
NumberType = Literal["float32", "bfloat16"]
Kernel = Literal["sdpa", "eager", "flash_attention_2"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything about a training that is not its data. Steps are of the optimizer; a batch is that of one process."""

    base: str = ""  # the published checkpoint that the recipe was written for, ORG/NAME
    steps: int = 1000
    batch: int = 4
    accumulate: int = 1  # batches per step
    rate: float = 1e-5  # highest learning rate
    warm_up: int = 20  # steps until it is reached; then it falls to nothing along a cosine
    decay: float = 0.0  # of weights, per unit of rate (AdamW)
    clip: float = 1.0  # of the gradient's norm; 1/ratio makes single samples loud
    lora_rank: int = 0  # 0 trains the whole language model
    lora_alpha: int = 16
    vision: Literal["frozen", "trained"] = "frozen"
    dtype: NumberType = "float32"
    kernel: Kernel = "sdpa"
    checkpointing: bool = False  # layers are computed again in the backward pass instead of being kept
    max_pixels: int = 1_003_520  # of one page: 1,280 tokens of Qwen2-VL
    max_pictures: int = 4  # pages of one document
    workers: int = 2  # processes that read pictures; 0 reads them between steps
    evaluate_every: int = 500  # steps
    save_every: int = 500  # steps; what a killed run loses at most
    max_tokens: int = 256  # of a text of stage mask; the rest of it is cut off. A key has 512 slots at most
    complementary: bool = False  # stage mask: every sample also with what its mask left open masked instead
    all_masked: float = 0.8  # stage kv: share of samples with every slot masked, as when values are read
    fill_weight: float = 0.2  # stage kv: of the slots behind the end of a value
    drop: float = 0.15  # stage kv: share of keys that are not asked
    alias: float = 0.3  # stage kv: share of keys that are asked by one name alone, not by prompt and aliases


LIMITS: Mapping[str, tuple[float, float]] = {  # least and greatest value of a number
    "steps": (1, 10_000_000), "batch": (1, 4096), "accumulate": (1, 4096), "rate": (1e-9, 1.0),
    "warm_up": (0, 1_000_000), "decay": (0, 1), "clip": (1e-6, 1e6), "lora_rank": (0, 1024), "lora_alpha": (1, 4096),
    "max_pixels": (784, 2**25), "max_pictures": (1, 64), "workers": (0, 64), "evaluate_every": (1, 10_000_000),
    "save_every": (1, 10_000_000), "max_tokens": (1, 511), "all_masked": (0, 1), "fill_weight": (0, 1),
    "drop": (0, 0.95), "alias": (0, 1),
}  # fmt: skip
CHOICES: Mapping[str, tuple[str, ...]] = {
    "vision": ("frozen", "trained"), "dtype": get_args(NumberType), "kernel": get_args(Kernel),
}  # fmt: skip
STAGES: tuple[Stage, ...] = get_args(Stage)


def shipped_recipes() -> dict[str, Path]:
    """Name -> file of the recipes that come along."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.yaml"))}


def load_recipe(name: str | None, stage: Stage) -> Recipe:
    """The recipe of a shipped name or of a file, as it is for one stage; None is the defaults. Raises TemplateError."""
    if name is None:
        return Recipe()
    path = shipped_recipes().get(name) or Path(name)
    root = _root(path)
    pairs = _pairs(root, path, (*_names(), *STAGES))
    recipe = _filled(Recipe(), {key: node for key, node in pairs.items() if key not in STAGES}, path)
    for other in STAGES:  # both are checked, whichever is asked for
        if other in pairs:
            own = _filled(recipe, _pairs(pairs[other], path, _names()), path)
            if other == stage:
                found = own
    return found if stage in pairs else recipe


def _names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Recipe))


def _root(path: Path) -> yaml.Node:
    try:
        with path.open("rb") as file:  # its size is not asked for: a device has none
            data = file.read(MAX_FILE_BYTES + 1)
        if len(data) > MAX_FILE_BYTES:
            raise TemplateError(f"{path} is larger than a recipe may be", hint=f"{MAX_FILE_BYTES // 1024} kB at most")
        root = yaml.compose(data.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    except OSError as error:
        known = ", ".join(shipped_recipes())
        raise TemplateError(f"there is no recipe {path}", hint=f"name a file, or one of: {known}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise TemplateError(f"{where}: not valid YAML", hint="look at this line and the one above") from error
    if root is None:
        raise TemplateError(f"{path} is empty", hint="write at least steps: and rate:")
    return root


def _pairs(node: yaml.Node, path: Path, known: tuple[str, ...]) -> dict[str, yaml.Node]:
    """The fields of one mapping, each known and given once."""
    where = f"{path}:{node.start_mark.line + 1}"
    if not isinstance(node, yaml.MappingNode):
        raise TemplateError(f"{where}: a recipe is a list of `name: value`", hint="compare it with a shipped one")
    found: dict[str, yaml.Node] = {}
    for name, value in node.value:
        where, shown = f"{path}:{name.start_mark.line + 1}", str(name.value)[:60]
        if shown not in known:
            close = get_close_matches(shown, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}"
            raise TemplateError(f"{where}: a recipe has no {shown}", hint=hint)
        if shown in found:
            raise TemplateError(f"{where}: {shown} is given twice", hint="keep one of the two")
        found[shown] = value
    return found


def _filled(recipe: Recipe, pairs: Mapping[str, yaml.Node], path: Path) -> Recipe:
    values: dict[str, Any] = {}
    for name, node in pairs.items():
        where = f"{path}:{node.start_mark.line + 1}"
        if not isinstance(node, yaml.ScalarNode):
            raise TemplateError(f"{where}: {name} is one value", hint=f"write {name}: {getattr(recipe, name)}")
        values[name] = _value(name, node.value, type(getattr(recipe, name)), where)
    return replace(recipe, **values)


def _value(name: str, text: str, kind: type, where: str) -> str | int | float | bool:
    """A scalar as written -> the field's type, within its limits."""
    if name in CHOICES or kind is bool:
        allowed = CHOICES.get(name, ("true", "false"))
        if text not in allowed:
            raise TemplateError(f"{where}: {name} cannot be {text[:60]!r}", hint=f"it is {' or '.join(allowed)}")
        return text == "true" if kind is bool else text
    if kind is str:
        return text
    try:
        number = kind(text.replace("_", ""))
    except ValueError as error:
        raise TemplateError(f"{where}: {name} is a number, not {text[:60]!r}", hint="such as 100 or 1e-5") from error
    least, most = LIMITS[name]
    if not least <= number <= most:
        raise TemplateError(f"{where}: {name} is {text[:60]}", hint=f"it lies between {least:g} and {most:g}")
    return number  # type: ignore[no-any-return]
