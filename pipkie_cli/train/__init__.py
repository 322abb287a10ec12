"""Examples -> a trained checkpoint: `pipkie train`, and `python -m pipkie_cli.train --help`.

Comes in: labelled documents, synthetic examples, pairs of pictures and texts, starting weights. Goes out: a folder that
models/ reads, of the embedded model or a multimodal one. Never runs during extraction. The door loads no torch: a plan
is made, and faults of it are told, without.
"""

from pipkie_cli.train.finetune import plan_finetuning, run_finetuning
from pipkie_cli.train.pip_plan import PipPlan, plan_pip
from pipkie_cli.train.pip_recipe import Attention, Recipe, Stage, load_recipe
from pipkie_cli.train.pip_run import pip_cost, train_pip

__all__ = [
    "Attention",
    "PipPlan",
    "Recipe",
    "Stage",
    "load_recipe",
    "pip_cost",
    "plan_finetuning",
    "plan_pip",
    "run_finetuning",
    "train_pip",
]
