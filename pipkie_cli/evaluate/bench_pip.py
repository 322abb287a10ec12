"""One pass of a multimodal model against the five ways to write word by word, per number of keys and slots.

Seconds are those of the fastest round, all ways taking turns in one process: of CPU time on a CPU, where other work
changes the clock, by the clock on a GPU. Peak memory is measured in a run of its own, before the others.
What each way keeps: `models/mllm/ways.py`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import UsageError
from pipkie_cli.evaluate.bench import template_of
from pipkie_cli.evaluate.setting import cpu_name, setting
from pipkie_cli.models.mllm import meter, race, random_model
from pipkie_cli.nouns import Key
from pipkie_cli.templates import find_templates

if TYPE_CHECKING:
    import numpy as np

    from pipkie_cli.models.mllm import Checkpoint

Figures = dict[str, Any]
TEMPLATE = "invoice"  # its keys are asked; more are filled up from the other shipped templates
MOST = {"keys": 60, "slots": 256, "documents": 256, "rounds": 100}  # what still ends
MIB = 1 << 20
WATCHED = ("torch", "transformers")


@dataclass(frozen=True, slots=True)
class PipPlan:
    """What is to be compared: a checkpoint's folder, or random weights of a size; every combination of the numbers."""

    model: Path | None
    size: str
    device: str
    keys: tuple[int, ...]
    slots: tuple[int, ...]
    documents: tuple[int, ...]
    rounds: int


def plan_pip_bench(
    model: Path | None,
    size: str,
    device: str,
    keys: Sequence[int],
    slots: Sequence[int],
    documents: Sequence[int],
    rounds: int,
) -> PipPlan:
    """Raises UsageError for a size that is not known or would take a CPU hours, and for numbers out of bounds."""
    if model is None and size not in random_model.SIZES:
        raise UsageError(f"--size {size} is not known", hint=f"use {', '.join(random_model.SIZES)}")
    if model is None and device == "cpu" and not random_model.SIZES[size].on_cpu:
        small = ", ".join(name for name, one in random_model.SIZES.items() if one.on_cpu)
        raise UsageError(f"--size {size} takes hours on a CPU", hint=f"add --device cuda:0, or use --size {small}")
    given: Mapping[str, Sequence[int]] = {"keys": keys, "slots": slots, "documents": documents, "rounds": (rounds,)}
    for name, numbers in given.items():
        least = 2 if name == "slots" else 1
        if not numbers or not all(least <= number <= MOST[name] for number in numbers):
            raise UsageError(f"--{name} takes numbers from {least} to {MOST[name]}", hint=f"as in --{name} {least}")
    return PipPlan(model, size, device, tuple(keys), tuple(slots), tuple(documents), rounds)


def run_pip_bench(plan: PipPlan, say: Callable[[str], None]) -> Figures:
    """All figures; `say` tells what is being measured. Raises ModelError."""
    from pipkie_cli.models.mllm import load_checkpoint

    if plan.device == "cpu":
        race.one_thread()
    if plan.model is None:
        checkpoint = random_model.random_checkpoint(plan.size, _texts(), plan.device)
    else:
        checkpoint = load_checkpoint(plan.model, device=plan.device)
    rows = []
    for documents, slots, count in product(plan.documents, plan.slots, plan.keys):
        say(f"{count} keys, {slots} slots, {documents} document{'s' * (documents > 1)}")
        one = race.make_race(checkpoint, _page(plan), documents, _keys(count), slots)
        rows.append({"keys": count, "slots": slots, "documents": documents, **_race_figures(one, plan, documents)})
    return {
        "command": "bench pip",
        "model": plan.model.name if plan.model else f"random-{plan.size}",
        "parameters": race.n_parameters(checkpoint),
        "dtype": str(checkpoint.model.dtype).removeprefix("torch."),
        "device": plan.device,
        "device_name": _device_name(plan.device),
        "clock": _clock(plan),
        "rounds": plan.rounds,
        "weights_mib": _weights(checkpoint) / MIB,
        "rows": [_with_utilisation(row, race.peak_flops(plan.device)) for row in rows],
        **setting(WATCHED),
    }


def _texts() -> list[str]:
    """What the tokenizer of random weights is trained on: the shipped templates, and JSON as it is asked for."""
    templates = find_templates([], None)
    frames = [json.dumps(dict.fromkeys((key.name for key in one.keys), "A-17")) for one in templates]
    return [Path(one.origin).read_text(encoding="utf-8") for one in templates] + frames


