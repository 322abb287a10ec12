"""The training loop: by the clock, with checkpoints, a log of the learning curve, and exact resumption of its data."""

import copy
import json
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader

from pipkie_cli.train.finetune_init import load_exported
from pipkie_cli.train.network import PageStage
from pipkie_cli.train.stream import Stream
from pipkie_cli.train.texts import Texts
from pipkie_cli.train.trainee import Shape, Trainee, load_page_stage, load_text_stage

WARM_UP = 100  # steps
CHECKPOINT_S = 600.0

Evaluate = Callable[[Trainee], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What one training run does. Written beside the checkpoint."""

    minutes: float
    rate: float = 6e-4
    batch_size: int = 16
    threads: int = 1
    seed: int = 0
    evaluate_every: int = 400  # steps
    device: str = "cpu"
    workers: int = 1  # processes that make documents and read their texts
    init: str | None = None  # a run, or an exported folder, whose weights are the start, where that was not chance


def train(start: Path, folder: Path, stream: Stream, plan: Plan, evaluate: Evaluate, shape: Shape = Shape()) -> Trainee:  # noqa: B008
    """Train for `plan.minutes` of clock time in all; a second call with the same folder goes on where it stopped."""
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    random.seed(plan.seed)
    folder.mkdir(parents=True, exist_ok=True)
    text = load_text_stage(start / "text_stage.safetensors")
    page = _first_page_stage(plan, shape)
    trainee = Trainee(text, page, plan.device)
    done = _resume(folder, trainee)
    stream.first, stream.texts = done["next"], Texts(copy.deepcopy(text), stream.pad)
    budget_s = plan.minutes * 60
    if done["seconds"] >= budget_s:
        return trainee  # its time is over: nothing is learnt, logged or saved again
    (folder / "plan.json").write_text(json.dumps({"plan": asdict(plan), "shape": asdict(shape)}), encoding="utf-8")
    batches = iter(DataLoader(stream, batch_size=None, num_workers=plan.workers, prefetch_factor=8))
    recent: deque[float] = deque(maxlen=100)
    last_saved = time.monotonic()
    while done["seconds"] < budget_s:
        began = time.monotonic()
        batch = next(batches)
        share = done["seconds"] / budget_s
        rate = plan.rate * min(1.0, (done["steps"] + 1) / WARM_UP) * max(0.02, 1 - share)
        recent.append(trainee.learn(batch, rate))
        done["steps"] += 1
        done["seen"] += len(batch.words)
        done["next"] = max(done["next"], batch.upto)
        done["seconds"] += time.monotonic() - began  # evaluation and saving do not count
        if done["steps"] in (10, 50) or done["steps"] % plan.evaluate_every == 0:
            scores = evaluate(trainee) if done["steps"] % plan.evaluate_every == 0 else {}
            _log(folder, done, sum(recent) / len(recent), scores)
        if time.monotonic() - last_saved > CHECKPOINT_S:
            _save(folder, trainee, done)
            last_saved = time.monotonic()
    _log(folder, done, sum(recent) / len(recent), evaluate(trainee))
    _save(folder, trainee, done)
    return trainee


def _first_page_stage(plan: Plan, shape: Shape) -> PageStage:
    if plan.init is None:
        return PageStage(shape.width, shape.heads, shape.layers)
    folder = Path(plan.init)
    return load_page_stage(folder) if (folder / "checkpoint.pt").exists() else load_exported(folder).page.train()


def _log(folder: Path, done: Mapping[str, float], loss: float, scores: Mapping[str, float]) -> None:
    line = {
        "seen": done["seen"],
        "minutes": round(done["seconds"] / 60, 1),
        "documents_per_s": round(done["seen"] / max(done["seconds"], 1e-9), 1),
        "loss": round(loss, 4),
        **{name: round(score, 3) for name, score in scores.items()},
    }
    with (folder / "curve.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _save(folder: Path, trainee: Trainee, done: Mapping[str, float]) -> None:
    part = folder / "checkpoint.part"
    torch.save({**trainee.state(), "done": dict(done)}, part)
    part.replace(folder / "checkpoint.pt")  # a kill while writing leaves the one before


def _resume(folder: Path, trainee: Trainee) -> dict[str, Any]:
    path = folder / "checkpoint.pt"
    if not path.exists():
        return {"steps": 0, "seen": 0, "next": 0, "seconds": 0.0}
    state = torch.load(path, map_location=trainee.device, weights_only=True)
    trainee.restore(state)
    return {"next": state["done"]["seen"], **state["done"]}  # checkpoints of earlier versions know no "next"
