"""One record is one line of JSON, the same bytes always."""

import json
import math

import pytest
from bills import build
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipkie_cli.records import record_line


def test_a_line_keeps_keys_in_order_and_text_as_utf_8() -> None:
    """One newline, at the end; no escapes for letters; read back it is the same record."""
    record = build()
    line = record_line(record)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert "119,00 €".encode() in line
    assert list(json.loads(line)) == list(record)
    assert json.loads(line) == record
    assert record_line(record) == line


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    """orjson would write null without a word; the place is named."""
    record = build()
    record["fields"]["day"]["confidence"] = number
    with pytest.raises(ValueError, match=r"record\.fields\.day\.confidence is not a finite number"):
        record_line(record)
    record = build()
    record["fields"]["day"]["boxes"] = [[0.0, number, 1.0, 1.0]]
    with pytest.raises(ValueError, match=r"record\.fields\.day\.boxes is not a finite number"):
        record_line(record)


def test_what_utf_8_cannot_hold_becomes_the_replacement_character() -> None:
    """A lone surrogate in a text or in a name breaks no line; newlines and NUL are escaped."""
    line = record_line({"a\ud800": "b\udfff", "c": ["\ud835"], "d": "e\nf\0"})
    assert line == '{"a\ufffd":"b\ufffd","c":["\ufffd"],"d":"e\\nf\\u0000"}\n'.encode()


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_any_json_comes_back_from_its_line(record: dict[str, object]) -> None:
    """Exactly one line, and reading it gives what was written."""
    line = record_line(record)
    assert line.count(b"\n") == 1
    assert json.loads(line) == record
