"""An endless, seeded stream of batches: synthetic examples mixed with real ones, alike lengths together."""

import dataclasses
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.utils.data import IterableDataset, get_worker_info

from pipkie_cli.models.mini import MAX_SPAN, MiniInputs, PieceReader, make_inputs
from pipkie_cli.nouns import Cell, Example, Key, Locale, Question, Template, Window
from pipkie_cli.prompts import make_windows, stretches
from pipkie_cli.train.batches import Batch, ReadTexts, Spans, make_batch
from pipkie_cli.train.real import RealPage, make_real_example

_NO_LOCALE = Locale()
POOL = 16  # batches that are made together and cut from one list sorted by length


@dataclass(frozen=True, slots=True)
class Mix:
    """What a stream draws from. Shares are of documents."""

    real: Sequence[RealPage]
    shipped: Mapping[str, Mapping[str, Key]]  # template name -> key name -> key
    real_share: float = 0.35
    receipt_share: float = 0.55  # of the real ones; the rest are invoices
    batch_size: int = 16
    n_keys: int = 12
    n_cells: int = 16
    by_kind: dict[str, list[RealPage]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for page in self.real:
            if page.spans:
                self.by_kind.setdefault(page.kind, []).append(page)


def window_of(example: Example, keys: Sequence[Key], cells: Sequence[Cell] = ()) -> Window:
    """The first window of an example's page, asked for keys and cells."""
    template = Template("training", "", tuple(keys), _NO_LOCALE, (), (), "", "")
    return dataclasses.replace(make_windows([example.page], template, example.page_count)[0], cells=tuple(cells))


def cut(example: Example, rng: random.Random) -> Example:
    """One of the windows of a long page, with what it holds: a key whose value stands in another window is ABSENT."""
    n_words = len(example.page.words)
    first, end = rng.choice(list(stretches(n_words)))
    if end - first == n_words:
        return example
    questions = []
    for question in example.questions:
        torn = any(a < first <= b or a < end <= b for a, b in question.spans)
        row = tuple(index - first for index in question.row if first <= index < end)
        if torn or len(row) < len(question.row):
            continue
        spans = tuple((a - first, b - first) for a, b in question.spans if first <= a and b < end)
        questions.append(Question(question.key, spans, row))
    page = dataclasses.replace(example.page, words=example.page.words[first:end])
    return Example(page, example.page_count, tuple(questions))


def _can_be_pointed_at(span: tuple[int, int]) -> bool:
    """No longer than the spans that the loss sums over: it would fall below zero."""
    return span[1] - span[0] < MAX_SPAN


_Made = tuple[MiniInputs, list[Spans]]


class Stream(IterableDataset[Batch]):
    """Batches from `first` on: a resumed training goes on with documents it has not seen."""

    def __init__(
        self, mix: Mix, tokenizer_json: str, seed: int, first: int = 0, texts: ReadTexts | None = None
    ) -> None:
        self.mix, self.tokenizer_json, self.seed, self.first, self.texts = mix, tokenizer_json, seed, first, texts

    @property
    def pad(self) -> int:
        return PieceReader(self.tokenizer_json).pad

    def example(self, index: int) -> Example:
        """The document number `index` of this stream; the same whenever it is asked for."""
        rng = random.Random(f"{self.seed}:{index}")
        if self.mix.by_kind and rng.random() < self.mix.real_share:
            kind = "receipt" if rng.random() < self.mix.receipt_share else "invoice"
            pages = self.mix.by_kind.get(kind) or next(iter(self.mix.by_kind.values()))
            page = rng.choice(pages)
            return make_real_example(page, self.mix.shipped.get(page.kind, {}), rng, self.mix.n_keys)
        from pipkie_cli.synth import make_example

        return make_example(rng.getrandbits(61))

    def __iter__(self) -> Iterator[Batch]:
        """Of several workers each makes every so many-th pool."""
        reader, size = PieceReader(self.tokenizer_json), self.mix.batch_size
        worker = get_worker_info()
        if worker:
            torch.set_num_threads(1)
        skipped, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for first in itertools.count(self.first + skipped * POOL * size, step * POOL * size):
            made = [
                one for index in range(first, first + POOL * size) if (one := self._made(index, reader)) is not None
            ]
            made.sort(key=lambda one: one[0].cost)
            groups = [made[at : at + size] for at in range(0, len(made), size)]
            random.Random(f"{self.seed}:{first}:order").shuffle(groups)
            for group in groups:
                batch = make_batch([one for one, _ in group], [spans for _, spans in group], reader.pad, self.texts)
                batch.upto = first + POOL * size  # batches of a pool are shuffled: only behind it nothing was seen
                yield batch

    def _made(self, index: int, reader: PieceReader) -> _Made | None:
        return self._prepared(self.example(index), reader, random.Random(f"{self.seed}:{index}:keys"))

    def _prepared(self, example: Example, reader: PieceReader, rng: random.Random) -> _Made | None:
        if len(example.page.words) < 5 or not example.questions:
            return None
        example = cut(example, rng)
        kept = [q for q in example.questions if not q.spans or any(map(_can_be_pointed_at, q.spans))]
        rng.shuffle(kept)
        kept = [q for q in kept if not q.row][: self.mix.n_keys] + [q for q in kept if q.row][: self.mix.n_cells]
        if not kept:
            return None
        cells = [Cell("table", q.key, q.row) for q in kept if q.row]
        window = window_of(example, [q.key for q in kept if not q.row], cells)
        spans = [tuple(filter(_can_be_pointed_at, q.spans)) for q in kept]
        return make_inputs(window, reader), spans


def read_mix(pages: Sequence[RealPage], templates: Sequence[Template], **shares: float) -> Mix:
    shipped = {template.name: {key.name: key for key in template.keys} for template in templates}
    return Mix(pages, shipped, **shares)  # type: ignore[arg-type]


def tokenizer_of(folder: Path) -> str:
    return (folder / "tokenizer.json").read_text(encoding="utf-8")
