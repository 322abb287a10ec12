"""Multimodal language models that fill all slots in one pass (PIP, arXiv 2601.19613). A room of its own.

Comes in: `Sheet`. Goes out: `Written` per key; for training and the autoregressive baseline also the loaded checkpoint,
its prompts and its slot logits. Never: what a page is read from, what a value means.
"""

from pipkie_cli.models.mllm.sidecar import METHOD, SIDECAR, Sidecar, read_sidecar, write_sidecar

__all__ = ["METHOD", "SIDECAR", "Sidecar", "read_sidecar", "write_sidecar"]
