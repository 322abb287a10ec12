"""The training loop of multimodal checkpoints: steps, evaluation, the best weights kept, exact resumption.

One process, or several under `torchrun` (accelerate, DDP). Everything random is a function of seed, step and process:
a run that was killed and started again ends with the weights of one that was left alone.
"""

import json
import math
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import timedelta
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from accelerate import Accelerator, DistributedDataParallelKwargs, InitProcessGroupKwargs
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.utils.data import DataLoader

from pipkie_cli.errors import ModelError, OutputError, PipkieError, UsageError
from pipkie_cli.train.pip_kept import cut_metrics, write_whole
from pipkie_cli.train.pip_loss import count_right, weighted_loss
from pipkie_cli.train.pip_plan import STATE
from pipkie_cli.train.pip_recipe import Recipe
from pipkie_cli.train.pip_rows import Batch, Rows
from pipkie_cli.train.pip_schedule import Draws, rate_at

BETAS = (0.9, 0.95)  # of AdamW, as LLaDA and most language models
LOG_EVERY = 10  # steps
LONGEST_LOOK = timedelta(hours=2)
BEST, METRICS = "best.safetensors", "metrics.jsonl"

Evaluate = Callable[[], Mapping[str, float]]
Say = Callable[[str], None]
Step = Callable[[], None]


@dataclass(slots=True)
class Progress:
    """How far a run has come; kept with its state."""

    step: int = 0
    seconds: float = 0.0  # of learning, evaluation left out
    samples: int = 0
    tokens: int = 0
    skipped: int = 0  # samples that could not be opened; another one took their place
    best: float | None = None
    best_step: int = 0


@dataclass(slots=True)
class _Sums:
    """Of the steps since the last line of metrics; kept with the state, so a run that goes on writes the same lines."""

    loss: float = 0.0
    right: float = 0.0
    slots: float = 0.0
    norm: float = 0.0
    steps: int = 0
    seconds: float = 0.0


def start_processes(recipe: Recipe, device: str) -> Accelerator:
    """This process among its siblings; returns when all of them are there. `device` is "auto", "cpu" or "cuda".

    Raises UsageError for a device that is not there: accelerate would take the CPU and say nothing.
    """
    if device not in ("auto", "cpu", "cuda") or (device == "cuda" and not torch.cuda.is_available()):
        raise UsageError(f"--device {device}: there is no such device", hint="use auto or cpu, or cuda where a GPU is")
    cpu = device == "cpu" or (device == "auto" and not torch.cuda.is_available())
    handlers = [
        InitProcessGroupKwargs(timeout=LONGEST_LOOK),  # the others wait while the first one evaluates
        DistributedDataParallelKwargs(find_unused_parameters=recipe.vision == "trained"),
    ]
    return Accelerator(cpu=cpu, kwargs_handlers=handlers)


