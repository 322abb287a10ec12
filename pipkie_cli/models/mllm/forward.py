"""Rows of tokens -> scores at their slots. The (B, L, V) tensor of all scores is never made (PIP, eq. 4).

Letters: B rows, L positions, n slots of all rows in row-major order, D width, V vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipkie_cli.models.mllm.attention import bidirectional
from pipkie_cli.models.mllm.heat import look_layers, watched
from pipkie_cli.models.mllm.load import Checkpoint
from pipkie_cli.models.mllm.prompt import NO_TARGET, Encoded

Array = npt.NDArray[Any]

CHUNK = 512  # slots projected at once: 512 x 152,000 float32 scores are 0.3 GB


def collate(encoded: Sequence[Encoded], pad_id: int, side: Literal["right", "left"] = "right") -> dict[str, Any]:
    """Rows as tensors on the CPU: input_ids, attention_mask, token_types (B, L) int64, slots (B, L) bool,
    pixel_values, grid, and, where every row has targets, targets (B, L).

    Raises ValueError for a row whose image tokens and pictures do not match: the model only compares their sums.
    """
    import torch

    length = max(one.n_tokens for one in encoded)
    shape = (len(encoded), length)
    ids, types = np.full(shape, pad_id, np.int64), np.zeros(shape, np.int64)
    targets, seen, slots = np.full(shape, NO_TARGET, np.int64), np.zeros(shape, np.int64), np.zeros(shape, bool)
    for row, one in enumerate(encoded):
        if int(one.token_types.sum()) != sum(one.images.n_tokens):
            raise ValueError(f"row {row}: {int(one.token_types.sum())} image tokens for {one.images.n_tokens}")
        first = 0 if side == "right" else length - one.n_tokens
        inside = slice(first, first + one.n_tokens)
        ids[row, inside], types[row, inside], seen[row, inside] = one.input_ids, one.token_types, 1
        if one.targets is not None:
            targets[row, inside] = one.targets
        for place in one.slots:
            slots[row, first + place.start : first + place.stop] = True
    arrays = {"input_ids": ids, "token_types": types, "attention_mask": seen, "slots": slots}
    if all(one.targets is not None for one in encoded):
        arrays["targets"] = targets
    arrays["pixel_values"] = np.concatenate([one.images.pixel_values for one in encoded])
    grids = [one.images.grid for one in encoded if one.images.grid is not None]
    if grids:
        arrays["grid"] = np.concatenate(grids)
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """All slots of one row after a forward."""

    tokens: Array  # (n,) int64: the likeliest of each
    scores: Array  # (n,) float32: their log-probabilities
    looks: Array  # (n, m) float32: where each looked, of the m tokens of the row's pictures


def fill_slots(checkpoint: Checkpoint, rows: Sequence[Encoded]) -> list[Filled]:
    """What stands in the slots of every row; one forward."""
    import torch

    batch = collate(rows, checkpoint.pad_id)
    with torch.inference_mode(), watched(checkpoint, batch, look_layers(checkpoint)) as looked:
        tokens, scores = best_tokens(checkpoint, slot_states(checkpoint, batch))
    ends = np.cumsum([sum(len(place) for place in row.slots) for row in rows])[:-1]
    parts = zip(np.split(tokens.cpu().numpy(), ends), np.split(scores.cpu().numpy(), ends), strict=True)
    return [Filled(*part, looked.mean(row).numpy()) for row, part in enumerate(parts)]


def slot_states(checkpoint: Checkpoint, batch: Mapping[str, Any]) -> Any:
    """(n, D): hidden states at the slots, after the final norm; one bidirectional pass."""
    model = checkpoint.model
    device = model.device
    batch = {name: tensor.to(device, non_blocking=True) for name, tensor in batch.items()}
    with bidirectional(model):
        whole = _body(model)(**checkpoint.family.forward_inputs(batch), use_cache=False).last_hidden_state  # (B, L, D)
    return whole[batch["slots"]]  # (n, D)


def slot_logits(checkpoint: Checkpoint, batch: Mapping[str, Any]) -> Any:
    """(n, V) float32 scores at the slots; tokens that no value may hold are -inf. With gradients, unless turned off."""
    return _scores(checkpoint, slot_states(checkpoint, batch), never_written(checkpoint))


def best_tokens(checkpoint: Checkpoint, states: Any) -> tuple[Any, Any]:
    """The likeliest token of every slot, (n,) int64, and its log-probability, (n,) float32; a chunk at a time."""
    import torch

    never = never_written(checkpoint)
    tokens, scores = [], []
    for chunk in states.split(CHUNK):
        logits = _scores(checkpoint, chunk, never)  # (chunk, V)
        best, token = logits.max(-1)
        tokens.append(token)
        scores.append(best - logits.logsumexp(-1))
    return torch.cat(tokens), torch.cat(scores)


def never_written(checkpoint: Checkpoint) -> Any:
    """(V,) bool, on the model's device: special tokens but the end of a value, and rows without a token.

    Made once for a checkpoint, and again where its model was moved or its table has grown.
    """
    table = checkpoint.model.get_output_embeddings().weight
    place = (table.device, table.shape[0])
    if place not in checkpoint.never:
        checkpoint.never[place] = _never_written(checkpoint, *place)
    return checkpoint.never[place]


def _never_written(checkpoint: Checkpoint, device: Any, rows: int) -> Any:
    import torch

    with torch.inference_mode(False):  # training takes it too, which no tensor of inference may enter
        never = torch.zeros(rows, dtype=torch.bool)
        never[list(checkpoint.tokenizer.added_tokens_decoder)] = True
        never[len(checkpoint.tokenizer) :] = True
        never[checkpoint.trained.mask_id] = True
        never[checkpoint.end_id] = False
        return never.to(device)


def _scores(checkpoint: Checkpoint, states: Any, never: Any) -> Any:
    """(n, D) -> (n, V) float32."""
    logits = checkpoint.model.get_output_embeddings()(states).float()  # (n, V)
    return logits.masked_fill(never, float("-inf"))


def _body(model: Any) -> Any:
    """The network under the vocabulary head; adapters of a model in training stay within it."""
    return (model.get_base_model() if hasattr(model, "get_base_model") else model).model
