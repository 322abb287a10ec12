"""Two thousand broken PDFs and pictures through a run: nothing hangs, no record is lost, nobody sees a traceback.

Documents, rasters, text layers, facts, values, records, workers and journal are the real ones; only the nets are not
asked (OCR finds no line, the model reads "key: value"). A file that fails is made again from the number in its name:
`mutations.mutant(17)`.
"""

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mutations import mutant
from stand_ins import KeyValueBackend

from pipkie_cli.batch import Limits, open_output, plan_inputs, run_batch
from pipkie_cli.nouns import RunOptions
from pipkie_cli.templates import find_templates
from pipkie_cli.words.ocr import OcrPage

TIMEOUT_S = 60.0  # of one document: poppler alone may take 30
MEMORY_BYTES = 3 << 30  # of one worker; the forked child that tries a page has 1.5 GiB of its own
MEAN_S = 1.5  # for one document, of two workers: 2,000 are done in 50 minutes
FAULTS_OF_FILES = {
    *("empty_file", "unsupported_format", "damaged_file", "password_needed", "no_pages", "too_large"),
}


@pytest.fixture
def without_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are forked: they see these."""
    monkeypatch.setattr("pipkie_cli.words.read.read_raster", lambda raster, turn=None: OcrPage(turn or 0, (), False))
    monkeypatch.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: KeyValueBackend())


@pytest.mark.usefixtures("without_nets")
@pytest.mark.parametrize(
    ("first", "n", "workers"), [(0, 36, 2), pytest.param(1000, 2000, 2, marks=pytest.mark.nightly)]
)
def test_whatever_is_broken_has_its_record(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], first: int, n: int, workers: int
) -> None:
    """In = ok + review + failed, each under its name; failures are faults of the file, and none is a bug or a hang."""
    folder = tmp_path / "in"
    folder.mkdir()
    for seed in range(first, first + n):
        name, data = mutant(seed)
        (folder / name).write_bytes(data)
    started = time.monotonic()
    output = open_output(tmp_path / "out.jsonl")
    limits = Limits(workers, TIMEOUT_S, MEMORY_BYTES)
    summary = run_batch(plan_inputs([str(folder)]).inputs, RunOptions(find_templates([], None)), output, limits)
    output.close()
    seconds = time.monotonic() - started
    written = capfd.readouterr()
    records: list[dict[str, Any]] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [Path(one["document"]["path"]).name for one in records] == sorted(path.name for path in folder.iterdir())
    assert summary.n_inputs == n == summary.n_ok + summary.n_review + len(summary.failures)
    codes = Counter(failure.code for failure in summary.failures)
    print(json.dumps({"s": round(seconds, 1), "ok": summary.n_ok, "review": summary.n_review, **codes}))  # noqa: T201
    strange = [failure for failure in summary.failures if failure.code not in FAULTS_OF_FILES]
    assert strange == []
    assert not any(problem["code"] == "internal" for one in records for problem in one["problems"])
    assert written == ("", ""), "a library wrote, or a traceback was seen"
    assert seconds < MEAN_S * n


def test_a_mutant_is_the_same_each_time() -> None:
    """A failure of the night can be looked at by day; and the ways to break reach most files."""
    assert all(mutant(seed) == mutant(seed) for seed in range(40))
    assert len({mutant(seed)[1] for seed in range(200)}) > 180
