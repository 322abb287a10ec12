"""Examples -> padded batches of the mini network, in few shapes: every new shape makes the CPU library compile."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pipkie_cli.models.mini import PLACE_FEATURES, SEGMENT_LENGTHS, MiniInputs

SEGMENTS_MULTIPLE, WORDS_MULTIPLE, KEYS_MULTIPLE = 64, 32, 4

Spans = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Batch:
    """B windows; U units are the words and key texts whose pieces are averaged, each unit read once per batch."""

    pieces: list[tuple[Tensor, Tensor, Tensor, Tensor]]  # ids (S, T), is_piece (S, T), rows of pieces, their units
    per_unit: Tensor  # (U,) number of pieces
    words: Tensor  # (B, N) unit of every word
    places: Tensor  # (B, N, F)
    centres: Tensor  # (B, N, 2)
    is_word: Tensor  # (B, N)
    prompts: Tensor  # (B, K) units
    aliases: Tensor  # (B, K) units
    types: Tensor  # (B, K)
    matches: Tensor  # (B, K, N)
    right: Tensor  # (R, 4)
    asked: Tensor  # (B, K) bool
    upto: int = 0  # a run that learnt this batch goes on with this document of the stream


def _up(n: int, multiple: int) -> int:
    return max(multiple, -(-n // multiple) * multiple)


class _Units:
    """Segments seen in a batch, each once, and the numbers of their units.

    A label on the page and a key's text may be the same pieces: two words there, one unit here. They are not shared.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self.segments: list[tuple[tuple[int, ...], tuple[int, ...]]] = []  # ids, unit per piece or -1
        self.sizes: list[int] = []

    def add(self, ids: tuple[int, ...], owners: tuple[int, ...]) -> int:
        """Number of the first unit; units of a segment follow one another. `owners`: unit in the segment, or -1."""
        base = self.known.get((ids, owners))
        if base is None:
            base = self.known[ids, owners] = len(self.sizes)
            count = max(owners) + 1
            self.sizes.extend(owners.count(unit) for unit in range(count))
            self.segments.append((ids, tuple(owner + base if owner >= 0 else -1 for owner in owners)))
        return base


def make_batch(inputs: Sequence[MiniInputs], answers: Sequence[Sequence[Spans]], pad: int) -> Batch:
    """Inputs with their right spans per key (() is ABSENT); `pad` is the id of the padding piece."""
    b, units = len(inputs), _Units()
    n = _up(max(len(one.places) for one in inputs), WORDS_MULTIPLE)
    k = _up(max(len(one.prompts) for one in inputs), KEYS_MULTIPLE)
    words, prompts, aliases, types = (np.zeros((b, size), np.int64) for size in (n, k, k, k))
    places, centres = np.zeros((b, n, PLACE_FEATURES), np.float32), np.zeros((b, n, 2), np.float32)
    is_word, matches, asked = np.zeros((b, n), np.float32), np.zeros((b, k, n), np.float32), np.zeros((b, k), bool)
    right: list[tuple[int, int, int, int]] = []
    for row, (one, spans) in enumerate(zip(inputs, answers, strict=True)):
        n_words, n_keys = len(one.places), len(one.prompts)
        for ids, owners in zip(one.segments, one.segment_words, strict=True):
            start = min(owner for owner in owners if owner >= 0)
            base = units.add(ids, tuple(owner - start if owner >= 0 else -1 for owner in owners))
            stop = max(owners) + 1
            words[row, start:stop] = np.arange(base, base + stop - start)
        for texts, rows in ((one.prompts, prompts), (one.aliases, aliases)):
            rows[row, :n_keys] = [units.add(ids, (-1, *([0] * (len(ids) - 2)), -1)) for ids in texts]
        places[row, :n_words], centres[row, :n_words], is_word[row, :n_words] = one.places, one.centres, 1
        types[row, :n_keys], matches[row, :n_keys, :n_words], asked[row, :n_keys] = one.types, one.matches, True
        for key, key_spans in enumerate(spans):
            right.extend((row, key, first, last) for first, last in key_spans or ((-1, -1),))
    return Batch(
        pieces=_pad_segments(units.segments, pad),
        per_unit=torch.tensor(units.sizes, dtype=torch.float32),
        words=torch.from_numpy(words),
        places=torch.from_numpy(places),
        centres=torch.from_numpy(centres),
        is_word=torch.from_numpy(is_word),
        prompts=torch.from_numpy(prompts),
        aliases=torch.from_numpy(aliases),
        types=torch.from_numpy(types),
        matches=torch.from_numpy(matches),
        right=torch.tensor(right, dtype=torch.int64),
        asked=torch.from_numpy(asked),
    )


def _pad_segments(
    segments: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], pad: int
) -> list[tuple[Tensor, Tensor, Tensor, Tensor]]:
    padded = []
    for shorter, length in zip((0, *SEGMENT_LENGTHS), SEGMENT_LENGTHS, strict=False):
        group = [(ids, owners) for ids, owners in segments if shorter < len(ids) <= length]
        if not group:
            continue
        rows = _up(len(group), SEGMENTS_MULTIPLE)
        ids_array, owner_array = np.full((rows, length), pad, np.int64), np.full((rows, length), -1, np.int64)
        ids_array[:, 0] = 0  # rows of padding hold one piece, so that their softmax is defined
        for row, (ids, owners) in enumerate(group):
            ids_array[row, : len(ids)] = ids
            owner_array[row, : len(ids)] = owners
        owner_flat = torch.from_numpy(owner_array.ravel())
        source = (owner_flat >= 0).nonzero()[:, 0]
        ids_tensor = torch.from_numpy(ids_array)
        padded.append((ids_tensor, (ids_tensor != pad).float(), source, owner_flat[source]))
    return padded