def _page(plan: PipPlan) -> "np.ndarray[Any, Any]":
    """A white page (H, W, 3): what is printed costs nothing."""
    import numpy as np

    height, width = random_model.SIZES["2b" if plan.model else plan.size].page_px
    return np.full((height, width, 3), 255, np.uint8)


def _keys(count: int) -> tuple[Key, ...]:
    """Keys asked by their names alone, as in the paper; a template's aliases make every way's prompts longer."""
    keys = template_of(find_templates([TEMPLATE], None)[0], count).keys
    return tuple(replace(key, aliases=()) for key in keys)


def _race_figures(contest: race.Race, plan: PipPlan, documents: int) -> Figures:
    names = list(contest.runs)
    contest.runs[race.ONE_PASS]()  # what libraries allocate at their first call is not the run's
    peaks = {name: meter.peak_bytes(contest.runs[name], plan.device) for name in names}
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in range(plan.rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            seconds[name].append(getattr(meter.spent(contest.runs[name], plan.device), _clock(plan)))
    best = {name: min(rounds) for name, rounds in seconds.items()}
    return {
        "row_tokens": contest.tokens,
        "image_tokens": contest.image_tokens,
        "slots_per_document": contest.slots,
        "json_steps": contest.json_steps,
        "json_prompt_tokens": contest.json_tokens,
        "s_per_document": {name: one / documents for name, one in best.items()},
        "documents_per_s": {name: documents / one for name, one in best.items()},
        "speed_up": {name: one / best[race.ONE_PASS] for name, one in best.items() if name != race.ONE_PASS},
        "peak_mib": {name: None if peak is None else peak / MIB for name, peak in peaks.items()},
        "flops_per_document": race.count_flops(contest.runs[race.ONE_PASS]) / documents,
    }


def _with_utilisation(row: Figures, peak: float | None) -> Figures:
    """Operations a second of the one pass, and their share of what the device can do, where that is known."""
    rate = row["flops_per_document"] / row["s_per_document"][race.ONE_PASS]
    return {**row, "flops_per_s": rate, "flops_utilisation": rate / peak if peak else None}


def _clock(plan: PipPlan) -> str:
    return "cpu_s" if plan.device == "cpu" else "wall_s"


def _weights(checkpoint: "Checkpoint") -> int:
    return sum(one.numel() * one.element_size() for one in checkpoint.model.parameters())


def _device_name(device: str) -> str:
    return cpu_name() if device == "cpu" else race.gpu_name(device)


def pip_table(figures: Figures) -> list[str]:
    """One line per number of keys: seconds of the one pass, then how many times as long every other way takes."""
    timed = "CPU seconds of one thread" if figures["clock"] == "cpu_s" else "seconds by the clock"
    ways = list(figures["rows"][0]["speed_up"])
    lines = [
        f"{figures['model']}, {figures['parameters'] / 1e6:,.1f} million parameters, {figures['dtype']},"
        f" {figures['device_name']}",
        f"{timed}, fastest of {figures['rounds']}; how many times as long as the one pass; peak memory beyond"
        f" {figures['weights_mib']:,.0f} MiB of weights",
        _line("keys", "slots", "docs", "one pass", "docs/s", ways),
    ]
    for row in figures["rows"]:
        one_pass = f"{row['s_per_document'][race.ONE_PASS] * 1000:.1f} ms"
        rate = f"{row['documents_per_s'][race.ONE_PASS]:.2f}"
        ratios = [f"{row['speed_up'][way]:.1f} x" for way in ways]
        lines.append(_line(row["keys"], row["slots"], row["documents"], one_pass, rate, ratios))
        peaks = row["peak_mib"]
        if peaks[race.ONE_PASS] is not None:
            others = [f"{peaks[way]:,.0f} MiB" for way in ways]
            lines.append(_line("", "", "", f"{peaks[race.ONE_PASS]:,.0f} MiB", "", others))
    return [*lines, *_what_was_done(figures["rows"][-1])]


def _line(keys: object, slots: object, documents: object, one_pass: str, rate: str, ways: Sequence[str]) -> str:
    return f"{keys:>5}{slots:>6}{documents:>5}{one_pass:>12}{rate:>8}" + "".join(f"{way:>13}" for way in ways)


def _what_was_done(row: Figures) -> list[str]:
    share = row["flops_utilisation"]
    return [
        f"last line: {row['row_tokens']} tokens in the one pass, {row['image_tokens']} of them image;"
        f" {row['json_steps']} steps of the JSON answer",
        f"one pass: {row['flops_per_document'] / 1e9:,.1f} GFLOP a document, {row['flops_per_s'] / 1e12:.3f} TFLOP/s"
        + (f", {100 * share:.0f} % of what the device can do" if share else ""),
    ]
