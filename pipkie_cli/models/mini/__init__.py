"""The embedded model: windows as arrays, its ONNX Runtime backend, its scores as candidates. A room of its own.

Comes in: `Window`. Goes out: `Candidate` per key; for training also the arrays. The network in torch stands in
`train/network.py`.
"""

from pathlib import Path

from pipkie_cli.models.mini.decode import MAX_SPAN, candidates
from pipkie_cli.models.mini.features import (
    KEY_TYPES,
    PLACE_FEATURES,
    SEGMENT_LENGTHS,
    MiniInputs,
    PieceReader,
    make_inputs,
)

SHIPPED = Path(__file__).parent / "weights"  # the checkpoint that comes along
METHOD = "pip-pointer/1"  # slots point at words; what a checkpoint's `pipkie.json` must say

__all__ = [
    "KEY_TYPES",
    "MAX_SPAN",
    "METHOD",
    "PLACE_FEATURES",
    "SEGMENT_LENGTHS",
    "SHIPPED",
    "MiniInputs",
    "PieceReader",
    "candidates",
    "make_inputs",
]
