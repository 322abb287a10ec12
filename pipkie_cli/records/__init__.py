"""Answers and typed values -> the record: one JSON object per document, checked before it leaves; records -> tables.

In: document, chosen template, answers, values, problems. Out: a dict in the key order of the record's contract, its
JSON line, and whether it breaks schema or rules. For exports: lines of records in, rows of sheets in some format
out, into files that the caller opens. Hence more than five names.
Never: changes what was printed, fills what was not found, depends on time or machine, opens or names a file.
"""

from pipkie_cli.records.assemble import build_record, failed_record
from pipkie_cli.records.check import check_record, is_invalid
from pipkie_cli.records.export import Exported, export_records
from pipkie_cli.records.formats.jsonl import record_line
from pipkie_cli.records.schema import RECORD_SCHEMA
from pipkie_cli.records.where import Where

__all__ = [
    "RECORD_SCHEMA",
    "Exported",
    "Where",
    "build_record",
    "check_record",
    "export_records",
    "failed_record",
    "is_invalid",
    "record_line",
]
