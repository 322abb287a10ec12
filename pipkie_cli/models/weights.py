"""Files of safetensors without their tensors being loaded: names, shapes, sizes, and whether they are whole.

A file begins with the length of its header, then the header as JSON, then the tensors. Standard library only.
"""

import json
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json

MAX_HEADER_BYTES = 50 * 2**20  # one of 10,000 tensors has 1 MB; the format itself allows twice this
INDEX = "model.safetensors.index.json"
WHOLE = "model.safetensors"


@dataclass(frozen=True, slots=True)
class Weights:
    """What the files of a checkpoint hold."""

    files: tuple[Path, ...]
    n_bytes: int
    n_numbers: int
    kind: str  # of most of the numbers, in the format's words: BF16, F16, F32


def read_weights(folder: Path) -> Weights:
    """The headers of all files of weights. Raises ModelError for a file that is missing, cut short or damaged."""
    files = _files(folder)
    counts: Counter[str] = Counter()
    for path in files:
        for tensor in _header(path).values():
            counts[tensor["dtype"]] += prod(tensor["shape"])
    kind = counts.most_common(1)[0][0] if counts else "none"
    return Weights(files, sum(path.stat().st_size for path in files), sum(counts.values()), kind)


def _files(folder: Path) -> tuple[Path, ...]:
    index = folder / INDEX
    names: Sequence[Any] = (WHOLE,)
    if index.is_file():
        told = read_json(index).get("weight_map")
        names = sorted(set(map(str, told.values()))) if isinstance(told, dict) else ()
        if not names or not all(Path(one).name == one for one in names):
            raise ModelError(f"{index} is damaged", hint="fetch the checkpoint again")
    files = tuple(folder / name for name in names)
    missing = [path.name for path in files if not path.is_file()]
    if missing:
        raise ModelError(f"{folder} is not whole: {missing[0]} is missing", hint="fetch the checkpoint again")
    return files


def _header(path: Path) -> dict[str, dict[str, Any]]:
    """name -> dtype, shape and place in the file. Raises ModelError unless the tensors fill the file to its end."""
    damaged = ModelError(f"{path} is cut short or damaged", hint="fetch the checkpoint again")
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > MAX_HEADER_BYTES:
                raise damaged
            header = json.loads(file.read(length))
        header.pop("__metadata__", None)
        end = max((int(one["data_offsets"][1]) for one in header.values()), default=0)
        sane = all(
            isinstance(one["dtype"], str) and all(isinstance(side, int) and side >= 0 for side in one["shape"])
            for one in header.values()
        )
    except (
        OSError,
        ValueError,
        RecursionError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        struct.error,
    ) as error:
        raise damaged from error
    if not sane or path.stat().st_size != 8 + length + end:
        raise damaged
    return dict(header)
