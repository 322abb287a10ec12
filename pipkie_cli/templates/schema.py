"""Template -> JSON Schema (2020-12) of the `values` of its records."""

from collections.abc import Sequence
from typing import Any

from pipkie_cli.errors import TemplateError
from pipkie_cli.nouns import Key, Template
from pipkie_cli.templates.pattern import whole


def values_schema(template: Template) -> dict[str, Any]:
    """The schema that `values` of a record of this template validates against.

    Every key is present and every key may be null: what the page does not hold, or what could not be typed, is null and
    never made up, required or not. A required key is marked `x-required`; its absence makes the record `review`.
    A table is never null: an array with an object of all columns for every row, empty where the document has none.
    JSON Schema cannot say what rules say: they stand under `x-rules` for people.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": template.title,
        **_closed(template.keys),
        "x-template": template.label,
        **({"x-rules": list(template.rules)} if template.rules else {}),
    }


def check_schema(template: Template) -> None:
    """Ask the reference implementation whether that is a JSON Schema others can use. Raises TemplateError."""
    import jsonschema  # records are checked by jsonschema-rs, hundreds of times faster: this is another opinion

    try:
        jsonschema.Draft202012Validator.check_schema(values_schema(template))
    except jsonschema.SchemaError as error:
        place = ".".join(map(str, error.absolute_path))
        raise TemplateError(
            f"{template.origin}: its JSON Schema is none at {place}", hint="other programs could not check its records"
        ) from error


def _closed(keys: Sequence[Key]) -> dict[str, Any]:
    """An object that has exactly these keys."""
    return {
        "type": "object",
        "properties": {key.name: _property(key) for key in keys},
        "required": [key.name for key in keys],
        "additionalProperties": False,
    }


def _property(key: Key) -> dict[str, Any]:
    from pipkie_cli.values import json_schema

    return {
        **({"type": "array", "items": _closed(key.columns)} if key.columns else json_schema(key.type)),
        "title": key.prompt,
        **({"description": key.description} if key.description else {}),
        "x-type": key.type,
        "x-required": key.required,
        **({"enum": [*(choice.value for choice in key.choices), None]} if key.choices else {}),
        **({"pattern": whole(key.pattern)} if key.pattern else {}),
        **({"x-term": key.term} if key.term else {}),
    }
