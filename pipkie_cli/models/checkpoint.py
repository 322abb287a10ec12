"""A checkpoint's folder without its weights being loaded: which files it needs, which revision it is.

Needs the standard library only: a run asks for the revision before it starts the processes that load the weights.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError

FILES = ("pieces.npz", "text.onnx", "page.onnx", "tokenizer.json", "pipkie.json")


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


def damaged(path: Path) -> ModelError:
    return ModelError(f"{path} is damaged", hint="install pipkie again, or fetch the checkpoint again")
