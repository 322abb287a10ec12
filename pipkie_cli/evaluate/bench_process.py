"""What a whole run costs, measured on child processes: CPU time of help, peak memory of a long run."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from pipkie_cli.errors import InputError
from pipkie_cli.nouns import Input, RunOptions

HELP_RUNS = 3  # the least of three: the first one may write byte code
LONG_DOCUMENT_PAGES = 50  # pages of the one long scan in the memory run: pages of a document add up, if anything does
MIB = 1 << 20
# Asked by a small process between: on Linux the peak of a child begins with the memory of the process that made it.
_ASK = """
import json, os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps((child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)))
"""


@dataclass(frozen=True, slots=True)
class ChildCost:
    exit_code: int
    cpu_s: float
    peak_bytes: int


def child_cost(arguments: Sequence[str]) -> ChildCost:
    """Run `pipkie ARGUMENTS` in a process of its own, its output thrown away, and ask the system what it took."""
    command = (sys.executable, "-c", _ASK, sys.executable, "-m", "pipkie_cli", *arguments)
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    exit_code, cpu_s, peak = orjson.loads(said)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss: bytes there, KiB on Linux
    return ChildCost(exit_code, cpu_s, peak * unit)


def help_cpu_seconds() -> float:
    """CPU seconds of `pipkie --help`."""
    return min(child_cost(("--help",)).cpu_s for _ in range(HELP_RUNS))


def bench_memory(inputs: Sequence[Input], pages: int, model: str) -> dict[str, Any]:
    """Peak memory of one `pipkie extract` over so many pages: a long scan of the pictures, copies of the inputs."""
    with TemporaryDirectory(prefix="pipkie-bench-") as name:
        folder = Path(name, "in")
        folder.mkdir()
        pictures = [item.path for item in inputs if _is_picture(item.path)]
        long_pages = min(pages // 2, LONG_DOCUMENT_PAGES) if pictures else 0
        if long_pages:
            write_scan(pictures, long_pages, folder / "scan.tif")
        copied = _copy(inputs, pages - long_pages, folder)
        cost = child_cost(("extract", str(folder), "--model", model, "-o", str(Path(name, "out.jsonl"))))
    return {
        "pages": long_pages + copied,
        "longest_document_pages": long_pages or None,
        "exit_code": cost.exit_code,
        "cpu_s": cost.cpu_s,
        "peak_mib": cost.peak_bytes / MIB,
    }


def _is_picture(path: Path) -> bool:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path):
            return True
    except UnidentifiedImageError:
        return False


def write_scan(pictures: Sequence[Path], pages: int, path: Path) -> None:
    """One TIFF of so many pages, of the pictures in turn."""
    from PIL import Image

    def frames() -> "Iterator[Image.Image]":
        for _, picture in zip(range(pages), cycle(pictures), strict=False):
            with Image.open(picture) as image:
                yield image.convert("RGB")

    rest = frames()
    next(rest).save(path, save_all=True, append_images=rest, compression="jpeg")


def _copy(inputs: Sequence[Input], pages: int, folder: Path) -> int:
    """Copies of the inputs in turn until they hold so many pages; returns the pages copied."""
    counts = {item.path: _pages(item) for item in inputs}
    if not any(counts.values()):
        raise InputError("none of the documents can be read", hint="name a folder of PDFs or pictures")
    copied = number = 0
    for item in cycle(inputs):
        if copied >= pages:
            return copied
        if counts[item.path]:
            number += 1
            shutil.copyfile(item.path, folder / f"{number:05d}{item.path.suffix}")
            copied += counts[item.path]
    return copied


def _pages(item: Input) -> int:
    """Pages that the run will read of a document; 0 where it cannot be read."""
    from pipkie_cli.documents import open_document
    from pipkie_cli.errors import DocumentError

    try:
        with open_document(item.path, shown=item.shown) as document:
            return min(document.id.page_count, RunOptions(templates=()).max_pages)
    except DocumentError:
        return 0
