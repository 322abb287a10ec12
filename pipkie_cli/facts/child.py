"""Work on hostile bytes in a forked child with limits of time and memory, whose answer comes back through a pipe.

PDFium unpacks an embedded file before it tells its size: 2 MB of a file become 2 GB, in half a minute. The child dies
instead. What it answers is plain bytes, never a pickle.
"""

import os
import struct
from collections.abc import Callable, Iterable, Iterator

from pipkie_cli.documents import confine, fork, reaped
from pipkie_cli.facts.limits import CHILD_BYTES, CHILD_CPU_S

_LENGTH = struct.Struct("<Q")
_BLOCK = 1 << 20


def run_in_child(work: Callable[[], Iterable[bytes]]) -> list[bytes] | None:
    """What `work` yields, done in a child; None where it passed a limit or died. Done here where nothing can fork."""
    if not hasattr(os, "fork"):
        return list(work())
    reading, writing = os.pipe()
    try:
        child = fork()
    except OSError:  # no memory or no process left for a child
        os.close(reading)
        os.close(writing)
        return None
    if child == 0:
        os.close(reading)
        _run(work, writing)
    os.close(writing)
    with reaped(child) as statuses, os.fdopen(reading, "rb") as pipe:
        answer = b"".join(iter(lambda: pipe.read(_BLOCK), b""))
    return list(_pieces(answer)) if statuses[0] == 0 else None


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
        confine(CHILD_CPU_S, CHILD_BYTES)
        with os.fdopen(writing, "wb") as pipe:
            for piece in work():
                pipe.write(_LENGTH.pack(len(piece)))
                pipe.write(piece)
        code = 0
    finally:
        os._exit(code)
