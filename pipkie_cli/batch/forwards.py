"""Sheets of many documents share forwards: a queue in front of one model.

Whoever is oldest goes first; others that wait join it while the padded batch stays within a budget of positions and
padding does not waste a quarter of it. A model without a forward in progress starts with what is there: nobody waits
for company. Where a batch does not fit into memory it is halved, and so is the budget; a batch that fails in another
way is halved too, until only the sheet that is the reason fails.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from pipkie_cli.errors import OutOfMemory, PipkieError
from pipkie_cli.nouns import Written

BUDGET_TOKENS = 16_384  # positions of one forward, padding included; a GPU is busy with far fewer
LEAST_USED = 0.75  # of a batch's positions that are no padding

log = logging.getLogger(__name__)
Answers = tuple[Written, ...]


class Memory(Protocol):
    """What a device says of its memory. `models.mllm` has the one of torch."""

    def ran_out(self, error: BaseException) -> bool:
        """Whether an error means that memory did not suffice."""

    def free(self) -> None:
        """Give back what a failed forward left behind."""

    def works(self) -> bool:
        """Whether the device can still be used: some errors of CUDA stay for the rest of a process."""


class DeviceBroken(Exception):
    """The process that holds the model must be replaced."""


@dataclass(slots=True)
class Busy:
    """What a queue has done so far, in seconds and counts."""

    seconds: float = 0.0  # in forwards
    batches: int = 0
    sheets: int = 0
    tokens: int = 0
    padded: int = 0  # positions of the batches: tokens and padding
    waiting: int = 0  # sheets left in the queue when a batch was taken, summed up


@dataclass(slots=True, eq=False)
class _Waiting:
    inputs: Any  # what the backend prepared
    cost: int
    answers: "Future[Answers]" = field(default_factory=Future)


class ForwardQueue:
    """Takes prepared sheets from any thread; `run` answers them in the one that calls it."""

    def __init__(
        self,
        forward: Callable[[Sequence[Any]], Sequence[Answers]],
        memory: Memory,
        budget_tokens: int = BUDGET_TOKENS,
        watch: Callable[[float, Busy], None] = lambda _since, _busy: None,
    ) -> None:
        self._forward, self._memory, self.budget_tokens, self._watch = forward, memory, budget_tokens, watch
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.busy = Busy()

    def submit(self, inputs: Any) -> "Future[Answers]":
        """A prepared sheet; its future holds the answers, or the error that this sheet alone is to blame for."""
        one = _Waiting(inputs, int(inputs.cost))
        with self._changed:
            self._waiting.append(one)
            self._changed.notify()
        return one.answers

    def close(self) -> None:
        """Let `run` return when everything is answered."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def run(self) -> None:
        """Answer until the queue is closed. Raises DeviceBroken."""
        while batch := self._take():
            self._answer(batch)

    def _take(self) -> list[_Waiting]:
        """The next batch, [] at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return []
            batch = [self._waiting.popleft()]
            left: deque[_Waiting] = deque()
            for one in self._waiting:
                (batch if self._fits(batch, one) else left).append(one)
            self._waiting = left
            self.busy.waiting += len(left)
            return batch

    def _fits(self, batch: Sequence[_Waiting], one: _Waiting) -> bool:
        padded = (len(batch) + 1) * max(one.cost, *(other.cost for other in batch))
        used = one.cost + sum(other.cost for other in batch)
        return padded <= self.budget_tokens and used >= LEAST_USED * padded

    def _answer(self, batch: Sequence[_Waiting]) -> None:
        answers, error = self._tried(batch)
        if answers is not None:
            for one, answer in zip(batch, answers, strict=True):
                one.answers.set_result(answer)
            return
        assert error is not None
        no_room = self._memory.ran_out(error)
        self._memory.free()
        if not self._memory.works():
            raise DeviceBroken(type(error).__name__) from error
        if len(batch) == 1:
            batch[0].answers.set_exception(_too_large() if no_room else error)
            return
        if no_room:
            self.budget_tokens = max(1, _padded(batch) // 2)
            log.warning("the device ran out of memory: batches of %d positions from now on", self.budget_tokens)
        half = (len(batch) + 1) // 2
        self._answer(batch[:half])
        self._answer(batch[half:])

    def _tried(self, batch: Sequence[_Waiting]) -> tuple[Sequence[Answers] | None, Exception | None]:
        """Answers or error. The error has no traceback: its frames would hold the tensors of the failed forward."""
        started = time.monotonic()
        self._watch(started, self.busy)
        try:
            return self._forward([one.inputs for one in batch]), None
        except Exception as error:  # of any library: it is handed to the document whose sheet this was
            if not isinstance(error, PipkieError):
                log.debug("a forward of %d sheets failed", len(batch), exc_info=True)
            return None, error.with_traceback(None)
        finally:
            self.busy.seconds += time.monotonic() - started
            self.busy.batches += 1
            self.busy.sheets += len(batch)
            self.busy.tokens += sum(one.cost for one in batch)
            self.busy.padded += _padded(batch)
            self._watch(0.0, self.busy)


def _padded(batch: Sequence[_Waiting]) -> int:
    return len(batch) * max(one.cost for one in batch)


def _too_large() -> OutOfMemory:
    return OutOfMemory(
        "the device has not enough memory for these pages", hint="read them with fewer pixels (--max-pixels)"
    )
