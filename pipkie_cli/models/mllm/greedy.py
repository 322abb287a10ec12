"""Word by word with a key-value cache: the likeliest token, again and again. For the baselines and for `--decode ar`.

Done by hand and not with `generate`, so that rows of several documents go together, a read prefix is kept for many
questions, and nothing of a checkpoint's generation_config.json (sampling, repetition penalty) or of the model object's
own state (`rope_deltas` of the last document) gets in: positions are always given. Tests hold it equal to `generate`.
Letters: B rows, T tokens read so far, N tokens added, V vocabulary, D width. Padding stands on the left.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import ModelError

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(slots=True, eq=False)
class Reading:
    """Rows as far as they were read. `write` and `ask` change it."""

    cache: Any  # keys and values (B, heads, T, D/heads) of every layer
    attended: "Tensor"  # (B, T) 1 where a token is, 0 where padding
    following: "Tensor"  # (B,) position of the next token
    last: "Tensor"  # (B, D) the last token's hidden state, behind the final norm


@dataclass(frozen=True, slots=True)
class Line:
    """What one row wrote, without the token that ended it."""

    ids: tuple[int, ...]
    scores: tuple[float, ...]  # log-probability of every token; one more for the end where it came
    ended: bool  # False: it was stopped at the limit


def require_causal(model: Any) -> None:
    """Raises ModelError where the model attends both ways: it would go on without complaint and write other tokens."""
    config = model.config.get_text_config()
    flags = [getattr(config, "is_causal", True)]
    flags += [getattr(part, "is_causal", True) for part in _attentions(model)]
    if not all(flag is not False for flag in flags):
        raise ModelError(
            "the model attends in both directions, so it cannot write word by word",
            hint="load it without one-pass use; the flag must never be left on",
        )


def _attentions(model: Any) -> Iterator[Any]:
    return (layer.self_attn for layer in model.model.language_model.layers)


def read(model: Any, inputs: Mapping[str, Any]) -> Reading:
    """Read prompts with their pictures: (B, T) input_ids padded on the left, attention_mask, pictures or features."""
    require_causal(model)
    positions = _positions(model, inputs)
    out = model.model(**inputs, position_ids=positions, use_cache=True)
    highest = positions if positions.ndim == 2 else positions.amax(0)  # (B, T)
    following = highest.masked_fill(inputs["attention_mask"] == 0, -1).amax(1) + 1
    return Reading(out.cache, inputs["attention_mask"], following, _last(out))


def _positions(model: Any, inputs: Mapping[str, Any]) -> "Tensor":
    """(B, T), or (3, B, T) for families whose pictures have positions in the plane."""
    attended = inputs["attention_mask"]
    if hasattr(model.model, "get_rope_index"):
        names = ("input_ids", "mm_token_type_ids", "image_grid_thw", "attention_mask")
        positions, _ = model.model.get_rope_index(**{name: inputs[name] for name in names})
        return positions  # type: ignore[no-any-return]
    return (attended.long().cumsum(1) - 1).clamp(min=0)  # type: ignore[no-any-return]


def ask(model: Any, reading: Reading, ids: "Tensor", real: "Tensor") -> None:
    """Read more tokens in every row: ids (B, N), real (B, N) 1 where a token is; padding on the left."""
    import torch

    steps = real.long().cumsum(1)  # (B, N)
    positions = (reading.following[:, None] + steps - 1).clamp(min=0)
    if hasattr(model.model, "get_rope_index"):
        positions = positions[None].expand(3, -1, -1)  # text has the same position three times
    reading.attended = torch.cat([reading.attended, real.to(reading.attended.dtype)], 1)
    out = model.model(
        input_ids=ids, attention_mask=reading.attended, position_ids=positions, cache=reading.cache, use_cache=True
    )
    reading.following = reading.following + steps[:, -1]
    reading.last = _last(out)


def _last(out: Any) -> "Tensor":
    """(B, D), copied: a view would keep (B, T, D) alive for as long as the row is written."""
    return out.last_hidden_state[:, -1].clone()  # type: ignore[no-any-return]


@contextmanager
def kept(reading: Reading) -> Iterator[Reading]:
    """Within, the reading may be asked and written on; afterwards it is as it was."""
    attended, following, last = reading.attended, reading.following, reading.last
    yield reading
    reading.cache.crop(attended.shape[1] - reading.attended.shape[1])
    reading.attended, reading.following, reading.last = attended, following, last


def repeat(reading: Reading, times: int) -> None:
    """Every row so many times, one after the other."""
    reading.cache.batch_repeat_interleave(times)
    for name in ("attended", "following", "last"):
        setattr(reading, name, getattr(reading, name).repeat_interleave(times, 0))


def write(
    model: Any, reading: Reading, limits: Sequence[int], ends: Collection[int], banned: "Tensor | None" = None
) -> list[Line]:
    """Go on in every row until it ends or has so many tokens, one at least; banned (V,) tokens are never taken."""
    import torch

    device = reading.last.device
    limit = torch.tensor(limits, device=device)
    ending = torch.tensor(sorted(ends), dtype=torch.long, device=device)
    chosen: list[Tensor] = []
    scores: list[Tensor] = []
    done = torch.zeros_like(limit, dtype=torch.bool)
    ended = torch.zeros_like(done)
    one = torch.ones(len(limits), 1, dtype=torch.long, device=device)
    counts = torch.zeros_like(limit)  # tokens of every row, with the one that ended it
    while True:
        logits = model.lm_head(reading.last).float()  # (B, V)
        if banned is not None:
            logits.masked_fill_(banned, -torch.inf)
        best, token = logits.max(-1)  # (B,)
        scores.append(best - logits.logsumexp(-1))
        chosen.append(token)
        counts += ~done
        ends_now = torch.isin(token, ending) & ~done
        ended |= ends_now
        done = done | ends_now | (counts >= limit)
        if bool(done.all()):  # the one wait for the device in a step
            break
        ask(model, reading, token[:, None], one)
    return _lines(chosen, scores, counts, ended)


def _lines(chosen: "list[Tensor]", scores: "list[Tensor]", counts: "Tensor", ended: "Tensor") -> list[Line]:
    import torch

    ids, told = torch.stack(chosen, 1).tolist(), torch.stack(scores, 1).tolist()  # (B, steps)
    return [
        Line(tuple(row[: count - end]), tuple(scored[:count]), bool(end))
        for row, scored, count, end in zip(ids, told, counts.tolist(), ended.tolist(), strict=True)
    ]
