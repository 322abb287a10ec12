"""Found first on PYTHONPATH, it puts the stand-ins into every process of a cluster: they are spawned, not forked."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from stand_ins import install

install(pytest.MonkeyPatch())
