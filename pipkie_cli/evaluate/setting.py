"""What a figure depends on beside the data: versions, commit, machine. Goes into the JSON of eval and bench."""

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipkie_cli import __version__

WATCHED = (
    "numpy",
    "onnxruntime",
    "rapidocr",
    "opencv-python-headless",
    "pypdfium2",
    "pillow",
    "tokenizers",
    "zxing-cpp",
)
CPU_INFO = Path("/proc/cpuinfo")  # Linux; elsewhere the platform module has to do


def versions(others: Sequence[str] = ()) -> dict[str, str]:
    """Versions of pipkie, Python, the libraries that change results, and others; what is not installed is left out."""
    found = {"pipkie": __version__, "python": platform.python_version()}
    for name in (*WATCHED, *others):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def commit() -> str | None:
    """The commit of the checkout that runs, with "+changes" where its tracked files differ; None outside of one."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return None
    head = _git(root, "rev-parse", "--short=12", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return f"{head}+changes" if head and changed else head


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(("git", "-C", root, *arguments), capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):  # no git on this machine, or a repository it does not trust
        return None
    return done.stdout.strip()


def machine() -> dict[str, str | int]:
    """Cores that this process may use, and the processor's name."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"cores": cores, "cpu": cpu_name(), "system": f"{platform.system()} {platform.machine()}"}


def cpu_name() -> str:
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def setting(others: Sequence[str] = ()) -> dict[str, object]:
    """All of the above under stable names; `others`: libraries whose versions count here, too."""
    return {"versions": versions(others), "commit": commit(), "machine": machine()}
