"""Type name -> the module that reads it. A new type is one file, one line here, one file of cases."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from pipkie_cli.nouns import Choice, Value
from pipkie_cli.values.locale import ValueContext

TYPES: Mapping[str, str] = MappingProxyType(
    {
        "text": "pipkie_cli.values.text",
        "date": "pipkie_cli.values.date",
        "time": "pipkie_cli.values.time",
        "datetime": "pipkie_cli.values.datetime",
        "amount": "pipkie_cli.values.amount",
        "number": "pipkie_cli.values.number",
        "integer": "pipkie_cli.values.integer",
        "percent": "pipkie_cli.values.percent",
        "currency": "pipkie_cli.values.currency",
        "email": "pipkie_cli.values.email",
        "phone": "pipkie_cli.values.phone",
        "url": "pipkie_cli.values.url",
        "iban": "pipkie_cli.values.iban",
        "bic": "pipkie_cli.values.bic",
        "tax_id": "pipkie_cli.values.tax_id",
        "country": "pipkie_cli.values.country",
        "choice": "pipkie_cli.values.choice",
        "boolean": "pipkie_cli.values.boolean",
        "barcode": "pipkie_cli.values.barcode",
    }
)
CHOICE = "choice"  # the one type that looks at what its key allows


class _Type(NamedTuple):
    parse: Callable[..., Value]  # (raw, context), and the choices for the type that has them
    schema: Mapping[str, Any]


@cache
def _load(type_name: str) -> _Type:
    module = import_module(TYPES[type_name])
    return _Type(module.parse, module.SCHEMA)


def parse_value(type_name: str, raw: str, context: ValueContext, choices: tuple[Choice, ...] = ()) -> Value:
    """Read `raw` as a value of the type; `choices` are those of a key of type `choice`.

    Any text gives a Value; an unknown type is a KeyError (templates check it).
    """
    parse = _load(type_name).parse
    return parse(raw, context, choices) if type_name == CHOICE else parse(raw, context)


def json_schema(type_name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the type's value in a record; null is always allowed. A copy of the caller's own."""
    return deepcopy(dict(_load(type_name).schema))
