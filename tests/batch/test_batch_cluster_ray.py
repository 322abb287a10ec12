"""A real Ray on this machine, with two actors: the same bytes as without, also when one of them is killed."""

import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from pipkie_cli.batch import Cluster, Limits, open_output, plan_inputs, run_batch
from pipkie_cli.nouns import Key, Locale, RunOptions, Template

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of Ray's own
    # not importorskip: as it is imported Ray reads whether it needs a token, and the run says so only then
    pytest.mark.skipif(find_spec("ray") is None or sys.platform != "linux", reason="Ray, and /proc"),
]
NOTE = Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)
TESTS = Path(__file__).parents[1]


def actors() -> list[int]:
    """The processes of this test's actors: Ray names them so, and starts them in the current folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().startswith(b"ray::Host") and os.path.samefile(process / "cwd", "."):
                found.append(int(process.name))
    return found


def test_the_bytes_of_one_machine_though_an_actor_is_killed(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Good, locked, broken and crashing documents on two actors, one of which dies: each has its one record."""
    texts = {"locked": "LOCKED", "broken": "BREAK", "crash": "CRASH"}
    for name, text in (texts | {f"{number:02}": f"number: N{number}" for number in range(20)}).items():
        (desk / "in" / f"{name}.pdf").write_text(text)
    nodes = f"{TESTS / 'faults' / 'on_every_node'}{os.pathsep}{TESTS.parent}"
    monkeypatch.setenv("PYTHONPATH", nodes)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_worker_niceness", "RAY_USAGE_STATS_ENABLED"):
        monkeypatch.setenv(name, "")  # so that what the run sets goes again
        monkeypatch.delenv(name)
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    killed: list[int] = []

    def kill_one() -> None:
        if not killed:
            killed.append(actors()[0])
            os.kill(killed[0], signal.SIGKILL)

    for name, engine, progress in (("ray.jsonl", Cluster, kill_one), ("local.jsonl", None, lambda: None)):
        output = open_output(desk / name)
        inputs = plan_inputs(["in"]).inputs
        summary = run_batch(inputs, OPTIONS, output, Limits(2, timeout_s=120.0), engine=engine, progress=progress)
        output.close()
        assert (summary.n_inputs, len(summary.failures)) == (25, 3)
    assert (desk / "ray.jsonl").read_bytes() == (desk / "local.jsonl").read_bytes()
    assert killed
    assert not actors()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
