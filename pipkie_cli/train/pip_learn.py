"""One training of a multimodal checkpoint from plan to folder. Only `pip_run` calls this."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError

from pipkie_cli.batch import lock
from pipkie_cli.errors import OutputError
from pipkie_cli.models import model_revision, multimodal_folder
from pipkie_cli.models.mllm import (
    AutoregressiveBackend,
    Checkpoint,
    MllmBackend,
    add_mask_token,
    bidirectional,
    load_checkpoint,
    never_written,
)  # fmt: skip
from pipkie_cli.nouns import Calibration, Sheet
from pipkie_cli.train.pip_kept import write_whole
from pipkie_cli.train.pip_loop import BEST, METRICS, Loop, Progress, start_processes
from pipkie_cli.train.pip_plan import STATE, PipPlan, checked
from pipkie_cli.train.pip_recipe import Recipe
from pipkie_cli.train.pip_rows import Rows
from pipkie_cli.train.pip_score import fit_calibration, score_documents, score_texts
from pipkie_cli.train.pip_sources import LabelledSource
from pipkie_cli.train.pip_trainee import load_dtype, make_trainable, write_checkpoint

LAST = ("config.json", "pipkie.json")  # make a folder a checkpoint: put there when all the rest is


def learn(plan: PipPlan, step: Callable[[], None], say: Callable[[str], None]) -> dict[str, Any]:
    """Learn and write `plan.output`; returns the figures, {} on every process but the first."""
    accelerator = start_processes(plan.recipe, plan.device)
    with _alone(plan) if accelerator.is_main_process else nullcontext():
        accelerator.wait_for_everyone()
        checkpoint = open_trainee(plan)
        model = make_trainable(checkpoint, plan.recipe, plan.attention)
        rows, never = make_rows(plan, checkpoint), never_written(checkpoint)
        loop = Loop(accelerator, model, never, rows, plan.recipe, plan.folder, plan.seed)
        with bidirectional(checkpoint.model) if plan.attention == "bidirectional" else nullcontext():
            done = loop.run(lambda: _look(plan, checkpoint, loop, rows), say, step)
        loop.load_best()
        if loop.is_main:
            _finish(plan, checkpoint, model, _calibration(plan, checkpoint, loop))
        loop.close()
    return _figures(plan, done) if loop.is_main else {}


def open_trainee(plan: PipPlan) -> Checkpoint:
    """The checkpoint that training starts from, with a mask token. Raises ModelError."""
    loaded = load_checkpoint(
        multimodal_folder(plan.model), dtype=load_dtype(plan.recipe), attention=plan.recipe.kernel, one_pass=False
    )
    return add_mask_token(loaded)


def make_rows(plan: PipPlan, checkpoint: Checkpoint) -> Rows:
    """What is drawn; without the model, so that worker processes get no copy of the weights."""
    return Rows(replace(checkpoint, model=None), plan.learn, plan.recipe, plan.stage, plan.attention, plan.seed)


class _AtRecipe:
    """Pictures as the recipe has them, whatever the checkpoint says that it was trained with before."""

    def __init__(self, checkpoint: Checkpoint, recipe: Recipe) -> None:
        super().__init__(checkpoint, revision="in training")  # type: ignore[call-arg]  # of the backend behind it
        self._recipe = recipe

    @property
    def max_pictures(self) -> int:
        return self._recipe.max_pictures

    def prepare(self, sheet: Sheet) -> Any:
        return super().prepare(replace(sheet, max_pixels=self._recipe.max_pixels))  # type: ignore[misc]


class _Trainee(_AtRecipe, MllmBackend):
    """The model while it learns, as a backend: what is measured between two steps goes the road of extraction."""


class _Twin(_AtRecipe, AutoregressiveBackend):
    """The autoregressive twin while it learns."""


def _look(plan: PipPlan, checkpoint: Checkpoint, loop: Loop, rows: Rows) -> dict[str, float]:
    """How well it does just now: values read off held-out documents, or masked texts filled in."""
    if not isinstance(plan.held_out, LabelledSource):
        return score_texts(loop, rows, plan.held_out)
    backend = _Twin if plan.attention == "causal" else _Trainee
    with loop.autocast():
        return score_documents(backend(checkpoint, plan.recipe), plan.held_out)


def _calibration(plan: PipPlan, checkpoint: Checkpoint, loop: Loop) -> Calibration:
    """How sure the best weights may be, on the held-out documents; as it comes where there are none."""
    if plan.attention == "causal" or not isinstance(plan.held_out, LabelledSource):
        return Calibration()
    checkpoint.model.eval()
    with loop.autocast():
        return fit_calibration(_Trainee(checkpoint, plan.recipe), plan.held_out)


def _finish(plan: PipPlan, checkpoint: Checkpoint, model: torch.nn.Module, calibration: Calibration) -> None:
    """The checkpoint beside, then into the folder; what only going on needs is taken away."""
    part = plan.folder / "checkpoint.part"
    try:
        shutil.rmtree(part, ignore_errors=True)
        write_checkpoint(checkpoint, model, plan.recipe, plan.stage, plan.attention, calibration, part)
        _put(part, plan)
    except (OSError, SafetensorError) as error:  # the second is its name of a full disk
        why = getattr(error, "strerror", None) or "is the disk full?"
        hint = "free it; the same command writes the checkpoint again"
        raise OutputError(f"{plan.output} cannot be written: {why}", hint=hint) from error


def _put(part: Path, plan: PipPlan) -> None:
    for path in sorted(part.iterdir(), key=lambda path: LAST.index(path.name) if path.name in LAST else -1):
        path.replace(plan.output / path.name)
    part.rmdir()
    for name in (STATE, BEST):  # a kill before this: the same command writes the checkpoint again
        (plan.folder / name).unlink(missing_ok=True)


def _figures(plan: PipPlan, done: Progress) -> dict[str, Any]:
    lines = [json.loads(line) for line in (plan.folder / METRICS).read_text(encoding="utf-8").splitlines()]
    looks = {line["step"]: line for line in lines if "score" in line}
    first, best = looks.get(0, {}), looks.get(done.best_step, {})  # {}: somebody deleted the file
    return {
        "command": "train",
        "model": plan.model,
        "stage": plan.stage,
        "attention": plan.attention,
        "revision": model_revision(str(plan.output)),
        "output": str(plan.output),
        "samples": done.samples,
        "skipped": done.skipped,
        "tokens": done.tokens,
        "steps": done.step,
        "best_step": done.best_step,
        "held_out": {
            name: [first[name], best[name]] for name in best if name in first and name not in ("step", "score")
        },
        "minutes": round(done.seconds / 60, 1),
        "seed": plan.seed,
    }


@contextmanager
def _alone(plan: PipPlan) -> Iterator[None]:
    """The folder with its plan, locked against a second run. Raises OutputError."""
    try:
        plan.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(plan.folder, os.O_RDONLY)  # the folder itself: no file is left of a lock
    except OSError as error:
        hint = "name another with --output"
        raise OutputError(f"{plan.folder} cannot be written: {error.strerror}", hint=hint) from error
    try:
        if not lock(descriptor):
            hint = "wait for it, or name another folder with --output"
            raise OutputError(f"another training is writing {plan.output}", hint=hint)
        checked(plan)  # again: another run may have ended since the plan was made
        told = json.dumps(plan.told(), indent=1) + "\n"
        write_whole(plan.folder / "plan.json", lambda path: path.write_text(told, encoding="utf-8"))
        yield
    finally:
        os.close(descriptor)
