"""Pictures of pages with boxes drawn in, for the commands that show what was found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipkie_cli.nouns import Box, Input, Page, RunOptions

Marks = Mapping[str, "Sequence[Box]"]  # boxes of a page as displayed, by the name to write at them


def write_pictures(
    item: "Input", pages: "Sequence[Page]", marks: Callable[[int], Marks], options: "RunOptions", folder: Path
) -> Iterator[str]:
    """Write a picture of each of `pages` with the marks of its number, and say where.

    The document is opened again, for pixels do not stay in a trace. Raises DocumentErrors, OutputError.
    """
    from pipkie_cli.documents import open_document
    from pipkie_cli.errors import DocumentError, OutputError
    from pipkie_cli.words import draw_page

    wanted = {page.page_index: page for page in pages}
    with open_document(
        item.path, shown=item.shown, passwords=options.passwords, max_pages=options.max_pages
    ) as document:
        for source in document.pages():
            if source.page_index not in wanted:
                continue
            number = source.page_index + 1
            path = folder / f"{item.path.stem}-page-{number:03}.png"
            try:
                picture = draw_page(source, wanted[source.page_index], marks(number))
                folder.mkdir(parents=True, exist_ok=True)
                picture.save(path)
            except DocumentError as error:
                yield f"page {number} has no picture: {error.message}"
            except OSError as error:
                raise OutputError(
                    f"{path} cannot be written: {error.strerror}", hint="choose another folder"
                ) from error
            else:
                yield str(path)
