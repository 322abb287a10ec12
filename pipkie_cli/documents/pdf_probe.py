"""Loads a page in a forked child first, where it may contain forms: a form that paints itself twice has 2^40 parts.

PDFium neither ends such a page nor can be stopped: 800 bytes fill the memory of the machine. The child dies instead.
"""

import faulthandler
import os
import re
import signal
import warnings
from collections.abc import Callable
from pathlib import Path

from pipkie_cli.documents.limits import PROBE_BYTES, PROBE_CPU_S

# the dictionary of a stream is never inside a compressed one; a name may be escaped, or an object of its own
_FORM = re.compile(rb"/Subtype\s*(?:/Form\b|/\w*#|\d)|/Subt?y?p?e?#")


def may_hold_forms(data: bytes) -> bool:
    return hasattr(os, "fork") and _FORM.search(data) is not None


def loads(load: Callable[[], object]) -> bool:
    """Whether `load` ends within its limits of time and memory, tried in a child; True where that cannot be tried."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 warns of threads; the child touches nothing that they hold
            child = os.fork()
    except OSError:  # no memory or no process left for a child
        return True
    if child == 0:
        _run(load)
    status = None
    try:
        _, status = os.waitpid(child, 0)
    finally:
        if status is None:  # stopped while waiting
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) == 0


def _run(load: Callable[[], object]) -> None:
    """The child: ends here, whatever happens. What `load` raises is the parent's to find out."""
    code = 1
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # C++ says why it gave up
        faulthandler.disable()  # its death is expected
        _limit()
        try:
            load()
            code = 0
        except MemoryError:
            code = 1
        except BaseException:  # noqa: BLE001 - an ordinary fault of the page: the parent meets and names it
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

    spent = resource.getrusage(resource.RUSAGE_SELF)  # of a child: from 0
    lower(resource.RLIMIT_CPU, int(spent.ru_utime + spent.ru_stime) + PROBE_CPU_S)
    lower(resource.RLIMIT_CORE, 0)
    statm = Path("/proc/self/statm")  # Linux; elsewhere only time is limited
    if statm.exists():
        lower(resource.RLIMIT_AS, int(statm.read_text().split()[0]) * resource.getpagesize() + PROBE_BYTES)
