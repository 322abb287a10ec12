"""Files of safetensors without their tensors being loaded: names, shapes, sizes, and whether they are whole.

A file begins with the length of its header, then the header as JSON, then the tensors. Standard library only.
"""

import json
import struct
from collections import Counter
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json

MAX_HEADER_BYTES = 50 * 2**20  # one of 10,000 tensors has 1 MB; the format itself allows twice this
INDEX = "model.safetensors.index.json"
WHOLE = "model.safetensors"
MOST_FILES = 1000  # of one checkpoint
FETCH_AGAIN = "fetch the checkpoint again"


@dataclass(frozen=True, slots=True)
class Weights:
    """What the files of a checkpoint hold."""

    files: tuple[Path, ...]
    n_bytes: int
    n_numbers: int
    kind: str  # of most of the numbers, in the format's words: BF16, F16, F32


def read_weights(folder: Path) -> Weights:
    """The headers of all files of weights. Raises ModelError for a file that is missing, cut short or damaged."""
    files = weight_files(folder)
    counts: Counter[str] = Counter()
    for path in files:
        for tensor in _header(path).values():
            counts[tensor["dtype"]] += prod(tensor["shape"])
    kind = counts.most_common(1)[0][0] if counts else "none"
    return Weights(files, sum(path.stat().st_size for path in files), sum(counts.values()), kind)


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The files that hold a checkpoint's weights: the one whole file where there is one, as transformers has it.

    Raises ModelError for a missing one, for weights in another format alone, and for an index that names anything
    but files of safetensors within the folder: transformers would unpickle what is named otherwise.
    """
    whole, index = folder / WHOLE, folder / INDEX
    names = _indexed(index) if index.is_file() else []
    if whole.is_file():
        return (whole,)
    if not names:
        others = sorted(path.name for form in ("*.bin", "*.pt", "*.pth") for path in folder.glob(form))
        why = f": it has {others[0]}, which may hold code and is never loaded" if others else ""
        raise ModelError(f"{folder} has no {WHOLE}{why}", hint="fetch the checkpoint with safetensors")
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise ModelError(f"{folder} is not whole: {missing[0]} is missing", hint=FETCH_AGAIN)
    return tuple(folder / name for name in names)


def _indexed(index: Path) -> list[str]:
    """The names of files in an index, at least one."""
    told = read_json(index).get("weight_map")
    names = sorted(set(map(str, told.values()))) if isinstance(told, dict) else []
    if not 0 < len(names) <= MOST_FILES or not all(map(_is_shard, names)):
        why = "a name in it is of another format, or lies outside its folder"
        raise ModelError(f"{index.parent} is not whole: {index} is damaged ({why})", hint=FETCH_AGAIN)
    return names


def _is_shard(name: str) -> bool:
    return Path(name).name == name and name.endswith(".safetensors")


def _header(path: Path) -> dict[str, dict[str, Any]]:
    """name -> dtype, shape and place in the file. Raises ModelError unless the tensors fill the file to its end."""
    damaged = ModelError(f"{path} is cut short or damaged", hint=FETCH_AGAIN)
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
