"""What every test gets: no network; on request, stand-ins for slow rooms and a command line."""

import os
import socket

# Tests that load torch fork workers, too. The pool of threads that a parent's arithmetic has started is not in a forked
# child, which then waits for it for ever; one thread needs no pool. (A run's own parent never loads torch.)
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from command_line import desk, pipkie
from stand_ins import made_up

__all__ = ["desk", "made_up", "pipkie"]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that connects beyond this machine fails; a library that would download is told not to."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else "localhost"  # a path: a socket of this machine
        if host not in ("localhost", "127.0.0.1", "::1"):
            raise AssertionError(f"a test connects to {host}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
