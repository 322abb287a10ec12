"""What a training would take: samples as they are drawn, tokens, parameters, memory. Loads no weight."""

from dataclasses import asdict
from itertools import islice
from typing import Any

from pipkie_cli.models import multimodal_folder
from pipkie_cli.models.mllm import add_mask_token, outline
from pipkie_cli.train.pip_learn import make_rows
from pipkie_cli.train.pip_memory import Load, estimate_memory
from pipkie_cli.train.pip_plan import PipPlan
from pipkie_cli.train.pip_rows import Row
from pipkie_cli.train.pip_schedule import Draws

DRAWN = 24  # samples that are opened and encoded; the longest of them stands for all


def count_cost(plan: PipPlan) -> tuple[dict[str, Any], list[str]]:
    """Figures, and lines for people. Raises ModelError, InputError."""
    checkpoint = add_mask_token(outline(multimodal_folder(plan.model)))
    rows = make_rows(plan, checkpoint)
    recipe = plan.recipe
    drawn = [rows[draw] for draw in islice(Draws(recipe, 0, 0, 1), min(DRAWN, len(Draws(recipe, 0, 0, 1))))]
    made = [row for one, _ in drawn for row in one]
    config = checkpoint.model.config
    load = Load(
        samples=recipe.batch * max(len(one) for one, _ in drawn),
        tokens=max(row.encoded.n_tokens for row in made),
        patches=max(_patches(row, config.vision_config) for row in made),
        slots=max(len(row.keep) for row in made),
    )
    memory = estimate_memory(checkpoint.model, config.get_text_config(), config.vision_config, recipe, load)
    per_step = recipe.batch * recipe.accumulate
    mean = sum(row.encoded.n_tokens for row in made) / len(made)
    figures = {
        "command": "train",
        "dry_run": True,
        "stage": plan.stage,
        "samples": len(plan.learn),
        "held_out": len(plan.held_out),
        "steps": recipe.steps,
        "samples_per_step": per_step,  # of one process
        "epochs": round(recipe.steps * per_step / len(plan.learn), 2),
        "tokens_per_sample": round(mean, 1),
        "longest": asdict(load),
        "memory": {**asdict(memory), "total": memory.total},
    }
    lines = [
        f"{len(plan.learn)} samples to learn from, {len(plan.held_out)} held out",
        f"{recipe.steps} steps of {per_step} samples a process: {figures['epochs']} times each with one process",
        f"{mean:,.0f} tokens a sample, {load.tokens:,} the longest of {len(drawn)} drawn, {load.slots} slots at most",
        *memory.lines(),
    ]
    return figures, lines


def _patches(row: Row, vision: Any) -> int:
    """What the vision tower reads of a row."""
    grid, pixels = row.encoded.images.grid, row.encoded.images.pixel_values
    if grid is not None:
        return int(grid.prod(-1).sum())
    sides = [size if isinstance(size, int) else size[0] for size in (vision.image_size, vision.patch_size)]
    return len(pixels) * (sides[0] // sides[1]) ** 2
