"""Models named ORG/NAME[@REVISION]: found in the local cache without a network, or refused with what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FETCH = """
import sys
from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm.hub import fetch
for name in sys.argv[1:]:
    try:
        print(fetch(name))
    except ModelError as error:
        print(error.code, error)
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A cache as the hub's client lays it out, with one model."""
    model = tmp_path / "hub" / "models--acme--tiny"
    snapshot = model / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text(COMMIT)
    (snapshot / "config.json").write_text("{}")
    return tmp_path


def test_a_cached_model_is_found_offline_and_another_is_refused(home: Path) -> None:
    """HF_HOME and HF_HUB_OFFLINE count; a revision may be a branch or a commit; what is missing says how to get it."""
    names = ["acme/tiny", "acme/tiny@main", f"acme/tiny@{COMMIT}", "acme/other", "acme/tiny@v9", "a/b/c"]
    told = subprocess.run(
        [sys.executable, "-c", FETCH, *names],
        env=os.environ | {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    snapshot = str(home / "hub" / "models--acme--tiny" / "snapshots" / COMMIT)
    assert told[:3] == [snapshot] * 3
    assert told[3].startswith("model acme/other is not in the local cache")
    assert "pipkie models download acme/tiny@v9" in told[4]
    assert told[5].startswith("model there is no model called a/b/c")
