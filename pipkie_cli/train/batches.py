"""Examples -> padded batches of the mini network, in few shapes: every new shape makes the CPU library compile."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pipkie_cli.models.mini import PLACE_FEATURES, SEGMENT_LENGTHS, MiniInputs

SEGMENTS_MULTIPLE, WORDS_MULTIPLE, KEYS_MULTIPLE = 64, 32, 4
_CUES = ("matches", "beside", "below", "in_row")

Spans = tuple[tuple[int, int], ...]
Segment = tuple[tuple[int, ...], tuple[int, ...]]  # ids with <s> and </s>; per piece its unit in the segment, or -1
ReadTexts = Callable[[Sequence[Segment]], Tensor]  # segments -> (U, D), their units one after the other


@dataclass(slots=True)
class Batch:
    """B windows; U units are the words and key texts whose pieces are averaged, each unit read once per batch."""

    pieces: list[tuple[Tensor, Tensor, Tensor, Tensor]]  # ids (S, T), is_piece (S, T), rows of pieces, their units
    per_unit: Tensor  # (U,) number of pieces
    units: Tensor | None  # (U, D) where the text stage has read them already; `pieces` is empty then
    words: Tensor  # (B, N) unit of every word
    places: Tensor  # (B, N, F)
    centres: Tensor  # (B, N, 2)
    is_word: Tensor  # (B, N)
    prompts: Tensor  # (B, K) units
    aliases: Tensor  # (B, K) units
    types: Tensor  # (B, K)
    matches: Tensor  # (B, K, N)
    beside: Tensor  # (B, K, N)
    below: Tensor  # (B, K, N)
    in_row: Tensor  # (B, K, N)
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
        self.known: dict[Segment, int] = {}  # segment -> number of its first unit, in ascending order
        self.sizes: list[int] = []

    def add(self, ids: tuple[int, ...], owners: tuple[int, ...]) -> int:
        """Number of the first unit; units of a segment follow one another. `owners`: unit in the segment, or -1."""
        base = self.known.get((ids, owners))
        if base is None:
            base = self.known[ids, owners] = len(self.sizes)
            count = max(owners) + 1
            self.sizes.extend(owners.count(unit) for unit in range(count))
        return base


def make_batch(
    inputs: Sequence[MiniInputs], answers: Sequence[Sequence[Spans]], pad: int, read: ReadTexts | None = None
) -> Batch:
    """Inputs with their right spans per key (() is ABSENT); `pad` is the id of the padding piece.

    `read` reads the segments here and now; without it the trainee does.
    """
    b, units = len(inputs), _Units()
    n = _up(max(len(one.places) for one in inputs), WORDS_MULTIPLE)
    k = _up(max(len(one.prompts) for one in inputs), KEYS_MULTIPLE)
    words, prompts, aliases, types = (np.zeros((b, size), np.int64) for size in (n, k, k, k))
    places, centres = np.zeros((b, n, PLACE_FEATURES), np.float32), np.zeros((b, n, 2), np.float32)
    is_word, asked = np.zeros((b, n), np.float32), np.zeros((b, k), bool)
    of_keys = {name: np.zeros((b, k, n), np.float32) for name in _CUES}
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
        types[row, :n_keys], asked[row, :n_keys] = one.types, True
        for name, array in of_keys.items():
            array[row, :n_keys, :n_words] = getattr(one, name)
        for key, key_spans in enumerate(spans):
            right.extend((row, key, first, last) for first, last in key_spans or ((-1, -1),))
    return Batch(
        pieces=[] if read else pad_segments(units.known, pad),
        per_unit=torch.tensor(units.sizes, dtype=torch.float32),
        units=read(list(units.known)) if read else None,
        words=torch.from_numpy(words),
        places=torch.from_numpy(places),
        centres=torch.from_numpy(centres),
        is_word=torch.from_numpy(is_word),
        prompts=torch.from_numpy(prompts),
        aliases=torch.from_numpy(aliases),
        types=torch.from_numpy(types),
        matches=torch.from_numpy(of_keys["matches"]),
        beside=torch.from_numpy(of_keys["beside"]),
        below=torch.from_numpy(of_keys["below"]),
        in_row=torch.from_numpy(of_keys["in_row"]),
        right=torch.tensor(right, dtype=torch.int64),
        asked=torch.from_numpy(asked),
    )


def pad_segments(segments: Mapping[Segment, int], pad: int) -> list[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Segments with the numbers of their first units -> per length: ids (S, T), is_piece (S, T), and the rows of the
    (S * T) pieces that belong to a unit with these units."""
    padded = []
    for shorter, length in zip((0, *SEGMENT_LENGTHS), SEGMENT_LENGTHS, strict=False):
        group = [(*segment, base) for segment, base in segments.items() if shorter < len(segment[0]) <= length]
        if not group:
            continue
        rows = _up(len(group), SEGMENTS_MULTIPLE)
        ids_array, owner_array = np.full((rows, length), pad, np.int64), np.full((rows, length), -1, np.int64)
        ids_array[:, 0] = 0  # rows of padding hold one piece, so that their softmax is defined
        for row, (ids, owners, base) in enumerate(group):
            ids_array[row, : len(ids)] = ids
            owner_array[row, : len(ids)] = [owner + base if owner >= 0 else -1 for owner in owners]
        owner_flat = torch.from_numpy(owner_array.ravel())
        source = (owner_flat >= 0).nonzero()[:, 0]
        ids_tensor = torch.from_numpy(ids_array)
        padded.append((ids_tensor, (ids_tensor != pad).float(), source, owner_flat[source]))
    return padded
