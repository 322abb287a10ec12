"""One measurement from folder to figures, and one bench: what `pipkie eval` and `pipkie bench` call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from pipkie_cli.errors import UsageError
from pipkie_cli.evaluate import bench
from pipkie_cli.evaluate.bench_process import bench_memory, help_cpu_seconds
from pipkie_cli.evaluate.bench_report import bench_table
from pipkie_cli.evaluate.datasets import Labelled, SetRules, read_folder, rules_of
from pipkie_cli.evaluate.measure import Measured, measure, not_asked
from pipkie_cli.evaluate.output import draw_wrong, write_answers
from pipkie_cli.evaluate.page_cache import PageCache, reader_revision
from pipkie_cli.evaluate.report import figures_of, table_of, without_nan
from pipkie_cli.evaluate.road import PipelineRoad
from pipkie_cli.evaluate.setting import setting
from pipkie_cli.nouns import Input, RunOptions, Template
from pipkie_cli.templates import find_templates

SEED = 0  # of every sample: the same documents each time


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is to be measured: documents of one set, by one template."""

    part: str | None
    limit: int | None
    documents: tuple[Labelled, ...]
    rules: SetRules
    template: Template
    options: RunOptions


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came out: every document, all figures, and the road for whoever wants to look at pages again."""

    measured: tuple[Measured, ...]
    figures: dict[str, Any]
    road: PipelineRoad

    def table(self) -> list[str]:
        """The figures as lines for people."""
        return table_of(self.figures)

    def write_answers(self, folder: Path) -> None:
        """answers.jsonl and wrong.txt. Raises OutputError."""
        write_answers(self.measured, folder)

    def draw_wrong(self, folder: Path) -> int:
        """Pictures of the documents with a wrong answer; returns how many. Raises OutputError."""
        return draw_wrong(self.measured, self.road, folder)


def plan_evaluation(folder: Path, part: str | None, limit: int | None, template: str | None, model: str) -> Evaluation:
    """Read the labels and settle the template: the named one, else the set's own.

    With `limit`, a sample of so many documents, the same each time. Raises InputError, UsageError, TemplateError.
    """
    rules = rules_of(folder)
    documents = read_folder(folder, part)
    if limit is not None and limit < len(documents):
        documents = tuple(sorted(Random(SEED).sample(documents, limit), key=lambda one: one.shown))
    name = template or rules.template
    if name is None:
        raise UsageError(f"no template is known for the set {rules.name}", hint="name one with --template")
    (asked,) = find_templates([name], None)
    options = RunOptions(templates=(asked,), template_given=True, model=model)
    return Evaluation(part, limit, documents, rules, asked, options)


def run_evaluation(plan: Evaluation, cache: Path | None, step: Callable[[], None]) -> Measurement:
    """Measure every document; `step` is called after each. Raises ModelError, OutputError (cache)."""
    from pipkie_cli.models import load_backend
    from pipkie_cli.words import words_revision

    start = monotonic()
    backend = load_backend(plan.options.model)
    words = reader_revision(words_revision())
    pages = PageCache(cache, words) if cache else None
    road = PipelineRoad(plan.options, backend, find_templates([], None), pages)
    measured = []
    for one in measure(plan.documents, road, plan.template, plan.rules):
        measured.append(one)
        step()
    figures = {
        "command": "eval",
        "set": plan.rules.name,
        "part": plan.part,
        "limit": plan.limit,
        "template": plan.template.label,
        **figures_of(measured),
        "not_asked": not_asked(plan.documents, plan.template, plan.rules),
        "model": backend.revision,
        "words": words,
        "page_cache": dict(road.counts) if cache else None,
        "wall_s": round(monotonic() - start, 1),
        "seed": SEED,
        **setting(),
    }
    return Measurement(tuple(measured), figures, road)


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What is to be timed: documents, the template asked, how long the memory run is (0: none), a built wheel."""

    inputs: tuple[Input, ...]
    options: RunOptions
    memory_pages: int
    wheel: Path | None


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What came out of a bench."""

    figures: dict[str, Any]

    def table(self) -> list[str]:
        """The figures as lines for people."""
        return bench_table(self.figures)


def plan_bench(
    groups: Sequence[Sequence[Input]], limit: int, options: RunOptions, memory_pages: int, wheel: Path | None
) -> BenchPlan:
    """A bench of at most `limit` documents of each group."""
    inputs = tuple(item for group in groups for item in sample_inputs(group, limit))
    return BenchPlan(inputs, options, memory_pages, wheel)


def sample_inputs(inputs: Sequence[Input], limit: int) -> tuple[Input, ...]:
    """At most so many inputs, the same each time, in their order."""
    if len(inputs) <= limit:
        return tuple(inputs)
    chosen = set(Random(SEED).sample(range(len(inputs)), limit))
    return tuple(item for index, item in enumerate(inputs) if index in chosen)


def run_bench(plan: BenchPlan, say: Callable[[str], None]) -> BenchReport:
    """All figures of a bench; `say` tells what is being measured."""
    from pipkie_cli.models import load_backend
    from pipkie_cli.words import words_revision

    options = plan.options
    backend = load_backend(options.model)
    say("picture pages: OCR, model, number of keys")
    pictures = bench.bench_pictures(bench.ocr_pages(plan.inputs, options), options.templates[0], backend)
    say("pages with a text layer")
    texts = bench.bench_text_pages(plan.inputs, options, backend)
    say("help")
    help_s = help_cpu_seconds()
    memory = None
    if plan.memory_pages:
        say(f"memory of a run over {plan.memory_pages} pages")
        memory = bench_memory(plan.inputs, plan.memory_pages, options.model)
    figures = {
        "command": "bench",
        "documents": len(plan.inputs),
        "template": options.templates[0].label,
        "pictures": pictures,
        "text_pages": texts,
        "help_cpu_s": help_s,
        "memory": memory,
        "wheel_bytes": _size(plan.wheel),
        "model": backend.revision,
        "words": words_revision(),
        "seed": SEED,
        **setting(),
    }
    return BenchReport(without_nan(figures))


def _size(wheel: Path | None) -> int | None:
    if wheel is None:
        return None
    try:
        return wheel.stat().st_size
    except OSError as error:
        raise UsageError(f"{wheel} cannot be read", hint="build it with: python -m build --wheel") from error
