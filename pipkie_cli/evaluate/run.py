"""Measurements from folders to figures, and one bench: what `pipkie eval` and `pipkie bench` call."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from pipkie_cli.errors import UsageError
from pipkie_cli.evaluate import bench
from pipkie_cli.evaluate.audit import Changes, audited, read_changes
from pipkie_cli.evaluate.bench_decoding import bench_decoding
from pipkie_cli.evaluate.bench_process import bench_memory, help_cpu_seconds
from pipkie_cli.evaluate.bench_report import bench_table
from pipkie_cli.evaluate.bench_stages import bench_stages
from pipkie_cli.evaluate.datasets import Labelled, SetRules, measuring_template, read_set
from pipkie_cli.evaluate.measure import Measured, measure, not_asked
from pipkie_cli.evaluate.output import draw_wrong, write_answers
from pipkie_cli.evaluate.report import audit_figures, figures_of, summary_of, table_of, without_nan
from pipkie_cli.evaluate.road import PipelineRoad
from pipkie_cli.evaluate.setting import setting
from pipkie_cli.evaluate.titles import SEED, distinct, title_of
from pipkie_cli.evaluate.wrong_page import write_page
from pipkie_cli.nouns import Input, Page, RunOptions, Template
from pipkie_cli.pages import PageCache, reader_revision
from pipkie_cli.templates import find_templates


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is to be measured: documents of one set, by one template, or each by its own labels."""

    title: str  # of the set, for people and for its folder
    part: str | None
    limit: int | None
    documents: tuple[Labelled, ...]
    rules: SetRules
    template: Template | None  # None: each document is asked its own labels
    options: RunOptions
    changes: Changes | None = None  # of labels that look wrong: figures are given twice


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came out for one set: every document, all figures."""

    title: str
    measured: tuple[Measured, ...]
    figures: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measurements:
    """What came out for all sets, and the road for whoever wants to look at pages again."""

    sets: tuple[Measurement, ...]
    figures: dict[str, Any]  # those of the only set, or {"sets": [...]}
    road: PipelineRoad

    def table(self) -> list[str]:
        """The figures as lines for people."""
        if len(self.sets) == 1:
            return table_of(self.sets[0].figures)
        lines = [line for one in self.sets for line in (f"== {one.title}", *table_of(one.figures), "")]
        return lines + summary_of({one.title: one.figures for one in self.sets})

    def write(self, folder: Path) -> None:
        """answers.jsonl and wrong.txt of every set, one page report.html with the wrong answers. Raises OutputError."""
        for one, place in self._places(folder):
            write_answers(one.measured, place)
        write_page({one.title: (one.measured, one.figures) for one in self.sets}, self.road, folder / "report.html")

    def draw_wrong(self, folder: Path) -> int:
        """Pictures of the documents with a wrong answer; returns how many. Raises OutputError."""
        return sum(draw_wrong(one.measured, self.road, place / "pictures") for one, place in self._places(folder))

    def _places(self, folder: Path) -> list[tuple[Measurement, Path]]:
        if len(self.sets) == 1:
            return [(self.sets[0], folder)]
        return [(one, folder / one.title.replace("/", "-").replace(":", "-")) for one in self.sets]


def plan_evaluation(
    folder: Path,
    part: str | None,
    limit: int | None,
    template: str | None,
    model: str,
    facts: bool = False,
    audit: Path | None = None,
) -> Evaluation:
    """Read the labels and settle the template: the named one, else the set's own.

    With `limit`, a sample of so many documents, the same each time. With `facts` an e-invoice inside a document is
    read too; without, only what its pages print. `audit` is a file of labels that are wrong (audit.py).
    Raises InputError, UsageError, TemplateError.
    """
    found = read_set(folder, part)
    rules, documents = found.rules, found.documents
    if limit is not None and limit < len(documents):
        documents = tuple(sorted(Random(SEED).sample(documents, limit), key=lambda one: one.shown))
    asked = _asked(rules, template)
    options = RunOptions(templates=(asked,) if asked else (), template_given=True, model=model, facts=facts)
    changes = read_changes(audit) if audit else None
    return Evaluation(title_of(folder, rules, part), part, limit, documents, rules, asked, options, changes)


def _asked(rules: SetRules, name: str | None) -> Template | None:
    if name is not None:
        return find_templates([name], None)[0]
    if rules.template is not None:
        return measuring_template(rules.template)
    if rules.own_keys:
        return None
    raise UsageError(f"no template is known for the set {rules.name}", hint="name one with --template")


def run_evaluations(plans: Sequence[Evaluation], cache: Path | None, step: Callable[[], None]) -> Measurements:
    """Measure every document of every set; `step` is called after each. Raises ModelError, OutputError (cache)."""
    from pipkie_cli.models import load_backend
    from pipkie_cli.words import words_revision

    options = plans[0].options
    backend = load_backend(options.model, decode=options.decode, passes=options.passes)
    words = reader_revision(words_revision())
    pages = PageCache(cache, words) if cache else None
    road = PipelineRoad(plans[0].options, backend, find_templates([], None), pages)
    how = {"decode": options.decode, "passes": options.passes, "max_pixels": options.max_pixels}
    shared = {
        "model": backend.revision,
        **(how if backend.reads == "pixels" else {}),
        "words": words,
        "seed": SEED,
        **setting(),
    }
    titles = distinct([plan.title for plan in plans])
    sets = tuple(_run(plan, title, road, step) for plan, title in zip(plans, titles, strict=True))
    if len(sets) == 1:
        (only,) = sets
        sets = (Measurement(only.title, only.measured, {"command": "eval", **only.figures, **shared}),)
        return Measurements(sets, sets[0].figures, road)
    return Measurements(sets, {"command": "eval", "sets": [one.figures for one in sets], **shared}, road)


def _run(plan: Evaluation, title: str, road: PipelineRoad, step: Callable[[], None]) -> Measurement:
    start = monotonic()
    before = dict(road.cache.counts) if road.cache else {}
    measured = []
    for one in measure(plan.documents, road, plan.template, plan.rules):
        measured.append(one)
        step()
    own_keys = plan.rules.own_keys and plan.template is None
    second = None
    if plan.changes is not None:
        again, changed, left_out = audited(measured, plan.changes, plan.template, plan.rules)
        second = {"changed": changed, "left_out": left_out, **audit_figures(again, own_keys)}
    figures = {
        "set": plan.rules.name,
        "title": title,
        "part": plan.part,
        "limit": plan.limit,
        "template": plan.template.label if plan.template else None,
        "facts": plan.options.facts,
        **figures_of(measured, own_keys),
        "audited": second,
        "not_asked": not_asked(plan.documents, plan.template, plan.rules),
        "page_cache": {name: count - before[name] for name, count in road.cache.counts.items()} if road.cache else None,
        "wall_s": round(monotonic() - start, 1),
    }
    return Measurement(title, tuple(measured), figures)


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What is to be timed: documents, the template asked, how long the memory run is (0: none), a built wheel."""

    inputs: tuple[Input, ...]
    options: RunOptions
    memory_pages: int
    decoding_pages: int
    wheel: Path | None


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What came out of a bench."""

    figures: dict[str, Any]

    def table(self) -> list[str]:
        """The figures as lines for people."""
        return bench_table(self.figures)


def plan_bench(
    groups: Sequence[Sequence[Input]],
    limit: int,
    options: RunOptions,
    memory_pages: int,
    decoding_pages: int,
    wheel: Path | None,
) -> BenchPlan:
    """A bench of at most `limit` documents of each group."""
    inputs = tuple(item for group in groups for item in sample_inputs(group, limit))
    return BenchPlan(inputs, options, memory_pages, decoding_pages, wheel)


def sample_inputs(inputs: Sequence[Input], limit: int) -> tuple[Input, ...]:
    """At most so many inputs, the same each time, in their order."""
    if len(inputs) <= limit:
        return tuple(inputs)
    chosen = set(Random(SEED).sample(range(len(inputs)), limit))
    return tuple(item for index, item in enumerate(inputs) if index in chosen)


def run_bench(plan: BenchPlan, say: Callable[[str], None]) -> BenchReport:
    """All figures of a bench; `say` tells what is being measured."""
    from pipkie_cli.models import load_backend, words_only
    from pipkie_cli.words import words_revision

    options = plan.options
    backend = words_only(load_backend(options.model))
    say("picture pages: OCR, model, number of keys")
    pictures = bench.bench_pictures(bench.ocr_pages(plan.inputs, options), options.templates[0], backend)
    say("pages with a text layer")
    texts = bench.bench_text_pages(plan.inputs, options, backend)
    say("every stage")
    stages, pages = bench_stages(plan.inputs, options, backend)
    say("one pass against word by word")
    decoding = bench_decoding(spread(pages, plan.decoding_pages), options.templates[0], backend)
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
        "stages": stages,
        "decoding": decoding,
        "help_cpu_s": help_s,
        "memory": memory,
        "wheel_bytes": _size(plan.wheel),
        "model": backend.revision,
        "words": words_revision(),
        "seed": SEED,
        **setting(),
    }
    return BenchReport(without_nan(figures))


def spread(pages: Sequence[Page], count: int) -> tuple[Page, ...]:
    """So many pages, evenly from the shortest to the longest: costs grow with the words of a page."""
    ordered = sorted((page for page in pages if page.words), key=lambda page: len(page.words))
    if len(ordered) <= count:
        return tuple(ordered)
    return tuple(ordered[(2 * number + 1) * len(ordered) // (2 * count)] for number in range(count))


def _size(wheel: Path | None) -> int | None:
    if wheel is None:
        return None
    try:
        return wheel.stat().st_size
    except OSError as error:
        raise UsageError(f"{wheel} cannot be read", hint="build it with: python -m build --wheel") from error
