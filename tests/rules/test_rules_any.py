"""Whatever stands in a template or in a record: a rule is refused with a reason, or it has an outcome."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipkie_cli.nouns import Key
from pipkie_cli.rules import RuleError, check_rule, parse_rule

KEYS = (
    Key("a", "amount", "a"),
    Key("b", "integer", "b"),
    Key("d", "date", "d"),
    Key("s", "text", "s"),
    Key("y", "boolean", "y"),
    Key("t", "table", "t", columns=(Key("a", "amount", "a"), Key("d", "date", "d"), Key("s", "text", "s"))),
)
PIECES = (
    "a", "b", "d", "s", "y", "t", "t.a", "t.d", "t.s", "x", "0", "1.5", "999999999999999999", "2024-01-31", "'q'",
    "true",
    "+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "within", "(", ")", ",",
    "sum(", "count(", "min(", "max(", "abs(", "round(",
)  # fmt: skip
NUMBERS = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.none() | st.sampled_from(["2024-02-29", "2024-02-30", "", "q"]) | st.text(max_size=5)
VALUES = st.fixed_dictionaries(
    {
        "a": NUMBERS,
        "b": NUMBERS,
        "d": TEXTS,
        "s": TEXTS,
        "y": st.none() | st.booleans(),
        "t": st.lists(st.fixed_dictionaries({"a": NUMBERS, "d": TEXTS, "s": TEXTS}), max_size=3),
    }
)
RULES = (
    "a + b == 2 * b", "a / b > 0", "a * a * a * a - b >= a / (a - b)", "sum(t.a) == a", "sum(t.a * t.a) <= round(a, 6)",
    "t.a + b > 0 and t.d >= d", "min(t.a) < max(t.a)", "min(t.d) <= d", "count(t.s) == b", "count(t.a > 0) == count(t)",
    "d - d == b", "y or s == 'q'", "not y and t.s != s", "abs(a) >= a within 0.5", "max(a, b, 1) == -a",
    "d > 2024-01-31",
)  # fmt: skip
CALM = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # machines may be busy


@CALM
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join) | st.text(max_size=40))
def test_any_text_is_a_rule_or_says_why_not(text: str) -> None:
    """No other exception leaves the parser."""
    said = ""
    try:
        parse_rule(text, KEYS)
    except RuleError as error:
        said = f"{error.message}; {error.hint}"
    assert said == "" or len(said) > len("; ")


@CALM
@given(st.sampled_from(RULES), VALUES)
def test_any_values_give_an_outcome(text: str, values: dict[str, Any]) -> None:
    """Huge numbers, dates that are none, nulls: broken means that a place is told, and nothing raises."""
    outcome = check_rule(parse_rule(text, KEYS), values)
    assert (outcome.state == "broken") == bool(outcome.breaks)
    assert all(len(place.message) < 2000 and place.keys for place in outcome.breaks)


@CALM
@given(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))
def test_sums_of_cents_are_exact(one: int, other: int) -> None:
    """What adds up on paper adds up here, and a difference of two cents is the difference that is told."""
    a, b = one / 100, other / 100
    rule = parse_rule("a + b == 0 within 0", KEYS)
    outcome = check_rule(rule, {"a": a, "b": b})
    assert (outcome.state == "holds") == (one + other == 0)
    assert [place.difference * 100 for place in outcome.breaks if place.difference is not None] == (
        [one + other] if one + other else []
    )
