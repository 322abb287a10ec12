"""Pictures -> sheets, as many pages each as a model takes."""

from collections.abc import Iterator

import numpy as np
import pytest

from pipkie_cli.nouns import Key, Picture
from pipkie_cli.prompts import make_sheets

KEYS = (
    Key("a", "text", "a"),
    Key("rows", "table", "rows", columns=(Key("b", "text", "b"),)),
    Key("c", "text", "c"),
)


def pictures(count: int, taken: list[int]) -> Iterator[Picture]:
    """Tells which ones were taken."""
    for index in range(count):
        taken.append(index)
        yield Picture(index, np.zeros((1, 1, 3), np.uint8))


@pytest.mark.parametrize(("count", "most", "sizes"), [(0, 4, []), (1, 4, [1]), (4, 4, [4]), (9, 4, [4, 4, 1])])
def test_every_page_is_on_one_sheet(count: int, most: int, sizes: list[int]) -> None:
    """In order; each sheet asks every key that is no table, and knows all pages and the cap on pixels."""
    sheets = list(make_sheets(pictures(count, []), KEYS, 12, most, 5000))
    assert [len(sheet.pictures) for sheet in sheets] == sizes
    assert [one.page_index for sheet in sheets for one in sheet.pictures] == list(range(count))
    assert all([key.name for key in sheet.keys] == ["a", "c"] for sheet in sheets)
    assert all((sheet.page_count, sheet.max_pixels) == (12, 5000) for sheet in sheets)


def test_a_picture_is_taken_when_its_sheet_is() -> None:
    """So the pages of a long document are never all in memory."""
    taken: list[int] = []
    sheets = make_sheets(pictures(6, taken), KEYS, 6, 2)
    next(sheets)
    assert taken == [0, 1]


def test_tables_alone_ask_nothing() -> None:
    """And no page is drawn for them."""
    taken: list[int] = []
    assert list(make_sheets(pictures(3, taken), KEYS[1:2], 3, 2)) == []
    assert taken == []
