"""JSON of a checkpoint that a stranger may have written: bounded in bytes, an object, never a traceback."""

import json
import math
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError

MAX_JSON_BYTES = 2**20  # of config.json, pipkie.json and their like; the largest published one has 20 KB


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file. Raises ModelError where it is missing, too large, or none."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for, a device has no end
            raise ModelError(f"{path} is no file", hint="fetch the checkpoint again")
        with path.open("rb") as file:
            text = file.read(MAX_JSON_BYTES + 1)
        if len(text) > MAX_JSON_BYTES:
            raise ModelError(f"{path} has more than {MAX_JSON_BYTES} bytes", hint="fetch the checkpoint again")
        told = json.loads(text, parse_constant=_number, parse_float=_number)
    except FileNotFoundError:
        raise ModelError(f"{path} is missing", hint="give the folder of a whole checkpoint") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again") from error
    if not isinstance(told, dict):
        raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again")
    return told


def _number(text: str) -> float:
    """Raises ValueError for NaN and for what float64 does not hold: nobody who reads these files expects them."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
