"""Runs `pipkie` inside the test process, and makes a folder of made-up documents."""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TEMPLATE = """\
name: note
title: Note
detect:
  words: [note]
keys:
  number: {type: text, prompt: number, required: true}
  total: {type: amount, prompt: total}
"""


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Pipkie = Callable[..., Ended]


@pytest.fixture
def pipkie(capfd: pytest.CaptureFixture[str]) -> Iterator[Pipkie]:
    """Call main() with arguments; stdout, stderr and signal handlers are put back as they were."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def run(*arguments: str) -> Ended:
        from pipkie_cli.__main__ import main
        from pipkie_cli.cli import console

        streams = os.dup(1), os.dup(2)  # of this call: between fixture and test pytest changes what stands behind
        with warnings.catch_warnings():
            code = main(arguments)
        sys.stdout.flush()
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream, number)
            os.close(stream)
        if console._people != 2:
            os.close(console._people)
            console._people = 2
        out, err = capfd.readouterr()
        return Ended(code, out, err)

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_up: pytest.MonkeyPatch) -> Path:
    """The current directory: a template and a folder `in` with two good documents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.yaml").write_text(TEMPLATE)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.pdf").write_text("number: B-2\ntotal: 12.50")
    (tmp_path / "in" / "a.pdf").write_text("number: A-1")
    return tmp_path
