"""The embedded model: windows as arrays, its ONNX Runtime backend, its scores as candidates. A room of its own.

Comes in: `Window`. Goes out: `Candidate` per key; for training also the arrays. The network in torch stands in
`train/network.py`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from pipkie_cli.models.mini.decode import MAX_SPAN, candidates, decode
from pipkie_cli.models.mini.features import (
    KEY_TYPES,
    PLACE_FEATURES,
    SEGMENT_LENGTHS,
    MiniInputs,
    PieceReader,
    make_inputs,
)
from pipkie_cli.models.mini.quantise import compute_in_int8
from pipkie_cli.models.mini.stepwise import Stepwise
from pipkie_cli.models.mini.stored import stored_weights

if TYPE_CHECKING:
    from pipkie_cli.models.mini.backend import MiniBackend

SHIPPED = Path(__file__).parent / "weights"  # the checkpoint that comes along
METHOD = "pip-pointer/2"  # slots point at words; what a checkpoint's `pipkie.json` must say

__all__ = [
    "KEY_TYPES",
    "MAX_SPAN",
    "METHOD",
    "PLACE_FEATURES",
    "SEGMENT_LENGTHS",
    "SHIPPED",
    "MiniInputs",
    "PieceReader",
    "Stepwise",
    "candidates",
    "compute_in_int8",
    "decode",
    "make_inputs",
    "one_pass_of",
    "stored_weights",
]


def one_pass_of(backend: object) -> "MiniBackend | None":
    """A loaded backend whose stages can be run apart; None for one of another family."""
    from pipkie_cli.models.mini.backend import MiniBackend

    return backend if isinstance(backend, MiniBackend) else None
