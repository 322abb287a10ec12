"""A file that appears when it is whole: written beside its place, synced, renamed over it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART = ".part"  # behind the name of a file that is being put together


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """What to write to. If the block raises, what stood at `target` stays, and nothing half lies about."""
    part = target.with_name(target.name + PART)
    try:
        part.unlink(missing_ok=True)  # of a run that was killed; or a pipe, which nobody may read
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
