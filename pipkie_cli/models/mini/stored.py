"""The weights of a checkpoint's graph, named as in train/network.py. Needs the package onnx; extraction never does."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipkie_cli.errors import ModelError

Array = npt.NDArray[Any]

_OF_LAYER = re.compile(r"((?:.+\.)?layers)\.(\d+)\.(.+)")


def stored_weights(path: Path) -> dict[str, Array]:
    """Parameters by name, int8 rows multiplied out as extraction does at load.

    Raises ModelError without the package onnx, ValueError for a file that is no graph.
    """
    try:
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
        from onnx import load, numpy_helper
    except ModuleNotFoundError as error:
        raise ModelError("a checkpoint's weights are read with the package onnx", hint="pip install onnx") from error
    try:
        graph = load(str(path)).graph
    except DecodeError as error:
        raise ValueError(f"{path} is damaged") from error
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    for name in [name for name in stored if name.endswith(".rows")]:
        linear = name.removesuffix(".rows")
        stored[f"{linear}.weight"] = stored.pop(name).astype(np.float32) * stored.pop(f"{linear}.scales")
    return _told_apart(stored)


def _told_apart(stored: dict[str, Array]) -> dict[str, Array]:
    """Tensors that are equal in several layers, as none learnt them, are stored once, under the lowest layer's name."""
    named = {tuple(found.groups()): stored[name] for name in stored if (found := _OF_LAYER.fullmatch(name))}
    layers = max((int(number) for _, number, _ in named), default=0) + 1
    for above, rest in {(above, rest) for above, _, rest in named}:
        for number in range(1, layers):
            below = stored.get(f"{above}.{number - 1}.{rest}")
            if below is not None:
                stored.setdefault(f"{above}.{number}.{rest}", below)
    return stored
