"""`--decode ar`: an ordinary checkpoint, asked for all keys of a sheet in one JSON answer, word by word.

Behind the same protocol as the one-pass backend, so that the rest of the road does not know the difference. The
answer is a stranger's text (`json_answer.py`). What the model was not heard to say of a key is no ABSENT: it has a
flag, and a score so low that a record is for review.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pipkie_cli.models.checkpoint import multimodal_revision
from pipkie_cli.models.mllm.decode import UNHEARD
from pipkie_cli.models.mllm.dialogue import MAX_WRITTEN, encode_question, json_cost, json_limit, json_question_ids
from pipkie_cli.models.mllm.families import ImageInputs
from pipkie_cli.models.mllm.greedy import Line, read, write
from pipkie_cli.models.mllm.json_answer import MISSING, TRUNCATED, UNREADABLE, Said, read_json_answer
from pipkie_cli.models.mllm.load import Checkpoint, load_checkpoint
from pipkie_cli.models.mllm.prompt import Encoded
from pipkie_cli.models.mllm.spread import Spread, in_turn, spread
from pipkie_cli.models.mllm.ways import model_inputs
from pipkie_cli.nouns import Calibration, Key, Sheet, Written

MAX_PICTURES: Final = 4  # of one prompt, for a checkpoint that does not say


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One sheet, or some of its keys, as tokens and pixels. Picklable."""

    encoded: Encoded
    names: tuple[str, ...]
    limit: int  # tokens of the answer

    @property
    def cost(self) -> int:
        """Positions that are read or written."""
        return self.encoded.n_tokens + self.limit


def load(folder: Path, *, device: str = "cpu") -> "AutoregressiveBackend":
    """The checkpoint of a folder, trained for one pass or not. Raises ModelError."""
    return AutoregressiveBackend(load_checkpoint(folder, device=device, one_pass=False))


class AutoregressiveBackend:
    """One process, one device. `prepare` may run in other threads; `forward` in one at a time."""

    def __init__(self, checkpoint: Checkpoint, revision: str | None = None) -> None:
        self.checkpoint = checkpoint
        self.revision = revision or multimodal_revision(checkpoint.folder)
        self._ends = end_ids(checkpoint)
        self._banned = never_said(checkpoint, self._ends)

    @property
    def reads(self) -> Literal["pixels"]:
        return "pixels"

    @property
    def calibration(self) -> Calibration:
        """None was fitted: a sidecar's is for one pass."""
        return Calibration()

    @property
    def max_pictures(self) -> int:
        sidecar = self.checkpoint.sidecar
        return sidecar.max_pictures if sidecar else MAX_PICTURES

    def prepare(self, sheet: Sheet) -> Spread[Question]:
        checkpoint, keys = self.checkpoint, sheet.keys
        cap = checkpoint.sidecar.max_pixels if checkpoint.sidecar else checkpoint.family.max_pixels
        pictures = [picture.pixels for picture in sheet.pictures]
        images = checkpoint.family.image_inputs(pictures, sheet.max_pixels or cap)
        costs = [json_cost(checkpoint, key) for key in keys]
        return Spread(tuple(self._question(images, keys[some]) for some in spread(costs, MAX_WRITTEN)))

    def _question(self, images: ImageInputs, keys: Sequence[Key]) -> Question:
        encoded = encode_question(self.checkpoint, images, json_question_ids(self.checkpoint, images, keys))
        return Question(encoded, tuple(key.name for key in keys), json_limit(self.checkpoint, keys))

    def forward(self, batch: Sequence[Spread[Question]]) -> tuple[tuple[Written, ...], ...]:
        return in_turn(batch, self._answer)

    def _answer(self, batch: Sequence[Question]) -> tuple[tuple[Written, ...], ...]:
        import torch

        model = self.checkpoint.model
        with torch.inference_mode():
            reading = read(model, model_inputs(self.checkpoint, [one.encoded for one in batch]))
            banned = self._banned.to(model.device)
            lines = write(model, reading, [one.limit for one in batch], self._ends, banned)
        return tuple(self._heard(one.names, line) for one, line in zip(batch, lines, strict=True))

    def _heard(self, names: Sequence[str], line: Line) -> tuple[Written, ...]:
        answer = _text(self.checkpoint.tokenizer, line.ids)
        said = read_json_answer(answer, names, cut=not line.ended)
        return tuple(Written(one.text, self._score(line, one), flags=one.flags) for one in said)

    def _score(self, line: Line, said: Said) -> float:
        """Log-probability of the tokens in which the value stands."""
        if said.text is None and {MISSING, TRUNCATED, UNREADABLE} & set(said.flags):
            return UNHEARD

        def letters(count: int) -> int:
            return len(_text(self.checkpoint.tokenizer, line.ids[:count]))

        tokens = range(len(line.ids) + 1)
        first = bisect_right(tokens, said.start, key=letters) - 1  # the last count that ends before the value
        last = bisect_right(tokens, max(said.end - 1, said.start), key=letters)
        return sum(line.scores[first:last])


def end_ids(checkpoint: Checkpoint) -> frozenset[int]:
    """Every token that ends an answer of this checkpoint, by its tokenizer and its generation_config.json."""
    told = getattr(checkpoint.model.generation_config, "eos_token_id", None)
    ids = {checkpoint.end_id, checkpoint.tokenizer.eos_token_id, *(told if isinstance(told, list) else [told])}
    rows = checkpoint.model.get_output_embeddings().weight.shape[0]
    return frozenset(one for one in ids if isinstance(one, int) and 0 <= one < rows)


def never_said(checkpoint: Checkpoint, ends: frozenset[int]) -> Any:
    """(V,) bool on the model's device: special tokens but those that end an answer, and rows without a token."""
    import torch

    rows = checkpoint.model.get_output_embeddings().weight.shape[0]
    never = torch.zeros(rows, dtype=torch.bool)
    never[[one for one in checkpoint.tokenizer.added_tokens_decoder if one < rows]] = True
    never[len(checkpoint.tokenizer) :] = True
    never[sorted(ends)] = False
    return never.to(checkpoint.model.device)


def _text(tokenizer: Any, ids: Sequence[int]) -> str:
    return str(tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False))
