"""The proof that one pass reads pixels: a tiny model from scratch, its autoregressive twin, the twin converted to one
pass as the paper converts published models, and one without stage 1.

`python -m pipkie_cli.train proof -o DIR` trains all four and counts what they read of slips whose names no training
slip prints. docs/decisions/008-pip-proof.md has the table and what was learnt on the way.
"""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from pipkie_cli.models.mllm import INSTRUCTION, UNKNOWN, Checkpoint
from pipkie_cli.train.pip_look import layer_figures
from pipkie_cli.train.proof_learn import ProofPlan, learn_proof
from pipkie_cli.train.proof_model import write_start
from pipkie_cli.train.proof_score import placed, score_passes, score_slips
from pipkie_cli.train.proof_slips import Slip, draw_slip, words

CROP_STEPS, SLIP_STEPS = 1600, 4000
CONVERTED_STEPS, CONVERTED_RATE = 1000, 1e-3  # slips for the twin's weights, which can read already
N_TEST = 500
START_SEED = 0


def prove(folder: Path, scale: float, say: Callable[[str], object]) -> dict[str, Any]:
    """Train what is not trained yet, measure, and return the figures; `scale` shortens every training.

    A stopped run goes on where it was.
    """
    torch.set_num_threads(1)
    start = folder / "start"
    if not (start / "pipkie.json").is_file():
        write_start(start, INSTRUCTION.format(unknown=UNKNOWN), START_SEED)
    crops, slip_steps = round(CROP_STEPS * scale), round(SLIP_STEPS * scale)
    converted = ProofPlan("one_pass", 0, round(CONVERTED_STEPS * scale), rate=CONVERTED_RATE)
    plans = {
        "one_pass": (start, ProofPlan("one_pass", crops, slip_steps)),
        "causal": (start, ProofPlan("causal", crops, slip_steps)),
        "converted": (folder / "causal", converted),
        "without_stage_1": (start, ProofPlan("one_pass", 0, slip_steps)),
    }
    slips = [draw_slip(random.Random(f"test {number}"), words("test")) for number in range(N_TEST)]
    figures: dict[str, Any] = {"command": "proof", "slips": N_TEST, "values": sum(len(slip.keys) for slip in slips)}
    for name, (first, plan) in plans.items():
        checkpoint = learn_proof(first, plan, folder / name, say)
        figures[name] = {
            "crop_steps": plan.crop_steps,
            "slip_steps": plan.slip_steps,
            **_measured(checkpoint, slips, plan),
        }
        if plan.way == "one_pass":
            figures[name]["passes"] = {passes: _looked_again(checkpoint, slips, passes) for passes in (1, 2, 3)}
            figures[name]["layers"] = layer_figures(checkpoint, placed(slips))
        say(f"{name} {json.dumps(figures[name])}")
    figures["parameters"] = sum(weight.numel() for weight in checkpoint.model.parameters())
    return figures


def _measured(checkpoint: Checkpoint, slips: list[Slip], plan: ProofPlan) -> dict[str, float]:
    """Share of values read rightly, and CPU seconds per slip of reading them (one thread, 50 slips together)."""
    return _timed(slips, lambda: score_slips(checkpoint, slips, plan.way))


def _looked_again(checkpoint: Checkpoint, slips: list[Slip], passes: int) -> dict[str, float]:
    """The same with up to `passes`, from picture to value as `pipkie extract` goes, heat of the pages included."""
    return _timed(slips, lambda: score_passes(checkpoint, slips, passes))


def _timed(slips: list[Slip], score: Callable[[], float]) -> dict[str, float]:
    before = time.process_time()
    right = score()
    return {"exact": right, "cpu_s_per_slip": round((time.process_time() - before) / len(slips), 4)}
