"""Template -> JSON Schema (2020-12) of the `values` of its records."""

from typing import Any

from pipkie_cli.nouns import Template


def values_schema(template: Template) -> dict[str, Any]:
    """The schema that `values` of a record of this template validates against.

    Every key is present and every key may be null: what the page does not hold, or what could not be typed, is null and
    never made up, required or not. A required key is marked `x-required`; its absence makes the record `review`.
    """
    from pipkie_cli.values import json_schema

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": template.title,
        "type": "object",
        "properties": {
            key.name: {
                **json_schema(key.type),
                "title": key.prompt,
                **({"description": key.description} if key.description else {}),
                "x-type": key.type,
                "x-required": key.required,
            }
            for key in template.keys
        },
        "required": [key.name for key in template.keys],
        "additionalProperties": False,
        "x-template": template.label,
    }
