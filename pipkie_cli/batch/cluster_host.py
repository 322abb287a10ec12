"""What runs on the machines of a cluster: a Ray actor that reads documents with supervised workers of its own.

The actor never touches a document. Time, memory, crashes and what a worker started are its supervisor's business, as
on one machine, so a failed document has the same record wherever it was read.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from pipkie_cli import __version__
from pipkie_cli.batch.supervisor import Limits, Supervisor
from pipkie_cli.batch.worker import Broken, Outcome
from pipkie_cli.errors import PipkieError
from pipkie_cli.nouns import Input, RunOptions


@dataclass(frozen=True, slots=True)
class Greeting:
    """What must be the same everywhere, or records would differ."""

    version: str
    model: str  # revision


def greeting_of(options: RunOptions) -> Greeting:
    """This machine's. Raises ModelError."""
    from pipkie_cli.models import model_revision

    return Greeting(__version__, model_revision(options.model))


class Host:
    """The actor. It ends with its node, with its driver, or by `ray.kill`; its workers end with it."""

    def __init__(self, options: RunOptions, limits: Limits) -> None:
        _hush()
        # Ray's own program: a spawned worker would load it again, and all of Ray with it
        sys.modules["__main__"].__file__ = None
        self._options = options
        # spawned: this process is full of Ray's threads. What is lost is tried again where the driver says
        self._supervisor = Supervisor(options, limits, start_method="spawn", try_again=False)

    def greet(self) -> Greeting | Broken:
        try:
            return greeting_of(self._options)
        except PipkieError as error:
            return broken(error)

    def read(self, items: Sequence[Input]) -> list[tuple[Input, Outcome]] | Broken:
        """Every one of them with its outcome, as they came."""
        try:
            return list(self._supervisor.outcomes(items))
        except PipkieError as error:
            return broken(error)


def _hush() -> None:
    """Ray keeps what a process and its children print, where others may read it: a library may print a page's text."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def broken(error: PipkieError) -> Broken:
    """An error as data: Ray would wrap an exception in one of its own."""
    return Broken(type(error), error.message, error.hint)
