"""How the trainee does on pages that it does not learn from: right values per key, and values invented."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

import torch

from pipkie_cli.models.mini import PieceReader, decode, make_inputs
from pipkie_cli.nouns import Example, Key, Question, Word
from pipkie_cli.prompts import fold
from pipkie_cli.train.batches import make_batch
from pipkie_cli.train.real import NEVER, SETS, RealPage
from pipkie_cli.train.stream import window_of
from pipkie_cli.train.trainee import Trainee

TOGETHER = 4  # pages per forward


def questions_of(page: RealPage, shipped: Mapping[str, Mapping[str, Key]]) -> tuple[Question, ...]:
    """The shipped template's keys where they are labelled, the first prompt of the others, and what is never there."""
    known = shipped.get(page.kind, {})
    asked = [
        Question(known.get(name) or Key(name, SETS[page.kind][name][0], SETS[page.kind][name][1][0]), spans)
        for name, spans in page.spans.items()
    ]
    never = random.Random(0).sample(NEVER[page.kind], 4)
    return (*asked, *(Question(Key(prompt.replace(" ", "_"), kind, prompt), ()) for prompt, kind in never))


def validate(
    trainee: Trainee,
    sets: Mapping[str, Sequence[RealPage]],
    reader: PieceReader,
    shipped: Mapping[str, Mapping[str, Key]],
) -> dict[str, float]:
    """Per set: share of labelled values read right (as text), per key too, and the share of absent keys invented."""
    scores: dict[str, float] = {}
    for name, pages in sets.items():
        right: dict[str, list[bool]] = defaultdict(list)
        invented: list[bool] = []
        for at in range(0, len(pages), TOGETHER):
            for page, key, as_labelled in _judged(trainee, pages[at : at + TOGETHER], reader, shipped):
                (right[key] if page.spans.get(key) else invented).append(as_labelled)
        everything = [one for values in right.values() for one in values]
        scores[name] = sum(everything) / max(1, len(everything))
        scores[f"{name}.invented"] = 1 - sum(invented) / max(1, len(invented))
        scores.update({f"{name}.{key}": sum(values) / len(values) for key, values in sorted(right.items())})
    return scores


def _judged(
    trainee: Trainee, pages: Sequence[RealPage], reader: PieceReader, shipped: Mapping[str, Mapping[str, Key]]
) -> list[tuple[RealPage, str, bool]]:
    asked = [questions_of(page, shipped) for page in pages]
    windows = [
        window_of(Example(page.page, page.page_count, ()), [question.key for question in questions])
        for page, questions in zip(pages, asked, strict=True)
    ]
    inputs = [make_inputs(window, reader) for window in windows]
    batch = make_batch(inputs, [[()] * len(questions) for questions in asked], reader.pad)
    with torch.no_grad():
        first, last, absent = (scores.float().cpu().numpy() for scores in trainee.scores(batch))
    judged = []
    for row, (page, questions, window) in enumerate(zip(pages, asked, windows, strict=True)):
        n_keys, n_words = len(questions), len(window.words)
        of_keys = decode(first[row, :n_keys, :n_words], last[row, :n_keys, :n_words], absent[row, :n_keys], inputs[row])
        for question, found in zip(questions, of_keys, strict=True):
            judged.append((page, question.key.name, is_right(window.words, found[0].words, question.spans)))
    return judged


def is_right(words: Sequence[Word], span: tuple[int, int] | None, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a span prints one of the right ones; None is ABSENT."""
    if span is None or not spans:
        return span is None and not spans
    return _text(words, span) in {_text(words, one) for one in spans if one[1] < len(words)}


def _text(words: Sequence[Word], span: tuple[int, int]) -> str:
    return "".join(fold(word.text) for word in words[span[0] : span[1] + 1])
