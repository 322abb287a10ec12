"""Ends what workers started when this process is killed outright: a program that draws a page would draw on.

A worker ends with its parent (`worker.begin_child`), but nothing tells the programs that it runs. So a small process is
told the groups of processes of all workers, over a pipe that only this process writes to: when it closes, whatever
the reason, the groups that are left are killed. Linux alone, as the groups are.
"""

import os
import subprocess
import sys
from contextlib import suppress

# In a group and session of its own, and deaf to what ends the others; it reads pids: 12 begins, -12 has ended.
_GUARD = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
groups = set()
for line in sys.stdin.buffer:
    pid = int(line)
    groups.add(pid) if pid > 0 else groups.discard(-pid)
for pid in groups:
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
"""


class Guard:
    """Where no process can be started it guards nothing."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, pid: int | None) -> None:
        """The worker with this pid, leader of its group, has begun."""
        if pid is None or sys.platform != "linux":
            return
        if self._process is None:
            with suppress(OSError):  # the run goes on without
                self._process = subprocess.Popen(
                    (sys.executable, "-I", "-S", "-c", _GUARD),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,
                    cwd="/",
                )
        self._tell(pid)

    def forget(self, pid: int | None) -> None:
        """It has been ended with its group."""
        if pid is not None:
            self._tell(-pid)

    def descriptors(self) -> list[int]:
        """What a worker must not hold open, for the guard to see this process end."""
        return [self._process.stdin.fileno()] if self._process and self._process.stdin else []

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()
            process.wait()

    def _tell(self, pid: int) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):  # somebody ended it
                os.write(self._process.stdin.fileno(), b"%d\n" % pid)
