"""Which decoder layers look at what they read: measured where values are found among the words of the pages.

A layer hits a value where the hottest cell of its slots, as they are read (masks alone, one pass), lies on the value's
print. The layers that hit most, alone or together, are what the places of a record come from (`look` in pipkie.json).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from pipkie_cli.errors import DocumentError, InputError
from pipkie_cli.models.mllm import (
    MOST_LAYERS,
    Checkpoint,
    answer_ids,
    collate,
    encode_prompt,
    late_layers,
    load_checkpoint,
    over_pages,
    read_sidecar,
    slot_states,
    slots_for,
    watched,
    write_sidecar,
)
from pipkie_cli.nouns import Box, Input, Key, Page, RunOptions
from pipkie_cli.pages import read_pages
from pipkie_cli.train.align import find_spans
from pipkie_cli.train.pip_sources import LabelledSource, Pixels

BESIDE = 0.4  # of a cell: how far off the print the middle of the hottest cell may lie; lines are lower than a cell

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Pictures of one document, and where values of it stand there: per key every (picture, box) that prints it."""

    pictures: tuple[Pixels, ...]
    keys: tuple[Key, ...]
    values: tuple[str, ...]
    places: tuple[tuple[tuple[int, Box], ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What all layers looked at, of all values."""

    heads: npt.NDArray[np.bool_]  # (values, layers, H): which head hit
    layers: npt.NDArray[np.bool_]  # (values, layers): the mean of its heads
    heat: tuple[tuple[Floats, ...], ...]  # per value, per picture (layers, rows, columns): the mean of the heads
    places: tuple[tuple[tuple[int, Box], ...], ...]  # per value

    def hits(self, layers: Sequence[int]) -> float:
        """Share of values that the mean of these layers hits."""
        together = [[one[list(layers)].mean(0, keepdims=True) for one in heat] for heat in self.heat]
        return float(np.mean([_hit(heat, places)[0] for heat, places in zip(together, self.places, strict=True)]))


def choose_layers(looks: Looks) -> tuple[int, ...]:
    """The best layer, and up to MOST_LAYERS - 1 more as long as each raises the share of hits; the late ones if
    they hit more."""
    chosen: list[int] = []
    best = -1.0
    while len(chosen) < MOST_LAYERS:
        left = [one for one in range(looks.layers.shape[1]) if one not in chosen]
        if not left:
            break
        share, layer = max((looks.hits([*chosen, one]), -one) for one in left)
        if share <= best:
            break
        best, chosen = share, [*chosen, -layer]
    late = late_layers(looks.layers.shape[1])
    return late if looks.hits(late) > best else tuple(sorted(chosen))


def measure_looks(checkpoint: Checkpoint, documents: Iterable[Placed]) -> Looks:
    """One forward a document. Raises InputError where no value has a place."""
    heads, layers, heat, places = [], [], [], []
    for document in documents:
        for found, at in _looks_of(checkpoint, document):
            by_head = [one.reshape(-1, *one.shape[2:]) for one in found]  # (layers H, rows, columns) of each picture
            mean = tuple(one.mean(1) for one in found)
            heads.append(_hit(by_head, at).reshape(found[0].shape[:2]))
            layers.append(_hit(mean, at))
            heat.append(mean)
            places.append(at)
    if not heads:
        raise InputError("no labelled value stands on a page in so many words", hint="give more labelled documents")
    return Looks(np.stack(heads), np.stack(layers), tuple(heat), tuple(places))


def placed_documents(source: LabelledSource) -> Iterator[Placed]:
    """The documents of a labelled folder whose values are printed in so many words; the pages are read for it."""
    for number, label in enumerate(source.documents):
        options = RunOptions(templates=(), max_pages=source.max_pictures)
        try:
            sample, pages = source[number], read_pages(Input(label.path, label.shown), options).pages
        except DocumentError:
            continue
        known = [(key, value, _places(pages, value)) for key, value in sample.values if value]
        asked = [one for one in known if one[2]]
        if asked and len(pages) == len(sample.pictures):
            keys, values, places = zip(*asked, strict=True)
            yield Placed(sample.pictures, keys, values, places)


def set_look(folder: Path, documents: Iterable[Placed]) -> dict[str, Any]:
    """Measure a checkpoint's layers, write the best into its sidecar, and say what was measured. Raises ModelError."""
    figures = layer_figures(load_checkpoint(folder), documents)
    sidecar = read_sidecar(folder)
    assert sidecar is not None
    write_sidecar(folder, replace(sidecar, look=tuple(figures["look"])))
    return figures


def layer_figures(checkpoint: Checkpoint, documents: Iterable[Placed]) -> dict[str, Any]:
    """How many values each layer finds, which layers find most together, and what chance would find."""
    looks = measure_looks(checkpoint, documents)
    chosen = choose_layers(looks)
    return {
        "values": len(looks.places),
        "layers": [round(float(one), 4) for one in looks.layers.mean(0)],
        "best_head": [round(float(one), 4) for one in looks.heads.mean(0).max(1)],
        "look": list(chosen),
        "hits": round(looks.hits(chosen), 4),
        "late": round(looks.hits(late_layers(looks.layers.shape[1])), 4),
        "by_chance": round(_by_chance(looks), 4),
    }


def table_of(figures: dict[str, Any]) -> Iterator[str]:
    yield f"{figures['values']} values; share whose hottest cell lies on the value's print"
    yield "layer  mean of heads  best head"
    for number, (mean, head) in enumerate(zip(figures["layers"], figures["best_head"], strict=True)):
        yield f"{number:>5}  {mean:>13.3f}  {head:>9.3f}"
    yield f"chosen: {', '.join(map(str, figures['look']))}: {figures['hits']:.3f}"
    yield f"the last ones: {figures['late']:.3f}; any cell at random: {figures['by_chance']:.3f}"


def _looks_of(
    checkpoint: Checkpoint, document: Placed
) -> Iterator[tuple[tuple[Floats, ...], tuple[tuple[int, Box], ...]]]:
    """Per key: per picture (layers, H, rows, columns), the mean over the slots of its value; and its places."""
    slots = [slots_for(key, checkpoint.trained) for key in document.keys]
    row = encode_prompt(checkpoint, document.pictures, document.keys, slots)
    batch = collate([row], checkpoint.pad_id)
    n = len(checkpoint.family.language_layers(checkpoint.model))
    with torch.inference_mode(), watched(checkpoint, batch, range(n), by_head=True) as looked:
        slot_states(checkpoint, batch)
    weights = torch.stack([looked.layers[layer][0] for layer in range(n)]).cpu().numpy()  # (layers, H, slots, tokens)
    at = 0
    for place, value, places in zip(row.slots, document.values, document.places, strict=True):
        used = min(len(place), len(answer_ids(checkpoint, value)))
        of_value = weights[:, :, at : at + used].reshape(-1, weights.shape[-1])
        pages = over_pages(checkpoint.family, of_value, row.images).pictures
        yield tuple(one.reshape(*weights.shape[:2], used, *one.shape[1:]).mean(2) for one in pages), places
        at += len(place)


def _hit(heat: Sequence[Floats], places: Sequence[tuple[int, Box]]) -> npt.NDArray[np.bool_]:
    """(n,) of `heat` (n, rows, columns) per picture: whether the hottest cell of all pictures lies on a place."""
    hits = np.zeros(len(heat[0]), bool)
    tops = np.stack([one.reshape(len(one), -1).max(1) for one in heat])  # (pictures, n)
    for number in range(len(hits)):
        page = int(tops[:, number].argmax())
        rows, columns = heat[page].shape[1:]
        row, column = divmod(int(heat[page][number].argmax()), columns)
        hits[number] = any(_on(box, row, column, rows, columns) for picture, box in places if picture == page)
    return hits


def _on(box: Box, row: int, column: int, rows: int, columns: int) -> bool:
    x, y = (column + 0.5) / columns, (row + 0.5) / rows
    wide, high = BESIDE / columns, BESIDE / rows
    return box.left - wide <= x <= box.right + wide and box.top - high <= y <= box.bottom + high


def _by_chance(looks: Looks) -> float:
    """Share of all cells that would count as hits."""
    shares = []
    for heat, places in zip(looks.heat, looks.places, strict=True):
        cells = [
            any(_on(box, row, column, *one.shape[1:]) for picture, box in places if picture == page)
            for page, one in enumerate(heat)
            for row in range(one.shape[1])
            for column in range(one.shape[2])
        ]
        shares.append(np.mean(cells))
    return float(np.mean(shares))


def _places(pages: Sequence[Page], value: str) -> tuple[tuple[int, Box], ...]:
    """Every run of words that prints a value, as one box a printed line."""
    found = []
    for number, page in enumerate(pages):
        for first, last in find_spans(page.words, value):
            lines: dict[int, Box] = {}
            for word in page.words[first : last + 1]:
                lines[word.line] = lines[word.line].union(word.box) if word.line in lines else word.box
            found += [(number, box.as_displayed(page.turn)) for box in lines.values()]
    return tuple(found)