class Loop:
    """One run. `model` is called as it is; `suppressed` (V,) are tokens that no value is made of."""

    def __init__(
        self,
        accelerator: Accelerator,
        model: nn.Module,
        suppressed: Tensor,
        rows: Rows,
        recipe: Recipe,
        folder: Path,
        seed: int,
    ) -> None:
        self.accelerator = accelerator
        self.recipe, self.folder, self.seed = recipe, folder, seed
        self.rows = rows
        model.to(self.accelerator.device)
        self.trained = {name: one for name, one in model.named_parameters() if one.requires_grad}
        self.optimizer = torch.optim.AdamW(_groups(self.trained.values(), recipe.decay), lr=recipe.rate, betas=BETAS)
        self.model = self.accelerator.prepare(model)
        self.suppressed = suppressed.to(self.accelerator.device)
        self.done, self.sums = Progress(), _Sums()
        self._asked_to_stop: int | None = None  # the number of a signal
        self._resume()

    @property
    def is_main(self) -> bool:
        return bool(self.accelerator.is_main_process)

    def run(self, evaluate: Evaluate, say: Say, step: Step) -> Progress:
        """Learn what is left of the recipe's steps.

        `evaluate` is called by the first process; its "score" decides which weights are best. Ctrl-C or SIGTERM lets
        the step be done and its state be written, then goes its way. Raises ModelError where the loss is no number.
        """
        with self._signals_wait() as stop:
            return self._run(evaluate, say, step, stop)

    def _run(self, evaluate: Evaluate, say: Say, step: Step, stop: Callable[[], None]) -> Progress:
        recipe, board = self.recipe, _board(self.folder) if self.is_main else None
        batches = self._batches()
        self.model.train()
        if self.done.best is None:
            self._look(evaluate, say, board)
        while self.done.step < recipe.steps:
            began = time.monotonic()
            asked = self._learn(list(islice(batches, recipe.accumulate)))
            self.done.step += 1
            self.done.seconds += time.monotonic() - began
            self.sums.seconds += time.monotonic() - began
            if self.is_main:
                step()
            last = self.done.step == recipe.steps
            if last or self.done.step % LOG_EVERY == 0:
                self._tell(_figures(self.sums, self.done), board)
                self.sums = _Sums()
            if last or self.done.step % recipe.evaluate_every == 0:
                self._look(evaluate, say, board)
            if last or asked or self.done.step % recipe.save_every == 0:
                self._save()
            if asked:
                stop()
        return self.done

    @contextmanager
    def _signals_wait(self) -> Iterator[Callable[[], None]]:
        """Signals are noted, and handled as before once the value is called; a second one is handled at once."""
        now = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        handlers = {number: one for number, one in now.items() if callable(one)}  # else ignored, or another's

        def stop() -> None:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.raise_signal(self._asked_to_stop or signal.SIGTERM)  # of several processes another one was asked

        def note(number: int, _: object) -> None:
            if self._asked_to_stop is not None:
                stop()
            self._asked_to_stop = number

        for number in handlers:
            signal.signal(number, note)
        try:
            yield stop
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def load_best(self) -> None:
        """The best weights into the model, on every process."""
        self.accelerator.wait_for_everyone()
        _load(self.trained, load_file(self.folder / BEST))

    def close(self) -> None:
        """After the last step, on every process."""
        self.accelerator.wait_for_everyone()
        self.accelerator.end_training()

    def _batches(self) -> Iterator[Batch]:
        accelerator = self.accelerator
        draws = Draws(self.recipe, self.done.step, accelerator.process_index, accelerator.num_processes)
        workers = self.recipe.workers
        return iter(
            DataLoader(
                _Told(self.rows),  # type: ignore[arg-type]  # of a Dataset it has what the loader asks for
                batch_size=self.recipe.batch,
                sampler=draws,
                collate_fn=_Told(self.rows).collate,
                num_workers=workers,
                prefetch_factor=4 if workers else None,
                pin_memory=accelerator.device.type == "cuda",
            )
        )

    def _learn(self, micro: Sequence[Batch | PipkieError]) -> bool:
        """One step of the optimizer over `accumulate` batches of every process; whether one of them is asked to stop.

        The loss is divided by the shares of all samples of the step, wherever they are learnt: DDP takes the mean of
        the processes' gradients, so each loss is multiplied by their number.
        """
        accelerator, device, sums = self.accelerator, self.accelerator.device, self.sums
        torch.manual_seed(hash((self.seed, self.done.step, accelerator.process_index)) & (2**63 - 1))
        batches = [_whole(one) for one in micro]
        stop = 0.0 if self._asked_to_stop is None else 1.0  # all stop after the same step, else some would wait
        told = torch.tensor([sum(one.share for one in batches), stop], device=device)
        total, stops = accelerator.reduce(told, "sum").tolist()
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(self.done.step, self.recipe)
        for number, batch in enumerate(batches):
            with _unless(number == len(batches) - 1, accelerator, self.model):
                loss, right = self.forward(batch)
                accelerator.backward(loss * (accelerator.num_processes / total))
            sums.loss += loss.item() / total
            sums.right += right
            sums.slots += len(batch.targets)
            self.done.tokens += batch.n_tokens * accelerator.num_processes
            self.done.samples += self.recipe.batch * accelerator.num_processes
            self.done.skipped += batch.skipped
        norm = nn.utils.clip_grad_norm_(self.trained.values(), self.recipe.clip)
        self._check(math.isfinite(norm), "the gradient")  # a loss that is no number makes it none, on every process
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        sums.norm += float(norm)
        sums.steps += 1
        return bool(stops)

    def _check(self, sane: bool, what: str) -> None:
        if not sane:
            raise ModelError(
                f"step {self.done.step}: {what} is no finite number; what was written before is as it was",
                hint="lower rate: in the recipe, or take dtype: float32, and name a new folder; at step 0 the "
                "checkpoint is damaged",
            )

    def forward(self, batch: Batch) -> tuple[Tensor, float]:
        """Loss of the masked slots, a sum, and how many are right. Logits at these only: (B, L, V) is never made."""
        device = self.accelerator.device
        batch = batch.to(device)
        with self.autocast():
            logits = self.model(**batch.inputs, logits_to_keep=batch.keep, use_cache=False).logits  # (N, V)
        loss = weighted_loss(logits, batch.targets, batch.weights, self.suppressed)
        return loss, float(count_right(logits.detach(), batch.targets, self.suppressed))

    def autocast(self) -> Any:
        """Multiplications in the recipe's type of numbers."""
        return torch.autocast(self.accelerator.device.type, torch.bfloat16, enabled=self.recipe.dtype == "bfloat16")

    def _look(self, evaluate: Evaluate, say: Say, board: Any) -> None:
        """Evaluate on the first process; keep the weights that are best so far."""
        score = torch.zeros(1, device=self.accelerator.device)
        figures: dict[str, float] = {}
        if self.is_main:
            self.model.eval()
            with torch.no_grad():
                figures = dict(evaluate())
            self.model.train()
            score += figures["score"]
        value = float(self.accelerator.reduce(score, "sum").item())
        sane = all(bool(one.isfinite().all()) for one in self.trained.values())
        self._check(math.isfinite(value) and sane, "what is measured, or a weight,")
        if self.done.best is None or value >= self.done.best:  # of equals the later one
            self.done.best, self.done.best_step = value, self.done.step
            if self.is_main:
                write_whole(self.folder / BEST, lambda path: save_file(_copied(self.trained), path))
        self._tell({"step": self.done.step, **figures}, board)
        if self.is_main:
            told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
            say(f"step {self.done.step} of {self.recipe.steps}: {told}")

    def _tell(self, line: Mapping[str, float], board: Any) -> None:
        if not self.is_main:
            return
        with (self.folder / METRICS).open("a", encoding="utf-8") as file:
            file.write(json.dumps({name: round(value, 6) for name, value in line.items()}) + "\n")
        if board is not None:
            for name, value in line.items():
                board.add_scalar(name, value, self.done.step)

    def _save(self) -> None:
        if self.is_main:
            state = {
                "trained": _copied(self.trained),
                "optimizer": self.optimizer.state_dict(),
                "done": asdict(self.done),
                "sums": asdict(self.sums),
            }
            write_whole(self.folder / STATE, lambda path: torch.save(state, path))
        self.accelerator.wait_for_everyone()

    def _resume(self) -> None:
        path = self.folder / STATE
        if not path.exists():
            if self.is_main:
                (self.folder / METRICS).unlink(missing_ok=True)
            self.accelerator.wait_for_everyone()
            return
        try:
            state = torch.load(path, map_location=self.accelerator.device, weights_only=True)
            _load(self.trained, state["trained"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.done, self.sums = Progress(**state["done"]), _Sums(**state["sums"])
            with safe_open(self.folder / BEST, "pt") as best:  # or it would be missed after the last step
                fits = set(best.keys()) == set(self.trained)
        except (OSError, EOFError, KeyError, TypeError, ValueError, RuntimeError, UnpicklingError, SafetensorError):
            fits = False
        if not fits:
            raise OutputError(
                f"what {self.folder} keeps of a stopped run is damaged, or of another model",
                hint="name a new folder with --output, or delete this one to start anew",
            )
        if self.is_main:
            cut_metrics(self.folder / METRICS, self.done.step)
        self.accelerator.wait_for_everyone()


@dataclass(frozen=True, slots=True)
class _Told:
    """Rows for the loader, with errors as values: of one that is raised it makes a traceback in a message."""

    rows: Rows

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, draw: int) -> Any:
        try:
            return self.rows[draw]
        except PipkieError as error:
            return error

    def collate(self, drawn: Sequence[Any]) -> Batch | PipkieError:
        errors = [one for one in drawn if isinstance(one, PipkieError)]
        return errors[0] if errors else self.rows.collate(drawn)


def _whole(batch: Batch | PipkieError) -> Batch:
    if isinstance(batch, PipkieError):
        raise batch
    return batch


def _groups(parameters: Any, decay: float) -> list[dict[str, Any]]:
    """Matrices decay, norms and biases never do."""
    every = list(parameters)
    return [
        {"params": [one for one in every if one.ndim >= 2], "weight_decay": decay},
        {"params": [one for one in every if one.ndim < 2], "weight_decay": 0.0},
    ]


def _unless(synchronise: bool, accelerator: Accelerator, model: nn.Module) -> Any:
    """Gradients are exchanged with the last batch of a step only."""
    return nullcontext() if synchronise else accelerator.no_sync(model)


def _figures(sums: _Sums, done: Progress) -> dict[str, float]:
    return {
        "step": done.step,
        "loss": sums.loss / sums.steps,
        "right": sums.right / max(1.0, sums.slots),
        "norm": sums.norm / sums.steps,
        "samples": done.samples,
        "tokens": done.tokens,
        "skipped": done.skipped,
        "seconds": done.seconds,
        "steps_per_s": sums.steps / max(sums.seconds, 1e-9),
    }


def _copied(trained: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: one.detach().cpu().contiguous().clone() for name, one in trained.items()}


def _load(trained: Mapping[str, Tensor], weights: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, one in trained.items():
            one.copy_(weights[name])


def _board(folder: Path) -> Any:
    """TensorBoard, where it is installed."""
    if find_spec("tensorboard") is None:
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder / "tensorboard"))
