"""`pipkie bench run`: a whole batch with its workers and devices, and which part of it the others wait for."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipkie_cli.batch import Limits, Supervisor
from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.setting import setting
from pipkie_cli.nouns import Input, RunOptions

if TYPE_CHECKING:
    from pipkie_cli.batch import Busy

FULL = 0.9  # of the time that a device is busy: then it is what the others wait for
STAGES = {
    "read": "pages to words or pictures",
    "prepare": "what the model is given",
    "forward": "the model",
    "finish": "answers to the record",
}


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A measured batch."""

    figures: dict[str, Any]

    def table(self) -> list[str]:
        figures = self.figures
        lines = [
            f"{figures['documents']} documents, {figures['pages']} pages, {figures['failed']} failed; "
            f"{figures['workers']} workers{_on(figures['devices'])}",
            f"{'pages a second':<40}{figures['pages_per_s']:9.2f}",
            f"{'seconds until the first worker is ready':<40}{figures['start_s']:9.2f}",
            f"{'workers with a document':<40}{100 * figures['worker_fill']:9.0f} % of the time",
        ]
        for name, row in figures["stages"].items():
            speed = f"{row['pages_per_s']:.1f} pages/s" if row["pages_per_s"] else ""
            lines.append(f"{f'  {name}: {STAGES[name]}':<40}{row['s_per_page']:9.3f} s a page  {speed}".rstrip())
        device = figures["device"]
        if device:
            lines += [
                f"{'devices in a forward':<40}{100 * device['busy']:9.0f} % of the time",
                f"{'  sheets a forward':<40}{device['sheets_per_forward']:9.2f}",
                f"{'  sheets that wait for the next one':<40}{device['waiting']:9.2f}",
                f"{'  padding':<40}{100 * device['padding']:9.0f} %",
            ]
        return [*lines, f"what the others wait for: {figures['limiting']}"]


def run_bench_run(
    inputs: Sequence[Input], options: RunOptions, limits: Limits, step: Callable[[], None] = lambda: None
) -> RunFigures:
    """Read the inputs as a run would, without writing anything. Raises InputError without any, ModelError."""
    if not inputs:
        raise InputError("there is no document to read", hint="name a folder of PDFs or pictures")
    started = time.monotonic()
    seconds: Counter[str] = Counter()
    pages = failed = 0
    with Supervisor(options, limits) as supervisor:
        for _, outcome in supervisor.outcomes(inputs):
            seconds.update(outcome.seconds)
            pages += outcome.told.n_pages
            failed += outcome.told.failure is not None
            step()
        ended = time.monotonic()
        ready = supervisor.first_ready or ended
        busy = supervisor.hosts.busy()
    wall = ended - ready
    stages = {
        name: {
            "s_per_page": seconds[name] / pages if pages else 0.0,
            "pages_per_s": limits.workers * pages / seconds[name] if seconds[name] else None,
        }
        for name in STAGES
    }
    device = _device(busy, wall, len(limits.devices))
    return RunFigures(
        {
            "command": "bench run",
            "documents": len(inputs),
            "pages": pages,
            "failed": failed,
            "workers": limits.workers,
            "devices": list(limits.devices),
            "seconds": wall,
            "start_s": ready - started,
            "pages_per_s": pages / wall if wall else 0.0,
            "worker_fill": min(1.0, sum(seconds.values()) / (limits.workers * wall)) if wall else 0.0,
            "stages": stages,
            "device": device,
            "limiting": _limiting(seconds, device),
            **setting(("torch", "transformers") if limits.devices else ()),
        }
    )


def _on(devices: Sequence[str]) -> str:
    return f" on {', '.join(devices)}" if devices else ""


def _device(busy: "Busy", wall: float, n_devices: int) -> dict[str, float] | None:
    """None where no forward was shared."""
    if not busy.batches or not wall:
        return None
    return {
        "busy": min(1.0, busy.seconds / (wall * n_devices)),
        "forwards": busy.batches,
        "sheets_per_forward": busy.sheets / busy.batches,
        "waiting": busy.waiting / busy.batches,
        "padding": 1 - busy.tokens / busy.padded if busy.padded else 0.0,
        "tokens_per_s": busy.tokens / busy.seconds if busy.seconds else 0.0,
    }


def _limiting(seconds: "Counter[str]", device: dict[str, float] | None) -> str:
    """The stage that a faster one of would make the run faster: a full device, else where workers spend their time."""
    if device and device["busy"] >= FULL:
        return "forward (the devices are full)"
    own = {name: spent for name, spent in seconds.items() if not device or name != "forward"}  # else it is waiting
    return max(own, key=lambda name: own[name]) if own else "read"
