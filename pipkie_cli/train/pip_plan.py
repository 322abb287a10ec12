"""What a training of a multimodal checkpoint is to do, checked before anything heavy is loaded. No torch here."""

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from pipkie_cli.errors import OutputError, UsageError
from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.nouns import Template
from pipkie_cli.train.pip_pairs import open_pairs
from pipkie_cli.train.pip_recipe import Attention, Recipe, Stage
from pipkie_cli.train.pip_sources import Joined, Sample, Source, known_values, labelled_source

NEEDED = ("torch", "transformers", "accelerate", "peft", "safetensors")
TRAINING = "training"  # folder inside the output: state, metrics, plan
STATE = "state.pt"  # what a stopped run goes on from
HELD_OUT_SHARE, HELD_OUT_MOST = 0.05, 200  # of the samples, where no part of split.json is named


@dataclass(frozen=True, slots=True)
class Picked:
    """Some samples of a source."""

    source: Source
    numbers: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, number: int) -> Sample:
        return self.source[self.numbers[number]]


@dataclass(frozen=True, slots=True)
class PipPlan:
    """One training: from which checkpoint, on what, how, into which folder."""

    model: str  # a folder, or ORG/NAME[@REVISION]
    stage: Stage
    learn: Source
    held_out: Source  # measured while it learns; of stage kv a LabelledSource
    recipe: Recipe
    output: Path
    attention: Attention = "bidirectional"  # "causal" trains the autoregressive twin, for comparison
    seed: int = 0
    device: str = "auto"  # a name of torch; auto: the first GPU, else the CPU
    data: tuple[str, ...] = ()  # where the samples came from

    @property
    def folder(self) -> Path:
        return self.output / TRAINING

    def told(self) -> dict[str, object]:
        """What must be the same for a run to be gone on with."""
        return {
            "model": self.model,
            "stage": self.stage,
            "attention": self.attention,
            "data": list(self.data),
            "samples": len(self.learn),
            "held_out": len(self.held_out),
            "seed": self.seed,
            "recipe": asdict(self.recipe),
        }


def plan_pip(
    model: str,
    stage: Stage,
    data: Sequence[Path],
    output: Path,
    recipe: Recipe,
    *,
    templates: Sequence[str] = (),
    part: str | None = None,
    held_out: str | None = None,
    attention: Attention = "bidirectional",
    seed: int = 0,
    device: str = "auto",
) -> PipPlan:
    """Everything that can be known to be wrong before a weight is loaded is said here.

    Raises UsageError (a missing extra, options that do not go together), TemplateError, InputError, OutputError.
    """
    check_installed()
    if stage == "mask":
        if templates or part or held_out:
            raise UsageError(
                "stage mask learns from pairs of a picture and its text",
                hint="leave --template, --split and --held-out to --stage kv",
            )
        learn, kept_back = _pairs(data, seed)
    else:
        learn, kept_back = _documents(data, templates, part, held_out, recipe, seed)
    named = tuple(str(one) for one in data)
    return checked(PipPlan(model, stage, learn, kept_back, recipe, output, attention, seed, device, named))


def check_installed() -> None:
    for name in NEEDED:
        if find_spec(name) is None:
            raise UsageError(f"training needs {name}, which is not installed", hint='pip install "pipkie[mllm,train]"')


def checked(plan: PipPlan) -> PipPlan:
    """The plan, if its folder is free or holds this very training, stopped. Raises OutputError."""
    output = plan.output
    if not output.exists() or (output.is_dir() and not any(one.is_file() for one in output.rglob("*"))):
        return plan  # a kill may have left empty folders
    finished = (output / "config.json").exists() and not (plan.folder / STATE).exists()  # the state is what goes last
    if read_plan(plan) != plan.told() or finished:
        raise OutputError(
            f"{output} exists already", hint="name a new folder with --output; a stopped run needs the same options"
        )
    return plan


def read_plan(plan: PipPlan) -> object:
    """What the training that lies in the folder was to do; None where there is none."""
    try:
        return json.loads((plan.folder / "plan.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _pairs(data: Sequence[Path], seed: int) -> tuple[Source, Source]:
    source = Joined(tuple(open_pairs(one) for one in data))
    learn, kept_back = _cut(len(source), seed)
    return Picked(source, learn), Picked(source, kept_back)


def _cut(n_samples: int, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Numbers to learn from and numbers held out, drawn by the seed; one at least of each where there are two."""
    numbers = list(range(n_samples))
    random.Random(seed).shuffle(numbers)
    n_kept = min(HELD_OUT_MOST, max(1, round(HELD_OUT_SHARE * n_samples))) if n_samples > 1 else 0
    return tuple(sorted(numbers[n_kept:])), tuple(sorted(numbers[:n_kept] or numbers[:1]))


def _documents(
    data: Sequence[Path], names: Sequence[str], part: str | None, held_out: str | None, recipe: Recipe, seed: int
) -> tuple[Source, Source]:
    from pipkie_cli.templates import find_templates
    from pipkie_cli.train.finetune import draw_held_out
    from pipkie_cli.train.finetune_labels import read_labels

    if not names:
        raise UsageError("stage kv needs the keys that are asked", hint="name a template with --template")
    if len(data) != 1:
        raise UsageError("stage kv learns from one folder", hint="put the documents of all folders into one")
    templates = tuple(find_templates(list(names), None))
    labels = read_labels(data[0], part, held_out, merged(templates))
    usable = [one for one in labels.documents if _asks(one, templates, labels.rules)]
    kept_back = list(labels.held_out) or (draw_held_out(usable, seed) if len(usable) > 1 else [])
    names_kept = {one.shown for one in kept_back}
    learn = [one for one in usable if one.shown not in names_kept]
    source = labelled_source(learn, templates, labels.rules, recipe.max_pictures)
    return source, labelled_source(kept_back or learn[:1], templates, labels.rules, recipe.max_pictures)


def merged(templates: Sequence[Template]) -> Template:
    """One template with the keys of all: by which labels are read. A key of one name is the same in all of them."""
    from dataclasses import replace

    keys = {key.name: key for template in reversed(templates) for key in template.keys}
    return replace(templates[0], keys=tuple(keys.values()))


def _asks(label: Labelled, templates: Sequence[Template], rules: SetRules) -> bool:
    return any(
        known_values(label, template.keys, rules)
        for template in templates
        if len(templates) == 1 or template.name == label.document_type
    )
