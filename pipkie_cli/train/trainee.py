"""The network while it learns: frozen text stage, page stage in bfloat16 with a float32 master copy in the optimiser.

A bfloat16 linear layer runs about eight times faster than a float32 one on a CPU with AMX; autocast would copy weights
at every turn.
"""

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from pipkie_cli.train.batches import Batch
from pipkie_cli.train.losses import span_loss
from pipkie_cli.train.network import PageStage, TextStage
from pipkie_cli.train.texts import average_pieces


@dataclass(frozen=True, slots=True)
class Shape:
    """Size of the page stage; the text stage's comes with its starting weights."""

    width: int = 384
    heads: int = 6
    layers: int = 6


def load_text_stage(path: Path) -> TextStage:
    state = load_file(str(path))
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    stage = TextStage(state["embed.weight"].shape[0], state["embed.weight"].shape[1], layers=layers)
    stage.load_state_dict(state)
    return stage.requires_grad_(False)


def load_page_stage(run: Path) -> PageStage:
    """The float32 master of a run's last checkpoint; what earlier versions did not have stays as it begins."""
    shape = Shape(**json.loads((run / "plan.json").read_text(encoding="utf-8"))["shape"])
    stage = PageStage(shape.width, shape.heads, shape.layers)
    learnt = torch.load(run / "checkpoint.pt", map_location="cpu", weights_only=True)["page"]
    stage.load_state_dict({**stage.state_dict(), **learnt})
    return stage


def average_runs(runs: Sequence[Path], output: Path) -> None:
    """A folder like a run's, with the mean of the runs' weights; what the earlier ones did not have is the last one's.

    It can be exported, or be the start of another run; it is no run that goes on.
    """
    states = [torch.load(run / "checkpoint.pt", map_location="cpu", weights_only=True) for run in runs]
    pages, done = [state["page"] for state in states], states[-1]["done"]
    mean = {name: torch.stack([page[name] for page in pages if name in page]).mean(0) for name in pages[-1]}
    output.mkdir(parents=True, exist_ok=True)
    torch.save({"page": mean, "done": done}, output / "checkpoint.pt")
    (output / "plan.json").write_bytes((runs[-1] / "plan.json").read_bytes())


class Trainee:
    """Text stage, page stage (float32 master) and the working copy that runs forward and backward."""

    def __init__(self, text: TextStage, page: PageStage, device: str, dtype: torch.dtype = torch.bfloat16) -> None:
        self.device, self.dtype = device, dtype
        self.text = text.to(device, dtype).eval()
        self.master = page.to(device)
        self.working = copy.deepcopy(page).to(dtype)
        self._pairs = list(zip(self.master.parameters(), self.working.parameters(), strict=True))
        self.optimizer = torch.optim.AdamW(self.master.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.01)

    def units(self, batch: Batch) -> Tensor:
        """(U, D): the text stage's vector of every word and key text."""
        if batch.units is not None:
            return batch.units.to(self.device, self.dtype)
        return average_pieces(self.text, batch.pieces, batch.per_unit.to(self.device)).to(self.dtype)

    def scores(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        units = self.units(batch)
        to = self.device
        return self.working(  # type: ignore[no-any-return]
            units[batch.words.to(to)],
            batch.places.to(to, self.dtype),
            batch.centres.to(to),
            batch.is_word.to(to),
            units[batch.prompts.to(to)],
            units[batch.aliases.to(to)],
            batch.types.to(to),
            batch.matches.to(to),
            batch.beside.to(to),
            batch.below.to(to),
            batch.in_row.to(to),
        )

    def learn(self, batch: Batch, rate: float) -> float:
        """One step of the optimiser; the loss before it."""
        first, last, absent = self.scores(batch)
        loss = span_loss(first, last, absent, batch.right.to(self.device), batch.asked.to(self.device))
        loss.backward()  # type: ignore[no-untyped-call]
        with torch.no_grad():
            for master, working in self._pairs:
                master.grad = None if working.grad is None else working.grad.float()
                working.grad = None
            torch.nn.utils.clip_grad_norm_(self.master.parameters(), 1.0)
            for group in self.optimizer.param_groups:
                group["lr"] = rate
            self.optimizer.step()
            for master, working in self._pairs:
                working.copy_(master)
        return float(loss.detach())

    def state(self) -> dict[str, Any]:
        return {"page": self.master.state_dict(), "optimizer": self.optimizer.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        self.master.load_state_dict(state["page"])
        self.working.load_state_dict(state["page"])
        self.optimizer.load_state_dict(state["optimizer"])
