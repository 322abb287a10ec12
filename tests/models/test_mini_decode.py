"""Scores -> candidates, as types and the page's gaps allow."""

import numpy as np
from made_tokenizer import tokenizer_json

from pipkie_cli.models.mini import PieceReader, candidates, decode, make_inputs
from pipkie_cli.models.mini.decode import GAP_COST, gap_costs
from pipkie_cli.nouns import Box, Key, Window, Word


def test_a_gap_inside_a_span_costs() -> None:
    """A value that goes on behind a wide gap is less likely by GAP_COST, one within a segment is not."""
    first, last = np.array([5.0, 0.0, 0.0], np.float32), np.array([0.0, 4.0, 4.0], np.float32)
    free = {one.words: one.score for one in candidates(first, last, 0.0)}
    held = {one.words: one.score for one in candidates(first, last, 0.0, gap_costs(np.array([0.0, 0.0, 1.0])))}
    assert free[0, 1] == free[0, 2]
    assert np.isclose(held[0, 1] - held[0, 2], GAP_COST)


def test_a_date_is_no_paragraph() -> None:
    """Spans longer than values of the type get no probability: what is left adds up to one."""
    words = tuple(Word("ab", Box(i / 20, 0.1, i / 20 + 0.03, 0.12), 0, 0, "text") for i in range(12))
    keys = (Key("when", "date", "when"), Key("what", "text", "what"))
    inputs = make_inputs(Window(0, 1, 600, 800, 0, words, keys), PieceReader(tokenizer_json()))
    first, last = np.zeros((2, 12), np.float32), np.zeros((2, 12), np.float32)
    first[:, 0], last[:, 11] = 6, 6
    when, what = decode(first, last, np.array([0.0, 0.0], np.float32), inputs)
    assert what[0].words == (0, 11)
    assert all(one.words is None or one.words[1] - one.words[0] < 6 for one in when)


def test_gaps_are_counted_along_the_line() -> None:
    """The next segment on the same line is behind a gap; the next line is not."""
    places = ((0, 0), (0, 1), (0, 1), (1, 2), (1, 3))
    words = tuple(
        Word("ab", Box(i / 9, 0.1, i / 9 + 0.05, 0.12), line, seg, "text") for i, (line, seg) in enumerate(places)
    )
    inputs = make_inputs(Window(0, 1, 600, 800, 0, words, (Key("k", "text", "k"),)), PieceReader(tokenizer_json()))
    assert inputs.gaps.tolist() == [0, 1, 1, 1, 2]
