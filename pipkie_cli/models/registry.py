"""Which module runs a model that a user names. Modules are strings: none is imported before it is asked for."""

from importlib import import_module
from pathlib import Path

from pipkie_cli.errors import ModelError
from pipkie_cli.models.backend import Backend
from pipkie_cli.models.checkpoint import read_sidecar, revision_of

FAMILIES = {"mini": "pipkie_cli.models.mini.backend"}


def load_backend(name: str) -> Backend:
    """The backend of a family's shipped checkpoint, or of a checkpoint's folder. Raises ModelError."""
    family, folder = _checkpoint(name)
    return import_module(family).load(folder)  # type: ignore[no-any-return]


def model_revision(name: str) -> str:
    """The `revision` of that backend, without loading it. Raises ModelError."""
    _, folder = _checkpoint(name)
    where = folder or Path(__file__).parent / name / "weights"
    return revision_of(where, read_sidecar(where, shipped=folder is None))


def _checkpoint(name: str) -> tuple[str, Path | None]:
    """The module that runs it, and its folder unless it is the shipped one."""
    if name in FAMILIES:
        return FAMILIES[name], None
    if Path(name).is_dir():
        return FAMILIES["mini"], Path(name)
    raise ModelError(
        f"there is no model called {name}", hint=f"use {', '.join(sorted(FAMILIES))} or the folder of a checkpoint"
    )
