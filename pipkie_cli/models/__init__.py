"""Window or sheet -> what the model says per key: the backends, behind two protocols.

Comes in: `Window`, for a model that points at words, or `Sheet`, for one that reads pixels. Goes out: `Candidate`s or
`Written` per key. Never: what a page is read from, what a value means.
"""

from pipkie_cli.models.about import About, about_model, local_folder, models_here
from pipkie_cli.models.backend import AnyBackend, Backend, PixelBackend
from pipkie_cli.models.registry import (
    load_backend,
    memory_of_torch,
    model_from_anywhere,
    model_here,
    model_revision,
    multimodal_folder,
    reads_pixels,
    words_only,
)
from pipkie_cli.models.verify import verify_model

__all__ = [
    "About",
    "AnyBackend",
    "Backend",
    "PixelBackend",
    "about_model",
    "load_backend",
    "local_folder",
    "memory_of_torch",
    "model_from_anywhere",
    "model_here",
    "model_revision",
    "models_here",
    "multimodal_folder",
    "reads_pixels",
    "verify_model",
    "words_only",
]
