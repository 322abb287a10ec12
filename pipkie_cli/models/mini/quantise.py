"""A checkpoint whose linear layers are computed in int8, to compare it with the shipped form. Extraction never does."""

import shutil
from pathlib import Path

GRAPHS = ("text.onnx", "page.onnx")


def compute_in_int8(source: Path, target: Path, graphs: tuple[str, ...] = GRAPHS) -> None:
    """Copy a folder of float32 graphs, linear layers of some as MatMulInteger: weights int8 with a scale per row,
    activations uint8 with one scale for all that is computed together."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    shutil.copytree(source, target)
    for name in graphs:
        quantize_dynamic(source / name, target / name, weight_type=QuantType.QInt8, per_channel=True)
