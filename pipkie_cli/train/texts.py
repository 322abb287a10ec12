"""The frozen text stage, read ahead of the training steps and remembered: a label stands on many pages."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from pipkie_cli.train.batches import Segment, pad_segments
from pipkie_cli.train.network import TextStage

REMEMBERED = 100_000  # segments of a generation; two generations are kept, about 0.4 GB


def average_pieces(
    text: TextStage, pieces: Sequence[tuple[Tensor, Tensor, Tensor, Tensor]], per_unit: Tensor
) -> Tensor:
    """(U, D) float32: contextual pieces averaged per word and key text, on the device of `per_unit`."""
    width, device = text.positions.shape[1], per_unit.device
    total = torch.zeros(len(per_unit), width, device=device)
    with torch.no_grad():
        for ids, is_piece, source, owner in pieces:
            contextual = text(ids.to(device), is_piece.to(device)).reshape(-1, width)
            total.index_add_(0, owner.to(device), contextual[source.to(device)].float())
    return total / per_unit[:, None]


class Texts:
    """Segments -> units, on the CPU in bfloat16. One process; what was read lately is not read again."""

    def __init__(self, text: TextStage, pad: int, dtype: torch.dtype = torch.bfloat16) -> None:
        self.text, self.pad, self.dtype = text.to(dtype).eval(), pad, dtype
        self._young: dict[Segment, Tensor] = {}
        self._old: dict[Segment, Tensor] = {}

    def __call__(self, segments: Sequence[Segment]) -> Tensor:
        """(U, D): the units of all segments, one after the other."""
        found = {segment: units for segment in segments if (units := self._remembered(segment)) is not None}
        missing = [segment for segment in segments if segment not in found]
        read = dict(zip(missing, self._read(missing), strict=True))
        if len(self._young) > REMEMBERED:
            self._old, self._young = self._young, {}
        self._young.update(read)
        return torch.cat([found[segment] if segment in found else read[segment] for segment in segments])

    def _remembered(self, segment: Segment) -> Tensor | None:
        units = self._young.get(segment)
        if units is None and (units := self._old.get(segment)) is not None:
            self._young[segment] = units
        return units

    def _read(self, segments: Sequence[Segment]) -> list[Tensor]:
        if not segments:
            return []
        bases, sizes = _numbered(segments)
        units = average_pieces(self.text, pad_segments(bases, self.pad), torch.tensor(sizes, dtype=torch.float32))
        counts = [max(owners) + 1 for _, owners in segments]
        return [part.clone() for part in torch.split(units.to(self.dtype), counts)]  # a view would keep the whole batch


def _numbered(segments: Sequence[Segment]) -> tuple[Mapping[Segment, int], list[int]]:
    """Segment -> number of its first unit, and the number of pieces of every unit."""
    bases: dict[Segment, int] = {}
    sizes: list[int] = []
    for ids, owners in segments:
        bases[ids, owners] = len(sizes)
        sizes.extend(owners.count(unit) for unit in range(max(owners) + 1))
    return bases, sizes
