"""Which module runs a model that a user names. Modules are strings: none is imported before it is asked for."""

from importlib import import_module
from pathlib import Path

from pipkie_cli.errors import ModelError
from pipkie_cli.models.backend import Backend

FAMILIES = {"mini": "pipkie_cli.models.mini.backend"}


def load_backend(name: str) -> Backend:
    """The backend of a family's shipped checkpoint, or of a checkpoint's folder. Raises ModelError."""
    if name in FAMILIES:
        return import_module(FAMILIES[name]).load(None)  # type: ignore[no-any-return]
    folder = Path(name)
    if folder.is_dir():
        return import_module(FAMILIES["mini"]).load(folder)  # type: ignore[no-any-return]
    raise ModelError(
        f"there is no model called {name}", hint=f"use {', '.join(sorted(FAMILIES))} or the folder of a checkpoint"
    )
