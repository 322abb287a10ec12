"""Loads a page in a forked child first, where it may contain forms: a form that paints itself twice has 2^40 parts.

PDFium neither ends such a page nor can be stopped: 800 bytes fill the memory of the machine. The child dies instead.
"""

import os
import re
from collections.abc import Callable

from pipkie_cli.documents.child import confine, fork, reaped
from pipkie_cli.documents.limits import PROBE_BYTES, PROBE_CPU_S

# the dictionary of a stream is never inside a compressed one; a name may be escaped, or an object of its own
_FORM = re.compile(rb"/Subtype\s*(?:/Form\b|/\w*#|\d)|/Subt?y?p?e?#")


def may_hold_forms(data: bytes) -> bool:
    return hasattr(os, "fork") and _FORM.search(data) is not None


def loads(load: Callable[[], object]) -> bool:
    """Whether `load` ends within its limits of time and memory, tried in a child; True where that cannot be tried."""
    try:
        child = fork()
    except OSError:  # no memory or no process left for a child
        return True
    if child == 0:
        _run(load)
    with reaped(child) as statuses:
        pass
    return not os.WIFSIGNALED(statuses[0]) and os.WEXITSTATUS(statuses[0]) == 0


def _run(load: Callable[[], object]) -> None:
    """The child: ends here, whatever happens. What `load` raises is the parent's to find out."""
    code = 1
    try:
        confine(PROBE_CPU_S, PROBE_BYTES)
        try:
            load()
            code = 0
        except MemoryError:
            code = 1
        except BaseException:  # noqa: BLE001 - an ordinary fault of the page: the parent meets and names it
            code = 0
    finally:
        os._exit(code)
