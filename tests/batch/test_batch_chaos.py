"""Whatever is killed and whenever: the same command goes on, and ends with the bytes of an undisturbed run."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROCESS = (sys.executable, str(Path(__file__).parents[1] / "faults" / "stand_in_process.py"))
DEADLINE_S = 120


def command(output: str) -> list[str]:
    return [*PROCESS, "extract", "in", "-t", "note.yaml", "-o", output, "--workers", "2", "--retry", "never", "-q"]


def children(pid: int) -> list[int]:
    """The workers of a run."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def disturbed(n_kills: int, rng: random.Random, output: str) -> None:
    """Kill a worker or the whole run n times at random moments, then let it end."""
    for _ in range(n_kills):
        process = subprocess.Popen(command(output), stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 2.0))
        workers = children(process.pid)
        if workers and rng.random() < 0.4:
            os.kill(rng.choice(workers), signal.SIGKILL)
            time.sleep(rng.uniform(0.1, 0.5))
        process.send_signal(rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
        process.wait(DEADLINE_S)
    subprocess.run(command(output), timeout=DEADLINE_S, check=False)


@pytest.mark.parametrize(
    ("n_documents", "n_kills", "rounds"),
    [(60, 4, 1), pytest.param(300, 20, 3, marks=pytest.mark.nightly)],
)
def test_a_disturbed_run_ends_like_a_calm_one(desk: Path, n_documents: int, n_kills: int, rounds: int) -> None:
    """Kills of workers and of the whole run, at any moment."""
    for number in range(n_documents):
        text = "LOCKED" if number % 17 == 0 else f"SLOW number: N{number}\ntotal: {number}.50"
        (desk / "in" / f"{number:03}.pdf").write_text(text)
    calm = subprocess.run(command("calm.jsonl"), timeout=DEADLINE_S, check=False)
    whole = (desk / "calm.jsonl").read_bytes()
    assert calm.returncode == 3  # the locked ones
    assert whole.count(b"\n") == n_documents + 2
    for seed in range(rounds):
        disturbed(n_kills, random.Random(seed), f"{seed}.jsonl")
        assert (desk / f"{seed}.jsonl").read_bytes() == whole
