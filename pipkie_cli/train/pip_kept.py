"""Files of a run that goes on after it was stopped: written whole or not at all."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError

from pipkie_cli.errors import OutputError


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Beside, then over it: a kill while writing, or a full disk, leaves the one before. Raises OutputError."""
    part = path.with_name(f"{path.name}.part")
    try:
        write(part)
        with part.open("rb") as file:
            os.fsync(file.fileno())  # else a power cut could leave the new name and no content
        part.replace(path)
    except (OSError, RuntimeError, SafetensorError) as error:  # torch's and safetensors' names of a full disk
        part.unlink(missing_ok=True)
        why = getattr(error, "strerror", None) or "is the disk full?"
        raise OutputError(f"{path} cannot be written: {why}", hint="the same command goes on") from error


def cut_metrics(metrics: Path, step: int) -> None:
    """Lines of steps that will be done again are taken out, and one that a kill tore."""
    lines = metrics.read_bytes().splitlines(keepends=True) if metrics.exists() else []
    kept = b"".join(line for line in lines if (at := _step_of(line)) is not None and at <= step)
    write_whole(metrics, lambda path: path.write_bytes(kept))


def _step_of(line: bytes) -> int | None:
    try:
        return int(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return None
