"""The fine-tuning itself: place the labels, learn against the clock, keep the best, calibrate, write the folder."""

import copy
import os
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader

from pipkie_cli.errors import InputError, OutputError
from pipkie_cli.evaluate import Labelled
from pipkie_cli.models import Backend
from pipkie_cli.models.mini import SHIPPED, PieceReader
from pipkie_cli.nouns import Example, Key
from pipkie_cli.pages import ReadDocument
from pipkie_cli.pipeline import page_text
from pipkie_cli.synth import make_example
from pipkie_cli.templates import find_templates
from pipkie_cli.train.calibrate import HELD_OUT_SEEDS, SYNTHETIC, calibrate_on
from pipkie_cli.train.export import export_page, write_sidecar
from pipkie_cli.train.finetune import NAMES_SAID, FinetunePlan, Material
from pipkie_cli.train.finetune_align import Found, locate
from pipkie_cli.train.finetune_examples import MADE_UP_SHARE, Own, OwnStream, by_document, plain_example
from pipkie_cli.train.finetune_init import Exported, load_exported
from pipkie_cli.train.finetune_score import Score, TraineeBackend, score_documents, score_made_up
from pipkie_cli.train.texts import Texts
from pipkie_cli.train.trainee import Trainee

RATE = 1e-4
WARM_UP = 20  # steps
BATCH = 8
LOOKS, LEAST_LOOKS = 12, 4  # at the held-out documents while it learns
LOOKING = 0.5  # of the learning's time, at most: tables take long to look at
PATIENCE = 5  # looks without a better one
TRIALS = 8  # multiplications that find the faster type of numbers; the first ones are slow
MADE_UP_CHECKED = 100  # documents that the shipped templates' keys are measured on
MADE_UP_CALIBRATED = 100  # documents beside the held-out ones
COPIED = ("pieces.npz", "text.onnx", "tokenizer.json")  # the text stage is frozen

Say = Callable[[str], None]


@dataclass(slots=True)
class Learnt:
    """The best weights and how they were come by."""

    weights: dict[str, Any]
    best: Score
    best_step: int = 0
    steps: int = 0
    seconds: float = 0.0


def finetune(plan: FinetunePlan, material: Material, say: Say) -> dict[str, Any]:
    """Learn and write `plan.output`; returns the figures."""
    from pipkie_cli.models import load_backend, words_only

    torch.manual_seed(plan.seed)
    torch.set_num_threads(max(1, _cores() - 1))  # the other one makes the documents
    folder = SHIPPED if plan.init == "mini" else Path(plan.init)
    base = words_only(load_backend(plan.init))
    exported = load_exported(folder)
    keys = {key.name: key for key in plan.template.keys}
    learn, table = _place(plan, material.learn, keys, say)
    held_out, table_held_out = _place(plan, material.held_out, keys, lambda _: None)
    documents = by_document(learn)
    if not any(page.holds_something for pages in documents for page in pages):
        raise InputError(
            "no label stands on its page as labelled", hint="look at one with `pipkie explain FILE --template T`"
        )
    shipped = find_templates([], None)
    before = score_documents(material.held_out, plan.template, plan.rules, base)
    shipped_before = score_made_up(shipped, base, MADE_UP_CHECKED)
    say(f"learning from {len(documents)} documents, {len(material.held_out)} held out: {before.mean:.3f} right before")
    learnt = _learn(plan, exported, Own(documents, keys), material, say)
    with _whole_folder(plan.output) as part:
        for name in COPIED:
            shutil.copyfile(folder / name, part / name)
        exported.page.load_state_dict(learnt.weights)
        export_page(exported.page, exported.text.positions.shape[1], part / "page.onnx")
        trained = {
            "template": plan.template.label,
            "documents": len(documents),
            "held_out": len(material.held_out),
            "steps": learnt.best_step,
            "minutes": round(learnt.seconds / 60, 1),
        }
        sidecar = {
            "name": f"{exported.sidecar['name']}-{plan.template.name}",
            "version": exported.sidecar["version"],
            "base": base.revision,
            "trained": trained,
        }
        write_sidecar(part, sidecar)
        calibration = calibrate_on(
            words_only(load_backend(str(part))), _calibrating(held_out, keys), base.calibration.misread
        )
        write_sidecar(part, {**sidecar, "calibration": calibration})
        model = words_only(load_backend(str(part)))
        after = score_documents(material.held_out, plan.template, plan.rules, model)
        shipped_after = score_made_up(shipped, model, MADE_UP_CHECKED)
    return {
        "command": "train",
        "template": plan.template.label,
        "base": base.revision,
        "model": model.revision,
        "output": str(plan.output),
        "documents": len(documents) + len(material.held_out),
        "held_out": len(material.held_out),
        "failed": dict(Counter(material.failed.values())),
        "keys": {name: _added(table[name], table_held_out[name]) for name in table},
        "before": {"keys": dict(before.by_key), "mean": before.mean},
        "after": {"keys": dict(after.by_key), "mean": after.mean},
        "shipped": {"before": shipped_before, "after": shipped_after},
        "steps": learnt.steps,
        "best_step": learnt.best_step,
        "minutes": round(learnt.seconds / 60, 1),
        "seed": plan.seed,
    }


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _place(
    plan: FinetunePlan, documents: Sequence[tuple[Labelled, ReadDocument]], keys: Mapping[str, Key], say: Say
) -> tuple[list[Found], dict[str, Counter[str]]]:
    """Where the labels stand, and per key how many labels there are, were found, say ABSENT."""
    pages: list[Found] = []
    asked = tuple(keys.values())
    table: dict[str, Counter[str]] = {name: Counter() for name in _names(asked)}
    lost_in: dict[str, list[str]] = defaultdict(list)
    for label, read in documents:
        located = locate(label, read.pages, read.id.page_count, asked, plan.rules, page_text(read.pages))
        pages += located.pages
        for key in asked:
            expected = label.values.get(key.name)
            if expected is not None and not key.columns:
                table[key.name]["labels" if expected else "absent"] += 1
                table[key.name]["found"] += bool(expected) and key.name not in located.lost
        for name, counts in located.cells.items():
            table[name].update(counts)
        for name in located.lost:
            lost_in[name].append(label.shown)
    for name, files in lost_in.items():
        more = f" and {len(files) - NAMES_SAID} more" if len(files) > NAMES_SAID else ""
        say(f"{name} is not found on the pages of {', '.join(files[:NAMES_SAID])}{more}: not asked there")
    return pages, table


