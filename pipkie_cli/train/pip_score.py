"""How well a multimodal checkpoint does while it learns: on held-out texts, or documents judged as by `evaluate`."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch

from pipkie_cli.errors import DocumentError, InputError
from pipkie_cli.evaluate import judge
from pipkie_cli.models import PixelBackend
from pipkie_cli.nouns import Calibration, Key, Picture, Sheet, Written
from pipkie_cli.train.calibrate import Sample as Platt
from pipkie_cli.train.calibrate import _platt
from pipkie_cli.train.pip_loop import Loop
from pipkie_cli.train.pip_rows import Rows
from pipkie_cli.train.pip_sources import LabelledSource, Sample, Source

MASKS = 1 << 40  # seed of the masks of held-out samples: the same at every look
BATCH = 8  # rows, or documents, of one forward


def score_texts(loop: Loop, rows: Rows, held_out: Source) -> dict[str, float]:
    """Loss and share of right slots of held-out samples; "score" decides which weights are best."""
    loss = right = slots = share = 0.0
    opened = _opened(held_out)
    while some := list(islice(opened, BATCH)):  # the pictures of all of them would fill the memory
        made = tuple(row for number, one in some for row in rows.make(one, np.random.default_rng(MASKS + number)))
        batch = rows.collate([(made, 0)])
        with torch.no_grad():
            lost, filled = loop.forward(batch)
        loss, right = loss + float(lost), right + filled
        share, slots = share + batch.share, slots + len(batch.targets)
    loss, right = loss / share, right / slots
    return {"score": -loss, "loss": loss, "right": right}


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled key of a held-out document, and what was written for it."""

    key: str
    group: str  # of documents by one sender
    written: Written
    expected: bool  # False: the label says that the document does not hold it
    right: bool
    anls: float


def score_documents(backend: PixelBackend, source: LabelledSource) -> dict[str, float]:
    """Means over keys of exact match, and ANLS, of text as written; a null label is right where nothing is written.

    "invented" is the share of null labels that got a value. Of equal exact matches the better ANLS is the better score.
    """
    exact: dict[str, list[float]] = defaultdict(list)
    judged = list(judge_documents(backend, source))
    for one in judged:
        exact[one.key].append(float(one.right))
    mean = _mean([_mean(rights) for rights in exact.values()])
    similar = _mean([one.anls for one in judged if one.expected])
    invented = [float(not one.right) for one in judged if not one.expected]
    figures = {"score": mean + 1e-3 * similar, "exact": mean, "anls": similar}
    return figures | ({"invented": _mean(invented)} if invented else {})


def fit_calibration(backend: PixelBackend, source: LabelledSource) -> Calibration:
    """Scale and shift that turn the held-out documents' scores into confidences, for values and for "unknown" apart."""
    judged = list(judge_documents(backend, source))
    values, absent = (
        [
            Platt(one.group, math.exp(one.written.score), one.right)
            for one in judged
            if (one.written.text is None) is none
        ]
        for none in (False, True)
    )
    return Calibration(pixels=_platt(values), absent=_platt(absent))


def judge_documents(backend: PixelBackend, source: LabelledSource) -> Iterator[Judged]:
    """Every trusted label against what was written, compared as `pipkie eval` compares printed text."""
    for number, written in _written(backend, source):
        label, names = source.documents[number], source.names(number)
        for key in source.keys[number]:
            if key.columns or key.name not in names:
                continue
            expected, one = label.values[names[key.name]], written[key.name]
            found = judge(key, expected, label.printed.get(names[key.name], ()), one.text, None, source.rules)
            right = found.exact if expected else one.text is None
            yield Judged(key.name, label.group or label.shown, one, bool(expected), right, found.anls)


def _written(backend: PixelBackend, source: LabelledSource) -> Iterator[tuple[int, Mapping[str, Written]]]:
    """Per document that can be opened, what the model wrote for every key of its template."""
    waiting: list[tuple[int, tuple[Key, ...], object]] = []
    for number, sample in _opened(source):
        keys = tuple(key for key in source.keys[number] if not key.columns)
        pictures = tuple(Picture(at, pixels) for at, pixels in enumerate(sample.pictures[: backend.max_pictures]))
        waiting.append((number, keys, backend.prepare(Sheet(pictures, len(pictures), keys))))
        if len(waiting) == BATCH:
            yield from _forward(backend, waiting)
            waiting = []
    if waiting:
        yield from _forward(backend, waiting)


def _forward(
    backend: PixelBackend, waiting: list[tuple[int, tuple[Key, ...], object]]
) -> Iterator[tuple[int, Mapping[str, Written]]]:
    answers = backend.forward([prepared for _, _, prepared in waiting])
    for (number, keys, _), written in zip(waiting, answers, strict=True):
        yield number, {key.name: one for key, one in zip(keys, written, strict=True)}


def _opened(source: Source) -> Iterator[tuple[int, Sample]]:
    """Samples with their numbers; one that cannot be opened measures nothing. Raises InputError where none can."""
    opened, last = 0, ""
    for number in range(len(source)):
        try:
            sample = source[number]
        except DocumentError as error:
            last = error.message
            continue
        opened += 1
        yield number, sample
    if not opened:
        raise InputError(f"no held-out sample can be opened; the last one: {last}", hint="mend or remove them")


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
