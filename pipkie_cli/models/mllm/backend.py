"""A multimodal checkpoint behind the protocol of backends that read pixels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pipkie_cli.models.checkpoint import multimodal_revision
from pipkie_cli.models.mllm.load import Checkpoint, load_checkpoint
from pipkie_cli.models.mllm.places import KeyHeat
from pipkie_cli.models.mllm.prompt import encode_keys, slots_for, spread_keys
from pipkie_cli.models.mllm.refine import Asked, look_at, read_values
from pipkie_cli.models.mllm.spread import Spread, in_turn
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

    def prepare(self, sheet: Sheet) -> Spread[Asked]:
        checkpoint, keys = self.checkpoint, sheet.keys
        slots = [slots_for(key, checkpoint.trained) for key in keys]
        pictures = [picture.pixels for picture in sheet.pictures]
        images = checkpoint.family.image_inputs(pictures, sheet.max_pixels or checkpoint.trained.max_pixels)
        pages = tuple(picture.page_index for picture in sheet.pictures)
        return Spread(
            tuple(
                Asked(encode_keys(checkpoint, images, keys[some], slots[some]), keys[some], pages)
                for some in spread_keys(checkpoint, keys, slots)
            )
        )

    def look(self, asked: Spread[Asked]) -> tuple[tuple[tuple[str, ...], KeyHeat], ...]:
        """Per key the tokens of its value, as the first pass fills them, and where the slot of each looks."""
        return tuple(look for part in asked.parts for look in look_at(self.checkpoint, part))

    def forward(self, batch: Sequence[Spread[Asked]]) -> tuple[tuple[Written, ...], ...]:
        return in_turn(batch, lambda some: read_values(self.checkpoint, some, self.passes))