def _names(keys: Sequence[Key]) -> list[str]:
    """Keys, and columns as "table.column"."""
    return [name for key in keys for name in ([f"{key.name}.{one.name}" for one in key.columns] or [key.name])]


def _added(one: Counter[str], other: Counter[str]) -> dict[str, int]:
    return {name: one[name] + other[name] for name in ("labels", "found", "absent")}


def _learn(plan: FinetunePlan, exported: Exported, own: Own, material: Material, say: Say) -> Learnt:
    """Steps for `plan.minutes`, or until PATIENCE looks at the held-out documents showed nothing better."""
    dtype = faster_dtype()
    texts = Texts(copy.deepcopy(exported.text), PieceReader(exported.tokenizer_json).pad, dtype)
    stream = OwnStream(own, MADE_UP_SHARE, BATCH, exported.tokenizer_json, plan.seed)
    stream.texts = texts
    workers = 1 if _cores() > 1 else 0
    batches = iter(
        DataLoader(stream, batch_size=None, num_workers=workers, prefetch_factor=8 if workers else None)
    )  # a worker starts before anything is computed here
    trainee = Trainee(exported.text, exported.page, "cpu", dtype)
    backend = TraineeBackend(trainee, PieceReader(exported.tokenizer_json), texts)
    began = time.monotonic()
    learnt = Learnt(_weights(trainee), _look(plan, material, backend))
    budget_s, looks, last_gain = plan.minutes * 60, 1, 0
    n_looks = max(LEAST_LOOKS, min(LOOKS, int(LOOKING * budget_s / max(time.monotonic() - began, 1e-3))))
    while learnt.seconds < budget_s and looks - last_gain <= PATIENCE:
        began = time.monotonic()
        rate = RATE * min(1.0, (learnt.steps + 1) / WARM_UP) * max(0.02, 1 - learnt.seconds / budget_s)
        trainee.learn(next(batches), rate)
        learnt.steps += 1
        learnt.seconds += time.monotonic() - began
        if learnt.seconds >= looks * budget_s / n_looks:
            score = _look(plan, material, backend)
            say(f"{learnt.seconds / 60:.1f} minutes, {learnt.steps} steps: {score.mean:.3f} right on the held-out")
            if score.rank > learnt.best.rank:
                learnt.weights, learnt.best, learnt.best_step = _weights(trainee), score, learnt.steps
                last_gain = looks
            looks += 1
    return learnt


def faster_dtype() -> torch.dtype:
    """bfloat16 where this processor multiplies it fast; else it is many times slower than float32."""
    seconds: dict[torch.dtype, float] = {}
    for dtype in (torch.bfloat16, torch.float32):
        words, weight = torch.zeros(512, 384, dtype=dtype), torch.zeros(384, 1536, dtype=dtype)
        for _ in range(TRIALS):
            began = time.perf_counter()
            words @ weight
            seconds[dtype] = min(seconds.get(dtype, 1e9), time.perf_counter() - began)
    return min(seconds, key=lambda dtype: seconds[dtype])


def _look(plan: FinetunePlan, material: Material, backend: Backend) -> Score:
    return score_documents(material.held_out, plan.template, plan.rules, backend)


def _weights(trainee: Trainee) -> dict[str, Any]:
    return {name: value.detach().clone() for name, value in trainee.master.state_dict().items()}


def _calibrating(held_out: Sequence[Found], keys: Mapping[str, Key]) -> Iterator[tuple[str, Example]]:
    """Held-out pages by document, and made-up ones."""
    for found in held_out:
        yield found.document, plain_example(found, keys)
    for number in range(MADE_UP_CALIBRATED):
        yield SYNTHETIC, make_example(HELD_OUT_SEEDS + number)


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into that takes its name when all is done, and is gone when anything stops it."""
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        if folder.is_dir():
            folder.rmdir()  # empty: the plan made sure of that
        part.replace(folder)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}", hint="name another with --output") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
