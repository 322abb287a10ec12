"""JSON of a checkpoint that a stranger may have written: bounded in bytes, an object, never a traceback."""

import json
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError

MAX_JSON_BYTES = 2**20  # of config.json, pipkie.json and their like; the largest published one has 20 KB


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file. Raises ModelError where it is missing, too large, or none."""
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise ModelError(f"{path} has more than {MAX_JSON_BYTES} bytes", hint="fetch the checkpoint again")
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ModelError(f"{path} is missing", hint="give the folder of a whole checkpoint") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again") from error
    if not isinstance(told, dict):
        raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again")
    return told
