"""Figures about pipkie itself: labelled documents in, measures out; documents in, CPU seconds and memory out.

Measures the real pipeline from PDF or pixels. Never prints, never changes what it measures, and no other room of the
road knows of it.
"""

from pipkie_cli.evaluate.bench_report import bench_table
from pipkie_cli.evaluate.output import draw_wrong, write_answers
from pipkie_cli.evaluate.report import table_of
from pipkie_cli.evaluate.run import BenchPlan, Measurement, plan_evaluation, run_bench, run_evaluation, sample_inputs

__all__ = [
    "BenchPlan",
    "Measurement",
    "bench_table",
    "draw_wrong",
    "plan_evaluation",
    "run_bench",
    "run_evaluation",
    "sample_inputs",
    "table_of",
    "write_answers",
]
