"""A checkpoint's folder without its weights being loaded: which files it needs, which revision it is.

Needs the standard library only: a run asks for the revision before it starts the processes that load the weights.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json

FILES = ("pieces.npz", "text.onnx", "page.onnx", "tokenizer.json", "pipkie.json")
MULTIMODAL_FILES = ("*.json", "*.safetensors", "*.txt", "*.model")
WHOLE_BYTES = 64 << 20  # larger files of weights are hashed by samples: 15 GB would take half a minute
SAMPLES, SAMPLE_BYTES = 256, 1 << 16


def read_sidecar(folder: Path, shipped: bool) -> dict[str, Any]:
    """What `pipkie.json` of a whole checkpoint says. Raises ModelError for missing files and for a damaged sidecar."""
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        hint = "the installation is damaged: install pipkie again" if shipped else "give a folder that training wrote"
        raise ModelError(f"{folder} holds no whole mini model: {', '.join(missing)} missing", hint=hint)
    try:
        return dict(json.loads((folder / "pipkie.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise damaged(folder / "pipkie.json") from error


def revision_of(folder: Path, sidecar: dict[str, Any]) -> str:
    """Name, version and digest of all files: mini@1.0+ab12cd34. Raises ModelError."""
    whole = hashlib.sha256()
    try:
        for name in FILES:
            whole.update((folder / name).read_bytes())
        return f"{sidecar['name']}@{sidecar['version']}+{whole.hexdigest()[:8]}"
    except (OSError, KeyError) as error:
        raise damaged(folder / "pipkie.json") from error


def multimodal_revision(folder: Path) -> str:
    """Family and digest of a multimodal checkpoint: qwen2_vl+ab12cd34. Raises ModelError.

    Small files count with every byte; of large ones the size and evenly spaced samples do, in which any training
    leaves its mark.
    """
    whole = hashlib.sha256()
    try:
        family = read_json(folder / "config.json")["model_type"]
        found = {path.name: path for form in MULTIMODAL_FILES for path in folder.glob(form)}
        for name, path in sorted(found.items()):
            whole.update(name.encode("utf-8", "surrogateescape"))
            _add_file(whole, path)
    except KeyError as error:
        raise ModelError(f"{folder / 'config.json'} is damaged", hint="fetch the checkpoint again") from error
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be read ({error.strerror})", hint="fetch the checkpoint again, or give a right to read it"
        ) from error
    return f"{family}+{whole.hexdigest()[:8]}"


def _add_file(whole: "hashlib._Hash", path: Path) -> None:
    if not path.is_file():  # a pipe would be waited for, a device has no end
        raise ModelError(f"{path} is no file", hint="fetch the checkpoint again")
    size = path.stat().st_size
    whole.update(str(size).encode())
    with path.open("rb") as file:
        if size <= WHOLE_BYTES:
            while block := file.read(1 << 20):
                whole.update(block)
            return
        for number in range(SAMPLES):
            file.seek((size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            whole.update(file.read(SAMPLE_BYTES))


def damaged(path: Path) -> ModelError:
    return ModelError(f"{path} is damaged", hint="install pipkie again, or fetch the checkpoint again")
