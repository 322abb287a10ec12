"""Type name -> the module that reads it. A new type is one file, one line here, one file of cases."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from pipkie_cli.nouns import Value
from pipkie_cli.values.locale import ValueContext

TYPES: Mapping[str, str] = MappingProxyType(
    {
        "text": "pipkie_cli.values.text",
        "date": "pipkie_cli.values.date",
        "amount": "pipkie_cli.values.amount",
        "number": "pipkie_cli.values.number",
        "currency": "pipkie_cli.values.currency",
    }
)


class _Type(NamedTuple):
    parse: Callable[[str, ValueContext], Value]
    schema: Mapping[str, Any]


@cache
def _load(type_name: str) -> _Type:
    module = import_module(TYPES[type_name])
    return _Type(module.parse, module.SCHEMA)


def parse_value(type_name: str, raw: str, context: ValueContext) -> Value:
    """Read `raw` as a value of the type. Any text gives a Value; an unknown type is a KeyError (templates check it)."""
    return _load(type_name).parse(raw, context)


def json_schema(type_name: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the type's value in a record; null is always allowed. A copy of the caller's own."""
    return deepcopy(dict(_load(type_name).schema))
