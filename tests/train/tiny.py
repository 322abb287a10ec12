"""Pages, a text stage and a backend small enough for tests of the training room."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from made_tokenizer import tokenizer_json
from safetensors.torch import save_file

from pipkie_cli.nouns import Box, Page, Word
from pipkie_cli.train.network import TextStage
from pipkie_cli.train.real import RealPage, to_real_page
from pipkie_cli.train.trainee import Shape

WIDTH = 24
SHAPE = Shape(width=WIDTH, heads=2, layers=1)
LINES = (
    "KEDAI MELUR",
    "12 JALAN MAWAR",
    "Invoice 4711",
    "Date 14 MAR 2018",
    "Printed 2018-03-15",
    "TOTAL 55.50",
    "4711",
)
VALUES = {"company": "KEDAI MELUR", "address": "12 JALAN MAWAR", "date": "14 MAR 2018", "total": "55.50"}


def words_of(lines: Sequence[str], source: str = "ocr") -> tuple[Word, ...]:
    """One printed line and one segment per text."""
    return tuple(
        Word(
            text,
            Box(0.05 + 0.15 * column, 0.05 + 0.04 * line, 0.15 + 0.15 * column, 0.07 + 0.04 * line),
            line,
            line,
            "ocr" if source == "ocr" else "text",
        )
        for line, printed in enumerate(lines)
        for column, text in enumerate(printed.split())
    )


def page_of(lines: Sequence[str] = LINES, source: str = "ocr") -> Page:
    return Page(0, 600, 800, 0, words_of(lines, source), "ocr" if source == "ocr" else "text", None)


def real_page(lines: Sequence[str] = LINES, values: Mapping[str, object] = VALUES, group: str = "a shop") -> RealPage:
    return to_real_page("receipt", group, page_of(lines), 1, values)


def write_start(folder: Path) -> Path:
    """What `python -m pipkie_cli.train start` writes, tiny."""
    folder.mkdir(parents=True, exist_ok=True)
    spec = tokenizer_json()
    (folder / "tokenizer.json").write_text(spec, encoding="utf-8")
    torch.manual_seed(3)
    stage = TextStage(spec.count('", '), WIDTH, layers=1)  # more rows than pieces do no harm
    save_file(stage.state_dict(), str(folder / "text_stage.safetensors"))
    return folder
