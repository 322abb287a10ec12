"""What the mini model sees: shapes of words, places, segments; and how its scores become candidates."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_tokenizer import BLANK, LETTERS, tokenizer_json

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mini import (
    KEY_TYPES,
    MAX_SPAN,
    PLACE_FEATURES,
    SEGMENT_LENGTHS,
    PieceReader,
    candidates,
    make_inputs,
)
from pipkie_cli.models.mini.decode import KEPT
from pipkie_cli.models.mini.features import (
    MAX_KEY_PIECES,
    MAX_SEGMENT_PIECES,
    MAX_WORD_PIECES,
    SHAPES,
    word_shape,
)
from pipkie_cli.nouns import Box, Key, Window, Word

READER = PieceReader(tokenizer_json())
TOTAL = Key("total", "amount", "grand total", ("Total", "Invoice No.", "Summe"))

DIGITS_SHARE, ALL_DIGITS, ANY_DIGIT, LETTERS_SHARE, UPPER_SHARE, CAPITAL = range(6)
LENGTH, LONE, COLON, COMMA, ONLY_MARKS, DATE, AMOUNT, YEAR, CODE, CURRENCY, TIME, ADDRESS = range(6, SHAPES)


def words_of(*lines: str) -> tuple[Word, ...]:
    """One segment per text."""
    return tuple(
        Word(text, Box(0.1 * column, 0.02 * line, 0.1 * column + 0.08, 0.02 * line + 0.015), line, line, "text")
        for line, printed in enumerate(lines)
        for column, text in enumerate(printed.split())
    )


def window(
    words: tuple[Word, ...], width: float = 600, height: float = 800, keys: tuple[Key, ...] = (TOTAL,)
) -> Window:
    return Window(0, 1, width, height, 0, words, keys)


# ------------------------------------------------------------------------------------------------------ shapes of words


@pytest.mark.parametrize(
    ("feature", "yes", "no"),
    [
        (ALL_DIGITS, ["2018", "7"], ["12.5", "A1"]),
        (ANY_DIGIT, ["A1", "12.5"], ["Total", "-"]),
        (CAPITAL, ["Total", "(Abc)"], ["total", "12"]),
        (LONE, ["x", ":"], ["xy"]),
        (COLON, ["Date:", ":"], ["12:30", "Date"]),
        (COMMA, ["Street,", "a;"], ["1,2"]),
        (ONLY_MARKS, ["---", ":", "€"], ["a", "-1"]),
        (
            DATE,
            ["25/12/2018", "2018-12-25", "25.12.18", "25-Dec-2018", "25MAR2018", "12Sept18"],
            ["12.50", "2018", "Mar"],
        ),
        (
            AMOUNT,
            ["12.50", "RM12.50", "1.234,56", "1,234.56", "12,50€", "1'234.50", "(9.00)"],
            ["12", "12.5", "12.345", "x"],
        ),
        (YEAR, ["2018", "1999", "A-2018-1"], ["2118", "1234"]),
        (CODE, ["A-1001", "INV/2018/7", "#17b"], ["1001", "INV", "A 1"]),
        (CURRENCY, ["€", "RM12.50", "usd", "CHF"], ["12.50", "Total"]),
        (TIME, ["12:30", "9:05:59"], ["12.30", "12:3"]),
        (ADDRESS, ["a@b.example", "www.b.example", "WWW.B"], ["b.example"]),
    ],
)
def test_a_word_looks_like_what_it_is(feature: int, yes: list[str], no: list[str]) -> None:
    """A mark of shape is 1 where it fits and 0 where it does not."""
    assert [(text, word_shape(text)[feature]) for text in (*yes, *no)] == [
        *((text, 1.0) for text in yes),
        *((text, 0.0) for text in no),
    ]


def test_shares_by_hand() -> None:
    """Digits and letters of the whole word, upper case of the letters, length up to twenty."""
    shape = word_shape("Ab-12")
    assert shape[DIGITS_SHARE] == pytest.approx(2 / 5)
    assert shape[LETTERS_SHARE] == pytest.approx(2 / 5)
    assert shape[UPPER_SHARE] == pytest.approx(1 / 2)
    assert shape[LENGTH] == pytest.approx(5 / 20)
    assert word_shape("x" * 50)[LENGTH] == 1.0
    assert word_shape("--")[UPPER_SHARE] == 0.0


@settings(deadline=None)
@given(st.text(min_size=1, max_size=30))
def test_every_word_has_a_shape(text: str) -> None:
    """SHAPES numbers from 0 to 1, whatever is printed."""
    shape = word_shape(text)
    assert len(shape) == SHAPES
    assert all(0 <= number <= 1 for number in shape)


# --------------------------------------------------------------------------------------------------------------- places

fractions = st.floats(-0.5, 1.5, width=32)
boxes = st.builds(Box, fractions, fractions, fractions, fractions)  # also turned inside out, or outside the page
sizes = st.sampled_from([1.0, 600.0, 10_000.0, 1e6])


@settings(deadline=None)
@given(st.lists(boxes, min_size=1, max_size=6), sizes, sizes)
@example([Box(0.1, 0.1, 0.1, 0.1)], 600, 800)
@example([Box(0, 0, 0, 0), Box(0, 0, 1, 1)], 1, 10_000)
def test_places_are_bounded(places: list[Box], width: float, height: float) -> None:
    """Boxes without height, behind the page's edge or of a page of one pixel: no number runs away."""
    words = tuple(Word("a1", box, 0, 0, "ocr") for box in places)
    inputs = make_inputs(window(words, width, height), READER)
    assert inputs.places.shape == (len(words), PLACE_FEATURES)
    assert inputs.places.dtype == inputs.centres.dtype == np.float32
    assert np.abs(inputs.places).max() <= 1 + 1e-6
    assert inputs.centres.min() >= -50
    assert inputs.centres.max() <= 1000


