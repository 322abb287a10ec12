"""Candidates -> one answer per key and the rows of tables: windows merged, equal texts added up, confidence, boxes.

Comes in: windows and a backend's candidates, or what a model wrote for sheets; for the choice by rules the typed
values, too. Goes out: `Answer`, `TableAnswer`. Never: tensors, files.
"""

from pipkie_cli.answers.by_rule import choose_by_rules
from pipkie_cli.answers.claims import rival_answers, rival_sheets
from pipkie_cli.answers.confidence import unsure_letters
from pipkie_cli.answers.merge import answer_keys
from pipkie_cli.answers.tables import answer_tables
from pipkie_cli.answers.written import answer_written

__all__ = [
    "answer_keys",
    "answer_tables",
    "answer_written",
    "choose_by_rules",
    "rival_answers",
    "rival_sheets",
    "unsure_letters",
]
