"""The JSON Schema that a template yields for the values of its records."""

from pathlib import Path

import jsonschema
import pytest

from pipkie_cli.errors import TemplateError
from pipkie_cli.templates import check_schema, find_templates, load_template, values_schema
from pipkie_cli.values import TYPES

MORE = {"choice": ", choices: [new, used]"}
TEXT = "name: all_types\nkeys:\n" + "".join(
    f"  a_{name}: {{type: {name}, required: true{MORE.get(name, '')}}}\n" for name in TYPES
)


@pytest.fixture
def schema(tmp_path: Path) -> dict[str, object]:
    path = tmp_path / "t.yaml"
    path.write_text(TEXT)
    return values_schema(load_template(path))


def test_every_type_has_a_schema_that_allows_null(schema: dict[str, object]) -> None:
    """What is absent or could not be typed is null, required or not: it is flagged, never made up."""
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid({f"a_{name}": None for name in TYPES})


def test_every_key_is_present_and_no_other(schema: dict[str, object]) -> None:
    """A missing key and a stray key are both errors: columns of a table never shift."""
    validator = jsonschema.Draft202012Validator(schema)
    whole = {f"a_{name}": None for name in TYPES}
    assert not validator.is_valid({key: whole[key] for key in list(whole)[1:]})
    assert not validator.is_valid(whole | {"stray": None})


@pytest.mark.parametrize(
    ("type_name", "right", "wrong"),
    [
        ("text", "R-17", 17),
        ("date", "2024-02-29", "29.02.2024"),
        ("amount", 119.0, "119,00"),
        ("number", 3, "3"),
        ("currency", "EUR", "€"),
        ("time", "14:30", "2:30 pm"),
        ("datetime", "2024-02-29T14:30", "29.02.2024 14:30"),
        ("integer", 3, 3.5),
        ("percent", 19, "19 %"),
        ("email", "info@example.org", "example.org"),
        ("phone", "+4930123456", "+49 30 123456"),
        ("url", "www.example.org", "our page"),
        ("iban", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
        ("bic", "COBADEFFXXX", "COBA DE FF"),
        ("tax_id", "DE136695976", "DE 136 695 976"),
        ("country", "DE", "Germany"),
        ("choice", "used", "broken"),
        ("boolean", True, "yes"),
        ("barcode", "4006381333931", 4006381333931),
    ],
)
def test_values_have_the_type_of_their_key(
    schema: dict[str, object], type_name: str, right: object, wrong: object
) -> None:
    """The typed form is in, the printed form is not."""
    checker = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    whole: dict[str, object] = {f"a_{name}": None for name in TYPES}
    assert checker.is_valid(whole | {f"a_{type_name}": right})
    assert not checker.is_valid(whole | {f"a_{type_name}": wrong})


def test_the_schema_says_what_is_required_and_what_each_key_means() -> None:
    """For people and programs that read the schema: title, description, type and required-ness of every key."""
    invoice = find_templates(["invoice"], None)[0]
    schema = values_schema(invoice)
    assert list(schema["properties"]) == [key.name for key in invoice.keys]
    number = schema["properties"]["invoice_number"]
    assert (number["title"], number["x-type"], number["x-required"]) == ("invoice number", "text", True)
    assert number["description"] == invoice.keys[0].description
    assert schema["properties"]["due_date"]["x-required"] is False
    assert schema["x-template"] == invoice.label


TABLE = """\
name: bill
keys:
  number: text
  line_items: {type: table, columns: {description: text, amount: {type: amount, description: with tax}}}
"""


def test_a_table_is_a_list_of_whole_rows(tmp_path: Path) -> None:
    """Empty where there is none, never null; a row has every column and no other, each null or of its type."""
    path = tmp_path / "t.yaml"
    path.write_text(TABLE)
    schema = values_schema(load_template(path))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    row = {"description": "Nails", "amount": 2.5}
    for rows in ([], [row], [row, row | {"amount": None}]):
        assert validator.is_valid({"number": None, "line_items": rows})
    for rows in (None, row, [None], [{"amount": 2.5}], [row | {"stray": None}], [row | {"amount": "2,50"}]):
        assert not validator.is_valid({"number": None, "line_items": rows})
    table = schema["properties"]["line_items"]
    assert (table["x-type"], table["title"]) == ("table", "line items")
    assert table["items"]["properties"]["amount"]["description"] == "with tax"


def test_every_shipped_schema_is_one_by_the_reference_implementation() -> None:
    """Whoever takes the values checks them with other programs."""
    for template in find_templates((), None):
        check_schema(template)


def test_what_is_no_schema_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a template ever yield one that is none: its file and the place are named."""
    (template, *_) = find_templates((), None)
    monkeypatch.setattr("pipkie_cli.templates.schema.values_schema", lambda _: {"type": "nothing"})
    with pytest.raises(TemplateError, match="its JSON Schema is none at type"):
        check_schema(template)
