"""The JSON Schema (2020-12) of a record, whatever its template. `values` has a schema of its own, from the template."""

from typing import Any

SCHEMA_NAME = "pipkie/1"
STATUSES = ("ok", "review", "failed")
SOURCES = ("text", "ocr", "pixels", "embedded_xml", "barcode")

_CODE = {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"}
_FRACTION = {"type": "number", "minimum": 0, "maximum": 1}
_PAGE = {"type": "integer", "minimum": 1}


def _closed(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        **more,
    }


_DOCUMENT = _closed(
    {
        "path": {"type": "string", "minLength": 1},
        "sha256": {
            "type": ["string", "null"],
            "pattern": "^[0-9a-f]{64}$",
            "description": "null when the file could not be read at all",
        },
        "pages": {"type": "array", "items": _PAGE, "uniqueItems": True, "description": "the pages that were read"},
        "page_count": {"type": ["integer", "null"], "minimum": 0, "description": "pages of the file, null if unknown"},
        "part": {
            "type": ["integer", "null"],
            "minimum": 1,
            "description": "number, from 1, of a document in a file of several; null: the file is one document",
        },
    }
)

_FIELD = _closed(
    {
        "raw": {"type": ["string", "null"], "description": "as printed; null: the document does not hold this key"},
        "confidence": _FRACTION | {"description": "for a null raw: that the key is indeed absent"},
        "page": {"type": ["integer", "null"], "minimum": 1},
        "boxes": {
            "type": "array",
            "items": {"type": "array", "items": _FRACTION, "minItems": 4, "maxItems": 4},
            "description": "left, top, right, bottom of each printed line: fractions of the page as displayed",
        },
        "source": {"enum": [*SOURCES, None]},
        "flags": {"type": "array", "items": _CODE, "uniqueItems": True},
    }
)

_ROWS = {
    "type": "array",
    "items": {"type": "object", "additionalProperties": _FIELD},
    "description": "of a table: an object per row, with a field for every column",
}

_PROBLEM = _closed(
    {
        "code": _CODE,
        "message": {"type": "string", "minLength": 1},
        "keys": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    }
)

RECORD_SCHEMA: dict[str, Any] = _closed(
    {
        "schema": {"const": SCHEMA_NAME},
        "document": _DOCUMENT,
        "status": {"enum": list(STATUSES)},
        "document_type": {"type": ["string", "null"]},
        "type_score": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "template": {"type": ["string", "null"], "pattern": "^[a-z][a-z0-9_]*@[0-9a-f]{12}$"},
        "values": {"type": "object"},
        "fields": {
            "type": "object",
            # no anyOf: a fault is told where it is, not as "none of the two"
            "additionalProperties": {"if": {"type": "array"}, "then": _ROWS, "else": _FIELD},
        },
        "problems": {"type": "array", "items": _PROBLEM},
        "model": {"type": ["string", "null"], "description": "null when no model was asked"},
        "pipkie": {"type": "string", "minLength": 1},
    },
    title="pipkie record",
    allOf=[
        {
            "if": {"properties": {"status": {"const": "ok"}}},
            "then": {"properties": {"document_type": {"type": "string"}, "template": {"type": "string"}}},
            "else": {"properties": {"problems": {"minItems": 1}}},
        }
    ],
)
RECORD_SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", **RECORD_SCHEMA}
