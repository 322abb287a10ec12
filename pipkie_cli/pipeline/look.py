"""Where a model that reads pixels looked for its values: asked again for whoever wants to see it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pipkie_cli.nouns import Input, RunOptions, Sheet
from pipkie_cli.pipeline.reading import sheets_of
from pipkie_cli.pipeline.road import Trace

if TYPE_CHECKING:
    from pipkie_cli.models.mllm import KeyHeat, MllmBackend


def looks(
    item: Input, trace: Trace, options: RunOptions, backend: "MllmBackend"
) -> "Iterator[tuple[Sheet, tuple[tuple[tuple[str, ...], KeyHeat], ...]]]":
    """Per sheet of the document, per key of it: the tokens of its value and where the slot of each looked.

    The pages are drawn again, for pixels do not stay in a trace. Raises DocumentErrors.
    """
    from pipkie_cli.pages import Pictures

    if trace.prepared.choice.template is None:
        return
    pictures = Pictures(item, options)
    try:
        for sheet in sheets_of(replace(trace.prepared, pictures=pictures), options, backend):
            yield sheet, backend.look(backend.prepare(sheet))
    finally:
        pictures.close()
