"""A checkpoint and labelled documents small enough to fine-tune within a test."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from made_tokenizer import tokenizer_json

from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.train.export import export
from pipkie_cli.train.network import PageStage, TextStage

WIDTH = 24
KEYS = (
    Key("number", "text", "number", ("No.", "Order number")),
    Key("day", "date", "day"),
    Key("total", "amount", "total", ("Sum",)),
)
ITEMS = Key(
    "items", "table", "items", columns=(Key("name", "text", "item", ("Article",)), Key("price", "amount", "price"))
)
NOTE = Template("note", "Note", KEYS, Locale(dates="dmy", decimal="."), (), (), "0" * 12, "note.yaml")


def stages() -> tuple[TextStage, PageStage]:
    torch.manual_seed(5)
    text = TextStage(tokenizer_json().count('", '), WIDTH, ffn=48, layers=1)
    page = PageStage(WIDTH, heads=2, layers=1, pointer=16)
    with torch.no_grad():  # as after training: equal tensors would be stored once, under one of their names
        for parameter in (*text.parameters(), *page.parameters()):
            parameter += 0.02 * torch.randn_like(parameter)
    return text.eval(), page.eval()


def write_checkpoint(folder: Path) -> Path:
    """What `pipkie train --init DIR` starts from."""
    text, page = stages()
    calibration = {"text": [1.0, 0.0], "ocr": [1.0, 0.0], "absent": [1.0, 0.0], "absent_margin": 0.0}
    export(text, page, tokenizer_json(), folder, {"calibration": calibration})
    return folder


def write_folder(folder: Path, rows: Sequence[Mapping[str, Any]], **files: str) -> Path:
    """labels.jsonl of these rows; `files` are documents by name without .pdf."""
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"document_type": "note", **row}) for row in rows]
    (folder / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name, text in files.items():
        (folder / "documents" / f"{name}.pdf").write_text(text, encoding="utf-8")
    return folder


def write_bills(folder: Path, n: int = 10) -> Path:
    """So many made-up bills with two labelled items each, half of them with a number."""
    rows, files = [], {}
    for number in range(n):
        items = [{"name": f"Tea {number}", "price": f"{number + 1}.50"}, {"name": "Cake", "price": f"{number + 2}.00"}]
        values: dict[str, Any] = {"items": items} | ({"number": f"A-{number}7"} if number % 2 else {})
        rows.append({"file": f"documents/n{number:02}.pdf", "values": values})
        files[f"n{number:02}"] = (
            f"ACME bill\nnumber: A-{number}7 here\nTea {number} {number + 1}.50\nCake {number + 2}.00\n"
            f"total {2 * number + 3}.50 EUR\nthank you for coming"
        )
    return write_folder(folder, rows, **files)


def write_notes(folder: Path, n: int = 12) -> Path:
    """So many made-up notes that hold all keys, every third one a second page without any."""
    rows, files = [], {}
    for number in range(n):
        values = {"number": f"A-{number}7", "day": f"2024-03-{number + 13:02}", "total": f"{number + 10}.50"}
        rows.append({"file": f"documents/n{number:02}.pdf", "values": values})
        text = (
            f"ACME note\nnumber: A-{number}7 here\nday: {number + 13}.03.2024\ntotal: {number + 10}.50 EUR\nthank you"
        )
        files[f"n{number:02}"] = text + ("\fterms and conditions of ACME apply" if number % 3 == 0 else "")
    return write_folder(folder, rows, **files)
