"""One training of the proof: crops, then slips, for a one-pass model or its autoregressive twin.

Same start, same pictures in the same order, same number of steps and the same optimiser for both. A killed training
goes on where its last checkpoint stood and ends with the same weights.
"""

import json
import math
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from pipkie_cli.models.mllm import Checkpoint, Encoded, collate, load_checkpoint, never_written, slot_states
from pipkie_cli.train.pip_loss import weighted_loss
from pipkie_cli.train.proof_model import quick_patches
from pipkie_cli.train.proof_rows import Weights, causal_row, one_pass_row
from pipkie_cli.train.proof_score import causal_states, score_slips
from pipkie_cli.train.proof_slips import LONGEST_VALUE, Slip, draw_crop, draw_slip, words

Way = Literal["one_pass", "causal"]
WARM_UP = 60  # steps, of either stage
LAST_RATE = 0.05  # of the highest learning rate, at the end of either stage
CHECKPOINT_S = 120.0
RECENT = 100  # steps that a line of the curve averages over
LONGEST_AFTER = 0.7  # of stage 1: until then crops grow from one letter to the longest value
LOOK_SLIPS = 100  # slips of the curve; their names are those of training
STATE, CURVE = "training.pt", "curve.jsonl"


@dataclass(frozen=True, slots=True)
class ProofPlan:
    """What is learnt, and for how long. Stage 1 is left out where `crop_steps` is 0."""

    way: Way
    crop_steps: int
    slip_steps: int
    batch: int = 32
    rate: float = 2e-3
    look_every: int = 250
    seed: int = 1


def learn_proof(start: Path, plan: ProofPlan, folder: Path, say: Callable[[str], object]) -> Checkpoint:
    """Train what `start` holds; `folder` gets the checkpoint, its curve, and the state from which to go on."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = load_checkpoint(start, dtype="float32")
    quick_patches(checkpoint.model)
    trainee = _Trainee(checkpoint, plan, folder / STATE)
    looks = [draw_slip(random.Random(f"look {number}"), words("train")) for number in range(LOOK_SLIPS)]
    total, losses, saved = plan.crop_steps + plan.slip_steps, list[float](), time.monotonic()
    while trainee.step < total:
        losses = [*losses[1 - RECENT :], trainee.learn()]
        if trainee.step % plan.look_every == 0 or trainee.step == total:
            right = score_slips(checkpoint, looks, plan.way) if trainee.step > plan.crop_steps else None
            trainee.curve.append({"step": trainee.step, "loss": round(sum(losses) / len(losses), 4), "right": right})
            say(f"{folder.name} {json.dumps(trainee.curve[-1])}")
        if time.monotonic() - saved > CHECKPOINT_S:
            trainee.save()
            saved = time.monotonic()
    trainee.save()
    (folder / CURVE).write_text("".join(json.dumps(one) + "\n" for one in trainee.curve), encoding="utf-8")
    for path in start.iterdir():
        if path.name not in (STATE, CURVE):  # a start may have been learnt itself
            shutil.copyfile(path, folder / path.name)
    checkpoint.model.save_pretrained(folder)
    return checkpoint


class _Trainee:
    """Model and optimiser at a step of a plan. The pictures of a step hang on seed and step alone."""

    def __init__(self, checkpoint: Checkpoint, plan: ProofPlan, state: Path) -> None:
        self.checkpoint, self.plan, self.state = checkpoint, plan, state
        self.step, self.curve = 0, list[dict[str, Any]]()
        self.names = words("train")
        self.optimizer = torch.optim.AdamW(
            checkpoint.model.parameters(), lr=plan.rate, betas=(0.9, 0.98), weight_decay=0.01
        )
        checkpoint.model.train()
        if state.is_file():
            kept = torch.load(state, weights_only=True)
            if kept["plan"] == asdict(plan):
                checkpoint.model.load_state_dict(kept["model"])
                self.optimizer.load_state_dict(kept["optimizer"])
                self.step, self.curve = kept["step"], kept["curve"]

    def save(self) -> None:
        kept = {
            "plan": asdict(self.plan), "model": self.checkpoint.model.state_dict(),
            "optimizer": self.optimizer.state_dict(), "step": self.step, "curve": self.curve,
        }  # fmt: skip
        part = self.state.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.state)

    def learn(self) -> float:
        """One step; returns its loss per token."""
        pen = random.Random(f"{self.plan.seed} {self.step}")
        crops = self.step < self.plan.crop_steps
        at, of = (
            (self.step, self.plan.crop_steps) if crops else (self.step - self.plan.crop_steps, self.plan.slip_steps)
        )
        rows = [self._row(self._draw(pen, crops, at / of), pen, crops) for _ in range(self.plan.batch)]
        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.rate * min(1.0, (at + 1) / WARM_UP) * _cosine(at / of)
        loss = self._loss([row for row, _ in rows], np.concatenate([weights for _, weights in rows]))
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.checkpoint.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        return float(loss.detach())

    def _draw(self, pen: random.Random, crops: bool, progress: float) -> Slip:
        if not crops:
            return draw_slip(pen, self.names)
        longest = min(LONGEST_VALUE, 1 + int((LONGEST_VALUE + 1) * progress / LONGEST_AFTER))
        return draw_crop(pen, self.names, longest)

    def _row(self, slip: Slip, pen: random.Random, crops: bool) -> tuple[Encoded, Weights]:
        if self.plan.way == "causal":
            return causal_row(self.checkpoint, slip)
        return one_pass_row(self.checkpoint, slip, pen=pen if crops else None)

    def _loss(self, rows: Sequence[Encoded], weights: Weights) -> torch.Tensor:
        """Cross entropy of all targets, weighted, per unit of weight."""
        batch = collate(rows, self.checkpoint.pad_id)
        if self.plan.way == "causal":
            states = causal_states(self.checkpoint, batch)[batch["slots"]]  # (n, D)
        else:
            states = slot_states(self.checkpoint, batch)
        targets, kept = batch["targets"][batch["slots"]], torch.from_numpy(weights)  # (n,)
        shown = targets >= 0
        logits = self.checkpoint.model.get_output_embeddings()(states[shown])  # (m, V)
        loss = weighted_loss(logits, targets[shown], kept[shown], never_written(self.checkpoint))
        return loss / kept[shown].sum()


def _cosine(progress: float) -> float:
    """From 1 to LAST_RATE."""
    return LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))
