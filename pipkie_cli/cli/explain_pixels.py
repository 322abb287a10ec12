"""What `pipkie explain` shows of a model that reads pixels."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipkie_cli.nouns import Key
    from pipkie_cli.pipeline import Trace


def written_lines(trace: "Trace", key: "Key") -> Iterator[str]:
    """What the model wrote for a key, sheet by sheet; nothing for a model that points at words."""
    template = trace.prepared.choice.template
    asked = [one.name for one in template.keys if not one.columns] if template else []
    for pages, written in zip(trace.reading.sheets, trace.reading.written, strict=True):
        one = written[asked.index(key.name)]
        text = "unknown" if one.text is None else f'"{" ".join(one.text.split())}"'
        passes = f", {one.passes} passes" if one.passes > 1 else ""
        flags = f", {', '.join(one.flags)}" if one.flags else ""
        yield f"  written on {numbered(pages)}: {one.score:.3f}  {text}{passes}{flags}"


def numbered(pages: Sequence[int]) -> str:
    """`page 3`, `pages 3 to 5`: of indices."""
    first, last = pages[0] + 1, pages[-1] + 1
    return f"page {first}" if first == last else f"pages {first} to {last}"
