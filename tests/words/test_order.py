"""Reading order on hand-made layouts."""

from pipkie_cli.nouns import Box
from pipkie_cli.words import arrange


def test_no_boxes_give_nothing() -> None:
    """An empty page has an empty order."""
    assert arrange((), 210, 297) == ()


def test_two_lines_are_read_top_to_bottom() -> None:
    """Words of one line come left to right, lines top to bottom."""
    boxes = [Box(0.3, 0.2, 0.4, 0.21), Box(0.3, 0.1, 0.4, 0.11), Box(0.1, 0.1, 0.2, 0.11)]
    assert [(p.index, p.line) for p in arrange(boxes, 210, 297)] == [(2, 0), (1, 0), (0, 1)]
