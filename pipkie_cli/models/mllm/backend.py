"""A multimodal checkpoint behind the protocol of backends that read pixels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pipkie_cli.models.checkpoint import multimodal_revision
from pipkie_cli.models.mllm.load import Checkpoint, load_checkpoint
from pipkie_cli.models.mllm.places import KeyHeat
from pipkie_cli.models.mllm.prompt import encode_prompt, slots_for
from pipkie_cli.models.mllm.refine import Asked, look_at, read_values
from pipkie_cli.nouns import Calibration, Sheet, Written


def load(folder: Path, *, device: str = "cpu", passes: int = 1) -> "MllmBackend":
    """The checkpoint of a folder. Raises ModelError."""
    return MllmBackend(load_checkpoint(folder, device=device), passes)


class MllmBackend:
    """One process, one device. `prepare` may run in other threads; `forward` in one at a time."""

    def __init__(self, checkpoint: Checkpoint, passes: int = 1, revision: str | None = None) -> None:
        self.checkpoint = checkpoint
        self.passes = passes
        self.revision = revision or multimodal_revision(checkpoint.folder)  # reads all weights: not while they change

    @property
    def reads(self) -> Literal["pixels"]:
        return "pixels"

    @property
    def calibration(self) -> Calibration:
        return self.checkpoint.trained.calibration

    @property
    def max_pictures(self) -> int:
        return self.checkpoint.trained.max_pictures

    def prepare(self, sheet: Sheet) -> Asked:
        slots = [slots_for(key, self.checkpoint.trained) for key in sheet.keys]
        pictures = [picture.pixels for picture in sheet.pictures]
        encoded = encode_prompt(self.checkpoint, pictures, sheet.keys, slots, max_pixels=sheet.max_pixels)
        return Asked(encoded, sheet.keys, tuple(picture.page_index for picture in sheet.pictures))

    def look(self, asked: Asked) -> tuple[tuple[tuple[str, ...], KeyHeat], ...]:
        """Per key the tokens of its value, as the first pass fills them, and where the slot of each looks."""
        return look_at(self.checkpoint, asked)

    def forward(self, batch: Sequence[Asked]) -> tuple[tuple[Written, ...], ...]:
        return read_values(self.checkpoint, batch, self.passes)
