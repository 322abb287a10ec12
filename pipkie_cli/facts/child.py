"""Work on hostile bytes in a forked child with limits of time and memory, whose answer comes back through a pipe.

PDFium unpacks an embedded file before it tells its size: 2 MB of a file become 2 GB, in half a minute. The child dies
instead. What it answers is plain bytes, never a pickle.
"""

import ctypes
import faulthandler
import os
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pipkie_cli.facts.limits import CHILD_BYTES, CHILD_CPU_S

_LENGTH = struct.Struct("<Q")
_BLOCK = 1 << 20
_PR_SET_PDEATHSIG = 1  # of prctl(2)


def run_in_child(work: Callable[[], Iterable[bytes]]) -> list[bytes] | None:
    """What `work` yields, done in a child; None where it passed a limit or died. Done here where nothing can fork."""
    if not hasattr(os, "fork"):
        return list(work())
    reading, writing = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 warns of threads; the child touches nothing that they hold
            child = os.fork()
    except OSError:  # no memory or no process left for a child
        os.close(reading)
        os.close(writing)
        return None
    if child == 0:
        os.close(reading)
        _run(work, writing)
    os.close(writing)
    status = None
    try:
        with os.fdopen(reading, "rb") as pipe:
            answer = b"".join(iter(lambda: pipe.read(_BLOCK), b""))
        _, status = os.waitpid(child, 0)
    finally:
        if status is None:  # stopped while waiting
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return list(_pieces(answer)) if status == 0 else None


def _pieces(answer: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(answer):
        (length,) = _LENGTH.unpack_from(answer, at)
        at += _LENGTH.size
        yield answer[at : at + length]
        at += length


def _run(work: Callable[[], Iterable[bytes]], writing: int) -> None:
    """The child: ends here, whatever happens."""
    code = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # C++ says why it gave up
        faulthandler.disable()  # its death is expected
        if sys.platform == "linux":  # it ends with its parent, however that ends
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _limit()
        with os.fdopen(writing, "wb") as pipe:
            for piece in work():
                pipe.write(_LENGTH.pack(len(piece)))
                pipe.write(piece)
        code = 0
    finally:
        os._exit(code)


def _limit() -> None:
    import resource

    def lower(what: int, wanted: int) -> None:
        """Never above what the user allows (`ulimit`): raising that is refused."""
        hard = resource.getrlimit(what)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(what, (most, most))

    lower(resource.RLIMIT_CPU, CHILD_CPU_S)
    lower(resource.RLIMIT_CORE, 0)
    statm = Path("/proc/self/statm")  # Linux; elsewhere only time is limited
    if statm.exists():
        lower(resource.RLIMIT_AS, int(statm.read_text().split()[0]) * resource.getpagesize() + CHILD_BYTES)
