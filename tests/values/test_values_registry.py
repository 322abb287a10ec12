"""Every registered type keeps the contract of the room."""

import math

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipkie_cli.nouns import Locale, Value
from pipkie_cli.values import TYPES, ValueContext, json_schema, parse_value, value_context

CONTEXTS = (
    ValueContext(),
    ValueContext(decimal=",", grouping=".", dates="dmy", year_first="-", currency="EUR", languages=("de",)),
    ValueContext(decimal=".", grouping=",", dates="mdy", currency="USD"),
    ValueContext(dates="ymd", currency="JPY"),
)
PRINTED = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="0123456789.,'-() $€RMOl/:abcdefg年月日\u00a0\u202f\u2212", max_size=30),
    st.characters(categories=["Cs", "Cc", "Cf", "Nd"]),
)


def test_all_types_exist() -> None:
    """The registry names every type of the design, each with a file of cases."""
    assert set(TYPES) == {
        "text", "date", "time", "datetime", "amount", "number", "integer", "percent", "currency", "email", "phone",
        "url", "iban", "bic", "tax_id", "country", "choice", "boolean", "barcode",
    }  # fmt: skip


@pytest.mark.parametrize("type_name", TYPES)
def test_schema_is_valid_and_takes_null(type_name: str) -> None:
    """Every type's schema is a JSON Schema of 2020-12, allows null, and is the caller's own copy."""
    schema = json_schema(type_name)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(None, schema)
    schema["type"] = "spoiled"
    assert json_schema(type_name)["type"] != "spoiled"


@pytest.mark.parametrize("type_name", TYPES)
@pytest.mark.parametrize("context", CONTEXTS, ids=["nothing", "de", "us", "jp"])
@settings(deadline=None, max_examples=30)  # per type and context; the first date loads the month names
@given(raw=PRINTED)
def test_any_text_gives_a_value_that_fits_its_schema(type_name: str, context: ValueContext, raw: str) -> None:
    """No text raises; the value fits the schema, is finite, and null always carries a flag."""
    value = parse_value(type_name, raw, context)
    assert isinstance(value, Value)
    jsonschema.Draft202012Validator(json_schema(type_name)).validate(value.value)
    assert value.value is not None or value.flags
    assert not isinstance(value.value, float) or math.isfinite(value.value)
    assert len(value.readings) != 1
    assert not value.readings or value.value is None


@settings(deadline=None)
@given(raws=st.lists(st.tuples(st.sampled_from(sorted(TYPES)), PRINTED), max_size=5), page=st.text(max_size=200))
def test_any_document_gives_a_context(raws: list[tuple[str, str]], page: str) -> None:
    """No text of a document raises."""
    assert isinstance(value_context(raws, Locale(), page), ValueContext)


def test_unknown_type_is_a_key_error() -> None:
    """A name that is not registered is an error of the caller, not a text value."""
    with pytest.raises(KeyError):
        parse_value("amounts", "1", ValueContext())


@pytest.mark.parametrize("type_name", TYPES)
def test_empty_text_is_unparsable(type_name: str) -> None:
    """Text without a visible sign is null and flagged."""
    for raw in ("", "  ", "\u200b", "\n\u00a0"):
        assert parse_value(type_name, raw, ValueContext()) == Value(None, ("unparsable",))
