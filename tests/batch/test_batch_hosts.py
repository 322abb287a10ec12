"""Model hosts: workers share a model that lies on a device; whatever ends costs no other document.

The road is short here: a document's text is what its one sheet asks, and the record is what came back.
"""

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipkie_cli.batch import Limits, plan_inputs
from pipkie_cli.batch.hosts import ModelHosts
from pipkie_cli.batch.supervisor import Supervisor
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.errors import DocumentError, ModelError
from pipkie_cli.nouns import Calibration, Input, Key, Picture, RunOptions, Sheet, Written

torch = pytest.importorskip("torch")
OPTIONS = RunOptions(())


@dataclass(frozen=True)
class Prepared:
    text: str
    cost: int = 10


class Device:
    """A model that writes what it is asked, and does what a text says."""

    reads, revision, calibration, max_pictures = "pixels", "device@1", Calibration(), 4

    def __init__(self, device: str) -> None:
        self.device = device

    def prepare(self, sheet: Sheet) -> Prepared:
        if "UNFIT" in sheet.keys[0].prompt:
            raise ValueError("a secret of the page")
        return Prepared(sheet.keys[0].prompt)

    def forward(self, batch: Sequence[Prepared]) -> tuple[tuple[Written, ...], ...]:
        texts = [one.text for one in batch]
        if any("LARGE" in text for text in texts) or ("CROWDED" in "".join(texts) and len(batch) > 1):
            raise torch.OutOfMemoryError("CUDA out of memory")
        if any("KILLS" in text for text in texts):
            os._exit(7)
        if any("FLAKY" in text for text in texts) and not Path("flaked").exists():
            Path("flaked").write_text("")
            os._exit(7)
        if any("STUCK" in text for text in texts):
            with Path("stuck").open("a") as file:
                file.write(f"{len(batch)}\n")
            time.sleep(600)
        time.sleep(0.01)
        with Path("forwards").open("a") as file:
            file.write(f"{self.device} {os.environ['CUDA_VISIBLE_DEVICES']} {len(batch)}\n")
        return tuple((Written(text.upper(), -0.5),) for text in texts)


def load(name: str, device: str = "cpu", **_: Any) -> Device:
    if name == "damaged":
        raise ModelError("the weights are damaged", hint="fetch them again")
    if name == "hungry":
        os._exit(9)
    return Device(device)


def records_of(item: Input, options: RunOptions, backend: Any, _: Any) -> Any:
    """The road, with the boundary at which errors of a document end."""
    picture = Picture(0, np.zeros((8, 8, 3), np.uint8))
    sheet = Sheet((picture,), 1, (Key("text", "text", item.path.read_text()),))
    try:
        reply = yield (backend.prepare(sheet),)
        ((written,),) = reply()
    except DocumentError as error:
        return [{"path": item.path.name, "failed": error.code}]
    except RuntimeError as error:
        return [{"path": item.path.name, "failed": f"internal: {error}"}]
    return [{"path": item.path.name, "text": written.text, "model": backend.revision}]


def outcome_of(records: Sequence[dict[str, Any]]) -> Outcome:
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    return Outcome(lines, Told(("ok",), 1, "0" * 64))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6")
    monkeypatch.setattr("pipkie_cli.models.load_backend", load)
    monkeypatch.setattr("pipkie_cli.pipeline.records_of", records_of)
    monkeypatch.setattr("pipkie_cli.batch.worker.outcome_of", outcome_of)
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def read(folder: Path, devices: Sequence[str], model: str = "big", **limits: Any) -> dict[str, Any]:
    """What became of each document: its text, or why it failed."""
    options = RunOptions((), model=model)
    found: dict[str, Any] = {}
    with Supervisor(options, Limits(devices=tuple(devices), **limits)) as supervisor:
        for item, outcome in supervisor.outcomes(plan_inputs([str(folder)]).inputs):
            record = json.loads(outcome.lines)
            found[item.path.name] = outcome.told.failure[0] if outcome.told.failure else record.get("text") or record
    return found


def write(folder: Path, *texts: str) -> None:
    for number, text in enumerate(texts):
        (folder / f"{number:02}.pdf").write_text(text)


def test_workers_share_the_models_of_all_devices(folder: Path) -> None:
    """Each process sees its own device alone; sheets of several documents are in one forward, and none is mixed up."""
    write(folder, *(f"text {number}" for number in range(40)))
    found = read(folder, ["cuda:0", "cuda:1"], workers=6)
    assert found == {f"{number:02}.pdf": f"TEXT {number}" for number in range(40)}
    forwards = [line.split() for line in Path("forwards").read_text().splitlines()]
    assert {(device, visible) for device, visible, _ in forwards} == {("cuda:0", "4"), ("cuda:0", "6")}
    assert sum(int(count) for _, _, count in forwards) == 40
    assert any(int(count) > 1 for _, _, count in forwards)


def test_on_a_cpu_sheets_are_read_one_by_one(folder: Path) -> None:
    """The same bytes then come out whatever else is read."""
    write(folder, *(f"text {number}" for number in range(12)))
    read(folder, ["cpu"], workers=3)
    assert set(Path("forwards").read_text().splitlines()) == {"cpu  1"}


