"""Candidates -> one answer per key: windows merged, equal texts added up, confidence, page and boxes.

Comes in: windows and a backend's candidates. Goes out: `Answer`. Never: tensors, types of values, files.
"""

from pipkie_cli.answers.merge import answer_keys

__all__ = ["answer_keys"]
