"""An endless, seeded stream of batches: synthetic examples mixed with real ones, alike lengths together."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torch.utils.data import IterableDataset

from pipkie_cli.models.mini import MAX_SPAN, MiniInputs, PieceReader, make_inputs
from pipkie_cli.nouns import Example, Key, Locale, Template, Window
from pipkie_cli.prompts import make_windows
from pipkie_cli.train.batches import Batch, Spans, make_batch
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
    by_kind: dict[str, list[RealPage]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for page in self.real:
            if page.spans:
                self.by_kind.setdefault(page.kind, []).append(page)


def window_of(example: Example, keys: Sequence[Key]) -> Window:
    """The first window of an example's page; training pages are cut so that there is one."""
    template = Template("training", "", tuple(keys), _NO_LOCALE, (), (), "", "")
    return make_windows([example.page], template, example.page_count)[0]


def _can_be_pointed_at(span: tuple[int, int], n_words: int) -> bool:
    """Within the window, and no longer than the spans that the loss sums over: it would fall below zero."""
    return span[1] < n_words and span[1] - span[0] < MAX_SPAN


_Made = tuple[MiniInputs, list[Spans]]


class Stream(IterableDataset[Batch]):
    """Batches from `first` on: a resumed training goes on with documents it has not seen."""

    def __init__(self, mix: Mix, tokenizer_json: str, seed: int, first: int = 0) -> None:
        self.mix, self.tokenizer_json, self.seed, self.first = mix, tokenizer_json, seed, first

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
        reader = PieceReader(self.tokenizer_json)
        index = self.first
        while True:
            made: list[_Made] = []
            while len(made) < POOL * self.mix.batch_size:
                prepared = self._prepared(self.example(index), reader, random.Random(f"{self.seed}:{index}:keys"))
                index += 1
                if prepared is not None:
                    made.append(prepared)
            made.sort(key=lambda one: one[0].cost)
            size = self.mix.batch_size
            groups = [made[at : at + size] for at in range(0, len(made), size)]
            random.Random(f"{self.seed}:{index}:order").shuffle(groups)
            for group in groups:
                batch = make_batch([one for one, _ in group], [spans for _, spans in group], reader.pad)
                batch.upto = index  # batches of a pool are shuffled: only behind it nothing was seen
                yield batch

    def _prepared(self, example: Example, reader: PieceReader, rng: random.Random) -> _Made | None:
        if len(example.page.words) < 5 or not example.questions:
            return None
        questions = list(example.questions)
        rng.shuffle(questions)
        questions = questions[: self.mix.n_keys]
        window = window_of(example, [question.key for question in questions])
        n_words = len(window.words)
        kept = [q for q in questions if not q.spans or any(_can_be_pointed_at(span, n_words) for span in q.spans)]
        if not kept:
            return None
        window = window_of(example, [question.key for question in kept])
        spans = [tuple(span for span in q.spans if _can_be_pointed_at(span, n_words)) for q in kept]
        return make_inputs(window, reader), spans


def read_mix(pages: Sequence[RealPage], templates: Sequence[Template], **shares: float) -> Mix:
    shipped = {template.name: {key.name: key for key in template.keys} for template in templates}
    return Mix(pages, shipped, **shares)  # type: ignore[arg-type]


def tokenizer_of(folder: Path) -> str:
    return (folder / "tokenizer.json").read_text(encoding="utf-8")
