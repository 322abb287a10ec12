"""Printed text -> typed value.

In: the text of an answer as printed, the name of its type, and what the document as a whole says about decimal marks,
date order and currency. Out: a `Value`, or null with a flag that says why.
Never: a guess, a file, the process's own locale, time zone, clock or environment.
"""

from pipkie_cli.values.choice import plain_print
from pipkie_cli.values.locale import ValueContext, value_context
from pipkie_cli.values.registry import TYPES, json_schema, parse_value

__all__ = ["TYPES", "ValueContext", "json_schema", "parse_value", "plain_print", "value_context"]
