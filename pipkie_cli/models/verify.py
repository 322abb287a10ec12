"""Whether a model on this machine is whole and fit for what it says of itself."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from pipkie_cli.errors import ModelError
from pipkie_cli.models.about import local_folder
from pipkie_cli.models.registry import load_backend
from pipkie_cli.models.weights import read_weights

DTYPES = {"BF16": "bfloat16", "F16": "bfloat16", "F32": "float32"}  # half floats are slow on a CPU, and as small
DIGEST = re.compile(r"[0-9a-f]{64}")


def verify_model(name: str) -> Iterator[str]:
    """What was found right, a line at a time. Raises ModelError for the first thing that is not."""
    folder = local_folder(name)
    if not (folder / "config.json").is_file():
        backend = load_backend(name)
        yield f"{backend.revision}: all files are there, and load"
        return
    weights = read_weights(folder)
    yield f"weights: {len(weights.files)} of {len(weights.files)} files are whole"
    checked = sum(_same_as_published(path) for path in sorted(folder.iterdir()))
    if checked:
        yield f"content: {checked} files have the SHA-256 that their publisher says"
    yield from _loads(folder, DTYPES.get(weights.kind, "float32"))


def _loads(folder: Path, dtype: str) -> Iterator[str]:
    """Everything that a run asks of a checkpoint, in the precision of its weights, on the CPU."""
    from pipkie_cli.models.mllm import load_checkpoint, read_sidecar

    trained = read_sidecar(folder)
    checkpoint = load_checkpoint(folder, dtype=dtype, one_pass=trained is not None)
    yield f"loads: {checkpoint.family.name}, every weight in its place, {len(checkpoint.tokenizer):,} tokens"
    if trained is None:
        yield "one pass: no, it was not trained for it (pipkie train --stage kv); it reads with --decode ar"
    else:
        yield "one pass: yes; every slot sees every token, and padding reaches none"


def _same_as_published(path: Path) -> bool:
    """Whether it is a file of the hub's cache whose digest is known, and right. Raises ModelError for a wrong one.

    The cache keeps large files under the SHA-256 that the hub told, and links to them.
    """
    if not path.is_symlink() or not DIGEST.fullmatch(path.resolve().name):
        return False
    with path.open("rb") as file:
        whole = hashlib.sha256()
        while block := file.read(1 << 20):
            whole.update(block)
    if whole.hexdigest() != path.resolve().name:
        raise ModelError(f"{path} has not the content that was published", hint=f"delete {path.resolve()}, fetch again")
    return True