def test_places_do_not_depend_on_the_unit() -> None:
    """Points of a PDF or pixels of its scan: only line heights count."""
    words = words_of("Total 12.50", "Cash 20.00")
    small, large = (make_inputs(window(words, 600 * scale, 800 * scale), READER) for scale in (1, 4))
    np.testing.assert_allclose(small.places, large.places, atol=1e-5)
    np.testing.assert_allclose(small.centres, large.centres, rtol=1e-5)
    assert small.centres[2, 1] - small.centres[0, 1] == pytest.approx(0.02 / 0.015, rel=1e-4)  # lines


# ------------------------------------------------------------------------------------------------------------- segments

printed_words = st.lists(
    st.tuples(st.text(alphabet="".join(LETTERS), min_size=1, max_size=14), st.booleans()), min_size=1, max_size=40
)


@settings(deadline=None)
@given(printed_words)
def test_segments_hold_every_word_once(printed: list[tuple[str, bool]]) -> None:
    """Short enough for the text stage, in order, no word torn apart, a new one where the page has a new one."""
    segment, words = 0, []
    for text, is_new in printed:
        segment += is_new
        words.append(Word(text, Box(0, 0, 0.1, 0.1), segment, segment, "text"))
    inputs = make_inputs(window(tuple(words)), READER)
    seen: list[int] = []
    for ids, owners in zip(inputs.segments, inputs.segment_words, strict=True):
        assert len(ids) == len(owners) <= MAX_SEGMENT_PIECES + 2 <= SEGMENT_LENGTHS[-1]
        assert (ids[0], ids[-1], owners[0], owners[-1]) == (READER.bos, READER.eos, -1, -1)
        inside = owners[1:-1]
        assert len({words[owner].segment for owner in inside}) == 1
        assert list(inside) == sorted(inside)
        for owner in dict.fromkeys(inside):
            expected = READER.word(words[owner].text)
            assert tuple(piece for piece, o in zip(ids, owners, strict=True) if o == owner) == expected
        seen += dict.fromkeys(inside)
    assert seen == list(range(len(words)))


def test_a_segment_is_split_when_it_is_full() -> None:
    """Words of eight pieces: three fill a segment, the fourth begins the next."""
    inputs = make_inputs(window(words_of("abcdefg " * 7)), READER)
    assert [len(set(owners) - {-1}) for owners in inputs.segment_words] == [3, 3, 1]


