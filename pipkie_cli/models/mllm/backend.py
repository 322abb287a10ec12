"""A multimodal checkpoint behind the protocol of backends that read pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pipkie_cli.models.checkpoint import multimodal_revision
from pipkie_cli.models.mllm.decode import written
from pipkie_cli.models.mllm.forward import best_tokens, collate, slot_states
from pipkie_cli.models.mllm.load import Checkpoint, load_checkpoint
from pipkie_cli.models.mllm.prompt import Encoded, encode_prompt, slots_for
from pipkie_cli.nouns import Calibration, Key, Sheet, Written


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """One sheet as tokens and pixels. Picklable."""

    encoded: Encoded
    keys: tuple[Key, ...]

    @property
    def cost(self) -> int:
        """Positions in the forward."""
        return self.encoded.n_tokens


def load(folder: Path, *, device: str = "cpu", passes: int = 1) -> "MllmBackend":
    """The checkpoint of a folder. Raises ModelError."""
    return MllmBackend(load_checkpoint(folder, device=device), passes)


class MllmBackend:
    """One process, one device. `prepare` may run in other threads; `forward` in one at a time."""

    def __init__(self, checkpoint: Checkpoint, passes: int = 1) -> None:
        self.checkpoint = checkpoint
        self.passes = passes
        self.revision = multimodal_revision(checkpoint.folder)

    @property
    def reads(self) -> Literal["pixels"]:
        return "pixels"

    @property
    def calibration(self) -> Calibration:
        return self.checkpoint.trained.calibration

    @property
    def max_pictures(self) -> int:
        return self.checkpoint.trained.max_pictures

    def prepare(self, sheet: Sheet) -> Prepared:
        slots = [slots_for(key, self.checkpoint.trained) for key in sheet.keys]
        pictures = [picture.pixels for picture in sheet.pictures]
        return Prepared(
            encode_prompt(self.checkpoint, pictures, sheet.keys, slots, max_pixels=sheet.max_pixels), sheet.keys
        )

    def forward(self, batch: Sequence[Prepared]) -> tuple[tuple[Written, ...], ...]:
        rows = [one.encoded for one in batch]
        tokens, scores = self._fill(rows)
        answers, at = [], 0
        for row in rows:
            answer = []
            for place in row.slots:
                inside = slice(at, at + len(place))
                answer.append(written(self.checkpoint, tokens[inside], scores[inside]))
                at += len(place)
            answers.append(tuple(answer))
        return tuple(answers)

    def _fill(self, rows: Sequence[Encoded]) -> tuple[list[int], list[float]]:
        """The likeliest token of every slot and its log-probability, row by row; one forward."""
        import torch

        with torch.inference_mode():
            states = slot_states(self.checkpoint, collate(rows, self.checkpoint.pad_id))
            tokens: Any
            scores: Any
            tokens, scores = best_tokens(self.checkpoint, states)
        return tokens.tolist(), scores.tolist()
