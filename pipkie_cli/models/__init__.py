"""Window -> candidates per key: the backends, behind one protocol.

Comes in: `Window`. Goes out: `Candidate` per key. Never: what a page is read from, what a value means.
"""

from pipkie_cli.models.backend import Backend
from pipkie_cli.models.registry import load_backend, model_revision

__all__ = ["Backend", "load_backend", "model_revision"]
