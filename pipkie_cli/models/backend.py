"""What every model family offers. tests/models runs one contract suite over all of them."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from pipkie_cli.nouns import Calibration, Candidate, Sheet, Window, Written


class Backend(Protocol):
    """One loaded checkpoint that points at words. Results never depend on which other windows or keys are read.

    `prepare` runs on a CPU, needs no loaded weights beyond the tokenizer, and gives something picklable; `forward` is
    one pass.
    """

    @property
    def reads(self) -> Literal["words"]: ...

    @property
    def revision(self) -> str:
        """Name, version and digest of the weights, for the record: mini@1.0+ab12."""
        ...

    @property
    def calibration(self) -> Calibration: ...

    def prepare(self, window: Window) -> Any: ...

    def forward(self, inputs: Any) -> tuple[tuple[Candidate, ...], ...]:
        """Per key of the window its candidates, best first; one of them is ABSENT. Scores are log-probabilities."""
        ...


class PixelBackend(Protocol):
    """One loaded checkpoint that reads pages as pixels and writes values itself.

    `prepare` runs on a CPU, in any thread, needs no weights beyond the tokenizer, and gives something picklable with a
    `cost`: the positions (tokens) of its sequence in the forward. Results never depend on the other sheets of a batch
    (exactly so in float32); the keys of one sheet see each other.
    """

    @property
    def reads(self) -> Literal["pixels"]: ...

    @property
    def revision(self) -> str:
        """Family and digest of the checkpoint, for the record: qwen2_vl+ab12cd34."""
        ...

    @property
    def calibration(self) -> Calibration: ...

    @property
    def max_pictures(self) -> int:
        """How many pages may share one forward."""
        ...

    def prepare(self, sheet: Sheet) -> Any: ...

    def forward(self, batch: Sequence[Any]) -> tuple[tuple[Written, ...], ...]:
        """Per sheet, per key of it, what the model wrote; one pass, and those of refinement where it was asked for."""
        ...


AnyBackend = Backend | PixelBackend
