"""Forked children for work on hostile bytes: C++ that can neither end nor be stopped takes a child down, no run."""

import ctypes
import faulthandler
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # of prctl(2)


def fork() -> int:
    """os.fork without Python 3.12's warning of threads: the child touches nothing that they hold. Raises OSError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


@contextmanager
def reaped(child: int) -> Iterator[list[int]]:
    """Wait for a child at the end of the block, whose list then has its status; one that is left early is killed."""
    statuses: list[int] = []
    try:
        yield statuses
        statuses.append(os.waitpid(child, 0)[1])
    finally:
        if not statuses:  # stopped while waiting
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def confine(cpu_s: int, more_bytes: int) -> None:
    """In the child, first of all: signals end it, it is silent, ends with its parent, and passes no limit.

    `more_bytes`: of memory beside what it holds now; Linux alone tells, elsewhere only time is limited.
    """
    import resource

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # C++ says why it gave up
    faulthandler.disable()  # its death is expected
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    def lower(what: int, wanted: int) -> None:
        """Never above what the user allows (`ulimit`): raising that is refused."""
        hard = resource.getrlimit(what)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(what, (most, most))

    spent = resource.getrusage(resource.RUSAGE_SELF)  # of a child: from 0
    lower(resource.RLIMIT_CPU, int(spent.ru_utime + spent.ru_stime) + cpu_s)
    lower(resource.RLIMIT_CORE, 0)
    statm = Path("/proc/self/statm")
    if statm.exists():
        lower(resource.RLIMIT_AS, int(statm.read_text().split()[0]) * resource.getpagesize() + more_bytes)
