"""Training data small enough to learn within a test: slips of two or three printed lines, drawn with Pillow."""

import json
from pathlib import Path

from PIL import Image, ImageDraw

TEMPLATE = """
name: slip
title: Slip
keys:
  total: {type: amount, prompt: total, aliases: [Sum, Amount due]}
  day: {type: date, prompt: day}
"""


def draw_slip(path: Path, lines: list[str], size: tuple[int, int] = (112, 56)) -> None:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((4, 4 + 16 * number), line, fill="black")
    image.save(path)


def write_slips(folder: Path, n: int = 8) -> Path:
    """The folder form: every slip has a total; the day is printed on every other one, and labelled null elsewhere."""
    (folder / "documents").mkdir(parents=True)
    rows = []
    for number in range(n):
        total, day = f"{number % 3 + 1}.50", f"2024-03-0{number % 3 + 1}" if number % 2 else None
        draw_slip(folder / "documents" / f"s{number}.png", [f"total {total}", *([f"day {day}"] if day else [])])
        values = {"total": total, "day": day}
        rows.append({"file": f"documents/s{number}.png", "document_type": "slip", "values": values})
    (folder / "labels.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    (folder / "slip.yaml").write_text(TEMPLATE, encoding="utf-8")
    return folder


def write_pairs(folder: Path, n: int = 6) -> Path:
    """Pictures with their texts beside them."""
    folder.mkdir(parents=True)
    for number in range(n):
        text = f"total {number}.50"
        draw_slip(folder / f"p{number}.png", [text])
        (folder / f"p{number}.txt").write_text(text, encoding="utf-8")
    return folder
