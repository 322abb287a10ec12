"""Fine-tuning on an analyst's own labelled documents: what `pipkie train` calls. No torch before it is needed.

plan_finetuning -> what is to be learnt, checked; run_finetuning -> a folder that `--model` takes, and figures.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipkie_cli.errors import DocumentError, InputError, OutputError, UsageError
from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.nouns import Input, RunOptions, Template
from pipkie_cli.pages import ReadDocument, open_cache, read_pages
from pipkie_cli.train.finetune_labels import learnt_keys, read_labels

NEEDED = ("torch", "onnx", "rapidfuzz", "faker")
LEAST_DOCUMENTS = 8  # of those that can be read and hold a label: fewer teach nothing and measure nothing
HELD_OUT_SHARE, HELD_OUT_LEAST = 0.1, 10  # a tenth, but ten documents where that is no more than a fifth
NAMES_SAID = 5  # file names in one message


@dataclass(frozen=True, slots=True)
class FinetunePlan:
    """What is to be learnt, from which weights, into which folder."""

    documents: tuple[Labelled, ...]
    held_out: tuple[Labelled, ...]  # () where they are to be drawn from the documents
    rules: SetRules
    template: Template  # without tables that nobody labelled
    init: str
    output: Path
    minutes: float
    seed: int
    notes: tuple[str, ...] = ()  # what a person should know before it begins

    @property
    def n_documents(self) -> int:
        return len(self.documents) + len(self.held_out)


@dataclass(frozen=True, slots=True)
class FinetuneReport:
    """What came out."""

    figures: dict[str, Any]

    def table(self) -> list[str]:
        """The figures as lines for people."""
        from pipkie_cli.train.finetune_report import report_table

        return report_table(self.figures)


@dataclass(frozen=True, slots=True)
class Material:
    """Documents as read, cut into those that are learnt from and those held out."""

    learn: tuple[tuple[Labelled, ReadDocument], ...]
    held_out: tuple[tuple[Labelled, ReadDocument], ...]
    failed: Mapping[str, str] = field(default_factory=dict)  # file -> error code


def plan_finetuning(
    data: Path,
    template: str,
    output: Path,
    *,
    part: str | None = None,
    held_out: str | None = None,
    init: str = "mini",
    minutes: float = 10.0,
    seed: int = 0,
) -> FinetunePlan:
    """Everything that can be known to be wrong before a page is read is said here.

    Raises UsageError (a missing extra), TemplateError, InputError (labels), OutputError (the folder is taken).
    """
    from pipkie_cli.templates import find_templates

    for name in NEEDED:
        if find_spec(name) is None:
            raise UsageError(f"training needs {name}, which is not installed", hint='pip install "pipkie[train]"')
    (asked,) = find_templates([template], None)
    labels = read_labels(data, part, held_out, asked)
    if len(labels.documents) < LEAST_DOCUMENTS:
        raise InputError(
            f"{data} has {len(labels.documents)} documents with a label of {asked.name}, which is too few",
            hint=f"label at least {LEAST_DOCUMENTS}, better 30 or more, with the names of the template's keys",
        )
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError(f"{output} exists already", hint="name a new folder with --output")
    everything = (*labels.documents, *labels.held_out)
    return FinetunePlan(
        documents=labels.documents,
        held_out=labels.held_out,
        rules=labels.rules,
        template=learnt_keys(asked, everything, labels.rules),
        init=init,
        output=output,
        minutes=minutes,
        seed=seed,
        notes=_notes(asked, everything, labels.rules),
    )


def _notes(template: Template, documents: Sequence[Labelled], rules: SetRules) -> tuple[str, ...]:
    labelled = Counter(name for one in documents for name in one.values)
    learnt = learnt_keys(template, documents, rules).keys
    without = [key.name for key in template.keys if key not in learnt or not (key.columns or labelled[key.name])]
    if not without:
        return ()
    return (f"no document has a label of {', '.join(without)}: not learnt, asked as before",)


def run_finetuning(
    plan: FinetunePlan, cache: Path | None, step: Callable[[], None], say: Callable[[str], None]
) -> FinetuneReport:
    """Read the documents (`step` after each), learn, and write the folder whole or not at all.

    Raises InputError where nothing can be learnt from what was read, ModelError, OutputError.
    """
    material = _read(plan, cache, step)
    for file, code in material.failed.items():
        say(f"{file} is left out: {code}")
    if len(material.learn) + len(material.held_out) < LEAST_DOCUMENTS:
        raise InputError(
            f"only {len(material.learn) + len(material.held_out)} of {plan.n_documents} documents can be read",
            hint="`pipkie extract` says of each what is wrong with it",
        )
    from pipkie_cli.train.finetune_run import finetune

    return FinetuneReport(finetune(plan, material, say))


def _read(plan: FinetunePlan, cache: Path | None, step: Callable[[], None]) -> Material:
    pages = open_cache(cache) if cache else None
    options = RunOptions((plan.template,), template_given=True)
    read: dict[str, ReadDocument] = {}
    failed: dict[str, str] = {}
    for label in (*plan.documents, *plan.held_out):
        try:
            read[label.shown] = read_pages(Input(label.path, label.shown), options, cache=pages)
        except DocumentError as error:
            failed[label.shown] = error.code
        step()
    documents = [label for label in plan.documents if label.shown in read]
    held_out = [label for label in plan.held_out if label.shown in read] or draw_held_out(documents, plan.seed)
    names = {label.shown for label in held_out}
    return Material(
        tuple((label, read[label.shown]) for label in documents if label.shown not in names),
        tuple((label, read[label.shown]) for label in held_out),
        failed,
    )


def draw_held_out(documents: Sequence[Labelled], seed: int) -> list[Labelled]:
    """A seeded tenth to fifth of the documents, whole groups of them; at most a third where groups are large."""
    wanted = max(round(HELD_OUT_SHARE * len(documents)), min(HELD_OUT_LEAST, len(documents) // 5), 1)
    groups: dict[str, list[Labelled]] = {}
    for one in documents:
        groups.setdefault(one.group or f"\n{one.shown}", []).append(one)
    names = sorted(groups)
    random.Random(seed).shuffle(names)
    drawn: list[Labelled] = []
    for name in names:
        if len(drawn) < wanted and len(drawn) + len(groups[name]) <= max(wanted, len(documents) // 3):
            drawn += groups[name]
    return drawn or groups[min(names, key=lambda name: len(groups[name]))]
