"""Records as tables: written by pipkie, read by somebody else."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from bills import build
from pyarrow import parquet

from pipkie_cli.batch import WholeFiles
from pipkie_cli.nouns import Template
from pipkie_cli.records import Exported, export_records


def record(values: Mapping[str, Any], template: str = "thing@" + "a" * 12, **more: Any) -> dict[str, Any]:
    """A record with these values, whatever its fields."""
    made = build() | {"document_type": template.partition("@")[0], "template": template, "values": dict(values)}
    return made | {"fields": {}} | more


def lines(*records: Mapping[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in records).encode()


Export = Callable[..., Exported]


@pytest.fixture
def export(tmp_path: Path) -> Export:
    """Write records as `out.FORMAT` in the temporary folder."""

    def run(to: str, data: bytes, templates: tuple[Template, ...] = (), **options: Any) -> Exported:
        with WholeFiles() as files:

            def open_file(table: str | None) -> Any:
                return files.open(tmp_path / (f"out.{table}.{to}" if table else f"out.{to}"))

            return export_records(io.BytesIO(data), "r.jsonl", to, open_file, templates, **options)

    return run


def read_csv(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: text or None for name, text in row.items()} for row in csv.DictReader(file, strict=True)]


def read_xlsx(path: Path, sheet: str) -> list[dict[str, Any]]:
    head, *rows = openpyxl.load_workbook(path)[sheet].iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def read(folder: Path, to: str, template: str, table: str | None = None) -> list[dict[str, Any]]:
    """The rows of a sheet, as an independent reader has them."""
    if to == "xlsx":
        return read_xlsx(folder / "out.xlsx", f"{template} {table}" if table else template)
    path = folder / (f"out.{table}.{to}" if table else f"out.{to}")
    return parquet.read_table(path).to_pylist() if to == "parquet" else read_csv(path)
