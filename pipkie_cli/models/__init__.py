"""Window or sheet -> what the model says per key: the backends, behind two protocols.

Comes in: `Window`, for a model that points at words, or `Sheet`, for one that reads pixels. Goes out: `Candidate`s or
`Written` per key. Never: what a page is read from, what a value means.
"""

from pipkie_cli.models.backend import AnyBackend, Backend, PixelBackend
from pipkie_cli.models.registry import (
    load_backend,
    model_from_anywhere,
    model_revision,
    multimodal_folder,
    reads_pixels,
    words_only,
)

__all__ = [
    "AnyBackend",
    "Backend",
    "PixelBackend",
    "load_backend",
    "model_from_anywhere",
    "model_revision",
    "multimodal_folder",
    "reads_pixels",
    "words_only",
]
