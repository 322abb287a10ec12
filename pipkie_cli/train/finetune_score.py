"""How right a model is: on held-out labelled documents, and on made-up ones for the shipped templates' keys."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch

from pipkie_cli.evaluate import Judged, Labelled, PipelineRoad, SetRules, judge_document
from pipkie_cli.models import Backend
from pipkie_cli.models.mini import MiniInputs, PieceReader, decode, make_inputs
from pipkie_cli.nouns import Calibration, Candidate, Example, Key, RunOptions, Template, Window
from pipkie_cli.pages import ReadDocument
from pipkie_cli.synth import make_example
from pipkie_cli.train.batches import ReadTexts, make_batch
from pipkie_cli.train.calibrate import HELD_OUT_SEEDS
from pipkie_cli.train.stream import window_of
from pipkie_cli.train.trainee import Trainee
from pipkie_cli.train.validate import is_right

CHECKED = 1 << 20  # made-up documents from here on measure, those before calibrate


class TraineeBackend:
    """The network while it learns, as a backend: what is measured between two steps goes the road of extraction."""

    reads: Literal["words"] = "words"
    revision = "in training"
    calibration = Calibration()

    def __init__(self, trainee: Trainee, reader: PieceReader, texts: ReadTexts) -> None:
        self._trainee, self._reader, self._texts = trainee, reader, texts

    def prepare(self, window: Window) -> MiniInputs:
        return make_inputs(window, self._reader)

    def forward(self, inputs: MiniInputs) -> tuple[tuple[Candidate, ...], ...]:
        n_keys, n_words = len(inputs.prompts), len(inputs.places)
        batch = make_batch([inputs], [[()] * n_keys], self._reader.pad, self._texts)
        with torch.no_grad():
            first, last, absent = (scores[0].float().cpu().numpy() for scores in self._trainee.scores(batch))
        return decode(first[:n_keys, :n_words], last[:n_keys, :n_words], absent[:n_keys], inputs)


@dataclass(frozen=True, slots=True)
class Score:
    """Share of labels answered rightly, per key; of columns the F1 of their cells, as "table.column".

    `sure` is the mean probability given to right answers.
    """

    by_key: Mapping[str, float]
    sure: float

    @property
    def mean(self) -> float:
        """Of the keys, as `pipkie eval` means."""
        return sum(self.by_key.values()) / max(1, len(self.by_key))

    @property
    def rank(self) -> tuple[float, float]:
        """What is better: more right answers, among equals the surer ones."""
        return round(self.mean, 4), self.sure


def score_documents(
    documents: Iterable[tuple[Labelled, ReadDocument]], template: Template, rules: SetRules, backend: Backend
) -> Score:
    """Every label against the answer, judged as `pipkie eval` does; a null label is right where nothing is given."""
    road = PipelineRoad(RunOptions((template,), template_given=True, facts=False), backend, ())
    right: dict[str, list[float]] = defaultdict(list)
    cells: dict[str, list[Judged]] = defaultdict(list)
    sure: list[float] = []
    for label, read in documents:
        for one in judge_document(label, road.ask_all(read, template, ()), template, rules):
            if one.kind in ("labelled", "absent"):
                right[one.key].append(float(one.right))
            elif column := _column(one, label, rules):
                cells[column].append(one)
            if one.expected or one.kind == "absent":
                sure.append(one.given.confidence if one.right else 0.0)
    by_key = {name: sum(rights) / len(rights) for name, rights in right.items()}
    return Score(by_key | {name: _f1(ones) for name, ones in cells.items()}, sum(sure) / max(1, len(sure)))


def _column(one: Judged, label: Labelled, rules: SetRules) -> str | None:
    """The column that a cell counts for; None for a value of a list whose document has the rows labelled, too."""
    if one.kind == "cell":
        return one.key
    table, _, _ = rules.columns[one.key].partition(".")
    return None if table in label.tables else rules.columns[one.key]


def _f1(cells: Sequence[Judged]) -> float:
    given, wanted = sum(one.given.raw is not None for one in cells), sum(bool(one.expected) for one in cells)
    return 2 * sum(one.right for one in cells if one.expected) / max(1, given + wanted)


def score_made_up(shipped: Sequence[Template], backend: Backend, n_documents: int) -> dict[str, float]:
    """Template name -> share of its keys read right, as text, on made-up documents that no training saw."""
    right: dict[str, list[bool]] = defaultdict(list)
    names = {key: template.name for template in shipped for key in template.keys if not key.columns}
    for number in range(n_documents):
        example = make_example(HELD_OUT_SEEDS + CHECKED + number)
        for key, as_drawn in _judged(example, names, backend):
            right[names[key]].append(as_drawn)
    return {name: sum(rights) / len(rights) for name, rights in sorted(right.items())}


def _judged(example: Example, asked: Mapping[Key, str], backend: Backend) -> list[tuple[Key, bool]]:
    questions = [question for question in example.questions if question.key in asked and not question.row]
    if not questions or not example.page.words:
        return []
    window = window_of(example, [question.key for question in questions])
    guesses = backend.forward(backend.prepare(window))
    return [
        (question.key, is_right(window.words, guess[0].words, question.spans))
        for question, guess in zip(questions, guesses, strict=True)
        if all(last < len(window.words) for _, last in question.spans)
    ]
