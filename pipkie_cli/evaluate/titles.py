"""What a measured set is called, in tables and as a folder."""

from collections.abc import Sequence
from pathlib import Path

from pipkie_cli.evaluate.datasets import SetRules

SEED = 0  # of every sample: the same documents each time


def title_of(folder: Path, rules: SetRules, part: str | None) -> str:
    """The set's name with the folders below it: adbuy/dev, sroie/train:dev; a published set's with its folder."""
    parts = folder.resolve().parts
    if rules.name in parts:
        start = len(parts) - 1 - parts[::-1].index(rules.name)
        title = "/".join(parts[start:])
    else:
        title = f"{rules.name}/{parts[-1]}"
    return title + (f":{part}" if part else "")


def distinct(titles: Sequence[str]) -> list[str]:
    """Titles with a number where one occurs again: each names a folder of its own."""
    return [
        title if title not in titles[:place] else f"{title} {titles[:place].count(title) + 1}"
        for place, title in enumerate(titles)
    ]
