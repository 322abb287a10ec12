"""One run's weights in several precisions: what each costs a page, and whether its answers stay the same.

float32; int8 stored and multiplied out at load (what is shipped); int8 computed (ONNX Runtime's dynamic quantisation),
in both stages or in the text stage alone;
bfloat16 computed by torch, for ONNX Runtime has no bfloat16 matrices on a CPU. The table of pieces is int8 in all.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Literal

import torch

from pipkie_cli.evaluate import Labelled, PipelineRoad, judge, read_folder, rules_of
from pipkie_cli.models import Backend, load_backend, words_only
from pipkie_cli.models.mini import MiniInputs, PieceReader, compute_in_int8, decode, make_inputs
from pipkie_cli.nouns import Calibration, Candidate, RunOptions, Window
from pipkie_cli.pages import PageCache, open_cache
from pipkie_cli.templates import find_templates
from pipkie_cli.train.batches import make_batch
from pipkie_cli.train.export import export
from pipkie_cli.train.stream import tokenizer_of
from pipkie_cli.train.trainee import Trainee, load_page_stage, load_text_stage

REFERENCE = "fp32"


class TorchBackend:
    """The network in torch, one window per forward."""

    reads: Literal["words"] = "words"
    revision, calibration = "torch", Calibration()

    def __init__(self, start: Path, run: Path, dtype: torch.dtype) -> None:
        self._reader = PieceReader(tokenizer_of(start))
        self._trainee = Trainee(load_text_stage(start / "text_stage.safetensors"), load_page_stage(run), "cpu", dtype)

    def prepare(self, window: Window) -> MiniInputs:
        return make_inputs(window, self._reader)

    def forward(self, inputs: MiniInputs) -> tuple[tuple[Candidate, ...], ...]:
        n, k = len(inputs.places), len(inputs.types)
        with torch.no_grad():
            scores = self._trainee.scores(make_batch([inputs], [[()] * k], self._reader.pad))
        first, last, absent = (one[0].float().numpy() for one in scores)
        return decode(first[:k, :n], last[:k, :n], absent[:k], inputs)


class Timed:
    """A backend that counts its windows and the CPU seconds of their forwards, the first one left out."""

    reads: Literal["words"] = "words"

    def __init__(self, backend: Backend) -> None:
        self.backend, self.revision, self.calibration = backend, backend.revision, backend.calibration
        self.windows, self.cpu_s = -1, 0.0

    def prepare(self, window: Window) -> Any:
        return self.backend.prepare(window)

    def forward(self, inputs: Any) -> tuple[tuple[Candidate, ...], ...]:
        start = process_time()
        done = self.backend.forward(inputs)
        self.windows += 1
        if self.windows:
            self.cpu_s += process_time() - start
        return done


@dataclass(slots=True)
class Tally:
    """Of one variant on one set: per labelled value ANLS and exactness, and whether the text is the reference's."""

    anls: list[float] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)
    same: list[bool] = field(default_factory=list)


def compare_precisions(start: Path, run: Path, sets: Sequence[str], limit: int | None, cache: Path) -> dict[str, Any]:
    """All figures; `sets` are FOLDER or FOLDER:PART, of which `limit` documents from the first on are read."""
    torch.set_num_threads(1)
    with TemporaryDirectory(prefix="pipkie-precision-") as name:
        backends = {variant: Timed(backend) for variant, backend in _variants(start, run, Path(name)).items()}
        pages = open_cache(cache)
        tallies = {one: _tally(one, limit, backends, pages) for one in sets}
    return {
        "command": "precision",
        "windows": backends[REFERENCE].windows,
        "cpu_s_per_window": {variant: timed.cpu_s / max(1, timed.windows) for variant, timed in backends.items()},
        "sets": {
            one: {
                variant: {
                    "n": len(tally.exact),
                    "anls": sum(tally.anls) / max(1, len(tally.anls)),
                    "exact": sum(tally.exact) / max(1, len(tally.exact)),
                    "same_as_fp32": sum(tally.same) / max(1, len(tally.same)),
                }
                for variant, tally in of_set.items()
            }
            for one, of_set in tallies.items()
        },
    }


def table_of(figures: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{'':<16}{'CPU s a window':>16}"
        + "".join(f"{Path(one).parent.name + ' ANLS/exact/same':>28}" for one in figures["sets"])
    ]
    for variant, seconds in figures["cpu_s_per_window"].items():
        rows = (of_set[variant] for of_set in figures["sets"].values())
        scores = "".join(
            f"{100 * row['anls']:12.1f}{100 * row['exact']:8.1f}{100 * row['same_as_fp32']:8.1f}" for row in rows
        )
        lines.append(f"{variant:<16}{seconds:16.4f}{scores}")
    return lines


def _variants(start: Path, run: Path, folder: Path) -> dict[str, Backend]:
    text, page = load_text_stage(start / "text_stage.safetensors"), load_page_stage(run)
    for name, as_int8 in (("fp32", False), ("int8", True)):
        export(copy.deepcopy(text), copy.deepcopy(page), tokenizer_of(start), folder / name, {}, as_int8)
    compute_in_int8(folder / "fp32", folder / "int8_computed")
    compute_in_int8(folder / "fp32", folder / "int8_text", ("text.onnx",))
    loaded: dict[str, Backend] = {
        "fp32": words_only(load_backend(str(folder / "fp32"))),
        "int8 stored": words_only(load_backend(str(folder / "int8"))),
        "int8 computed": words_only(load_backend(str(folder / "int8_computed"))),
        "int8 text stage": words_only(load_backend(str(folder / "int8_text"))),
        "bf16 (torch)": TorchBackend(start, run, torch.bfloat16),
    }
    return loaded


def _tally(one: str, limit: int | None, backends: Mapping[str, Timed], pages: PageCache) -> dict[str, Tally]:
    folder, _, part = one.partition(":")
    rules = rules_of(Path(folder))
    (template,) = find_templates([rules.template or ""], None)
    keys = {key.name: key for key in template.keys}
    tallies = {variant: Tally() for variant in backends}
    roads = {
        variant: PipelineRoad(RunOptions(templates=(template,), template_given=True, facts=False), timed, (), pages)
        for variant, timed in backends.items()
    }
    documents: Sequence[Labelled] = read_folder(Path(folder), part or None)
    for document in documents[:limit]:
        read = roads[REFERENCE].read(document)
        given = {variant: road.ask(read, template) for variant, road in roads.items()}
        for label, expected in document.values.items():
            key = keys.get(rules.template_key(label))
            if key is None or not expected:
                continue
            for variant, answers in given.items():
                answer, tally = answers[key.name], tallies[variant]
                judgement = judge(key, expected, document.printed.get(label, ()), answer.raw, answer.value, rules)
                tally.anls.append(judgement.anls)
                tally.exact.append(judgement.exact)
                tally.same.append(answer.raw == given[REFERENCE][key.name].raw)
    return tallies
