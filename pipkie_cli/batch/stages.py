"""What the stops of a document's road take, measured from outside: the road knows nothing of clocks."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipkie_cli.models import AnyBackend

STAGES = ("read", "prepare", "forward", "finish")


class Stages:
    """A clock for one document. `backend` and `answer` stand in for those of the run.

    read: pages to words or pictures, and choosing the type; prepare: what the model is given; forward: the model, with
    waiting for it where it is shared; finish: answers to the record.
    """

    def __init__(self, backend: "AnyBackend", answer: Callable[[Any, Sequence[Any]], Any]) -> None:
        self._backend, self._answer = backend, answer
        self._started = self._last = perf_counter()  # `_last`: the end of what was timed last
        self._seconds = dict.fromkeys(STAGES, 0.0)

    def seconds(self) -> dict[str, float]:
        """Of the document that has just ended."""
        stage = "finish" if self._seconds["forward"] else "read"  # there was nothing to ask
        return {**self._seconds, stage: self._seconds[stage] + perf_counter() - self._last}

    def answer(self, _: Any, inputs: Sequence[Any]) -> Any:
        return self._timed("forward", lambda: self._answer(self._backend, inputs))

    def prepare(self, asked: Any) -> Any:
        return self._timed("prepare", lambda: self._backend.prepare(asked))

    def forward(self, inputs: Any) -> Any:
        return self._timed("forward", lambda: self._backend.forward(inputs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)  # what it is called, what it reads

    def _timed(self, stage: str, action: Callable[[], Any]) -> Any:
        start = perf_counter()
        self._seconds["read"] += start - self._last
        try:
            return action()
        finally:
            self._last = perf_counter()
            self._seconds[stage] += self._last - start
