"""The door to training multimodal checkpoints: `train_pip` learns a plan, `pip_cost` tells what it would take.

Loads no torch before it is needed; plan_pip (pip_plan.py) finds faults first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipkie_cli.train.pip_plan import PipPlan


@dataclass(frozen=True, slots=True)
class PipReport:
    """What came out of a training; the folder is `plan.output`. Of several processes the first one tells."""

    figures: dict[str, Any]  # {} on the others

    def table(self) -> list[str]:
        """The figures as lines for people."""
        looks = self.figures["held_out"]
        rows = [f"{'':<10}{'before':>10}{'best':>10}"]
        rows += [f"{name:<10}{first:>10.3f}{best:>10.3f}" for name, (first, best) in looks.items()]
        rows.append(
            f"best after {self.figures['best_step']} of {self.figures['steps']} steps, "
            f"{self.figures['samples']} samples, {self.figures['skipped']} left out that cannot be opened, "
            f"{self.figures['minutes']} minutes of learning"
        )
        return rows


@dataclass(frozen=True, slots=True)
class PipCost:
    """What a training would take."""

    figures: dict[str, Any]
    lines: tuple[str, ...]

    def table(self) -> list[str]:
        """The figures as lines for people."""
        return list(self.lines)


def train_pip(
    plan: PipPlan, step: Callable[[], None] = lambda: None, say: Callable[[str], None] = lambda _: None
) -> PipReport:
    """Learn, and write `plan.output` as a checkpoint; `step` is called after every step of the optimizer.

    Goes on where a stopped run of the same plan is. Raises ModelError, InputError (no sample opens), OutputError.
    """
    from pipkie_cli.train.pip_learn import learn

    return PipReport(learn(plan, step, say))


def pip_cost(plan: PipPlan) -> PipCost:
    """Samples, tokens, parameters and memory of a plan. Raises ModelError, InputError."""
    from pipkie_cli.train.pip_cost import count_cost

    figures, lines = count_cost(plan)
    return PipCost(figures, tuple(lines))
