"""`pipkie bench pip`: numbers in, a table and one line of JSON out."""

import json
from typing import Any

import pytest
from command_line import Pipkie

from pipkie_cli.errors import ExitCode


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The plans that are run, instead of running them."""
    plans: list[Any] = []

    def run(plan: Any, say: Any) -> dict[str, Any]:
        plans.append(plan)
        say("25 keys")
        return {"command": "bench pip"}

    monkeypatch.setattr("pipkie_cli.evaluate.run_pip_bench", run)
    monkeypatch.setattr("pipkie_cli.evaluate.pip_table", lambda figures: ["the table"])
    return plans


def test_numbers_become_a_plan(pipkie: Pipkie, planned: list[Any]) -> None:
    """Lists of keys, slots and documents; what is measured is told on stderr, figures are on stdout."""
    ended = pipkie(
        *("bench", "pip", "--keys", "1, 25", "--slots", "8,16", "--documents", "4", "--rounds", "3"),
        *("--size", "7b", "--device", "cuda:0"),
    )
    (plan,) = planned
    assert (plan.keys, plan.slots, plan.documents, plan.rounds) == ((1, 25), (8, 16), (4,), 3)
    assert (plan.model, plan.size, plan.device) == (None, "7b", "cuda:0")
    assert ended.out.splitlines()[0] == "the table"
    assert json.loads(ended.out.splitlines()[-1]) == {"command": "bench pip"}
    assert "measuring 25 keys" in ended.err


def test_defaults(pipkie: Pipkie, planned: list[Any]) -> None:
    """Small random weights on a CPU, 1, 5 and 25 keys of 8 slots; -q says nothing."""
    assert pipkie("bench", "pip", "-q").err == ""
    (plan,) = planned
    assert (plan.keys, plan.slots, plan.documents, plan.rounds) == ((1, 5, 25), (8,), (1,), 2)
    assert (plan.model, plan.size, plan.device) == (None, "small", "cpu")


@pytest.mark.parametrize("given", ["", "1,", "x", "1;2", "-3", "²", "9" * 12])
def test_what_is_no_list_of_numbers(pipkie: Pipkie, planned: list[Any], given: str) -> None:
    """Usage, with an example."""
    ended = pipkie("bench", "pip", f"--keys={given}")
    assert ended.code == ExitCode.USAGE
    assert "no list of numbers" in ended.err
    assert planned == []


def test_a_folder_that_is_no_checkpoint(pipkie: Pipkie, tmp_path: Any) -> None:
    """Exit code 6, with the reason."""
    ended = pipkie("bench", "pip", "--model", str(tmp_path))
    assert ended.code == ExitCode.MODEL
    assert "config.json" in ended.err
