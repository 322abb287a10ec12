"""How many workers this machine bears: cores, the limits of a container, free memory."""

import os
from contextlib import suppress
from pathlib import Path

WORKER_BYTES = 1_500_000_000  # of memory a worker takes at its peak: 1.3 GB on a hundred pages
DESCRIPTORS = 3  # that the parent holds of one worker: a pipe, and two that tell of its end
OWN_DESCRIPTORS = 24  # for all else: streams, journal, output, log
_CGROUP = Path("/sys/fs/cgroup")


def default_workers(n_inputs: int) -> int:
    """At least one, at most one per core, per WORKER_BYTES of free memory and per input."""
    limits = [usable_cores(), n_inputs]
    free = _free_bytes()
    if free is not None:
        limits.append(free // WORKER_BYTES)
    return max(1, min(limits))


def bearable(workers: int) -> int:
    """As many of the wanted workers as there are descriptors for, at least one; the limit is raised where it may be."""
    try:
        import resource
    except ImportError:  # not on this system
        return workers
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OWN_DESCRIPTORS + DESCRIPTORS * workers
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return workers
    reached = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (reached, hard))
        soft = reached
    return max(1, min(workers, (soft - OWN_DESCRIPTORS) // DESCRIPTORS))


def usable_cores() -> int:
    """Cores that this process may use: its affinity, and the quota of its container, rounded down."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no container, or one without a quota ("max")
        quota, period = (_CGROUP / "cpu.max").read_text().split()
        cores = min(cores, max(1, int(quota) // int(period)))
    return cores


def _free_bytes() -> int | None:
    """Memory that may still be taken; None where the system does not say."""
    found = []
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]))
    with suppress(OSError, ValueError):
        limit = int((_CGROUP / "memory.max").read_text())
        found.append(limit - int((_CGROUP / "memory.current").read_text()))
    return max(0, min(found)) if found else None


def resident_bytes(pid: int) -> int:
    """Memory that a process holds; 0 where the system does not say, or the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
