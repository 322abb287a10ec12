"""The record as one line of JSON."""

import math
from collections.abc import Mapping
from typing import Any

import orjson

from pipkie_cli.records.text import without_surrogates


def record_line(record: Mapping[str, Any]) -> bytes:
    """One UTF-8 line with its newline, keys in the record's own order.

    A number that is not finite raises ValueError: JSON has none, and orjson would write null without a word. A lone
    surrogate, which UTF-8 has not, becomes U+FFFD.
    """
    return orjson.dumps(_clean(record, "record"), option=orjson.OPT_APPEND_NEWLINE)


def _clean(value: Any, where: str) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where} is not a finite number")
        return value
    if isinstance(value, Mapping):
        return {without_surrogates(key): _clean(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item, where) for item in value]
    return value
