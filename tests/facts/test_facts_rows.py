"""Rows of the XML against printed rows: pairs in order, at a cost that a long table bears."""

from pipkie_cli.facts.rows import DRIFT, align


def test_rows_keep_their_pairs_where_some_are_missed_or_doubled() -> None:
    """The order of both is kept; a row that nothing is like has no pair."""
    rows, printed = ["a", "b", "c", "d"], ["a", "x", "c", "c", "d"]
    assert align(rows, printed, lambda row, at: int(printed[at] == row)) == {0: 0, 2: 2, 3: 4}


def test_a_long_table_is_not_compared_with_all_of_itself() -> None:
    """Rows far from each other are no pair: 400 rows cost some 60 looks each, and find their own."""
    looked: list[tuple[int, int]] = []

    def likeness(row: int, at: int) -> int:
        looked.append((row, at))
        return int(row == at - 3 * (at > 200))  # three rows doubled in the middle

    pairs = align(list(range(400)), range(403), likeness)
    assert len(pairs) == 400
    assert pairs[399] == 402
    assert len(looked) < 400 * 2 * (DRIFT + 4)
