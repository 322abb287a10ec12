"""Several processes of one training, as `torchrun` starts them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from mllm_tiny import build_tiny
from pip_tiny import write_slips
from safetensors.torch import load_file

RECIPE = (
    "max_pixels: 6272\nworkers: {workers}\nsteps: 3\nbatch: {batch}\naccumulate: 2\nrate: 1e-3\nevaluate_every: 2\n"
)


@pytest.mark.nightly
def test_two_processes_learn_what_one_does(tmp_path: Path) -> None:
    """The same samples a step, cut over two processes: the same weights but for the order of sums; one report."""
    build_tiny("qwen2_vl", tmp_path / "start", mask=False, sidecar=None)
    write_slips(tmp_path / "slips")
    outs = {}
    for n, batch, workers in ((1, 4, 0), (2, 2, 1)):
        (tmp_path / f"{n}.yaml").write_text(RECIPE.format(batch=batch, workers=workers), encoding="utf-8")
        runner = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"] if n == 2 else []
        command = [
            sys.executable, *runner, "-m", "pipkie_cli", "train", "--model", "start", "--stage", "kv", "--data",
            "slips", "-t", "slips/slip.yaml", "--recipe", f"{n}.yaml", "-o", f"out{n}", "--device", "cpu",
        ]  # fmt: skip
        root = str(Path(__file__).parents[2])
        environment = os.environ | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
        ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        outs[n] = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    assert [len(one) for one in outs.values()] == [1, 1]
    assert outs[1][0]["samples"] == outs[2][0]["samples"] == 24
    one, two = (load_file(tmp_path / f"out{n}" / "model.safetensors") for n in (1, 2))
    assert all(torch.allclose(one[name], two[name], atol=2e-4) for name in one)
