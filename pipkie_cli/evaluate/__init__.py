"""Figures about pipkie itself: labelled documents in, measures out; documents in, CPU seconds and memory out.

Measures the real pipeline from PDF or pixels. Never prints, never changes what it measures, and no other room of the
road knows of it.
"""

from pipkie_cli.evaluate.bench_pip import pip_table, plan_pip_bench, run_pip_bench
from pipkie_cli.evaluate.bench_run import run_bench_run
from pipkie_cli.evaluate.compare import answer_forms, judge, label_forms
from pipkie_cli.evaluate.datasets import Labelled, Row, SetRules, read_folder, rules_of
from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import judge_document
from pipkie_cli.evaluate.road import PipelineRoad
from pipkie_cli.evaluate.run import Measurements, plan_bench, plan_evaluation, run_bench, run_evaluations
from pipkie_cli.evaluate.tally import Tally, tally
from pipkie_cli.evaluate.types import TypeMeasurements, plan_types, run_types

# Readers of folders, road and judge are for training: it learns from the same folders and is judged alike.
__all__ = [
    "Judged",
    "Labelled",
    "Measurements",
    "PipelineRoad",
    "Row",
    "SetRules",
    "Tally",
    "TypeMeasurements",
    "answer_forms",
    "judge",
    "judge_document",
    "label_forms",
    "pip_table",
    "plan_bench",
    "plan_evaluation",
    "plan_pip_bench",
    "plan_types",
    "read_folder",
    "rules_of",
    "run_bench",
    "run_bench_run",
    "run_evaluations",
    "run_pip_bench",
    "run_types",
    "tally",
]
