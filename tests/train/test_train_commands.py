"""The commands of docs/training.md are commands."""

import re
import shlex
from pathlib import Path

import pytest

from pipkie_cli.train.__main__ import _parser

GUIDE = Path(__file__).parents[2] / "docs" / "training.md"


def commands() -> list[list[str]]:
    text = re.sub(r"\\\n\s*", "", GUIDE.read_text(encoding="utf-8"))
    return [shlex.split(line) for line in re.findall(r"^    python -m pipkie_cli\.train (.*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("arguments", commands(), ids=lambda arguments: f"{arguments[0]}-{len(arguments)}")
def test_the_guide_speaks_the_command_line(arguments: list[str]) -> None:
    """Every option it names exists and gets a value of the right kind."""
    assert callable(_parser().parse_args(arguments).call)


def test_the_guide_names_every_step() -> None:
    """A step that nobody is told of is not reproducible."""
    (steps,) = (action.choices for action in _parser()._actions if action.choices)
    assert set(steps) == {arguments[0] for arguments in commands()}