def test_what_fails_costs_only_itself(folder: Path) -> None:
    """Out of memory alone or in company, a sheet that cannot be prepared, one that ends the process that holds the
    model: that process is started again, and the documents that it had are tried again, each alone."""
    write(folder, "good", "LARGE", "CROWDED", "good", "UNFIT", "KILLS", "good", "good", "good", "good")
    found = read(folder, ["cuda:0"], workers=4)
    wanted = {"00.pdf": "GOOD", "02.pdf": "CROWDED", "03.pdf": "GOOD", "06.pdf": "GOOD", "05.pdf": "worker_crashed"}
    wanted |= dict.fromkeys(("07.pdf", "08.pdf", "09.pdf"), "GOOD")
    wanted["01.pdf"] = {"path": "01.pdf", "failed": "out_of_memory"}
    wanted["04.pdf"] = {"path": "04.pdf", "failed": "internal: the model failed: ValueError"}
    assert found == wanted


def test_a_forward_that_hangs_is_ended(folder: Path) -> None:
    """With the process that is stuck in it; its document is given up as one that takes too long.

    Tried again, it does not wait behind its own first try: the process that it gets is a new one.
    """
    write(folder, "good", "STUCK", "good")
    found = read(folder, ["cuda:0"], workers=2, timeout_s=3.0)
    assert found == {"00.pdf": "GOOD", "01.pdf": "timed_out", "02.pdf": "GOOD"}
    first, second = Path("stuck").read_text().split()
    assert int(first) >= 1
    assert second == "1"


def test_a_forward_beyond_the_limit_is_no_crash(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its process is ended before the worker's time is up, as after a reader that paused."""
    monkeypatch.setattr("pipkie_cli.batch.supervisor.ModelHosts", impatient)
    write(folder, "STUCK")
    options, limits = RunOptions((), model="big"), Limits(devices=("cuda:0",), timeout_s=60.0)
    with Supervisor(options, limits) as supervisor:
        ((_, outcome),) = supervisor.outcomes(plan_inputs([str(folder)]).inputs)
    assert outcome.told.failure is not None
    assert outcome.told.failure[0] == "timed_out"
    assert "--timeout" in outcome.told.failure[1]


def impatient(options: RunOptions, devices: Sequence[str], n_workers: int, _: float, method: str) -> ModelHosts:
    return ModelHosts(options, devices, n_workers, 0.5, method)


def test_a_model_that_cannot_be_loaded_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what the model says, or, where its process is killed each time, with that."""
    write(folder, "good")
    with pytest.raises(ModelError, match="the weights are damaged"):
        read(folder, ["cuda:0"], "damaged")
    with pytest.raises(ModelError, match=r"on cuda:1 ended \(exit code 9\)"):
        read(folder, ["cuda:1"], "hungry")


def test_a_hub_is_asked_before_the_first_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And never again: one that is started later would get what is published by then."""
    asked, loaded = list[str](), Path("loaded")

    def load_and_tell(name: str, device: str = "cpu", **_: Any) -> Device:
        with loaded.open("a") as file:
            file.write(f"{name}\n")
        return Device(device)

    monkeypatch.setattr("pipkie_cli.models.mllm.hub.fetch", lambda name: asked.append(name) or folder.parent)
    monkeypatch.setattr("pipkie_cli.models.load_backend", load_and_tell)
    write(folder, "good", "FLAKY")
    assert read(folder, ["cuda:0"], "acme/tiny") == {"00.pdf": "GOOD", "01.pdf": "FLAKY"}
    assert asked == ["acme/tiny"]
    assert loaded.read_text().splitlines() == [str(folder.parent)] * 2


def test_no_process_is_left(folder: Path) -> None:
    """Leaving the supervisor ends the hosts too, whatever they do."""
    write(folder, "STUCK")
    with Supervisor(OPTIONS, Limits(devices=("cuda:0",), timeout_s=60.0)) as supervisor:
        supervisor.hosts.start_missing(())
        pid = supervisor.hosts._hosts[0].process.pid
    assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_busy_figures_outlive_their_process(folder: Path) -> None:
    """What a replaced host had done counts as well."""
    write(folder, *(f"text {number}" for number in range(8)), "FLAKY")
    with Supervisor(OPTIONS, Limits(workers=2, devices=("cuda:0",))) as supervisor:
        assert len(list(supervisor.outcomes(plan_inputs([str(folder)]).inputs))) == 9
        busy = supervisor.hosts.busy()
    assert busy.sheets >= 9
    assert busy.seconds >= 0.01 * busy.batches * 0.5
    assert busy.tokens == 10 * busy.sheets


def test_the_same_bytes_with_or_without_a_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny random model on the real road: whoever holds it, and however many ask it."""
    from make import picture
    from mllm_tiny import build_tiny

    from pipkie_cli.templates import load_template

    monkeypatch.chdir(tmp_path)
    build_tiny("qwen2_vl", tmp_path / "model")
    (tmp_path / "note.yaml").write_text("name: note\ntitle: Note\nkeys:\n  number: text\n  total: amount\n")
    (tmp_path / "in").mkdir()
    for number in range(3):
        picture(grey=250 - number).resize((80 + 20 * number, 120)).save(tmp_path / "in" / f"{number}.png")
    options = RunOptions((load_template(tmp_path / "note.yaml"),), template_given=True, model="model", facts=False)
    inputs = plan_inputs(["in"]).inputs
    lines = []
    for limits in (Limits(), Limits(workers=2, devices=("cpu",))):
        with Supervisor(options, limits) as supervisor:
            outcomes = {item.shown: outcome for item, outcome in supervisor.outcomes(inputs)}
        assert not any(outcome.told.failure for outcome in outcomes.values())
        lines.append([outcomes[item.shown].lines for item in inputs])
    assert lines[0] == lines[1]
