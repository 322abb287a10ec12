"""Forwards that documents share: within a budget, in fair order, and a sheet that fails alone costs no other one."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import pytest

from pipkie_cli.batch.forwards import DeviceBroken, ForwardQueue
from pipkie_cli.errors import OutOfMemory
from pipkie_cli.nouns import Written


@dataclass(frozen=True)
class Sheet:
    name: str
    cost: int


class Memory:
    """A device that knows MemoryError; `broken` as after an illegal access."""

    def __init__(self, broken: bool = False) -> None:
        self.broken, self.freed = broken, 0

    def ran_out(self, error: BaseException) -> bool:
        return isinstance(error, MemoryError)

    def free(self) -> None:
        self.freed += 1

    def works(self) -> bool:
        return not self.broken


class Model:
    """Writes the name of each sheet; `room` is the padded batch that its memory holds, `bad` fails."""

    def __init__(self, room: int = 10**9, bad: str = "") -> None:
        self.room, self.bad = room, bad
        self.batches: list[list[str]] = []

    def forward(self, batch: Sequence[Sheet]) -> list[tuple[Written, ...]]:
        self.batches.append([one.name for one in batch])
        if len(batch) * max(one.cost for one in batch) > self.room:
            raise MemoryError
        if any(one.name == self.bad for one in batch):
            raise ValueError("a secret of the page")
        return [(Written(one.name, 0.0),) for one in batch]


def answered(model: Model, sheets: Sequence[Sheet], budget: int, memory: Memory | None = None) -> list[Any]:
    """What became of each sheet, by name or as its error."""
    queue = ForwardQueue(model.forward, memory or Memory(), budget)
    waiting = [queue.submit(sheet) for sheet in sheets]
    queue.close()
    queue.run()
    return [one.exception() or one.result()[0].text for one in waiting]


def sheets(*costs: int) -> list[Sheet]:
    return [Sheet(chr(ord("a") + number), cost) for number, cost in enumerate(costs)]


def test_what_waits_shares_a_forward_within_the_budget() -> None:
    """The oldest goes first, others join it while the padded batch fits."""
    model = Model()
    assert answered(model, sheets(10, 10, 10, 10, 10), 30) == ["a", "b", "c", "d", "e"]
    assert model.batches == [["a", "b", "c"], ["d", "e"]]


def test_a_batch_of_unlike_sheets_would_be_mostly_padding() -> None:
    """A short sheet does not join a long one, and waits for nobody who came later than it by more than a batch."""
    model = Model()
    answered(model, sheets(100, 10, 100, 12, 90), 1000)
    assert model.batches == [["a", "c", "e"], ["b", "d"]]


def test_what_alone_passes_the_budget_is_read_alone() -> None:
    model = Model()
    assert answered(model, sheets(500, 10), 100) == ["a", "b"]
    assert model.batches == [["a"], ["b"]]


def test_a_batch_that_does_not_fit_is_halved_and_so_is_the_budget() -> None:
    """Later batches are small from the start; nothing is lost, and memory is given back before the next try."""
    model, memory = Model(room=20), Memory()
    assert answered(model, sheets(*[10] * 6), 40, memory) == list("abcdef")
    assert model.batches == [["a", "b", "c", "d"], ["a", "b"], ["c", "d"], ["e", "f"]]
    assert memory.freed == 1


def test_a_sheet_too_large_for_the_device_fails_alone() -> None:
    """Its document's record says what to do."""
    errors = answered(Model(room=50), sheets(40, 60, 45), 1000)
    assert (errors[0], errors[2]) == ("a", "c")
    assert isinstance(errors[1], OutOfMemory)
    assert "--max-pixels" in errors[1].hint


def test_a_sheet_that_breaks_the_model_fails_alone() -> None:
    """Whatever it raises is handed to its own document."""
    errors = answered(Model(bad="c"), sheets(10, 10, 10, 10), 1000)
    assert [errors[at] for at in (0, 1, 3)] == ["a", "b", "d"]
    assert isinstance(errors[2], ValueError)
    assert errors[2].__traceback__ is None or "forward" not in str(errors[2].__traceback__.tb_frame)


def test_a_device_that_works_no_more_ends_its_process() -> None:
    """After an illegal access every forward fails: no document is to blame for that."""
    with pytest.raises(DeviceBroken):
        answered(Model(bad="a"), sheets(10, 10), 1000, Memory(broken=True))


def test_a_torch_out_of_memory_is_known() -> None:
    """The stand-in of a GPU raises what torch raises."""
    torch = pytest.importorskip("torch")
    from pipkie_cli.models import memory_of_torch

    class Gpu(Model):
        def forward(self, batch: Sequence[Sheet]) -> list[tuple[Written, ...]]:
            if len(batch) > 2:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
            return super().forward(batch)

    model = Gpu()
    assert answered(model, sheets(*[10] * 5), 1000, memory_of_torch()) == list("abcde")
    assert [len(batch) for batch in model.batches] == [2, 1, 2]


def test_sheets_come_from_many_threads() -> None:
    """Each gets its own answer, and while one forward runs the next batch gathers."""
    model, started, go = Model(), threading.Event(), threading.Event()

    def forward(batch: Sequence[Sheet]) -> list[tuple[Written, ...]]:
        started.set()
        assert go.wait(10)
        return model.forward(batch)

    queue = ForwardQueue(forward, Memory(), 1000)
    running = threading.Thread(target=queue.run)
    running.start()
    first = queue.submit(Sheet("first", 10))
    assert started.wait(10)
    waiting: dict[int, Future[tuple[Written, ...]]] = {}
    threads = [
        threading.Thread(target=lambda n=n: waiting.setdefault(n, queue.submit(Sheet(str(n), 10)))) for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    go.set()
    assert first.result(10)[0].text == "first"
    assert [waiting[n].result(10)[0].text for n in range(20)] == [str(n) for n in range(20)]
    assert [len(batch) for batch in model.batches] == [1, 20]
    assert (queue.busy.sheets, queue.busy.batches, queue.busy.tokens) == (21, 2, 210)
    queue.close()
    running.join(10)
    assert not running.is_alive()
