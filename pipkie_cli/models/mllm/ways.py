"""Five ways to write the values of all keys word by word, from the weights that fill them in one pass.

They differ in what is kept between the keys of a document, and give the same values but for the last, which asks in
another form:

    per_key      nothing: every key reads the whole prompt and its pictures anew (what the paper's speed-ups seem to be
                 over: its baselines "generate outputs for each key sequentially", arXiv 2601.19613)
    vision_kept  the vectors of the pictures
    prefix_kept  also keys and values of pictures and instruction: a key reads its own question only
    batched      as prefix_kept, all keys in one batch
    json         one prompt for all keys, one answer

Every way goes over one or more documents at once, which share the keys. Equal to `generate` in tests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipkie_cli.models.mllm.dialogue import encode_question, json_question_ids, key_question_ids, prefix_ids
from pipkie_cli.models.mllm.families import ImageInputs
from pipkie_cli.models.mllm.forward import collate
from pipkie_cli.models.mllm.greedy import Line, ask, kept, read, repeat, write
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.models.mllm.prompt import Encoded
from pipkie_cli.nouns import Key


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What is asked of which documents, and when an answer ends."""

    checkpoint: Checkpoint
    documents: tuple[ImageInputs, ...]
    keys: tuple[Key, ...]
    limits: tuple[int, ...]  # tokens, per key
    json_limit: int
    ends: frozenset[int]  # tokens that end an answer; none of them: every answer has as many tokens as its limit
    banned: Any = None  # (V,) True for tokens that are never written


Lines = list[list[Line]]  # per document, per key; of the JSON way one line a document


def per_key(task: Task) -> Lines:
    """One prompt per key, nothing kept."""
    return _by_document([_whole(task, key, limit, None) for key, limit in _asked(task)])


def vision_kept(task: Task) -> Lines:
    """One prompt per key; the pictures are seen once."""
    features = _features(task)
    return _by_document([_whole(task, key, limit, features) for key, limit in _asked(task)])


def prefix_kept(task: Task) -> Lines:
    """One question per key, on the pictures and instruction as they were read once."""
    model, reading = task.checkpoint.model, _read_prefix(task)
    lines = []
    for key, limit in _asked(task):
        ids = _tensor(task, [key_question_ids(task.checkpoint, key)] * len(task.documents))
        with kept(reading):
            ask(model, reading, *ids)
            lines.append(write(model, reading, [limit] * len(task.documents), task.ends, task.banned))
    return _by_document(lines)


def batched(task: Task) -> Lines:
    """All questions of all documents as one batch, on the prefix repeated."""
    model, reading, n = task.checkpoint.model, _read_prefix(task), len(task.documents)
    repeat(reading, len(task.keys))
    ask(model, reading, *_tensor(task, [key_question_ids(task.checkpoint, key) for key in task.keys] * n))
    lines = write(model, reading, task.limits * n, task.ends, task.banned)
    return [lines[at : at + len(task.keys)] for at in range(0, len(lines), len(task.keys))]


def json_prompt(task: Task) -> Lines:
    """One prompt and one answer a document."""
    model = task.checkpoint.model
    rows = [json_question_ids(task.checkpoint, images, task.keys) for images in task.documents]
    reading = read(model, _inputs(task, rows))
    lines = write(model, reading, [task.json_limit] * len(rows), task.ends, task.banned)
    return [[line] for line in lines]


WAYS: Mapping[str, Callable[[Task], Lines]] = {
    "per_key": per_key,
    "vision_kept": vision_kept,
    "prefix_kept": prefix_kept,
    "batched": batched,
    "json": json_prompt,
}


def _asked(task: Task) -> "zip[tuple[Key, int]]":
    return zip(task.keys, task.limits, strict=True)


def _by_document(lines: Lines) -> Lines:
    """Per key, per document -> per document, per key."""
    return [list(row) for row in zip(*lines, strict=True)]


def _whole(task: Task, key: Key, limit: int, features: Any) -> list[Line]:
    question = key_question_ids(task.checkpoint, key)
    inputs = _inputs(task, [[*prefix_ids(task.checkpoint, images), *question] for images in task.documents])
    if features is not None:
        del inputs["pixel_values"]
        inputs["mm_encoder_outputs"] = {"image": features}  # a new one each time: the model takes them out
    model = task.checkpoint.model
    return write(model, read(model, inputs), [limit] * len(task.documents), task.ends, task.banned)


def _read_prefix(task: Task) -> Any:
    rows = [prefix_ids(task.checkpoint, images) for images in task.documents]
    return read(task.checkpoint.model, _inputs(task, rows))


def _features(task: Task) -> Any:
    """The vectors of all pictures, as the model's own call would make them."""
    rows = [prefix_ids(task.checkpoint, images) for images in task.documents]
    inputs = _inputs(task, rows)
    names = ("pixel_values", "image_grid_thw")
    return task.checkpoint.model.model.get_image_features(**{name: inputs[name] for name in names if name in inputs})


def _inputs(task: Task, rows: Sequence[Sequence[int]]) -> dict[str, Any]:
    encoded = [encode_question(task.checkpoint, *one) for one in zip(task.documents, rows, strict=True)]
    return model_inputs(task.checkpoint, encoded)


def model_inputs(checkpoint: Checkpoint, encoded: Sequence[Encoded]) -> dict[str, Any]:
    """A batch, padded on the left, on the model's device, under the names of the model's call."""
    batch = collate(encoded, checkpoint.pad_id, side="left")
    device = checkpoint.model.device
    return checkpoint.family.forward_inputs({name: tensor.to(device) for name, tensor in batch.items()})


def _tensor(task: Task, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """ids, real (B, N), padded on the left."""
    import torch

    length = max(map(len, rows))
    ids = [[task.checkpoint.pad_id] * (length - len(row)) + list(row) for row in rows]
    real = [[0] * (length - len(row)) + [1] * len(row) for row in rows]
    device = task.checkpoint.model.device
    return torch.tensor(ids, device=device), torch.tensor(real, device=device)
