"""What the README says of the command line is what the command line does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipkie_cli.errors import ExitCode

ROOT = Path(__file__).parents[2]
COMMANDS = ("extract", "explain", "export", "eval", "train", "bench", "models", "templates")


def test_the_table_of_exit_codes_is_complete() -> None:
    """README and the enumeration have the same numbers under the same names."""
    rows = re.findall(
        r"^\| ([\d, ]+) \| ([A-Z_, ]+) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    told = {
        int(number): name
        for numbers, names in rows
        for number, name in zip(numbers.split(","), names.split(", "), strict=True)
    }
    assert told == {int(code): code.name for code in ExitCode}


def test_the_test_command_is_what_continuous_integration_runs() -> None:
    """README's second command stands word for word in .ci/run."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"^python3 -m venv .*pytest.*$", readme, re.MULTILINE)
    assert told in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_these_are_all_commands() -> None:
    """A new command comes with its line here."""
    ended = subprocess.run([sys.executable, "-m", "pipkie_cli", "--help"], capture_output=True, text=True, check=True)
    assert re.findall(r"^  ([a-z]+) ", ended.stdout.partition("Commands:")[2], re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_told(command: str) -> None:
    """In the README or its docs for who looks for it, in the changelog for who waited for it."""
    manual = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    assert f"pipkie {command}" in manual
    assert f"pipkie {command}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
