"""`pipkie` as a process of its own with the stand-ins of tests/stand_ins.py: python stand_in_process.py extract …"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from stand_ins import install

from pipkie_cli.__main__ import main

install(pytest.MonkeyPatch())
sys.exit(main())
