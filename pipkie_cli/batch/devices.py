"""On which devices a model runs: what `--devices` says, within what CUDA_VISIBLE_DEVICES allows.

Nothing here loads torch: this process starts others by forking, and a device is chosen before torch looks for it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from pipkie_cli.errors import ModelError, UsageError

CPU = "cpu"
VISIBLE = "CUDA_VISIBLE_DEVICES"
PROBE_S = 120.0  # torch from a slow disk
_NUMBERED = re.compile(r"cuda:\d+(,\d+)*", re.ASCII)
_COUNT = "import torch; print(torch.cuda.device_count())"


def choose_devices(said: str, model: str) -> tuple[str, ...]:
    """The devices of a run: () where workers hold the model themselves, as they do with one that points at words.

    `said`: auto (every GPU there is, else the CPU), cpu, cuda (every GPU) or cuda:0,2, numbers among the visible ones.
    Raises UsageError; ModelError for GPUs that are not there.
    """
    from pipkie_cli.models import reads_pixels

    if said not in ("auto", CPU, "cuda") and not _NUMBERED.fullmatch(said):
        raise UsageError(f"--devices {said} is not known", hint="use auto, cpu, cuda or numbers such as cuda:0,1")
    if not reads_pixels(model):
        if said not in ("auto", CPU):
            raise UsageError(f"{model} runs on the CPU", hint="leave out --devices")
        return ()
    if said == CPU or (said == "auto" and not _may_have_cuda()):
        return (CPU,)
    if said in ("auto", "cuda"):
        count = _cuda_count()
        if not count and said == "cuda":
            raise ModelError("torch finds no GPU", hint="use --devices cpu, or install a torch that knows this GPU")
        return tuple(f"cuda:{number}" for number in range(count)) or (CPU,)
    numbers = said.removeprefix("cuda:").split(",")
    if len(set(map(int, numbers))) < len(numbers):
        raise UsageError(f"--devices {said} names a device twice", hint="name each once")
    visible = _visible(os.environ)
    if visible is not None and any(int(number) >= len(visible) for number in numbers):
        raise UsageError(
            f"--devices {said}: {VISIBLE} leaves {len(visible)} devices", hint="numbers count among these, from 0"
        )
    return tuple(f"cuda:{int(number)}" for number in numbers)


def environment_of(device: str, environment: Mapping[str, str]) -> dict[str, str]:
    """What a process is to have in its environment before torch loads: it then sees its own device alone."""
    if device == CPU:
        return {VISIBLE: ""}
    number = int(device.removeprefix("cuda:"))
    visible = _visible(environment)
    return {VISIBLE: visible[number] if visible is not None else str(number)}


def torch_name(device: str) -> str:
    """What torch calls the device in a process that sees it alone."""
    return CPU if device == CPU else "cuda:0"


def _visible(environment: Mapping[str, str]) -> list[str] | None:
    """The devices that a user allows, by number or UUID; None: all. As CUDA reads it, none counts behind a -1."""
    said = environment.get(VISIBLE)
    if said is None:
        return None
    visible = []
    for one in said.split(","):
        if not one.strip() or one.strip() == "-1":
            break
        visible.append(one.strip())
    return visible


def _may_have_cuda() -> bool:
    """Whether it is worth seconds to ask torch: a driver's device is there and may be seen."""
    if _visible(os.environ) == []:
        return False
    return sys.platform == "win32" or any(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/dxg").exists()


def _cuda_count() -> int:
    """Asked in a process of its own: one that has touched CUDA cannot fork others that use it."""
    try:
        asked = subprocess.run((sys.executable, "-c", _COUNT), capture_output=True, timeout=PROBE_S, check=True)
        return int(asked.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):  # no torch; loading the model then says what to install
        return 0
