"""The JSON answer of a model: what is clear is read, what is not is flagged, and nothing makes the reader stumble."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipkie_cli.models.mllm.json_answer import (
    CONTRADICTED,
    MAX_ANSWER,
    MAX_VALUE,
    MISSING,
    NOTHING,
    TRUNCATED,
    UNREADABLE,
    Said,
    json_answer,
    read_json_answer,
)

NAMES = ("number", "date", "total")


def texts(answer: str, cut: bool = False) -> list[str | None]:
    return [said.text for said in read_json_answer(answer, NAMES, cut)]


def flags(answer: str, cut: bool = False) -> list[tuple[str, ...]]:
    return [said.flags for said in read_json_answer(answer, NAMES, cut)]


@pytest.mark.parametrize(
    "answer",
    [
        '{"number": "A-1", "date": "2024-03-05", "total": "193.00"}',
        '{"number": "A-1", "date": "2024-03-05", "total": 193.00}',
        "{'number': 'A-1', 'date': '2024-03-05', 'total': '193.00',}",
        '```json\n{"number": "A-1",\n "date": "2024-03-05",\n "total": 193.00\n}\n```\nI hope this helps.',
        'Here it is: {"Number":"A-1","DATE" : "2024-03-05" ,"to_tal": ["193.00"]}',
        "{number: A-1, date: 2024-03-05, total: 193.00}",
        '[{"number": "A-1", "date": "2024-03-05", "total": " 193.00\\n"}, {"number": "B"}]',
        '{"number": "A-1", "seller": {"date": "x", "list": [1, {"a": "}"}]}, "date": "2024-03-05", "total": "193.00"}',
        '{"number": "A\\u002d1", "date": "2024\\u002D03-05", "total": "\\u0000193.00"}',
    ],
)
def test_many_hands_one_answer(answer: str) -> None:
    """Fences, prose, single quotes, bare words, trailing commas, other case, escapes: the same three values."""
    assert texts(answer) == ["A-1", "2024-03-05", "193.00"]
    assert flags(answer) == [(), (), ()]


def test_numbers_stay_as_written() -> None:
    """193.00 is not 193.0, 007 is not 7, and 17 digits stay 17 digits."""
    assert texts('{"number": 007, "date": 12345678901234567, "total": 1E5}') == ["007", "12345678901234567", "1E5"]


@pytest.mark.parametrize("nothing", ["null", '""', '"unknown"', '"N/A"', "None", "[null]"])
def test_what_says_nothing_is_none(nothing: str) -> None:
    """Absent, without a flag: that is an answer."""
    assert read_json_answer(f'{{"number": {nothing}}}', ("number",))[0].text is None
    assert read_json_answer(f'{{"number": {nothing}}}', ("number",))[0].flags == ()


def test_quotes_in_quotes() -> None:
    """A quote ends a value only where the object goes on behind it."""
    assert texts('{"number": "5" pipe, "red"", "date": "a\\"b", "total": "it\'s"}') == ['5" pipe, "red"', 'a"b', "it's"]


def test_cut_short() -> None:
    """What came before the cut is good; the value in which it fell is kept and flagged, the rest is flagged."""
    assert texts('{"number": "A-1", "date": "2024-0', cut=True) == ["A-1", "2024-0", None]
    assert flags('{"number": "A-1", "date": "2024-0', cut=True) == [(), (TRUNCATED,), (TRUNCATED,)]
    assert flags('{"number": "A-1", "dat', cut=True) == [(), (TRUNCATED,), (TRUNCATED,)]
    assert flags("  ", cut=True) == [(TRUNCATED,)] * 3


def test_what_is_no_answer_is_said() -> None:
    """No object, a missing key, a list or an object for a value, two values for one key."""
    assert flags("I cannot read this page.") == [(UNREADABLE,)] * 3
    assert flags("{}") == [(MISSING,)] * 3
    answer = '{"number": ["A", "B"], "date": {"day": 1}, "total": "1", "total": "2"}'
    assert texts(answer) == [None, None, "1"]
    assert flags(answer) == [(UNREADABLE,), (UNREADABLE,), (CONTRADICTED,)]
    assert flags('{"number": "1", "Number": "1"}')[0] == ()


def test_names_that_look_alike_are_taken_exactly() -> None:
    """`tax_id` and `taxid` are two keys: neither gets the other's value, nor that of `TAX ID`."""
    names = ("tax_id", "taxid")
    assert [said.text for said in read_json_answer('{"TAX ID": "1", "taxid": "2"}', names)] == [None, "2"]


def test_where_a_value_stands() -> None:
    """The letters between the quotes: their tokens are the value's score."""
    answer = '{"number": "A-1", "date": 12}'
    number, date, _ = read_json_answer(answer, NAMES)
    assert (answer[number.start : number.end], answer[date.start : date.end]) == ("A-1", "12")


@pytest.mark.parametrize(
    "answer",
    [
        "{" * 100_000,
        '{"a":' * 20_000,
        '{"number":' + "[" * 90_000,
        '{"number": "' + "\\" * 90_001,
        '{"number": "' + '" ' * 45_000,
        '{"' * 50_000,
        '{"number": ' + " " * 90_000 + '"',
        '{"number": "\\ud800\\udfff\\ud800", "date": "\x1b[31m\x00"',
    ],
)
def test_hostile_answers(answer: str) -> None:
    """Depth, length, quotes without end: an answer at once, and nothing in it that a record could not hold."""
    before = time.process_time()
    said = read_json_answer(answer, NAMES)
    assert time.process_time() - before < 1.0
    assert len(said) == 3
    for one in said:
        (one.text or "").encode("utf-8")
        assert (one.text or "").isprintable()


def test_an_answer_has_a_limit() -> None:
    """What stands behind the limit is not looked at."""
    assert texts('{"x": "' + "y" * MAX_ANSWER + '", "number": "1"}') == [None, None, None]
    long = read_json_answer('{"number": "' + "y" * (MAX_VALUE + 1) + '", "date": "1"}', NAMES)
    assert [(one.text, one.flags) for one in long[:2]] == [(None, (UNREADABLE,)), ("1", ())]


@given(st.text(max_size=400) | st.text(alphabet="{}[]\":,\\'nu1 \n", max_size=200))
def test_any_text_gives_an_answer_for_every_name(answer: str) -> None:
    """No text raises; flags and places are sound."""
    for said in read_json_answer(answer, NAMES):
        assert isinstance(said, Said)
        assert 0 <= said.start <= said.end <= len(answer)


def one_line(text: str) -> str:
    return " ".join("".join(letter for letter in text if letter.isprintable()).split())


_printed = st.text(min_size=1, max_size=20).map(one_line)


@given(st.lists(st.none() | _printed, min_size=3, max_size=3))
def test_what_training_teaches_is_read_back(values: list[str | None]) -> None:
    """`json_answer` and the reader are inverses, but for values that say nothing."""
    said = read_json_answer(json_answer(NAMES, values), NAMES)
    taught = [None if value is None or value.casefold() in NOTHING else value for value in values]
    assert [one.text for one in said] == taught
    assert all(one.flags == () for one in said)
