"""What a run costs: seconds and peak memory, of this process on a CPU or of a GPU."""

import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")  # Linux
KIB = 1024


@dataclass(frozen=True, slots=True)
class Spent:
    cpu_s: float  # of this process, all threads
    wall_s: float


def spent(run: Callable[[], Any], device: str) -> Spent:
    """What a run takes; on a GPU until it has done everything."""
    _wait(device)
    cpu, wall = process_time(), perf_counter()
    run()
    _wait(device)
    return Spent(process_time() - cpu, perf_counter() - wall)


def peak_bytes(run: Callable[[], Any], device: str) -> int | None:
    """The most that a run holds beyond what was held before it; None where the system does not tell.

    On a GPU what tensors hold. On a CPU resident memory: what the C library keeps for later is given back first, for
    a run would take from there unseen.
    """
    gc.collect()
    if device != "cpu":
        import torch

        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        run()
        return int(torch.cuda.max_memory_allocated(device) - before)
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    try:
        CLEAR.write_text("5")  # the peak begins anew at what is resident now
    except OSError:
        return None
    before = _status("VmRSS")
    run()
    return max(0, _status("VmHWM") - before)


def _status(name: str) -> int:
    lines = STATUS.read_text(encoding="utf-8", errors="replace").splitlines()
    return next(int(line.split()[1]) * KIB for line in lines if line.startswith(f"{name}:"))


def _wait(device: str) -> None:
    if device != "cpu":
        import torch

        torch.cuda.synchronize(device)
