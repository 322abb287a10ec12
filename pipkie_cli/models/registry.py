"""Which module runs a model that a user names. Modules are strings: none is imported before it is asked for.

A model is `mini` (shipped), a folder of a mini checkpoint, a folder of a multimodal checkpoint (it has a `config.json`
as transformers writes it), or ORG/NAME[@REVISION] of such a checkpoint on a hub.
"""

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.backend import AnyBackend, Backend
from pipkie_cli.models.checkpoint import multimodal_revision, read_sidecar, revision_of
from pipkie_cli.nouns import Decode

BUILT_IN = ("mini",)  # names of shipped checkpoints
MINI = "pipkie_cli.models.mini.backend"  # load(folder | None)
MULTIMODAL = {  # load(folder, *, device, passes); load(folder, *, device)
    "pip": "pipkie_cli.models.mllm.backend",
    "ar": "pipkie_cli.models.mllm.autoregressive",
}
MEMORY = "pipkie_cli.models.mllm.memory"  # TorchMemory
HUB = "pipkie_cli.models.mllm.hub"  # fetch(name) -> Path: the folder of the snapshot
ON_A_HUB = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """Where a model lies and what kind it is."""

    folder: Path
    multimodal: bool
    shipped: bool = False


def load_backend(name: str, device: str = "cpu", *, decode: Decode = "pip", passes: int = 1) -> AnyBackend:
    """The backend of the shipped checkpoint, of a checkpoint's folder or of a model on a hub. Raises ModelError.

    `device`, `decode` and `passes` are for models that read pixels.
    """
    found = _find(name)
    if not found.multimodal:
        return import_module(MINI).load(None if found.shipped else found.folder)  # type: ignore[no-any-return]
    if decode == "ar":
        return import_module(MULTIMODAL["ar"]).load(found.folder, device=device)  # type: ignore[no-any-return]
    return import_module(MULTIMODAL["pip"]).load(found.folder, device=device, passes=passes)  # type: ignore[no-any-return]


def model_revision(name: str) -> str:
    """The `revision` of that backend, without loading it. Raises ModelError."""
    found = _find(name)
    if found.multimodal:
        return multimodal_revision(found.folder)
    return revision_of(found.folder, read_sidecar(found.folder, shipped=found.shipped))


def folder_of(name: str) -> Path:
    """Where a model of any kind lies; one on a hub is fetched. Raises ModelError."""
    return _find(name).folder


def reads_pixels(name: str) -> bool:
    """Whether that model reads pages as pixels, without loading it. Raises ModelError."""
    return _find(name).multimodal


def model_from_anywhere(name: str) -> str:
    """The same model, as a process with another current folder calls it."""
    return name if name in BUILT_IN or not Path(name).is_dir() else str(Path(name).absolute())


def model_here(name: str) -> str:
    """The same model for processes that are to ask no hub, which might say another revision by then. Raises ModelError.

    One on a hub is fetched: then it is a folder.
    """
    on_a_hub = name not in BUILT_IN and not Path(name).is_dir() and ON_A_HUB.fullmatch(name)
    return str(folder_of(name)) if on_a_hub else name


def multimodal_folder(name: str) -> Path:
    """Where a multimodal checkpoint lies, fetched if it is on a hub: what training starts from. Raises ModelError."""
    found = _find(name)
    if not found.multimodal:
        raise ModelError(
            f"{name} is no multimodal checkpoint: it has no config.json",
            hint="name the folder of one, or ORG/NAME; the embedded model is trained without --model",
        )
    return found.folder


def words_only(backend: AnyBackend) -> Backend:
    """The backend, if it points at words. Raises ModelError for one that reads pixels."""
    if backend.reads != "words":
        raise ModelError(
            f"{backend.revision} reads pixels; this needs a model that points at words",
            hint="use --model mini, or the folder of a checkpoint that pipkie train --init mini wrote",
        )
    return backend


def memory_of_torch() -> Any:
    """What tells of the memory of the device on which this process runs models: `batch.forwards.Memory`."""
    return import_module(MEMORY).TorchMemory()


def _find(name: str) -> _Checkpoint:
    if name in BUILT_IN:
        return _Checkpoint(Path(__file__).parent / name / "weights", multimodal=False, shipped=True)
    folder = Path(name)
    if folder.is_dir():
        return _Checkpoint(folder, multimodal=(folder / "config.json").is_file())
    if ON_A_HUB.fullmatch(name):
        return _Checkpoint(Path(import_module(HUB).fetch(name)), multimodal=True)
    raise ModelError(
        f"there is no model called {name}",
        hint=f"use {', '.join(BUILT_IN)}, the folder of a checkpoint, or ORG/NAME of one on Hugging Face",
    )
