"""Figures of a fine-tuning as lines for people."""

from typing import Any


def report_table(figures: dict[str, Any]) -> list[str]:
    """Per key: labels, how many were found on their pages, held-out score before and after."""
    rows = [("key", "labels", "found", "absent", "before", "after")]
    before, after = figures["before"], figures["after"]
    for name, row in figures["keys"].items():
        scores = (_rate(before["keys"].get(name)), _rate(after["keys"].get(name)))
        rows.append((name, str(row["labels"]), str(row["found"]), str(row["absent"]), *scores))
    rows.append(("mean", "", "", "", _rate(before["mean"]), _rate(after["mean"])))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(_padded(row, widths)).rstrip() for row in rows]
    lines.append(
        f"held out: {figures['held_out']} of {figures['documents']} documents, never learnt from; "
        f"{figures['steps']} steps in {figures['minutes']} minutes, the best after {figures['best_step']}"
    )
    for name, was in figures["shipped"]["before"].items():
        now = figures["shipped"]["after"].get(name)
        lines.append(f"template {name} on made-up documents: {_rate(was)} before, {_rate(now)} after")
    lines.append(f"{figures['model']} is in {figures['output']}")
    return lines


def _padded(row: tuple[str, ...], widths: list[int]) -> list[str]:
    return [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]


def _rate(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"
