"""Figures about pipkie itself: labelled documents in, measures out; documents in, CPU seconds and memory out.

Measures the real pipeline from PDF or pixels. Never prints, never changes what it measures, and no other room of the
road knows of it.
"""

from pipkie_cli.evaluate.run import Measurement, plan_bench, plan_evaluation, run_bench, run_evaluation

__all__ = ["Measurement", "plan_bench", "plan_evaluation", "run_bench", "run_evaluation"]
