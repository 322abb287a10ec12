"""What every model family offers. tests/models runs one contract suite over all of them."""

from typing import Any, Protocol

from pipkie_cli.nouns import Calibration, Candidate, Window


class Backend(Protocol):
    """One loaded checkpoint. Results never depend on which other windows or keys are read.

    `prepare` runs on a CPU, needs no loaded weights beyond the tokenizer, and gives something picklable; `forward` is
    one pass.
    """

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
