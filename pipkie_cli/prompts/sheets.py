"""Pictures of pages -> sheets of as many as a model takes in one forward, each with all keys that are no tables."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pipkie_cli.nouns import Key, Picture, Sheet


def make_sheets(
    pictures: Iterable[Picture],
    keys: Sequence[Key],
    page_count: int,
    max_pictures: int,
    max_pixels: int | None = None,
) -> Iterator[Sheet]:
    """Sheets in the order of the pictures, which are taken when their sheet is: so many are held at a time.

    No picture, or no key that can be asked, gives none.
    """
    asked = tuple(key for key in keys if not key.columns)
    left = iter(pictures)
    while asked and (taken := tuple(islice(left, max_pictures))):
        yield Sheet(taken, page_count, asked, max_pixels)