def test_long_words_and_prompts_are_cut() -> None:
    """A word of 500 letters does not make a forward slow; what the tokenizer does not know is unknown."""
    assert len(READER.word("a" * 500)) == MAX_WORD_PIECES
    assert len(READER.sequence("a" * 500)) == MAX_KEY_PIECES + 2 <= SEGMENT_LENGTHS[-1]
    assert READER.unknown in READER.word("語")
    assert READER.word("") == (READER.unknown,)


def test_a_tokenizer_without_its_special_pieces_is_damaged() -> None:
    """It is named, not run into."""
    with pytest.raises(ModelError, match="</s>"):
        PieceReader(tokenizer_json().replace("</s>", "[SEP]"))


def test_a_type_that_training_never_asked_is_told_as_one_that_it_did() -> None:
    """Its own row of the network is as it was drawn; how long its values may be is known all the same."""
    keys = tuple(Key(name, name, name) for name in ("choice", "iban", "percent", "integer", "barcode", "currency"))
    inputs = make_inputs(window(words_of("a"), keys=keys), READER)
    told = [KEY_TYPES[index] for index in inputs.types]
    assert told == ["text", "text", "number", "number", "text", "currency"]
    assert inputs.asked == tuple(key.type for key in keys)


def test_keys_are_read_as_asked() -> None:
    """Prompt and aliases as pieces, the type by its number in a list that only grows."""
    inputs = make_inputs(window(words_of("a"), keys=(TOTAL, Key("d", "date", "date"))), READER)
    assert inputs.prompts == (READER.sequence("grand total"), READER.sequence("date"))
    assert inputs.aliases == (READER.sequence("Total, Invoice No., Summe"), READER.sequence("date"))
    assert inputs.types.tolist() == [KEY_TYPES.index("amount"), KEY_TYPES.index("date")]
    assert KEY_TYPES[:5] == ("text", "date", "time", "datetime", "amount")  # the order is part of a checkpoint
    assert BLANK not in LETTERS


# --------------------------------------------------------------------------------------------------------------- decode

scores = st.floats(-30, 30, width=32)


@settings(deadline=None)
@given(st.data())
def test_candidates_are_those_of_brute_force(data: st.DataObject) -> None:
    """The likeliest spans and ABSENT, best first, as log-probabilities among all spans and ABSENT."""
    n = data.draw(st.integers(1, 8))
    first, last = (data.draw(st.lists(scores, min_size=n, max_size=n)) for _ in range(2))
    absent = data.draw(scores)
    found = candidates(np.array(first, np.float32), np.array(last, np.float32), absent)
    every = {(i, j): first[i] + last[j] for i in range(n) for j in range(i, n)}
    total = math.log(math.fsum(map(math.exp, (*every.values(), absent))))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert [one.score for one in found if one.words is None] == [pytest.approx(absent - total)]
    spans = [one for one in found if one.words is not None]
    assert len({one.words for one in spans}) == len(spans) == min(KEPT, len(every))
    assert [one.score for one in spans] == pytest.approx(
        sorted((s - total for s in every.values()), reverse=True)[:KEPT]
    )
    for one in spans:
        assert one.words is not None
        assert one.score == pytest.approx(every[one.words] - total)


def test_no_candidate_is_longer_than_the_longest_span() -> None:
    """Even where first and last word far apart score best; the last allowed length is allowed."""
    n = MAX_SPAN + 10
    first, last = np.full(n, -20, np.float32), np.full(n, -20, np.float32)
    first[0], last[-1], last[MAX_SPAN - 1], last[MAX_SPAN] = 20, 25, 10, 15
    best = candidates(first, last, -30.0)
    assert best[0].words == (0, MAX_SPAN - 1)
    assert all(one.words is None or one.words[1] - one.words[0] < MAX_SPAN for one in best)


def test_huge_scores_do_not_overflow() -> None:
    """Logits of thousands give probabilities of nought and one."""
    certain = candidates(np.array([4000.0, 0.0], np.float32), np.array([4000.0, 0.0], np.float32), -4000.0)
    assert certain[0].words == (0, 0)
    assert certain[0].score == pytest.approx(0)
    assert certain[-1].words is None
    assert candidates(np.array([-9e3], np.float32), np.array([-9e3], np.float32), 9e3)[0].words is None
