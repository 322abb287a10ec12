"""Answers and typed values -> the record: one JSON object per document, checked before it leaves.

In: document, chosen template, answers, values, problems. Out: a dict in the key order of the record's contract, its
JSON line, and whether it breaks schema or rules, which is the sixth name because strict runs count it.
Never: changes what was printed, fills what was not found, depends on time or machine, writes a file.
"""

from pipkie_cli.records.assemble import build_record, failed_record
from pipkie_cli.records.check import check_record, is_invalid
from pipkie_cli.records.formats.jsonl import record_line
from pipkie_cli.records.schema import RECORD_SCHEMA

__all__ = ["RECORD_SCHEMA", "build_record", "check_record", "failed_record", "is_invalid", "record_line"]
