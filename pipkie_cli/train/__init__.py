"""Examples -> a trained checkpoint of the mini model: `pipkie train`, and `python -m pipkie_cli.train --help`.

Comes in: labelled documents, synthetic examples, starting weights. Goes out: a folder that models/mini reads.
Never runs during extraction. The door loads no torch: a plan is made, and faults of it are told, without.
"""

from pipkie_cli.train.finetune import plan_finetuning, run_finetuning

__all__ = ["plan_finetuning", "run_finetuning"]
